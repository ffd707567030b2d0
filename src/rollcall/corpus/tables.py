"""The Parquet files of a corpus: a writer whose bytes depend only on the rows, and the tables for Ibis.

Row groups are small, because the usual reading is of one page: the statistics of each row group say whether
it can hold it.
"""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from rollcall.corpus.layout import TABLES, arrow_schema
from rollcall.engine import connect
from rollcall.graph.assemble.table_files import TableWriter

ROWS_PER_GROUP = 1 << 14


class TableFile(TableWriter):
    """Writes one table of a corpus, row group by row group."""

    def __init__(self, folder: Path, table: str) -> None:
        self._schema = arrow_schema(TABLES[table])
        self._rows_per_group = ROWS_PER_GROUP
        self._writer = pq.ParquetWriter(folder / f"{table}.parquet", self._schema, compression="zstd")
        self._pending: list[Any] = []
        self._pending_rows = 0
        self.rows = 0


class CorpusTables:
    """Ibis tables by name, on an embedded engine: `tables.sentences`, `tables.links`, …"""

    def __init__(self, folder: Path, memory_limit: str = "1GB") -> None:
        self.backend = connect(memory_limit)
        self._tables = {
            table: self.backend.read_parquet(folder / f"{table}.parquet", table_name=f"corpus_{table}")
            for table in TABLES
        }

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_tables"][name]
        except KeyError:
            raise AttributeError(f"a corpus has no table {name!r}; it has {', '.join(TABLES)}") from None

    def close(self) -> None:
        self.backend.disconnect()
