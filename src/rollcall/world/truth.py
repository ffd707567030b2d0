"""The truth about every sentence: one row for each fact (stated or not), each decoy, each cell of a list.

Rows are collected in columns and sent as Arrow batches, so that the main process only appends row groups.
"""

from typing import Any

import numpy as np
import pyarrow as pa

_FIELDS: list[tuple[str, pa.DataType]] = [
    ("kind", pa.string()),
    ("statement", pa.string()),
    ("subject", pa.string()),
    ("relation", pa.string()),
    ("object", pa.string()),
    ("page", pa.string()),
    ("section", pa.string()),
    ("sentence", pa.string()),
    ("wording", pa.int16()),
    ("pronoun", pa.bool_()),
    ("ended", pa.bool_()),
    ("rank", pa.string()),
    ("table", pa.int16()),
    ("row", pa.int32()),
    ("column", pa.int16()),
    ("text", pa.string()),
]
SCHEMA = pa.schema(_FIELDS)

Row = tuple[Any, ...]


def batch(rows: list[Row]) -> bytes:
    """Rows as the bytes of one Arrow stream."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(SCHEMA)
    arrays = [_array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMA) as stream:
        stream.write_batch(pa.record_batch(arrays, schema=SCHEMA))
    return bytes(sink.getvalue())


def _array(values: tuple[Any, ...], kind: pa.DataType) -> "pa.Array[Any]":
    """An Arrow array from Python values; `pa.array` would first load pandas, which takes a second."""
    if kind == pa.string():
        builder = pa.lib.StringBuilder()
        builder.append_values(values)
        return builder.finish()
    known = _bits([value is not None for value in values])
    if kind == pa.bool_():
        data = _bits([bool(value) for value in values])
    else:
        numbers = np.array([value or 0 for value in values], np.int16 if kind == pa.int16() else np.int32)
        data = pa.py_buffer(numbers.tobytes())
    return pa.Array.from_buffers(kind, len(values), [known, data])


def _bits(flags: list[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(flags, np.bool_), bitorder="little").tobytes())


def read_batch(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
