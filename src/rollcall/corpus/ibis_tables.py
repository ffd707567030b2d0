"""The Parquet tables of a corpus as Ibis tables, for work on the whole corpus."""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.corpus.layout import TABLES
from rollcall.engine import connect

if TYPE_CHECKING:
    import ibis.expr.types as ir


class CorpusTables:
    """Ibis tables by name, on an embedded engine: `tables.sentences`, `tables.links`, …"""

    def __init__(self, folder: Path, memory_limit: str = "1GB") -> None:
        self.backend = connect(memory_limit)
        self._tables = {
            table: self.backend.read_parquet(folder / f"{table}.parquet", table_name=f"corpus_{table}")
            for table in TABLES
        }

    def __getattr__(self, name: str) -> "ir.Table":
        tables: dict[str, ir.Table] = self.__dict__["_tables"]
        if name not in tables:
            raise AttributeError(f"a corpus has no table {name!r}; it has {', '.join(TABLES)}")
        return tables[name]

    def close(self) -> None:
        self.backend.disconnect()
