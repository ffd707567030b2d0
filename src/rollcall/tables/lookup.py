"""Rows of a sorted file by their key; only row groups that can contain them are read."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from rollcall.tables.reader import opened_file
from rollcall.tables.table import Table, columns, declaration

_KEPT_GROUPS = 8

Row: TypeAlias = dict[str, Any]
"""A row of a table by its columns."""


class SortedFile:
    """The file of a table; its key is the first column that it is sorted by, which must be of strings."""

    def __init__(self, table: type[Table], path: Path, *, check: bool = True) -> None:
        """Without `check`, the content is not compared with its checksum."""
        self._file = opened_file(table, path, check=check)
        self._names = list(columns(table))
        self._key = declaration(table).sorted_by[0]
        place = self._file.schema_arrow.names.index(self._key)
        metadata = self._file.metadata
        statistics = [
            metadata.row_group(group).column(place).statistics for group in range(metadata.num_row_groups)
        ]
        self._bounds: list[tuple[Any, Any] | None] = [
            (found.min, found.max) if found and found.has_min_max else None for found in statistics
        ]
        self._group = lru_cache(maxsize=_KEPT_GROUPS)(self._read)

    def rows(self, key: str) -> list[Row]:
        """All rows with this key, in the order of the file."""
        found: list[Row] = []
        for group, bounds in enumerate(self._bounds):
            if bounds is None or bounds[0] <= key <= bounds[1]:
                found += _where(self._group(group), self._key, key)
        return found

    def every(self) -> Iterator[Row]:
        """All rows, with one row group in memory at a time."""
        for group in range(len(self._bounds)):
            yield from self._read(group).to_pylist()

    def where(self, column: str, value: str) -> list[Row]:
        """All rows with this value in another column; reads that whole column."""
        found: list[Row] = []
        for group in range(len(self._bounds)):
            values = self._file.read_row_group(group, columns=[column])[column]
            if pc.any(pc.equal(values, pa.scalar(value))).as_py():
                found += _where(self._group(group), column, value)
        return found

    def _read(self, group: int) -> pa.Table:
        return self._file.read_row_group(group, columns=self._names)


def _where(rows: pa.Table, column: str, value: str) -> list[Row]:
    return rows.filter(pc.equal(rows[column], pa.scalar(value))).to_pylist()
