"""Parquet and Arrow files of other tools: read in batches, each checked before a value of it is used.

- `column_names`, `batches`, `parquet_rows`: what others read.
- **Damage**: the library reports it by many exceptions, and a damaged Arrow file can crash it unless what it
  read is validated. Here all damage is one DamagedFileError.
- **Memory**: a small file can become gigabytes, by compression and by a value that many rows share. What it
  says of its parts is added up before they are unpacked, and what was read after each batch.
"""

import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError, most_unpacked, refuse_growth

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

PARQUET = b"PAR1"
_ARROW, _ARROW_HEAD = b"ARROW1", 8
_MOST_ROWS = 1_000_000
_ROWS_AT_ONCE = 1 << 12
_COPIES = 4
"""How often the library has a batch in memory while it reads it."""
_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3
"""Kinds of Arrow messages."""
_SHORT, _SIGNED, _UNSIGNED, _LONG = map(struct.Struct, ("<H", "<i", "<I", "<q"))
_BUFFER = struct.Struct("<qq")


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

    size = path.stat().st_size
    with _reading(name):
        if _is_parquet(path):
            with pq.ParquetFile(path.absolute(), page_checksum_verification=True) as file:
                yield from _parquet(file, size, name, rows)
            return
        with pa.memory_map(str(path)) as source:
            refuse_growth(name, _unpacked_buffers(source), size)
            source.seek(0)
            reader = _arrow(source)
            if isinstance(reader, pa.RecordBatchFileReader):
                yield from _bounded(map(reader.get_batch, range(reader.num_record_batches)), size, name)
            else:
                yield from _bounded(reader, size, name)


def parquet_rows(content: bytes, name: object) -> list[dict[str, object]]:
    """All rows of a Parquet file that is in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with _reading(name), pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True) as file:
        read = _parquet(file, len(content), name, _ROWS_AT_ONCE)
        return [row for batch in read for row in batch.to_pylist()]


def _parquet(file: "pq.ParquetFile", size: int, name: object, rows: int) -> "Iterator[pa.RecordBatch]":
    """The rows of a Parquet file of this size."""
    # Of its columns the library says nothing safely: asked about damaged ones, it ends the process.
    groups = [file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups)]
    refuse_growth(name, sum(groups), size)
    _check_count(name, file.metadata.num_rows, size)
    # A value that rows share is in a group once, and no longer than the group.
    most = max(1, most_unpacked(size) // _COPIES // max([1, *groups]))
    yield from _bounded(file.iter_batches(min(rows, most)), size, name)


def _bounded(parts: "Iterable[pa.RecordBatch]", size: int, name: object) -> "Iterator[pa.RecordBatch]":
    """The batches of a file of this size, each checked."""
    rows = unpacked = 0
    for batch in parts:
        batch.validate(full=True)
        _ = batch.schema.names  # which may be no text, too
        rows += batch.num_rows
        _check_count(name, rows, size)
        unpacked += sum(map(_unpacked, batch.columns))
        refuse_growth(name, unpacked, size)
        yield batch


def _check_count(name: object, count: int, size: int) -> None:
    if count > _MOST_ROWS + size:  # equal rows need no room in a file
        raise DamagedFileError(name, f"has {count:,} rows, far more than its size allows", "split it")


def _unpacked(array: Any) -> int:
    """The bytes of all values of a column; a value that rows share counts for each of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(array, pa.ExtensionArray):
        return _unpacked(array.storage)
    if isinstance(array, pa.StructArray):
        return sum(map(_unpacked, array.flatten()))
    if isinstance(array, pa.MapArray):
        start, end = array.offsets[0].as_py(), array.offsets[-1].as_py()
        return sum(_unpacked(part.slice(start, end - start)) for part in (array.keys, array.items))
    if isinstance(array, pa.ListArray | pa.LargeListArray | pa.FixedSizeListArray):
        return _unpacked(array.flatten())
    if isinstance(array, pa.DictionaryArray):
        return pc.sum(_lengths(array.dictionary).take(array.indices)).as_py() or 0
    return pc.sum(_lengths(array)).as_py() or 0


def _lengths(array: Any) -> Any:
    """The bytes of each value; an error for types whose values cannot be counted so."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(
        kind
    ):  # their lengths are their first numbers
        views = np.frombuffer(array.buffers()[1], np.int32).reshape(-1, 4)
        lengths = views[array.offset : array.offset + len(array), 0]
        return pa.array(lengths, mask=array.is_null().to_numpy(zero_copy_only=False))
    if isinstance(array, pa.StringArray | pa.LargeStringArray | pa.BinaryArray | pa.LargeBinaryArray):
        return pc.binary_length(array)
    width = 1 if pa.types.is_null(kind) else max(1, kind.bit_width // 8)
    return pa.repeat(width, len(array))


def _unpacked_buffers(source: "pa.MemoryMappedFile") -> int:
    """The bytes that the compressed buffers of an Arrow file become; others are no larger than the file."""
    import pyarrow as pa

    source.seek(_ARROW_HEAD if source.read(len(_ARROW)) == _ARROW else 0)
    total = 0
    for message in pa.ipc.MessageReader.open_stream(source):
        body = message.body or b""
        for start in _compressed_buffers(message.metadata.to_pybytes()):
            total += max(0, _LONG.unpack_from(body, start)[0])
    return total


def _compressed_buffers(message: bytes) -> Iterator[int]:
    """Where the compressed buffers of an Arrow message begin, by its head, which is a flatbuffer."""
    root = _UNSIGNED.unpack_from(message)[0]
    kind, content = _field(message, root, 1), _target(message, _field(message, root, 2))
    if kind and message[kind] == _DICTIONARY_BATCH:
        content = _target(message, _field(message, content, 1))
    elif not kind or message[kind] != _RECORD_BATCH:
        return
    if not _field(message, content, 3):  # how it is compressed
        return
    buffers = _target(message, _field(message, content, 2))
    for number in range(_UNSIGNED.unpack_from(message, buffers)[0]):
        start, length = _BUFFER.unpack_from(message, buffers + 4 + _BUFFER.size * number)
        if length >= _LONG.size:
            yield start


def _field(message: bytes, table: int, number: int) -> int:
    """Where a field of a table is; 0 if the table has none."""
    names = table - _SIGNED.unpack_from(message, table)[0]
    slot = 4 + 2 * number
    if slot >= _SHORT.unpack_from(message, names)[0]:
        return 0
    offset: int = _SHORT.unpack_from(message, names + slot)[0]
    return table + offset if offset else 0


def _target(message: bytes, field: int) -> int:
    """Where the table or list is that a field names."""
    if not field:
        raise ValueError("a part of a message is missing")
    return field + int(_UNSIGNED.unpack_from(message, field)[0])


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
