"""Names for what no source labels: an IRI is called by its last part, and any other entity by its id.

The names are written as one more shard, before labels are chosen, so that every engine treats them alike.
They make no new entity, because the entities are numbered before. The last part of an IRI becomes its label.
An id becomes a name that finds the entity, and the label stays empty.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rollcall.graph.assemble.combine import CLASSES, ENTITIES, RELATIONS, Numbered
from rollcall.graph.local_names import local_name, local_term
from rollcall.graph.shards import Shard
from rollcall.tables.engine import Workbench
from rollcall.tables.graph import EntityRows, RelationRows
from rollcall.tables.table import Rows, shaped, unbound

FOLDER = "named/0000/000"
"""Among the folders of shards."""
_LAST_RANK = 900_000_000
_NAMES_PER_PART = 200_000
_IRI = "://"


def unlabelled(numbers: str, every: bool) -> Rows[Numbered]:
    """The ids that have no label: IRIs, or with `every` all of them."""
    ids, entities, relations = unbound(Numbered, numbers), unbound(EntityRows), unbound(RelationRows)
    labelled = entities.filter(entities.label.notnull()).select(labelled="id")
    lacking = ids.anti_join(labelled, ids.id == labelled.labelled)
    if numbers == RELATIONS:
        own = relations.filter(relations.label.notnull()).select(labelled="id")
        lacking = lacking.anti_join(own, lacking.id == own.labelled)
    if not every:
        lacking = lacking.filter(lacking.id.contains(_IRI))
    ordered: Rows[Numbered] = shaped(Numbered, lacking).order_by("number")
    return ordered


class LocalNames(NamedTuple):
    """What was called by its local name."""

    counts: dict[str, int]
    """How many entities, relations and classes."""
    example: str = ""


def write_local_names(bench: Workbench, shards: Path, *, every: bool | None) -> LocalNames:
    """Write a shard with the names of what has no label.

    IRIs get labels; with `every`, other ids do too, and without a value nothing does.
    """
    folder, part, shard = shards / FOLDER, 0, Shard(_LAST_RANK)
    counts, example = dict[str, int](), ""
    folder.mkdir(parents=True, exist_ok=True)
    named: tuple[tuple[str, str, Callable[[str], str], Callable[[str, str], None]], ...] = (
        ("entities", ENTITIES, local_name, lambda id_, name: shard.entity(id_, name)),
        ("relations", RELATIONS, local_term, lambda id_, name: shard.relation(id_, name)),
        ("classes", CLASSES, local_term, lambda id_, name: shard.entity(id_, name)),
    )
    for kind, numbers, name_of, add in named:
        if every is None and numbers != ENTITIES:
            continue
        for id_ in _ids(bench, numbers, bool(every) or numbers == ENTITIES):
            has_local_name = every is not None and (_IRI in id_ or (every and "." not in id_))
            name = name_of(id_) if has_local_name else ""
            if name and name != id_:
                add(id_, name)
                counts[kind] = counts.get(kind, 0) + 1
                example = example or f"{id_} is {name}"
            elif numbers == ENTITIES:
                shard.id_as_name(id_)
            if shard.count("entities") >= _NAMES_PER_PART:
                shard.write(folder, part)
                shard, part = Shard(_LAST_RANK), part + 1
    shard.write(folder, part)
    return LocalNames(counts, example)


def _ids(bench: Workbench, numbers: str, every: bool) -> Iterator[str]:
    for batch in bench.stream(partial(unlabelled, numbers, every)):
        yield from map(str, batch.column("id").to_pylist())
