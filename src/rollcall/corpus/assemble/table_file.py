"""Writes the Parquet files of a corpus, with bytes that depend only on the rows.

Row groups are small, because usually one page is read: the statistics of each row group show whether it can
contain that page.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.corpus.layout import TABLES, arrow_schema
from rollcall.graph.assemble.table_files import TableWriter

ROWS_PER_GROUP = 1 << 14


class TableFile(TableWriter):
    """Writes one table of a corpus, row group by row group."""

    def __init__(self, folder: Path, table: str) -> None:
        self._schema = arrow_schema(TABLES[table])
        self._rows_per_group = ROWS_PER_GROUP
        self._writer = pq.ParquetWriter(folder / f"{table}.parquet", self._schema, compression="zstd")
        self._pending: list[pa.Table] = []
        self._pending_rows = 0
        self.rows = 0
