"""The one reader of tables: files are checked against their folder's manifest and the declaration.

A damaged file, or one with other columns, is refused before a row of it is used. Checking costs one pass of
CRC-32 over the file, once for each process (`benchmarks/bench_checksums.py` shows how little that is).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rollcall._core.checksums import checked
from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall.tables.table import DeclaredTable, arrow, columns, declaration, schema


def check(table: type[DeclaredTable], path: Path) -> Path:
    """The path of a table's file, after checking its content and its columns."""
    with opened_file(table, path):
        return path


def batches(
    table: type[DeclaredTable], path: Path, names: Sequence[str] = (), rows: int = 1 << 16
) -> Iterator[pa.RecordBatch]:
    """The rows of a file in batches; `names` are the columns wanted, in this order, by default all."""
    column_names = list(names or columns(table))
    with opened_file(table, path) as file:
        for batch in file.iter_batches(rows, columns=column_names):
            yield batch.select(column_names)


def read(table: type[DeclaredTable], path: Path, names: Sequence[str] = ()) -> pa.Table:
    """All rows of a file; `names` are the columns wanted, in this order, by default all."""
    column_names = list(names or columns(table))
    with opened_file(table, path) as file:
        return file.read(columns=column_names).select(column_names)


def records(table: type[DeclaredTable], path: Path, names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of a file as mappings, never all in memory."""
    for batch in batches(table, path, names):
        yield from batch.to_pylist()


def has_columns(table: type[DeclaredTable], path: Path) -> bool:
    """Whether a file is a Parquet table with exactly the columns of a table, of any types."""
    try:
        return tuple(pq.read_schema(path.absolute()).names) == columns(table)
    except (OSError, pa.ArrowException):
        return False


def count(table: type[DeclaredTable], path: Path) -> int:
    """The number of rows of a file."""
    with opened_file(table, path) as file:
        return int(file.metadata.num_rows)


def opened_file(table: type[DeclaredTable], path: Path, *, check: bool = True) -> pq.ParquetFile:
    """A table's file, opened after checking its content and its columns; without `check` only its columns."""
    try:
        file = pq.ParquetFile((checked(path) if check else path).absolute(), memory_map=True)
    except pa.ArrowInvalid as error:
        raise RollcallError(f"{path}: cannot be read as Parquet ({error}); make it again") from None
    for field in schema(table):
        position = file.schema_arrow.get_field_index(field.name)
        if position < 0:
            raise RollcallError(
                f"{path}: has no column {field.name!r}, which the table {table.__name__} has; make it again"
            )
        stored_type = file.schema_arrow.field(position).type
        if stored_type != field.type:
            raise RollcallError(
                f"{path}: its column {field.name!r} has the type {stored_type}, not {field.type}; "
                "make it again"
            )
    return file


def check_whole(path: Path, remedy: str) -> None:
    """Refuse a Parquet file that is incomplete or damaged and that no manifest has a checksum for.

    It is read completely, with the checksums of its pages.
    """
    status = path.stat()
    if not _is_whole(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns):
        raise RollcallError(f"{path}: is not a whole Parquet file; {remedy}")


@cache
def _is_whole(path: Path, *stand: int) -> bool:
    try:
        with pq.ParquetFile(path.absolute(), page_checksum_verification=True) as file:
            for _ in file.iter_batches():
                pass
    except (pa.ArrowException, OSError):
        return False
    return True


# The one writer of tables: its bytes depend on the rows alone. Rows arrive in order, in batches of any
# size, and are written in row groups of one fixed size with fixed settings, so that neither the number
# of threads nor the engine changes the file.


class TableWriter:
    """Writes the rows of a declared table to a Parquet file."""

    def __init__(self, table: type[DeclaredTable], path: Path) -> None:
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


def write_batches(table: type[DeclaredTable], path: Path, batches: Iterable[pa.RecordBatch]) -> int:
    """Write rows that are already in order; returns their number."""
    with replacing(path) as partial, TableWriter(table, partial) as file:
        for batch in batches:
            file.append_batch(batch)
    return file.rows


def write_sorted(table: type[DeclaredTable], path: Path, rows: pa.Table) -> int:
    """Write rows that are in memory, after sorting them as declared; returns their number."""
    order = pc.sort_indices(rows, [(name, "ascending") for name in declaration(table).sorted_by])
    return write_batches(table, path, rows.select(columns(table)).take(order).to_batches())


def write_records(table: type[DeclaredTable], path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
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


# Rows of a sorted file by their key; only row groups that can contain them are read.

_KEPT_GROUPS = 8

Row: TypeAlias = dict[str, Any]
"""A row of a table by its columns."""


class SortedFile:
    """The file of a table; its key is the first column that it is sorted by, which must be of strings."""

    def __init__(self, table: type[DeclaredTable], path: Path, *, check: bool = True) -> None:
        """Without `check`, the content is not compared with its checksum."""
        self._file = opened_file(table, path, check=check)
        self._names = list(columns(table))
        self._key = declaration(table).sorted_by[0]
        position = self._file.schema_arrow.names.index(self._key)
        metadata = self._file.metadata
        statistics = [
            metadata.row_group(group).column(position).statistics for group in range(metadata.num_row_groups)
        ]
        self._bounds: list[tuple[Any, Any] | None] = [
            (group_range.min, group_range.max) if group_range and group_range.has_min_max else None
            for group_range in statistics
        ]
        self._group = lru_cache(maxsize=_KEPT_GROUPS)(self._read)

    def rows(self, key: str) -> list[Row]:
        """All rows with this key, in the order of the file."""
        matches: list[Row] = []
        for group, bounds in enumerate(self._bounds):
            if bounds is None or bounds[0] <= key <= bounds[1]:
                matches += _where(self._group(group), self._key, key)
        return matches

    def every(self) -> Iterator[Row]:
        """All rows, with one row group in memory at a time."""
        for group in range(len(self._bounds)):
            yield from self._read(group).to_pylist()

    def where(self, column: str, value: str) -> list[Row]:
        """All rows with this value in another column; reads that whole column."""
        matches: list[Row] = []
        for group in range(len(self._bounds)):
            values = self._file.read_row_group(group, columns=[column])[column]
            if pc.any(pc.equal(values, pa.scalar(value))).as_py():
                matches += _where(self._group(group), column, value)
        return matches

    def _read(self, group: int) -> pa.Table:
        return self._file.read_row_group(group, columns=self._names)


def _where(rows: pa.Table, column: str, value: str) -> list[Row]:
    return rows.filter(pc.equal(rows[column], pa.scalar(value))).to_pylist()
