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
EXACT = 12
"""Up to so many clusters, all ways of swapping are tried instead of a sample of them."""


class PValues(NamedTuple):
    """Two-sided p-values of one comparison by the three tests; None where a test is not defined."""

    t: float | None
    bootstrap: float | None
    permutation: float | None

    def by(self, test: Test) -> float | None:
        return {"t": self.t, "bootstrap": self.bootstrap, "permutation": self.permutation}[test]


def compare_ratios(first: Ratio, second: Ratio, *, resamples: int, seed: int) -> PValues:
    """All three tests of the difference of two figures over the same clusters."""
    if len(first.above) < 2 or not any(first.below) or not any(second.below):
        return PValues(None, None, None)
    return PValues(
        paired_t(first, second),
        paired_bootstrap(first, second, resamples, seed) if resamples else None,
        permutation(first, second, resamples, seed) if resamples else None,
    )


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


def paired_bootstrap(first: Ratio, second: Ratio, resamples: int, seed: int) -> float:
    """How often samples of clusters put the difference on the other side of zero, both ways."""
    from rollcall.score.bootstrap import resampled

    draws = resampled([first, second], resamples, seed)
    differences = draws[:, 0] - draws[:, 1]
    low, high = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2 * (min(low, high) + 1) / (resamples + 1))


def permutation(first: Ratio, second: Ratio, resamples: int, seed: int) -> float:
    """How often swapping the systems in some clusters gives a difference at least as large."""
    import numpy as np

    size = len(first.above)
    if size <= EXACT:
        swaps = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
        return float((_swapped(first, second, swaps) >= 0).mean())
    generator = np.random.default_rng(seed)
    reached, step = 0, max(1, (1 << 21) // size)
    for start in range(0, resamples, step):
        swaps = generator.integers(0, 2, (min(step, resamples - start), size))
        reached += int((_swapped(first, second, swaps) >= 0).sum())
    return (reached + 1) / (resamples + 1)


def _swapped(first: Ratio, second: Ratio, swaps: "NDArray[np.int64]") -> "NDArray[np.float64]":
    """For each row of swaps, how much larger the difference is than the one observed (rounding aside)."""
    import numpy as np

    sides = [(np.array(ratio.above), np.array(ratio.below)) for ratio in (first, second)]
    kept = 1 - swaps
    (above_a, below_a), (above_b, below_b) = sides
    with np.errstate(invalid="ignore", divide="ignore"):
        one = (kept @ above_a + swaps @ above_b) / (kept @ below_a + swaps @ below_b)
        other = (kept @ above_b + swaps @ above_a) / (kept @ below_b + swaps @ below_a)
    observed = abs((first.value or 0.0) - (second.value or 0.0))
    return np.asarray(np.nan_to_num(np.abs(one - other)) - observed + 1e-12)


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
