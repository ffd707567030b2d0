"""The bootstrap: figures of many samples of clusters, drawn with replacement from a seed.

All measures, and all runs in a comparison, are computed on the same draws, so that their differences
are paired. Kept apart from `figures` because numpy is only loaded where intervals are wanted.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.score.figures import Ratio

BLOCK = 1 << 21
"""Draws held in memory at a time."""


def resampled(ratios: Sequence["Ratio"], resamples: int, seed: int) -> "NDArray[np.float64]":
    """One row a sample, one column a ratio; a sample in which nothing counts is not a number."""
    above = np.array([one.above for one in ratios], dtype=np.float64).T
    below = np.array([one.below for one in ratios], dtype=np.float64).T
    sums = np.empty((resamples, 2 * len(ratios)))
    both = np.concatenate([above, below], axis=1)
    size = len(above)
    generator = np.random.default_rng(seed)
    step = max(1, BLOCK // size)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = generator.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
        sums[start : start + rows] = times @ both
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[:, : len(ratios)] / sums[:, len(ratios) :]


def interval(draws: "NDArray[np.float64]", confidence: float) -> tuple[float, float] | None:
    """The central interval that holds the given share of the draws."""
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
