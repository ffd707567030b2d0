"""Parquet and Arrow files of other tools: rows of every type are read as they were written."""

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rollcall import RollcallError
from rollcall.input_files.arrow_file import batches, parquet_rows

COLUMNS = {
    "text": pa.array(["a", "b", "a", None] * 5),
    "large": pa.array(["x"] * 20, pa.large_string()),
    "bytes": pa.array([b"1", b"22"] * 10),
    "fixed": pa.array([b"12"] * 20, pa.binary(2)),
    "number": pa.array([1, None] * 10),
    "decimal": pa.array([Decimal("1.50")] * 20, pa.decimal128(10, 2)),
    "truth": pa.array([True, None] * 10),
    "day": pa.array([datetime.date(2020, 1, 1)] * 20),
    "nothing": pa.nulls(20),
    "shared": pa.array(["u", "v"] * 10).dictionary_encode(),
    "answers": pa.array([[{"label": "Ann", "aliases": ["A", None]}], None, [], [{"label": None}]] * 5),
    "vector": pa.array([[1.0, 2.0]] * 20, pa.list_(pa.float32(), 2)),
    "map": pa.array([[("k", "v"), ("l", None)], []] * 10, pa.map_(pa.string(), pa.string())),
}
VIEWS = pa.array(["short", "a text of more than twelve letters", None, ""] * 5, pa.string_view())


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [row for batch in batches(path, path, 7) for row in batch.to_pylist()]


@pytest.mark.parametrize("with_schema", [True, False])
def test_rows_of_every_type_are_read_from_parquet(tmp_path: Path, with_schema: bool) -> None:
    table, path = pa.table(COLUMNS), tmp_path / "rows.parquet"
    pq.write_table(table, path, row_group_size=8, store_schema=with_schema)
    assert rows_of(path) == table.to_pylist()
    assert parquet_rows(path.read_bytes(), path) == table.to_pylist()


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("opened", [pa.ipc.new_file, pa.ipc.new_stream])
def test_rows_of_every_type_are_read_from_arrow(
    tmp_path: Path, compression: Any, opened: Callable[..., Any]
) -> None:
    table, path = pa.table({**COLUMNS, "view": VIEWS}), tmp_path / "rows.arrow"
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with opened(str(path), table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=8)
    assert rows_of(path) == table.to_pylist()


def test_a_type_whose_values_cannot_be_counted_is_refused(tmp_path: Path) -> None:
    runs: Any = pa.RunEndEncodedArray.from_arrays(pa.array([3], pa.int32()), pa.array(["x"]))
    table, path = pa.table({"runs": runs}), tmp_path / "rows.arrow"
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(RollcallError, match="not a readable Parquet or Arrow file"):
        rows_of(path)
