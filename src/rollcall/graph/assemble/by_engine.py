"""Shards combined by an engine: any number of them, within its memory limit."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from rollcall.graph.assemble import combine
from rollcall.graph.assemble.combination import (
    Ancestors,
    Batches,
    ClosedTypes,
    Edges,
    Labels,
    Literals,
    Numbers,
)
from rollcall.graph.layout import SHARD_FOLDERS
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.graph import SHARD_TABLES, Entities
from rollcall.tables.table import Table, columns, schema


def name_shards(bench: Workbench, folder: Path) -> None:
    """Give the engine every shard table: all its files in the folder."""
    for name, table in SHARD_TABLES.items():
        bench.read(table, sorted(folder.glob(f"{SHARD_FOLDERS}/{name}-*.parquet")))


class EngineCombination:
    """Runs the queries of `combine.py` in the order in which they depend on one another."""

    def __init__(self, bench: Workbench, add_names: Callable[[], None] = lambda: None) -> None:
        """`add_names` is called when everything is numbered, and may add labels to the shards."""
        self._bench = bench
        bench.keep(combine.Numbered, combine.entity_numbers, combine.ENTITIES)
        bench.keep(combine.Numbered, combine.relation_numbers, combine.RELATIONS)
        bench.keep(combine.Numbered, combine.class_numbers, combine.CLASSES)
        add_names()
        bench.keep(combine.NumberedLiterals, combine.literal_numbers)
        bench.keep(combine.Described, combine.described)

    def entities(self) -> Batches:
        return self._without_numbers(Entities, combine.entities_in_order)

    def literals(self) -> Batches:
        return self._without_numbers(Literals, combine.literals_in_order)

    def aliases(self) -> Batches:
        return self._bench.stream(combine.aliases_in_order)

    def names(self) -> Batches:
        return self._bench.stream(combine.names_in_order)

    def relations(self) -> Batches:
        return self._without_numbers(Labels, combine.relations_in_order)

    def relation_aliases(self) -> Batches:
        return self._bench.stream(combine.relation_aliases_in_order)

    def classes(self) -> Batches:
        return self._without_numbers(Labels, combine.classes_in_order)

    def _without_numbers(self, table: type[Table], query: Query) -> Batches:
        """The rows of a query in the order of their numbers."""
        for batch in self._bench.stream(query):
            yield batch.select(list(columns(table)))

    def edges_forward(self) -> Batches:
        self._bench.keep(Edges, combine.edges)
        yield from self._bench.stream(combine.edges_forward)

    def edges_backward(self) -> Batches:
        yield from self._bench.stream(combine.edges_backward)
        self._bench.drop(Edges)

    def parents(self) -> Batches:
        return self._bench.stream(combine.parents_in_order)

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        batches = (
            pa.RecordBatch.from_arrays([pa.array(classes), pa.array(above)], schema=schema(Ancestors))
            for classes, above in ancestors
        )
        self._bench.give(Ancestors, pa.RecordBatchReader.from_batches(schema(Ancestors), batches))
        self._bench.keep(ClosedTypes, combine.closed_types)

    def types_forward(self) -> Batches:
        return self._bench.stream(combine.types_forward)

    def types_backward(self) -> Batches:
        yield from self._bench.stream(combine.types_backward)
        self._bench.drop(ClosedTypes)
