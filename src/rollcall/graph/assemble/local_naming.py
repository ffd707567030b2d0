"""Names for what no source labels: entities, relations and classes are called by the last part of their IRI.

The names are written as one more shard, before labels are chosen, so that every engine treats them alike.
They make no new entity, because the entities are numbered before. Where some entities of tables have labels
and others are known by their names alone, the latter are labelled with these, so that names find all of them.
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


def _labelled_entities() -> Rows[EntityRows]:
    entities = unbound(EntityRows)
    return shaped(EntityRows, entities.filter(entities.label.notnull()).limit(1))


class LocalNames(NamedTuple):
    """What was called by its local name."""

    counts: dict[str, int]
    """How many entities, relations and classes."""
    example: str = ""


def write_local_names(bench: Workbench, shards: Path, *, every: bool) -> LocalNames:
    """Write a shard with the names of what has no label."""
    folder, part, shard = shards / FOLDER, 0, Shard(_LAST_RANK)
    counts, example = dict[str, int](), ""
    folder.mkdir(parents=True, exist_ok=True)
    named: tuple[tuple[str, str, Callable[[str], str], Callable[[str, str], None]], ...] = (
        ("entities", ENTITIES, local_name, lambda id_, name: shard.entity(id_, name)),
        ("relations", RELATIONS, local_term, lambda id_, name: shard.relation(id_, name)),
        ("classes", CLASSES, local_term, lambda id_, name: shard.entity(id_, name)),
    )
    mixed = bench.count(_labelled_entities) > 0
    for kind, numbers, name_of, add in named:
        for id_ in _ids(bench, numbers, every or (mixed and numbers == ENTITIES)):
            if not every and _IRI not in id_:
                add(id_, id_)
                continue
            name = name_of(id_) if _IRI in id_ or "." not in id_ else ""
            if name and name != id_:
                add(id_, name)
                counts[kind] = counts.get(kind, 0) + 1
                example = example or f"{id_} is {name}"
            if shard.count("entities") >= _NAMES_PER_PART:
                shard.write(folder, part)
                shard, part = Shard(_LAST_RANK), part + 1
    shard.write(folder, part)
    return LocalNames(counts, example)


def _ids(bench: Workbench, numbers: str, every: bool) -> Iterator[str]:
    for batch in bench.stream(partial(unlabelled, numbers, every)):
        yield from map(str, batch.column("id").to_pylist())
