"""Writes facts and values: the two Parquet tables, and the arrays sorted both ways.

Only numbers are sorted; names are looked up in the memory-mapped string tables as each batch is written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.graph.arrays import ArrayWriter, OffsetsWriter, open_array
from rollcall.graph.assemble.combination import Combination, Labels
from rollcall.graph.layout import FIRST_LITERAL
from rollcall.graph.strings import StringTable, StringTableWriter
from rollcall.tables.graph import Facts, Relations, Values
from rollcall.tables.table import file_name, schema
from rollcall.tables.writer import TableWriter

Numbers = npt.NDArray[np.int64]


def write_edges(
    combination: Combination,
    folder: Path,
    entity_count: int,
    dtype: np.dtype[Any],
    dimensions: Sequence[str],
    kinds: Sequence[str],
) -> tuple[dict[str, int], dict[str, int]]:
    """Write facts, values, relations and their arrays.

    Returns the rows of the three tables, and how many facts and values were given again.
    """
    index = folder / "index"
    relations = pa.Table.from_batches(
        combination.relations(),
        schema=schema(Labels),
    )
    for column, name in (("id", "relation_ids"), ("label", "relation_labels")):
        with StringTableWriter(index, name) as strings:
            strings.append(relations[column].combine_chunks())
    repeated: Counter[str] = Counter()
    facts_of, values_of = _write_forward(
        combination, folder, entity_count, dtype, relations.num_rows, (dimensions, kinds), repeated
    )
    _write_backward(combination, index, entity_count, dtype)
    with TableWriter(Relations, folder / file_name(Relations)) as table:
        columns = [column.combine_chunks() for column in relations.columns]
        table.append(*columns, pa.array(facts_of), pa.array(values_of))
    counts = {"relations": table.rows, "facts": int(facts_of.sum()), "values": int(values_of.sum())}
    return counts, dict(repeated)


def _write_forward(
    combination: Combination,
    folder: Path,
    entity_count: int,
    dtype: np.dtype[Any],
    relation_count: int,
    literal_names: tuple[Sequence[str], Sequence[str]],
    repeated: Counter[str],
) -> tuple[Numbers, Numbers]:
    """Write the arrays by subject, `facts.parquet` and `values.parquet`; returns each relation's rows."""
    index = folder / "index"
    facts_of = np.zeros(relation_count, dtype=np.int64)
    values_of = np.zeros(relation_count, dtype=np.int64)
    names = _Names(index, *literal_names)
    with (
        OffsetsWriter(index / "relation_offsets.npy", relation_count) as offsets,
        ArrayWriter(index / "forward_subjects.npy", dtype) as all_subjects,
        ArrayWriter(index / "forward_objects.npy", dtype) as all_objects,
        TableWriter(Facts, folder / file_name(Facts)) as facts,
        TableWriter(Values, folder / file_name(Values)) as values,
    ):
        for relations, subjects, objects in _distinct(combination.edges_forward(), repeated):
            literal = objects >= FIRST_LITERAL
            entity = ~literal
            offsets.append(relations)
            all_subjects.append(subjects)
            all_objects.append(_terms(objects, entity_count))
            facts_of += np.bincount(relations[entity], minlength=relation_count)
            values_of += np.bincount(relations[literal], minlength=relation_count)
            facts.append(*names.of_facts(relations[entity], subjects[entity], objects[entity]))
            literals = objects[literal] - FIRST_LITERAL
            values.append(*names.of_values(relations[literal], subjects[literal], literals))
    return facts_of, values_of


def _write_backward(combination: Combination, index: Path, entity_count: int, dtype: np.dtype[Any]) -> None:
    with (
        ArrayWriter(index / "backward_objects.npy", dtype) as all_objects,
        ArrayWriter(index / "backward_subjects.npy", dtype) as all_subjects,
    ):
        for _, subjects, objects in _distinct(combination.edges_backward()):
            all_subjects.append(subjects)
            all_objects.append(_terms(objects, entity_count))


def _terms(objects: Numbers, entity_count: int) -> Numbers:
    return np.where(objects >= FIRST_LITERAL, objects - FIRST_LITERAL + entity_count, objects)


def _distinct(
    batches: Iterator[Any], repeated: Counter[str] | None = None
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """The columns of sorted batches without the rows that equal the row before, which are counted."""
    last: tuple[int, ...] | None = None
    for batch in batches:
        columns = [column.to_numpy() for column in batch.columns]
        if not batch.num_rows:
            continue
        fresh = np.zeros(batch.num_rows, dtype=np.bool_)
        for column in columns:
            fresh[1:] |= column[1:] != column[:-1]
        fresh[0] = last != tuple(int(column[0]) for column in columns)
        last = tuple(int(column[-1]) for column in columns)
        if repeated is not None and not fresh.all():
            again = columns[2][~fresh]
            values = int((again >= FIRST_LITERAL).sum())
            repeated.update({"facts": len(again) - values, "values": values})
        relations, subjects, objects = (column[fresh] for column in columns)
        yield relations, subjects, objects


class _Names:
    """Converts numbers back to names, as Arrow columns."""

    def __init__(self, index: Path, dimensions: Sequence[str], kinds: Sequence[str]) -> None:
        self._entities = StringTable.open(index, "entity_ids").arrow()
        self._relations = StringTable.open(index, "relation_ids").arrow()
        self._literals = StringTable.open(index, "literals").arrow()
        self._literal_kind = open_array(index / "literal_kind.npy")
        self._literal_dimension = open_array(index / "literal_dimension.npy")
        self._literal_low = open_array(index / "literal_low.npy")
        self._literal_high = open_array(index / "literal_high.npy")
        self._dimensions = pa.array([*dimensions, None], type=pa.string())
        self._kinds = pa.array(kinds, type=pa.string())

    def of_facts(self, relations: Numbers, subjects: Numbers, objects: Numbers) -> list[Any]:
        return [
            self._entities.take(pa.array(subjects)),
            self._relations.take(pa.array(relations)),
            self._entities.take(pa.array(objects)),
        ]

    def of_values(self, relations: Numbers, subjects: Numbers, literals: Numbers) -> list[Any]:
        dimension = self._literal_dimension[literals]
        unordered = dimension < 0
        places: Any = np.where(unordered, len(self._dimensions) - 1, dimension)
        return [
            self._entities.take(pa.array(subjects)),
            self._relations.take(pa.array(relations)),
            self._literals.take(pa.array(literals)),
            self._kinds.take(pa.array(self._literal_kind[literals])),
            self._dimensions.take(pa.array(places)),
            pa.array(self._literal_low[literals], mask=unordered),
            pa.array(self._literal_high[literals], mask=unordered),
        ]
