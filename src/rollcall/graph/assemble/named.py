"""Writes the names: entities, aliases, and the index from folded names to entities."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.graph.arrays import ArrayWriter, OffsetsWriter
from rollcall.graph.assemble.combination import Combination
from rollcall.graph.strings import StringTable, StringTableWriter
from rollcall.tables.graph import Aliases, Entities
from rollcall.tables.table import file_name
from rollcall.tables.writer import TableWriter


def write_entities(combination: Combination, folder: Path) -> int:
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


def write_aliases(combination: Combination, folder: Path) -> int:
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


def write_relation_aliases(combination: Combination, index: Path, relations: int) -> None:
    """Write the aliases of each relation."""
    with (
        StringTableWriter(index, "relation_aliases") as texts,
        OffsetsWriter(index / "relation_alias_offsets.npy", relations) as offsets,
    ):
        for batch in combination.relation_aliases():
            numbers, text = batch.columns
            offsets.append(numbers.to_numpy())
            texts.append(text)


def write_names(combination: Combination, index: Path, dtype: np.dtype[Any]) -> None:
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
