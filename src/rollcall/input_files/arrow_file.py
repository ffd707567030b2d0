"""Parquet and Arrow files of other tools: read in batches, each checked before a value of it is used.

The library reports damage by many exceptions, and a damaged Arrow file can crash it unless what it read is
validated. Here all damage is one DamagedFileError.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError, refuse_growth

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

PARQUET = b"PAR1"
_MOST_ROWS = 1_000_000


def column_names(path: Path, name: object) -> list[str]:
    """The names of the columns of a file; `name` is what messages call it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _reading(name):
        if _is_parquet(path):
            return list(pq.read_schema(path.absolute()).names)
        with pa.memory_map(str(path)) as source:
            return list(_arrow(source).schema.names)


def batches(path: Path, name: object, rows: int) -> Iterator["pa.RecordBatch"]:
    """The rows of a file in batches; those of a Parquet file have at most this many rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _reading(name):
        if _is_parquet(path):
            with pq.ParquetFile(path.absolute(), page_checksum_verification=True) as file:
                yield from map(_checked, file.iter_batches(rows))
            return
        with pa.memory_map(str(path)) as source:
            reader = _arrow(source)
            if isinstance(reader, pa.RecordBatchFileReader):
                yield from map(_checked, map(reader.get_batch, range(reader.num_record_batches)))
            else:
                yield from map(_checked, reader)


def parquet_rows(content: bytes, name: object) -> list[dict[str, object]]:
    """All rows of a Parquet file that is in memory; one that would become far larger is refused."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _reading(name):
        file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        _check_size(file, len(content), name)
        return [row for batch in file.iter_batches() for row in _checked(batch).to_pylist()]


def _check_size(file: "pq.ParquetFile", size: int, name: object) -> None:
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    refuse_growth(name, sum(group.total_byte_size for group in groups), size)
    if (rows := file.metadata.num_rows) > _MOST_ROWS + size:  # equal rows need no room in a file
        raise DamagedFileError(name, f"has {rows:,} rows, far more than its size allows", "split it")


def _checked(batch: "pa.RecordBatch") -> "pa.RecordBatch":
    batch.validate(full=True)
    _ = batch.schema.names  # which may be no text, too
    return batch


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def _arrow(source: "pa.MemoryMappedFile") -> "pa.RecordBatchStreamReader | pa.RecordBatchFileReader":
    """A reader of an Arrow file of either kind."""
    import pyarrow as pa

    try:
        return pa.ipc.open_stream(source)
    except pa.ArrowInvalid:
        source.seek(0)
        return pa.ipc.open_file(source)


@contextmanager
def _reading(name: object) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except RollcallError:
        raise
    except Exception as error:
        is_library = isinstance(error, pa.ArrowException)  # also where a damaged size asks for all memory
        if not is_library and (isinstance(error, MemoryError) or getattr(error, "filename", None)):
            raise
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise DamagedFileError(name, f"is not a readable Parquet or Arrow file ({first})") from None
