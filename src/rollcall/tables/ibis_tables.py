"""The tables of a finished folder as Ibis tables on an embedded database."""

from collections.abc import Iterable
from pathlib import Path

from rollcall.tables.engines.duckdb import connect
from rollcall.tables.table import Table, declaration, file_name


class IbisTables:
    """Ibis tables as attributes, by their names; a subclass says which there are."""

    def __init__(self, folder: Path, tables: Iterable[type[Table]], memory: str = "1GB") -> None:
        self.backend = connect(memory)
        # A table named "tables" would be taken for DuckDB's own list of tables.
        for table in tables:
            name = declaration(table).name
            rows = self.backend.read_parquet(folder / file_name(table), table_name=f"rollcall_{name}")
            setattr(self, name, rows)

    def close(self) -> None:
        self.backend.disconnect()
