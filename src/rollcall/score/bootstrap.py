"""The paired bootstrap test: how often samples of clusters differ as clearly as the runs themselves do.

Clusters are drawn with replacement from a seed, and every sample's difference is divided by its own standard
error (the studentised bootstrap). A plain count of samples on the other side of zero would reject a true null
hypothesis in 15 % of cases at 5 clusters. All pairs use the same samples.
"""

from typing import TYPE_CHECKING

import numpy as np

from rollcall.score.draws import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 1 << 21
"""Draws in memory at a time."""
NO_SPREAD = 1e-20


def studentised(
    pulls: "NDArray[np.float64]", values: "NDArray[np.float64]", resamples: int, seed: int
) -> list[float]:
    """The p-value of each pair, from the clusters' influence on its difference (one column per pair).

    A sample that consists of one repeated cluster has no variance: its t is infinite.
    """
    size = len(pulls)
    observed = np.abs(values) / np.sqrt((pulls**2).sum(axis=0) * size / (size - 1))
    tally = Tally(len(values), resamples)
    generator = np.random.default_rng(seed)
    for rows in tally.blocks(BLOCK // size):
        drawn = generator.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)
        chosen = pulls[:, tally.open]
        means = times @ chosen
        spreads = (times @ chosen**2 - means**2 / size) * size / (size - 1)
        scale = (chosen**2).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(spreads > NO_SPREAD * scale, np.abs(means) / np.sqrt(spreads), np.inf)
        t[np.abs(means) <= NO_SPREAD**0.5 * np.sqrt(scale)] = 0.0
        tally.add((t >= observed[tally.open] * (1 - 1e-12)).sum(axis=0), rows)
    return tally.p_values()
