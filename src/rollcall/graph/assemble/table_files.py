"""The Parquet tables of a graph: their columns, and a writer whose bytes depend only on the rows.

Rows arrive in batches of any size and are written in row groups of one fixed size, so that neither the number
of threads nor the engine's batches affect the file.
"""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema(list(columns.items()))


_TYPES: dict[str, pa.DataType] = {"entity": pa.string(), "class": pa.string(), "direct": pa.bool_()}
SCHEMAS: dict[str, pa.Schema] = {
    "entities": _schema(id=pa.string(), label=pa.string(), description=pa.string(), title=pa.string()),
    "aliases": _schema(entity=pa.string(), text=pa.string(), source=pa.string(), count=pa.int64()),
    "types": _schema(**_TYPES),
    "classes": _schema(id=pa.string(), label=pa.string(), parents=pa.list_(pa.string()), entities=pa.int64()),
    "relations": _schema(
        id=pa.string(), label=pa.string(), description=pa.string(), facts=pa.int64(), values=pa.int64()
    ),
    "facts": _schema(subject=pa.string(), relation=pa.string(), object=pa.string()),
    "values": _schema(
        subject=pa.string(),
        relation=pa.string(),
        value=pa.string(),
        kind=pa.string(),
        dimension=pa.string(),
        low=pa.float64(),
        high=pa.float64(),
    ),
}


class TableWriter:
    """Writes one table of a graph, row group by row group."""

    def __init__(self, folder: Path, table: str, rows_per_group: int = 1 << 17) -> None:
        self._schema = SCHEMAS[table]
        self._rows_per_group = rows_per_group
        self._writer = pq.ParquetWriter(folder / f"{table}.parquet", self._schema, compression="zstd")
        self._pending: list[Any] = []
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
        batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema)
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
