"""The Parquet tables of a graph as Ibis tables, for work over all of it."""

from pathlib import Path
from typing import Any

from rollcall.engine import connect
from rollcall.graph.layout import TABLES


class GraphTables:
    """Ibis tables by name: entities, aliases, types, classes, relations, facts, values."""

    entities: Any
    aliases: Any
    types: Any
    classes: Any
    relations: Any
    facts: Any
    values: Any

    def __init__(self, folder: Path, memory_limit: str = "1GB"):
        self.backend = connect(memory_limit)
        for table in TABLES:
            path = folder / f"{table}.parquet"
            setattr(self, table, self.backend.read_parquet(path, table_name=table))

    def close(self) -> None:
        self.backend.disconnect()
