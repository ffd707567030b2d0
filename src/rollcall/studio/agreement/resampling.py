"""The bootstrap interval of a figure that is a function of sums over clusters (Efron's BCa).

Clusters are drawn with replacement; equal ones are drawn together, as one multinomial, so a set with
100,000 items costs no more than its different rows. Coefficients near 1 are skewed: plain percentiles cover
too little there, BCa does not (`tests/unit/studio/test_agreement.py` counts it).
"""

from collections.abc import Callable
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 2000
_BLOCK = 1 << 22
"""Numbers in memory at a time."""

Figure = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]
"""A figure for each row of sums; not a number where it is not defined."""


def bootstrap_interval(
    clusters: "NDArray[np.float64]", figure: Figure, confidence: float, seed: int
) -> tuple[float, float] | None:
    """The interval of the figure of all clusters' sum, one row for each cluster; None if it has none."""
    value = float(figure(clusters.sum(axis=0, keepdims=True))[0])
    kinds, times = np.unique(clusters, axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    found = []
    rows = max(1, _BLOCK // len(kinds))
    for start in range(0, RESAMPLES, rows):
        drawn = generator.multinomial(len(clusters), times / len(clusters), min(rows, RESAMPLES - start))
        found.append(figure(drawn.astype(np.float64) @ kinds))
    values = np.concatenate(found)
    values = values[~np.isnan(values)]
    if np.isnan(value) or not len(values):
        return None
    without = figure((times @ kinds)[None, :] - kinds)
    low, high = np.quantile(values, _levels(values, value, without, times, confidence))
    return min(float(low), value), max(float(high), value)


def _levels(
    values: "NDArray[np.float64]",
    value: float,
    without: "NDArray[np.float64]",
    times: "NDArray[np.int64]",
    confidence: float,
) -> list[float]:
    """Which quantiles to take, for the bias of the resamples and the skew that leaving out one shows."""
    normal = NormalDist()
    below = float(np.sum(values < value) + np.sum(values == value) / 2) / len(values)
    bias = normal.inv_cdf(min(1 - 1 / len(values), max(1 / len(values), below)))
    left = np.nan_to_num(without, nan=value)
    pulls = np.average(left, weights=times) - left
    spread = float(np.sum(times * pulls**2))
    skew = float(np.sum(times * pulls**3)) / (6 * spread**1.5) if spread else 0.0
    reaches = [bias + normal.inv_cdf(tail) for tail in ((1 - confidence) / 2, (1 + confidence) / 2)]
    return [normal.cdf(bias + reach / max(1e-9, 1 - skew * reach)) for reach in reaches]
