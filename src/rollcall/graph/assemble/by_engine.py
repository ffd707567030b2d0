"""Shards combined by the database engine: any number of them, within its memory limit."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from rollcall.engine import Workbench
from rollcall.graph.assemble import combine
from rollcall.graph.assemble.combination import Batches, Numbers
from rollcall.graph.layout import SHARD_FOLDERS
from rollcall.graph.shards import COLUMNS, arrow_schema


def name_shards(bench: Workbench, folder: Path) -> None:
    """Give the engine every shard table: all its files in the folder, or an empty table."""
    for table in COLUMNS:
        pattern = f"{SHARD_FOLDERS}/{table}-*.parquet"
        if next(folder.glob(pattern), None) is not None:
            bench.read_parquet(f"read_{table}", folder, pattern)
        else:
            bench.give(f"read_{table}", arrow_schema(table).empty_table())


class EngineCombination:
    """Runs the queries of `combine.py` in the order in which they depend on one another."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        for name in ("entity_numbers", "relation_numbers", "class_numbers", "literal_numbers", "described"):
            bench.keep(name, getattr(combine, name))

    def entities(self) -> Batches:
        return self._bench.stream(combine.entities_in_order)

    def literals(self) -> Batches:
        return self._bench.stream(combine.literals_in_order)

    def aliases(self) -> Batches:
        return self._bench.stream(combine.aliases_in_order)

    def names(self) -> Batches:
        return self._bench.stream(combine.names_in_order)

    def relations(self) -> Batches:
        return self._bench.stream(combine.relations_in_order)

    def classes(self) -> Batches:
        return self._bench.stream(combine.classes_in_order)

    def edges_forward(self) -> Batches:
        self._bench.keep("edges", combine.edges)
        yield from self._bench.stream(combine.edges_forward)

    def edges_backward(self) -> Batches:
        yield from self._bench.stream(combine.edges_backward)
        self._bench.drop("edges")

    def parents(self) -> Batches:
        return self._bench.stream(combine.parents_in_order)

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        schema = pa.schema([("class_number", pa.int64()), ("ancestor", pa.int64())])
        batches = (
            pa.RecordBatch.from_arrays([pa.array(classes), pa.array(above)], schema=schema)
            for classes, above in ancestors
        )
        self._bench.give_batches("ancestors", pa.RecordBatchReader.from_batches(schema, batches))
        self._bench.keep("closed_types", combine.closed_types)

    def types_forward(self) -> Batches:
        return self._bench.stream(combine.types_forward)

    def types_backward(self) -> Batches:
        yield from self._bench.stream(combine.types_backward)
        self._bench.drop("closed_types")
