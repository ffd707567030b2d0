"""From shards to a finished graph: each sorted result is streamed once into the tables and the index.

The engine sorts and joins within its memory limit. Here only one batch at a time is in memory, besides the
relations and classes, which are few. `build_tables_and_index` calls the parts in order: entities, values,
names, facts, types.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.graph.assemble.combine import CombinedStreams, LabelRows
from rollcall.graph.index import (
    FIRST_LITERAL,
    ArrayWriter,
    OffsetsWriter,
    StringTable,
    StringTableWriter,
    open_array,
)
from rollcall.tables.files import TableWriter
from rollcall.tables.graph import Aliases, Classes, Entities, Facts, Relations, Types, Values
from rollcall.tables.table import file_name, schema

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


# Writes facts and values: the two Parquet tables, and the arrays sorted both ways. Only numbers are
# sorted; names are looked up in the memory-mapped string tables as each batch is written.

Numbers = npt.NDArray[np.int64]


def write_edges(
    combination: CombinedStreams,
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
        schema=schema(LabelRows),
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
    combination: CombinedStreams,
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
    names = _NameArrays(index, *literal_names)
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


def _write_backward(
    combination: CombinedStreams, index: Path, entity_count: int, dtype: np.dtype[Any]
) -> None:
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


class _NameArrays:
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
        numbers: Any = np.where(unordered, len(self._dimensions) - 1, dimension)
        return [
            self._entities.take(pa.array(subjects)),
            self._relations.take(pa.array(relations)),
            self._literals.take(pa.array(literals)),
            self._kinds.take(pa.array(self._literal_kind[literals])),
            self._dimensions.take(pa.array(numbers)),
            pa.array(self._literal_low[literals], mask=unordered),
            pa.array(self._literal_high[literals], mask=unordered),
        ]


# The closure of the class hierarchy: every class with all classes above it, including itself. Walking up
# from each class works with cycles too (all classes of a cycle are above one another), and visits each
# ancestor once, however many paths lead to it.


def ancestor_pairs(
    class_count: int, classes: Numbers, parents: Numbers, rows: int = 1_000_000
) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of class and ancestor in pieces of about `rows`; the input pairs are sorted by class."""
    starts = np.searchsorted(classes, np.arange(class_count + 1)).tolist()
    above = parents.tolist()
    ancestors: list[int] = []
    counts: list[int] = []
    first = 0
    for number in range(class_count):
        reached = _ancestors(number, starts, above)
        ancestors += reached
        counts.append(len(reached))
        if len(ancestors) >= rows:
            yield _pairs(first, counts, ancestors)
            ancestors, counts, first = [], [], number + 1
    yield _pairs(first, counts, ancestors)


def _ancestors(number: int, starts: list[int], above: list[int]) -> list[int]:
    reached = [number]
    seen = {number}
    for current in reached:  # the list grows while it is walked
        for parent in above[starts[current] : starts[current + 1]]:
            if parent not in seen:
                seen.add(parent)
                reached.append(parent)
    return reached


def _pairs(first: int, counts: list[int], ancestors: list[int]) -> tuple[Numbers, Numbers]:
    classes = np.repeat(np.arange(first, first + len(counts), dtype=np.int64), counts)
    return classes, np.array(ancestors, dtype=np.int64)


# Writes classes and types: the hierarchy, every entity's classes with their ancestors, and the arrays.

TypeNumbers = npt.NDArray[np.int64]


def write_types(
    combination: CombinedStreams, folder: Path, entity_count: int, dtype: np.dtype[Any]
) -> dict[str, int]:
    """Write classes, types and their arrays; returns the rows of the two tables."""
    index = folder / "index"
    classes = pa.Table.from_batches(
        combination.classes(),
        schema=schema(LabelRows),
    )
    for column, name in (("id", "class_ids"), ("label", "class_labels")):
        with StringTableWriter(index, name) as strings:
            strings.append(classes[column].combine_chunks())
    parents = _close_hierarchy(combination, classes.num_rows)
    types = _write_types_forward(combination, folder, entity_count, dtype)
    entities_of = _write_types_backward(combination, index, classes.num_rows, dtype)
    with TableWriter(Classes, folder / file_name(Classes)) as table:
        ids, labels = (classes[column].combine_chunks() for column in ("id", "label"))
        table.append(ids, labels, _parent_lists(ids, *parents), pa.array(entities_of))
    return {"classes": table.rows, "types": types}


def _close_hierarchy(combination: CombinedStreams, class_count: int) -> tuple[TypeNumbers, TypeNumbers]:
    """Give the engine every class with its ancestors; returns the pairs of class and parent."""
    batches = list(combination.parents())
    empty = np.zeros(0, dtype=np.int64)
    children = np.concatenate([empty, *(batch.column(0).to_numpy() for batch in batches)])
    parents = np.concatenate([empty, *(batch.column(1).to_numpy() for batch in batches)])
    combination.close_types(ancestor_pairs(class_count, children, parents))
    return children, parents


def _parent_lists(ids: Any, children: TypeNumbers, parents: TypeNumbers) -> Any:
    offsets = np.searchsorted(children, np.arange(len(ids) + 1))
    return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), ids.take(pa.array(parents)))


def _write_types_forward(
    combination: CombinedStreams, folder: Path, entity_count: int, dtype: np.dtype[Any]
) -> int:
    index = folder / "index"
    entity_ids = StringTable.open(index, "entity_ids").arrow()
    class_ids = StringTable.open(index, "class_ids").arrow()
    with (
        TableWriter(Types, folder / file_name(Types)) as table,
        ArrayWriter(index / "type_forward_entities.npy", dtype) as all_entities,
        ArrayWriter(index / "type_forward_classes.npy", dtype) as all_classes,
        OffsetsWriter(index / "direct_type_offsets.npy", entity_count) as direct_offsets,
        ArrayWriter(index / "direct_types.npy", dtype) as direct_classes,
    ):
        for batch in combination.types_forward():
            entities, classes, direct = batch.columns
            table.append(entity_ids.take(entities), class_ids.take(classes), direct)
            all_entities.append(entities.to_numpy())
            all_classes.append(classes.to_numpy())
            direct_offsets.append(entities.filter(direct).to_numpy())
            direct_classes.append(classes.filter(direct).to_numpy())
    return table.rows


def _write_types_backward(
    combination: CombinedStreams, index: Path, class_count: int, dtype: np.dtype[Any]
) -> TypeNumbers:
    """Write the arrays by class; returns how many entities each class has."""
    entities_of = np.zeros(class_count, dtype=np.int64)
    with (
        ArrayWriter(index / "type_backward_classes.npy", dtype) as all_classes,
        ArrayWriter(index / "type_backward_entities.npy", dtype) as all_entities,
    ):
        for batch in combination.types_backward():
            classes, entities = (column.to_numpy() for column in batch.columns)
            all_classes.append(classes)
            all_entities.append(entities)
            entities_of += np.bincount(classes, minlength=class_count)
    return entities_of


KINDS = ("number", "quantity", "date", "text", "point")
"""The kinds of literal values; a literal's kind is stored as its index in this tuple."""


STEPS = 5


def build_tables_and_index(
    combination: CombinedStreams, folder: Path, step: Callable[[str], None] = lambda _: None
) -> tuple[dict[str, int], dict[str, int]]:
    """Write the tables and `index/` of a graph from the combined shards.

    Returns the rows of each table, and how many facts and values were given again.

    `step` is called STEPS times, with the name of the part that is being written.
    """
    index = folder / "index"
    index.mkdir(parents=True, exist_ok=True)
    step("entities")
    counts = {"entities": write_entities(combination, folder)}
    step("values")
    literals, dimensions = _write_literals(combination, index)
    terms = counts["entities"] + literals
    dtype = np.dtype(np.int32 if terms < 2**31 else np.int64)
    step("names")
    counts["aliases"] = write_aliases(combination, folder)
    write_names(combination, index, dtype)
    step("facts")
    edges, repeated = write_edges(combination, folder, counts["entities"], dtype, dimensions, KINDS)
    counts |= edges
    write_relation_aliases(combination, index, counts["relations"])
    step("types")
    counts |= write_types(combination, folder, counts["entities"], dtype)
    facts = {"dtype": dtype.name, "entities": counts["entities"], "literals": literals}
    (index / "index.json").write_text(json.dumps(facts | {"dimensions": dimensions}))
    return counts, repeated


def _write_literals(combination: CombinedStreams, index: Path) -> tuple[int, list[str]]:
    """Write texts, kinds and bounds of the literals; returns their number and their dimensions."""
    dimensions: dict[str | None, int] = {None: -1}
    with (
        StringTableWriter(index, "literals") as texts,
        ArrayWriter(index / "literal_kind.npy", np.int8) as kinds,
        ArrayWriter(index / "literal_dimension.npy", np.int32) as dimension_codes,
        ArrayWriter(index / "literal_low.npy", np.float64) as lows,
        ArrayWriter(index / "literal_high.npy", np.float64) as highs,
    ):
        for batch in combination.literals():
            texts.append(batch.column("id"))
            kinds.append(_codes(batch.column("kind"), {kind: number for number, kind in enumerate(KINDS)}))
            dimension_codes.append(_codes(batch.column("dimension"), dimensions))
            lows.append(batch.column("low").to_numpy(zero_copy_only=False))
            highs.append(batch.column("high").to_numpy(zero_copy_only=False))
    return len(texts), [name for name in dimensions if name is not None]


def _codes(strings: Any, code_of: dict[Any, int]) -> npt.NDArray[np.int32]:
    """Each string's code; a new string gets the next code, from 0; null is -1."""
    encoded = strings.dictionary_encode(null_encoding="encode")
    codes = []
    for name in encoded.dictionary.to_pylist():
        codes.append(code_of.setdefault(name, len(code_of) - (None in code_of)))
    result: npt.NDArray[np.int32] = np.array(codes, dtype=np.int32)[encoded.indices.to_numpy()]
    return result
