"""The one writer of tables: its bytes depend on the rows alone.

Rows arrive in order, in batches of any size, and are written in row groups of one fixed size with fixed
settings, so that neither the number of threads nor the engine changes the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rollcall.files import replacing
from rollcall.tables.table import Table, arrow, columns, declaration, schema


class TableWriter:
    """Writes the rows of a declared table to a Parquet file."""

    def __init__(self, table: type[Table], path: Path) -> None:
        self._schema = schema(table)
        self._rows_per_group = declaration(table).rows_per_group
        self._writer = pq.ParquetWriter(
            path.absolute(), self._schema, compression="zstd", write_page_checksum=True
        )  # absolute, because Arrow takes the relative path `a:b/c` for an address
        self._pending: list[pa.RecordBatch] = []
        self._pending_rows = 0
        self.rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._write(self._pending_rows)
        self._writer.close()

    def append(self, *columns: Any) -> None:
        """Add rows given as one Arrow array (or list) for each column of the table."""
        arrays = [
            column.cast(field.type) if isinstance(column, pa.Array) else pa.array(column, type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self.append_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))

    def append_batch(self, batch: pa.RecordBatch) -> None:
        """Add rows that have the columns of the table."""
        if not batch.schema.equals(self._schema):
            batch = pa.RecordBatch.from_arrays(
                [batch.column(field.name).cast(field.type) for field in self._schema], schema=self._schema
            )
        self._pending.append(batch)
        self._pending_rows += batch.num_rows
        self.rows += batch.num_rows
        if self._pending_rows >= self._rows_per_group:
            self._write(self._pending_rows // self._rows_per_group * self._rows_per_group)

    def _write(self, rows: int) -> None:
        table = pa.Table.from_batches(self._pending, schema=self._schema)
        for start in range(0, rows, self._rows_per_group):
            group = table.slice(start, min(self._rows_per_group, rows - start))
            self._writer.write_table(group.combine_chunks(), row_group_size=self._rows_per_group)
        self._pending = table.slice(rows).to_batches()
        self._pending_rows -= rows


def write_batches(table: type[Table], path: Path, batches: Iterable[pa.RecordBatch]) -> int:
    """Write rows that are already in order; returns their number."""
    with replacing(path) as partial, TableWriter(table, partial) as file:
        for batch in batches:
            file.append_batch(batch)
    return file.rows


def write_sorted(table: type[Table], path: Path, rows: pa.Table) -> int:
    """Write rows that are in memory, after sorting them as declared; returns their number."""
    order = pc.sort_indices(rows, [(name, "ascending") for name in declaration(table).sorted_by])
    return write_batches(table, path, rows.select(columns(table)).take(order).to_batches())


def write_records(table: type[Table], path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows given as mappings, sorted and each once; returns the number written."""
    declared = declaration(table)
    # The key first, then all else, so that rows with the same key have an order too; nulls come last.
    scalars = [name for name, column in declared.columns.items() if not column.is_list]
    lists = [name for name, column in declared.columns.items() if column.is_list]
    names = list(dict.fromkeys([*declared.sorted_by, *scalars, *lists]))
    unique = {tuple(_comparable(row[name]) for name in names): row for row in rows}
    ordered = [unique[key] for key in sorted(unique)]
    whole = arrow(table, {name: [row[name] for row in ordered] for name in declared.columns})
    return write_batches(table, path, whole.to_batches())


def _comparable(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return False, tuple(map(_comparable, value))
    return value is None, value


def write_scratch(
    rows: pa.Table | pa.RecordBatchReader,
    path: Path,
    declared: pa.Schema | None = None,
    repetitive: Sequence[str] | None = None,
) -> None:
    """Write rows that only the next step of the same command reads, as fast as possible.

    `repetitive` names the columns whose values repeat, by default all: only for those is a dictionary made.
    """
    declared = declared or rows.schema
    encoded: Any = True if repetitive is None else list(repetitive)
    with pq.ParquetWriter(
        path.absolute(), declared, compression="lz4", write_statistics=False, use_dictionary=encoded
    ) as file:
        if isinstance(rows, pa.Table):
            file.write_table(rows.select(declared.names).cast(declared))
            return
        for batch in rows:
            file.write_batch(batch.select(declared.names).cast(declared))
