"""Is one system better than another, or was it luck? Three paired tests, and Holm's correction.

The unit is the cluster, since questions of a cluster rise and fall together: the t-test is cluster-robust
(with one question a cluster it is the plain paired t-test), the bootstrap draws clusters, and the
permutation test swaps the two systems in whole clusters.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from rollcall.score.figures import Ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Test = Literal["t", "bootstrap", "permutation"]
Correction = Literal["holm", "bonferroni", "none"]
TESTS: tuple[Test, ...] = ("t", "bootstrap", "permutation")
BLOCK = 1 << 21
ROUNDING = 1e-12
EXACT = 12
"""Up to so many clusters, all ways of swapping are tried instead of a sample of them."""


class PValues(NamedTuple):
    """Two-sided p-values of one comparison by the three tests; None where a test is not defined."""

    t: float | None
    bootstrap: float | None
    permutation: float | None

    def by(self, test: Test) -> float | None:
        return {"t": self.t, "bootstrap": self.bootstrap, "permutation": self.permutation}[test]


def compare_ratios(
    ratios: Sequence[Ratio], pairs: Sequence[tuple[int, int]], *, resamples: int, seed: int
) -> list[PValues]:
    """All three tests for pairs of figures over the same clusters; the random draws are shared by all."""
    if not ratios or len(ratios[0].above) < 2:
        return [PValues(None, None, None) for _ in pairs]
    ts = [paired_t(ratios[first], ratios[second]) for first, second in pairs]
    if not resamples:
        return [PValues(t, None, None) for t in ts]
    drawn = paired_bootstraps(ratios, pairs, resamples, seed)
    swapped = permutations(ratios, pairs, resamples, seed)
    return [PValues(*three) for three in zip(ts, drawn, swapped, strict=True)]


def paired_t(first: Ratio, second: Ratio) -> float | None:
    """Student's t of the difference of two ratios of sums, its spread taken over clusters."""
    size = len(first.above)
    deviations = [a - b for a, b in zip(_deviations(first), _deviations(second), strict=True)]
    difference = (first.value or 0.0) - (second.value or 0.0)
    variance = math.fsum(deviation**2 for deviation in deviations) * size / (size - 1)
    if variance <= 1e-30:
        return 1.0 if abs(difference) < 1e-15 else 0.0
    return two_sided_t(difference / math.sqrt(variance), size - 1)


def _deviations(ratio: Ratio) -> list[float]:
    """How much each cluster pulls the figure away from its value (the linearised ratio)."""
    value, below = ratio.value or 0.0, math.fsum(ratio.below)
    return [(above - value * weight) / below for above, weight in zip(ratio.above, ratio.below, strict=True)]


def paired_bootstraps(
    ratios: Sequence[Ratio], pairs: Sequence[tuple[int, int]], resamples: int, seed: int
) -> list[float]:
    """How often samples of clusters put a difference on the other side of zero, both ways."""
    from rollcall.score.bootstrap import resampled

    draws = resampled(ratios, resamples, seed)
    found = []
    for first, second in pairs:
        differences = draws[:, first] - draws[:, second]
        low, high = int((differences <= 0).sum()), int((differences >= 0).sum())
        found.append(min(1.0, 2 * (min(low, high) + 1) / (resamples + 1)))
    return found


def permutations(
    ratios: Sequence[Ratio], pairs: Sequence[tuple[int, int]], resamples: int, seed: int
) -> list[float]:
    """How often swapping two systems in some clusters gives a difference at least as large."""
    import numpy as np

    size = len(ratios[0].above)
    exact = size <= EXACT
    total = 2**size if exact else resamples
    generator = np.random.default_rng(seed)
    sums = np.array([[*ratio.above, *ratio.below] for ratio in ratios]).reshape(len(ratios), 2, size)
    reached = np.zeros(len(pairs), dtype=np.int64)
    step = max(1, BLOCK // size)
    for start in range(0, total, step):
        rows = np.arange(start, min(start + step, total))
        every = (rows[:, None] >> np.arange(size)) & 1 if exact else None
        swaps = generator.integers(0, 2, (len(rows), size)) if every is None else every
        reached += _reached(sums, pairs, swaps.astype(np.float64))
    return [float(count / total) if exact else float((count + 1) / (total + 1)) for count in reached]


def _reached(
    sums: "NDArray[np.float64]", pairs: Sequence[tuple[int, int]], swaps: "NDArray[np.float64]"
) -> "NDArray[np.int64]":
    """For each pair, how many of the swaps give a difference at least as large as the one observed."""
    import numpy as np

    counts = np.zeros(len(pairs), dtype=np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        for place, (first, second) in enumerate(pairs):
            moved = swaps @ (sums[second] - sums[first]).T
            a, b = sums[first].sum(axis=1) + moved, sums[second].sum(axis=1) - moved
            observed = abs(
                sums[first, 0].sum() / sums[first, 1].sum() - sums[second, 0].sum() / sums[second, 1].sum()
            )
            differences = np.nan_to_num(np.abs(a[:, 0] / a[:, 1] - b[:, 0] / b[:, 1]))
            counts[place] = int((differences >= observed - ROUNDING).sum())
    return counts


def corrected(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The p-values of a family of comparisons, raised for their number."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    raised: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, (p, place) in enumerate(known):
        factor = {"holm": len(known) - rank, "bonferroni": len(known), "none": 1}[correction]
        running = max(running if correction == "holm" else 0.0, min(1.0, p * factor))
        raised[place] = running
    return raised


def two_sided_t(t: float, freedom: int) -> float:
    """The chance of a t at least as far from zero, by the incomplete beta function."""
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _continued_fraction(x, a, b) / a
    return 1 - front * _continued_fraction(1 - x, b, a) / b


def _continued_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 1000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value
