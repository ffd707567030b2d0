"""Writes classes and types: the hierarchy, every entity's classes with their ancestors, and the arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.graph.arrays import ArrayWriter, OffsetsWriter
from rollcall.graph.assemble.closure import ancestor_pairs
from rollcall.graph.assemble.combination import Combination, Labels
from rollcall.graph.strings import StringTable, StringTableWriter
from rollcall.tables.graph import Classes, Types
from rollcall.tables.table import file_name, schema
from rollcall.tables.writer import TableWriter

Numbers = npt.NDArray[np.int64]


def write_types(
    combination: Combination, folder: Path, entity_count: int, dtype: np.dtype[Any]
) -> dict[str, int]:
    """Write classes, types and their arrays; returns the rows of the two tables."""
    index = folder / "index"
    classes = pa.Table.from_batches(
        combination.classes(),
        schema=schema(Labels),
    )
    for column, name in (("id", "class_ids"), ("label", "class_labels")):
        with StringTableWriter(index, name) as strings:
            strings.append(classes[column].combine_chunks())
    parents = _close_hierarchy(combination, classes.num_rows)
    types = _write_forward(combination, folder, entity_count, dtype)
    entities_of = _write_backward(combination, index, classes.num_rows, dtype)
    with TableWriter(Classes, folder / file_name(Classes)) as table:
        ids, labels = (classes[column].combine_chunks() for column in ("id", "label"))
        table.append(ids, labels, _parent_lists(ids, *parents), pa.array(entities_of))
    return {"classes": table.rows, "types": types}


def _close_hierarchy(combination: Combination, class_count: int) -> tuple[Numbers, Numbers]:
    """Give the engine every class with its ancestors; returns the pairs of class and parent."""
    batches = list(combination.parents())
    empty = np.zeros(0, dtype=np.int64)
    children = np.concatenate([empty, *(batch.column(0).to_numpy() for batch in batches)])
    parents = np.concatenate([empty, *(batch.column(1).to_numpy() for batch in batches)])
    combination.close_types(ancestor_pairs(class_count, children, parents))
    return children, parents


def _parent_lists(ids: Any, children: Numbers, parents: Numbers) -> Any:
    offsets = np.searchsorted(children, np.arange(len(ids) + 1))
    return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), ids.take(pa.array(parents)))


def _write_forward(combination: Combination, folder: Path, entity_count: int, dtype: np.dtype[Any]) -> int:
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


def _write_backward(combination: Combination, index: Path, class_count: int, dtype: np.dtype[Any]) -> Numbers:
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
