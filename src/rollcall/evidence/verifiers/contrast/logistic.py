"""Logistic regression over sparse rows: Newton steps, each computed by conjugate gradients.

Columns that occur in the same rows get equal weights, so they are fitted as one; most n-grams of a few
thousand sentences are like that. A problem is prepared once and solved for changing labels, each time from
the previous weights. Sums are computed by NumPy, not by BLAS, because the last digits of BLAS depend on the
number of threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.sparse import Numbers, Rows, SparseRows

TOLERANCE = 0.01
"""The fit ends when the gradient is below this share of its size at weights that are all zero."""
MOST_STEPS, MOST_DIRECTIONS = 15, 20
_RESIDUAL = 0.5
_SMALLEST_STEP = 1e-3
_LEAST_WEIGHT = 1e-4


class Weighted(NamedTuple):
    """The weight of each row; the rows whose weight is not 0, how many ones each has, in which columns."""

    sureness: Numbers
    rows: Rows
    lengths: Rows
    columns: NDArray[np.int32] | Rows


class FeatureWeights(NamedTuple):
    """A linear model of hashed features: which have a weight, the weights, and the constant."""

    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    constant: float

    def logits(self, matrix: SparseRows, buffer: Numbers) -> Numbers:
        """The log-odds of the rows of a matrix; `buffer`, as wide as the matrix, is all zero before and
        after.
        """
        buffer[self.columns] = self.values
        found = matrix.dot(buffer) + self.constant
        buffer[self.columns] = 0.0
        return found


class Solution(NamedTuple):
    """Weights of merged columns, the constant last, and the log-odds of each row."""

    weights: Numbers
    logits: Numbers


class Regression:
    """The sentences to fit: their columns, merged if they occur in the same rows."""

    def __init__(self, matrix: SparseRows, strength: float = 1.0) -> None:
        """A greater `strength` penalises large weights less."""
        rows = np.repeat(np.arange(matrix.height), np.diff(matrix.starts))
        self._columns, self._group, first = _merged(matrix, rows)
        place = np.full(len(self._columns) and int(self._columns[-1]) + 1, -1)
        place[self._columns[first]] = np.arange(len(first))
        merged = place[matrix.columns]
        kept = merged >= 0
        starts = np.searchsorted(rows[kept], np.arange(matrix.height + 1))
        self._matrix = SparseRows(starts, merged[kept])
        self._sizes = np.bincount(self._group, minlength=len(first)).astype(np.float64)
        self._ridge = np.append(1.0 / self._sizes, 1.0) / strength

    def weighted(self, sureness: Numbers) -> Weighted:
        """The rows with their weights; a row without weight adds nothing to the sums of columns."""
        rows = np.flatnonzero(sureness)
        counted = self._matrix if len(rows) == len(sureness) else self._matrix.take(rows)
        return Weighted(sureness, rows, np.diff(counted.starts), counted.columns)

    def solve(self, labels: Numbers, rows: Weighted, before: Solution | None = None) -> Solution:
        """The weights for labels between 0 and 1."""
        sureness = rows.sureness
        found = before or Solution(np.zeros(len(self._ridge)), np.zeros(self._matrix.height))
        small = TOLERANCE * _norm(self._transposed(sureness * (0.5 - labels), rows))
        for _ in range(MOST_STEPS):
            chances = sigmoid(found.logits)
            slope = self._transposed(sureness * (chances - labels), rows)
            gradient = slope + self._ridge * found.weights
            if _norm(gradient) <= small:
                break
            direction = self._direction(gradient, sureness * chances * (1.0 - chances), rows)
            found = self._stepped(found, direction, labels, sureness)
        return found

    def weights(self, solution: Solution) -> FeatureWeights:
        """A solution as weights of the original columns, without zeros."""
        values = (solution.weights[:-1] / self._sizes)[self._group]
        used = np.abs(values) > _LEAST_WEIGHT
        return FeatureWeights(
            self._columns[used].astype(np.int32),
            values[used].astype(np.float32),
            float(solution.weights[-1]),
        )

    def _times(self, weights: Numbers) -> Numbers:
        """For each row the sum of the weights of its columns and the constant."""
        return self._matrix.dot(weights) + float(weights[-1])

    def _transposed(self, of_rows: Numbers, weighted: Weighted) -> Numbers:
        """For each column, the sum over its rows; the constant is in every row."""
        terms = np.repeat(of_rows[weighted.rows], weighted.lengths)
        sums = np.bincount(weighted.columns, terms, minlength=len(self._ridge))
        sums[-1:] = of_rows.sum()
        return sums.astype(np.float64, copy=False)

    def _direction(self, gradient: Numbers, curvature: Numbers, rows: Weighted) -> Solution:
        """An approximate Newton step, by conjugate gradients."""
        scale = 1.0 / (self._ridge + self._transposed(curvature, rows))
        step, logits = np.zeros_like(gradient), np.zeros(len(curvature))
        residual = -gradient
        scaled = scale * residual
        toward, left = scaled, _sum(residual, scaled)
        enough = _RESIDUAL**2 * left
        for _ in range(MOST_DIRECTIONS):
            seen = self._times(toward)
            bent = self._transposed(curvature * seen, rows) + self._ridge * toward
            length = left / _sum(toward, bent)
            step += length * toward
            logits += length * seen
            residual -= length * bent
            scaled = scale * residual
            left, last = _sum(residual, scaled), left
            if left <= enough:
                break
            toward = scaled + (left / last) * toward
        return Solution(step, logits)

    def _stepped(self, found: Solution, direction: Solution, labels: Numbers, sureness: Numbers) -> Solution:
        """A step that lowers the loss: the whole step, or a half, a quarter, …"""
        loss, length = self._loss(found, labels, sureness), 1.0
        while True:
            next_one = Solution(
                found.weights + length * direction.weights, found.logits + length * direction.logits
            )
            if length < _SMALLEST_STEP or self._loss(next_one, labels, sureness) < loss:
                return next_one
            length /= 2

    def _loss(self, found: Solution, labels: Numbers, sureness: Numbers) -> float:
        of_rows = np.logaddexp(0.0, found.logits) - labels * found.logits
        return _sum(sureness, of_rows) + 0.5 * _sum(self._ridge, found.weights**2)


def _merged(matrix: SparseRows, rows: Rows) -> tuple[Rows, Rows, Rows]:
    """The columns that occur, the group of each, and the first column of each group.

    Each row gets a random number; columns with the same sum of these numbers occur in the same rows.
    """
    occurs = np.zeros(int(matrix.columns.max(initial=-1)) + 1, bool)
    occurs[matrix.columns] = True
    columns = np.flatnonzero(occurs)
    places = (np.cumsum(occurs) - 1)[matrix.columns]
    random = np.random.default_rng(0).random(matrix.height)
    _sums, first, group = np.unique(
        np.bincount(places, random[rows], minlength=len(columns)), return_index=True, return_inverse=True
    )
    return columns, group, first


def _sum(one: Numbers, other: Numbers) -> float:
    return float((one * other).sum())


def _norm(vector: Numbers) -> float:
    return float(np.sqrt(_sum(vector, vector)))


def sigmoid(logits: Numbers) -> Numbers:
    """Probabilities from log-odds."""
    chances: Numbers = 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))
    return chances
