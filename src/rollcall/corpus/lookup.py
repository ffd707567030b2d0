"""Rows of a sorted Parquet table by their key; only row groups that can contain them are read."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

_KEPT_GROUPS = 8

Row: TypeAlias = dict[str, Any]
"""A row of a table by its columns, which `corpus.layout` lists with their types."""


class SortedTable:
    """A Parquet file sorted by one column of strings."""

    def __init__(self, path: Path, key: str | None = None) -> None:
        """`key` is the column by which the table is sorted (default: the first)."""
        self._file = pq.ParquetFile(path, memory_map=True)
        names = self._file.schema_arrow.names
        self._key = key or names[0]
        place = names.index(self._key)
        metadata = self._file.metadata
        statistics = [
            metadata.row_group(group).column(place).statistics for group in range(metadata.num_row_groups)
        ]
        self._bounds: list[tuple[Any, Any] | None] = [
            (found.min, found.max) if found and found.has_min_max else None for found in statistics
        ]
        self._group = lru_cache(maxsize=_KEPT_GROUPS)(self._file.read_row_group)

    def rows(self, key: str) -> list[Row]:
        """All rows with this key, in the order of the file."""
        found: list[Row] = []
        for group, bounds in enumerate(self._bounds):
            if bounds is None or bounds[0] <= key <= bounds[1]:
                table = self._group(group)
                found += table.filter(pc.equal(table[self._key], pa.scalar(key))).to_pylist()
        return found

    def every(self) -> Iterator[Row]:
        """All rows, with one row group in memory at a time."""
        for group in range(len(self._bounds)):
            yield from self._file.read_row_group(group).to_pylist()

    def where(self, column: str, value: str) -> list[Row]:
        """All rows with this value in another column; reads that whole column."""
        found: list[Row] = []
        for group in range(len(self._bounds)):
            values = self._file.read_row_group(group, columns=[column])[column]
            if pc.any(pc.equal(values, pa.scalar(value))).as_py():
                table = self._group(group)
                found += table.filter(pc.equal(table[column], pa.scalar(value))).to_pylist()
        return found
