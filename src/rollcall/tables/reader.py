"""The one reader of tables: files are checked against their folder's manifest and the declaration.

A damaged file, or one with other columns, is refused before a row of it is used. Checking costs one pass of
CRC-32 over the file, once for each process (`benchmarks/bench_checksums.py` shows how little that is).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.checksums import checked
from rollcall.errors import RollcallError
from rollcall.tables.table import Table, columns, schema


def check(table: type[Table], path: Path) -> Path:
    """The path of a table's file, after checking its content and its columns."""
    with opened_file(table, path):
        return path


def batches(
    table: type[Table], path: Path, names: Sequence[str] = (), rows: int = 1 << 16
) -> Iterator[pa.RecordBatch]:
    """The rows of a file in batches; `names` are the columns wanted, in this order, by default all."""
    chosen = list(names or columns(table))
    with opened_file(table, path) as file:
        for batch in file.iter_batches(rows, columns=chosen):
            yield batch.select(chosen)


def read(table: type[Table], path: Path, names: Sequence[str] = ()) -> pa.Table:
    """All rows of a file; `names` are the columns wanted, in this order, by default all."""
    chosen = list(names or columns(table))
    with opened_file(table, path) as file:
        return file.read(columns=chosen).select(chosen)


def records(table: type[Table], path: Path, names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """The rows of a file as mappings, never all in memory."""
    for batch in batches(table, path, names):
        yield from batch.to_pylist()


def has_columns(table: type[Table], path: Path) -> bool:
    """Whether a file is a Parquet table with exactly the columns of a table, of any types."""
    try:
        return tuple(pq.read_schema(path.absolute()).names) == columns(table)
    except (OSError, pa.ArrowException):
        return False


def count(table: type[Table], path: Path) -> int:
    """The number of rows of a file."""
    with opened_file(table, path) as file:
        return int(file.metadata.num_rows)


def opened_file(table: type[Table], path: Path, *, check: bool = True) -> pq.ParquetFile:
    """A table's file, opened after checking its content and its columns; without `check` only its columns."""
    try:
        file = pq.ParquetFile((checked(path) if check else path).absolute(), memory_map=True)
    except pa.ArrowInvalid as error:
        raise RollcallError(f"{path}: cannot be read as Parquet ({error}); make it again") from None
    for wanted in schema(table):
        place = file.schema_arrow.get_field_index(wanted.name)
        if place < 0:
            raise RollcallError(
                f"{path}: has no column {wanted.name!r}, which the table {table.__name__} has; make it again"
            )
        found = file.schema_arrow.field(place).type
        if found != wanted.type:
            raise RollcallError(
                f"{path}: its column {wanted.name!r} has the type {found}, not {wanted.type}; make it again"
            )
    return file


def check_whole(path: Path, remedy: str) -> None:
    """Refuse a Parquet file that is incomplete or damaged and that no manifest has a checksum for.

    It is read completely, with the checksums of its pages.
    """
    found = path.stat()
    if not _is_whole(path, found.st_size, found.st_mtime_ns, found.st_ctime_ns):
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
