"""The Parquet tables of a graph as Ibis tables, for work on the whole graph."""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.graph.layout import TABLES
from rollcall.tables.engines.duckdb import connect

if TYPE_CHECKING:
    import ibis.expr.types as ir


class GraphTables:
    """Ibis tables by name: entities, aliases, types, classes, relations, facts, values."""

    entities: "ir.Table"
    aliases: "ir.Table"
    types: "ir.Table"
    classes: "ir.Table"
    relations: "ir.Table"
    facts: "ir.Table"
    values: "ir.Table"

    def __init__(self, folder: Path, memory_limit: str = "1GB"):
        self.backend = connect(memory_limit)
        for table in TABLES:
            path = folder / f"{table}.parquet"
            setattr(self, table, self.backend.read_parquet(path, table_name=table))

    def close(self) -> None:
        self.backend.disconnect()
