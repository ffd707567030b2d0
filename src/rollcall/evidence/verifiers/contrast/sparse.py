"""A matrix of ones and zeros that stores only the ones: the columns of each row.

Sentences are rows and features are columns. Learning and scoring need few operations on such a matrix, and
NumPy is enough for them, so no library for sparse matrices is required.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int64]


class SparseRows(NamedTuple):
    """The columns of row `i` are `columns[starts[i]:starts[i + 1]]`."""

    starts: Rows
    columns: NDArray[np.int32]

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    def take(self, rows: Rows | NDArray[np.bool_] | Sequence[int]) -> "SparseRows":
        """Some rows, given by number or by a Boolean mask."""
        lengths = np.diff(self.starts)[rows]
        starts = _starts(lengths)
        shifts = np.repeat(self.starts[:-1][rows] - starts[:-1], lengths)
        return SparseRows(starts, self.columns[np.arange(starts[-1]) + shifts])

    def without(self, columns: NDArray[np.int32]) -> "SparseRows":
        """All rows, without these columns."""
        kept = np.ones(len(self.columns), bool)
        for column in columns:  # they are few
            kept &= self.columns != column
        before = np.concatenate([[0], np.cumsum(kept)])
        return SparseRows(before[self.starts], self.columns[kept])

    def dot(self, weights: Numbers) -> Numbers:
        """For each row, the sum of the weights of its columns."""
        gathered = np.empty(len(self.columns) + 1)
        gathered[-1] = 0.0  # where rows without columns at the end begin
        np.take(weights, self.columns, out=gathered[:-1], mode="clip")
        sums: Numbers = np.add.reduceat(gathered, self.starts[:-1])
        sums[self.starts[:-1] == self.starts[1:]] = 0.0
        return sums


def from_lists(lengths: Sequence[int], columns: NDArray[np.int32]) -> SparseRows:
    """A matrix from the number of columns of each row, and the columns of all rows one after the other."""
    return SparseRows(_starts(np.array(lengths, np.int64)), columns)


def stacked(parts: Sequence[SparseRows]) -> SparseRows:
    """Matrices joined vertically."""
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return SparseRows(_starts(lengths), np.concatenate([part.columns for part in parts]))


def _starts(lengths: Rows) -> Rows:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
