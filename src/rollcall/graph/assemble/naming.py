"""Names for what no source labels: an IRI is called by its last part, and any other entity by its id.

The names are written as one more shard, before labels are chosen, so that every engine treats them alike.
They make no new entity, because the entities are numbered before. The last part of an IRI becomes its label.
An id becomes a name that finds the entity, and the label stays empty.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.graph.assemble.combine import CLASSES, ENTITIES, RELATIONS, CombinedStreams, Numbered
from rollcall.graph.index import ArrayWriter, OffsetsWriter, StringTable, StringTableWriter
from rollcall.graph.ingest.records import local_name, local_term
from rollcall.graph.rows import GraphShard
from rollcall.tables.engine import Workbench
from rollcall.tables.files import TableWriter
from rollcall.tables.graph import Aliases, Entities, EntityRows, RelationRows
from rollcall.tables.table import Rows, file_name, shaped, unbound

FOLDER = "named/0000/000"
"""Among the folders of shards."""
_LAST_RANK = 900_000_000
_NAMES_PER_PART = 200_000
_IRI = "://"


def unlabelled(numbers: str, all_entities: bool) -> Rows[Numbered]:
    """The ids that have no label: IRIs, or with `all_entities` all of them."""
    ids, entities, relations = unbound(Numbered, numbers), unbound(EntityRows), unbound(RelationRows)
    labelled = entities.filter(entities.label.notnull()).select(labelled="id")
    lacking = ids.anti_join(labelled, ids.id == labelled.labelled)
    if numbers == RELATIONS:
        labelled_relations = relations.filter(relations.label.notnull()).select(labelled="id")
        lacking = lacking.anti_join(labelled_relations, lacking.id == labelled_relations.labelled)
    if not all_entities:
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
    folder, part, shard = shards / FOLDER, 0, GraphShard(_LAST_RANK)
    counts, example = dict[str, int](), ""
    folder.mkdir(parents=True, exist_ok=True)
    kinds: tuple[tuple[str, str, Callable[[str], str], Callable[[str, str], None]], ...] = (
        ("entities", ENTITIES, local_name, lambda id_, name: shard.entity(id_, name)),
        ("relations", RELATIONS, local_term, lambda id_, name: shard.relation(id_, name)),
        ("classes", CLASSES, local_term, lambda id_, name: shard.entity(id_, name)),
    )
    for kind, numbers, name_of, add in kinds:
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
                shard, part = GraphShard(_LAST_RANK), part + 1
    shard.write(folder, part)
    return LocalNames(counts, example)


def _ids(bench: Workbench, numbers: str, every: bool) -> Iterator[str]:
    for batch in bench.stream(partial(unlabelled, numbers, every)):
        yield from map(str, batch.column("id").to_pylist())


# Writes the names: entities, aliases, and the index from folded names to entities.


def write_entities(combination: CombinedStreams, folder: Path) -> int:
    """Write `entities.parquet` and the strings of the entities; returns how many there are."""
    index = folder / "index"
    with (
        TableWriter(Entities, folder / file_name(Entities)) as table,
        StringTableWriter(index, "entity_ids") as ids,
        StringTableWriter(index, "entity_labels") as labels,
        StringTableWriter(index, "entity_descriptions") as descriptions,
        StringTableWriter(index, "entity_titles") as titles,
    ):
        for batch in combination.entities():
            table.append(*batch.columns)
            for strings, column in zip((ids, labels, descriptions, titles), batch.columns, strict=True):
                strings.append(column)
    return table.rows


def write_aliases(combination: CombinedStreams, folder: Path) -> int:
    """Write `aliases.parquet` and the aliases of each entity; returns how many rows there are."""
    index = folder / "index"
    entity_ids = StringTable.open(index, "entity_ids")
    arrow_ids = entity_ids.arrow()
    last: Any = None
    with (
        TableWriter(Aliases, folder / file_name(Aliases)) as table,
        StringTableWriter(index, "aliases") as texts,
        OffsetsWriter(index / "alias_offsets.npy", len(entity_ids)) as offsets,
    ):
        for batch in combination.aliases():
            numbers, text, source, count = batch.columns
            table.append(arrow_ids.take(numbers), text, source, count)
            fresh, last = _changes([numbers, text], last)  # one alias may come from two sources
            offsets.append(numbers.to_numpy()[fresh])
            texts.append(text.filter(pa.array(fresh)))
    return table.rows


def write_relation_aliases(combination: CombinedStreams, index: Path, relations: int) -> None:
    """Write the aliases of each relation."""
    with (
        StringTableWriter(index, "relation_aliases") as texts,
        OffsetsWriter(index / "relation_alias_offsets.npy", relations) as offsets,
    ):
        for batch in combination.relation_aliases():
            numbers, text = batch.columns
            offsets.append(numbers.to_numpy())
            texts.append(text)


def write_names(combination: CombinedStreams, index: Path, dtype: np.dtype[Any]) -> None:
    """Write the index from folded names to the numbers of the entities that have them."""
    names_before, last = 0, None
    with (
        StringTableWriter(index, "names") as names,
        ArrayWriter(index / "name_entities.npy", dtype) as entities,
        ArrayWriter(index / "name_offsets.npy", np.int64) as offsets,
    ):
        for batch in combination.names():
            folded, numbers = batch.columns
            fresh, last = _changes([folded], last)
            names.append(folded.filter(pa.array(fresh)))
            offsets.append(np.flatnonzero(fresh) + names_before)
            entities.append(numbers.to_numpy())
            names_before += len(numbers)
        offsets.append(np.array([names_before], dtype=np.int64))


def _changes(columns: list[Any], last: Any) -> tuple[npt.NDArray[np.bool_], Any]:
    """Which rows differ from the row before, given the last row of the previous batch; and the last row."""
    rows = len(columns[0])
    fresh = np.zeros(rows, dtype=np.bool_)
    if not rows:
        return fresh, last
    for column in columns:
        fresh[1:] |= pa.compute.not_equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False)
    fresh[0] = [column[0].as_py() for column in columns] != last
    return fresh, [column[-1].as_py() for column in columns]
