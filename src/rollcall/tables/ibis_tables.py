"""The tables of a finished folder as Ibis tables on an embedded database."""

from collections.abc import Iterable
from pathlib import Path

from rollcall.tables.engines.duckdb import connect, parquet_rows
from rollcall.tables.table import Table, declaration, file_name


class IbisTables:
    """Ibis tables as attributes, by their names; a subclass says which there are."""

    def __init__(self, folder: Path, tables: Iterable[type[Table]], memory: str = "1GB") -> None:
        self.backend = connect(memory)
        # A table named "tables" would be taken for DuckDB's own list of tables.
        for table in tables:
            name = declaration(table).name
            self.backend.con.execute(
                f"CREATE TEMP VIEW rollcall_{name} AS FROM {parquet_rows([folder / file_name(table)])}"
            )
            setattr(self, name, self.backend.table(f"rollcall_{name}"))

    def close(self) -> None:
        self.backend.disconnect()
