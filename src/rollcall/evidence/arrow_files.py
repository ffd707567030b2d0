"""Sorted tables that one step writes and the next reads once, in Arrow's own format.

Parquet takes three times as long for them. No file is written for a table without rows.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from rollcall.tables.engine import InOrder, Query, Workbench
from rollcall.tables.table import Table, declaration, schema

_ROWS = 1 << 14
_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")


def arrow_file(table: type[Table], folder: Path) -> Path:
    """The file of a table in a folder."""
    return folder / f"{declaration(table).name}.arrow"


def write_arrow(bench: Workbench, table: type[Table], query: Query, folder: Path) -> int:
    """Write a result, sorted as declared; returns the number of rows."""
    writer, rows = None, 0
    for batch in bench.stream(InOrder(table, query), rows=_ROWS):
        writer = writer or pa.ipc.new_file(
            str(arrow_file(table, folder).absolute()), batch.schema, options=_COMPRESSED
        )
        writer.write_batch(batch)
        rows += batch.num_rows
    if writer is not None:
        writer.close()
    return rows


def read_arrow(table: type[Table], folder: Path) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The schema of a file and its rows, in batches."""
    path = arrow_file(table, folder)
    if not path.exists():
        return schema(table), iter(())
    file = pa.ipc.open_file(pa.memory_map(str(path)))
    return file.schema, map(file.get_batch, range(file.num_record_batches))
