"""The truth about every sentence: one row for each fact (stated or not), each decoy, each cell of a list.

Rows are collected in columns and sent as Arrow batches, so that the main process only appends row groups.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from rollcall.tables.table import Table, schema
from rollcall.tables.world import Truth

Row = tuple[Any, ...]


def batch(rows: list[Row], table: type[Table] = Truth) -> bytes:
    """Rows as the bytes of one Arrow stream."""
    declared = schema(table)
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(declared)
    arrays = [_array(column, field.type) for column, field in zip(columns, declared, strict=True)]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, declared) as stream:
        stream.write_batch(pa.record_batch(arrays, schema=declared))
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
        data = pa.py_buffer(np.array([value or 0 for value in values], np.int32).tobytes())
    return pa.Array.from_buffers(kind, len(values), [known, data])


def _bits(flags: list[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(flags, np.bool_), bitorder="little").tobytes())


def read_batch(data: bytes) -> pa.RecordBatch:
    return pa.ipc.open_stream(data).read_next_batch()
