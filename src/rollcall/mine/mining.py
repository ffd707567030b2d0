"""A database for mining one graph: named tables, parameters as tables, results as sorted Parquet files.

`Mining` opens the tables of a graph folder and writes the tables that `layout` declares. Everything is an
Ibis expression over named tables, so the engine's limit bounds the memory, and the same expressions can run
on another engine. The files depend only on the rows, not on threads or batches.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.engine import Workbench
from rollcall.files import remove, replacing
from rollcall.filter import Filter
from rollcall.mine.layout import TABLES, arrow_schema
from rollcall.tables.writer import TableWriter

ROWS_PER_GROUP = 1 << 16
SPILL = ".spill"


class MiningResult(NamedTuple):
    """The number of queries that a mining step wrote, and how many each filter removed."""

    queries: int
    removed: dict[Filter, int]


class Mining(Workbench):
    """The engine with a graph's tables registered, which writes the tables of mining."""

    def __init__(self, out: Path, *, memory: str = "1GB", threads: int | None = None) -> None:
        """Results go to the folder `out`; data that does not fit in memory goes to a hidden folder in it."""
        out.mkdir(parents=True, exist_ok=True)
        self.out = out
        self._spill = out / SPILL
        super().__init__(memory, threads, self._spill)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            remove(self._spill)

    def read(self, name: str, path: Path) -> None:
        """Register one Parquet file under a name."""
        self.read_parquet(name, path.parent, path.name)

    def names(self, name: str, ids: Iterable[str]) -> None:
        """Register a list of ids under a name, as a table with the column `id`."""
        self.give(name, pa.table({"id": pa.array(sorted(set(ids)), pa.string())}))

    def rows(self, query: Callable[[], Any]) -> list[dict[str, Any]]:
        """A small result as Python values."""
        return [row for batch in self.stream(query) for row in batch.to_pylist()]

    def count(self, query: Callable[[], Any]) -> int:
        """The number of rows of a query."""
        return int(self.rows(lambda: query().agg(rows=query().count()))[0]["rows"])

    def write(
        self,
        table: str,
        query: Callable[[], Any],
        name: str | None = None,
        order: Sequence[str] | None = None,
    ) -> int:
        """Write a result as one of mining's tables, sorted by all its columns that are not lists.

        Sorting by fewer columns (`order`) is faster. They must identify each row, and be in the order of the
        table.
        """
        columns = TABLES[table]
        order = order or [column for column, kind in columns.items() if kind != "array<string>"]
        path = self.out / f"{name or table}.parquet"
        with replacing(path) as partial, SortedFile(partial, columns) as file:
            for batch in self.stream(
                lambda: _complete(query(), columns).order_by(order), rows=ROWS_PER_GROUP
            ):
                file.append(*batch.columns)
        return file.rows


def _complete(rows: ibis.Table, columns: Mapping[str, str]) -> ibis.Table:
    """Rows with exactly these columns; a missing text of a query is null."""
    if "query" in columns and "query" not in rows.columns:
        rows = rows.mutate(query=ibis.literal(None, "string"))
    return rows.select(*columns)


class SortedFile(TableWriter):
    """Writes one Parquet file whose bytes depend only on the rows."""

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        self._schema = arrow_schema(dict(columns))
        self._rows_per_group = ROWS_PER_GROUP
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._pending: list[Any] = []
        self._pending_rows = 0
        self.rows = 0


def mined_table(table: str, name: str | None = None) -> ibis.Table:
    """One of mining's tables, under its own name or another one."""
    return ibis.table(TABLES[table], name=name or table)
