"""How far a figure may be from the true value: its variance over clusters, and the interval that follows.

Every figure is a ratio of sums over clusters. Its variance is the jackknife's, which leaves out one cluster
at a time, so that a large cluster does not hide its own influence. Clusters of unequal size count as fewer
(Kish's effective number), and Student's t allows for estimating the variance from few clusters. A share is
between 0 and 1 and varies less near either end; Wilson's form of the interval takes this into account: it
never leaves these bounds and never has width 0. `benchmarks/bench_intervals.py` shows the coverage of these
intervals, and that of the bootstrap used before.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.score.columns import Ratio


# How many random draws a test takes, and how many of them reach the observed difference. No p-value of N
# draws is below 1 / (N + 1), and a correction multiplies it by the number of comparisons. So that number
# decides how many draws are needed for a difference to be significant. A pair whose difference a
# thousand draws have reached is decided and left out, so many comparisons take little longer than few.

LEAST = 10_000
MOST = 1_000_000
MARGIN = 10
"""How many times smaller than the level the smallest possible p-value is after correction."""
SETTLED = 1000


def enough_draws(comparisons: int, level: float) -> int:
    """The number of draws needed so that each of these comparisons can be significant at the level.

    >>> enough_draws(1, 0.05), enough_draws(60, 0.05)
    (10000, 12000)
    """
    return min(MOST, max(LEAST, math.ceil(MARGIN * comparisons / level)))


class Tally:
    """For each pair, how many draws reached the observed difference, until that is decided."""

    def __init__(self, pairs: int, draws: int, *, keep_all: bool = False) -> None:
        import numpy as np

        self.draws = draws
        self.keep_all = keep_all
        """Whether every pair uses every draw, as when all possible swaps are tried."""
        self.open: NDArray[np.int64] = np.arange(pairs)
        """The pairs that are not decided yet."""
        self._reached = np.zeros(pairs, dtype=np.int64)
        self._drawn = np.zeros(pairs, dtype=np.int64)

    def blocks(self, most: int) -> Iterator[int]:
        """How many draws to make next, until there are enough or every pair is decided."""
        done = 0
        while done < self.draws and len(self.open):
            rows = min(max(1, most), self.draws - done)
            yield rows
            done += rows

    def add(self, reached: "NDArray[np.int64]", drawn: int) -> None:
        """Count a block of draws for the open pairs."""
        self._reached[self.open] += reached
        self._drawn[self.open] += drawn
        settled = (self._reached[self.open] >= SETTLED) & (self._drawn[self.open] >= LEAST)
        if not self.keep_all:
            self.open = self.open[~settled]

    def shares(self) -> list[float]:
        """The share of all possible swaps that reached it."""
        return [float(p) for p in self._reached / self._drawn]

    def p_values(self) -> list[float]:
        """The share of draws that reached it; the observed difference counts as one draw."""
        return [float(p) for p in (self._reached + 1) / (self._drawn + 1)]


# Student's t distribution: its tail and its quantile, for any number of degrees of freedom. Implemented
# here, so that scoring does not load a statistics library to compute one interval.


def two_sided_t(t: float, freedom: float) -> float:
    """The probability of a t at least as far from zero, by the incomplete beta function."""
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


@lru_cache(maxsize=1024)
def t_quantile(confidence: float, freedom: float) -> float:
    """The distance from zero that t does not exceed in that share of cases.

    >>> round(t_quantile(0.95, 4), 3)
    2.776
    """
    tail, low, high = 1 - confidence, 0.0, 1.0
    while two_sided_t(high, freedom) > tail:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if two_sided_t(middle, freedom) > tail else (low, middle)
    return high


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


ROUNDING = 1e-12
"""Deviations below this share of a figure are rounding errors."""
WIDEST = 50.0
"""An interval of seconds wider than a factor of e to this power has no meaning, and JSON has no infinity."""


class Spread(NamedTuple):
    """A figure's variance (0 if all clusters have the same figure), and its number of clusters."""

    variance: float
    clusters: float
    """The effective number: the number of clusters of equal size with as much information."""

    @property
    def freedom(self) -> float:
        return max(1.0, self.clusters - 1)


def spread(*ratios: "Ratio") -> Spread | None:
    """The spread of a figure, or of the first minus the second; None if fewer than two clusters count."""
    pulls = [_pulls(ratio) for ratio in ratios]
    if any(pull is None for pull in pulls):
        return None
    size = min(sum(weight != 0 for weight in ratio.below) for ratio in ratios)
    first, *others = [pull for pull in pulls if pull is not None]
    together = [one - sum(rest) for one, *rest in zip(first, *others, strict=True)]
    variance = math.fsum(pull**2 for pull in together) * (size - 1) / size
    scale = max(abs(ratio.value or 0.0) for ratio in ratios)
    equal = variance <= (ROUNDING * scale) ** 2
    return Spread(0.0 if equal else variance, min(effective_number(ratio.below) for ratio in ratios))


def effective_number(sizes: Sequence[float]) -> float:
    """How many clusters of equal size hold as much information as these (Kish).

    >>> effective_number([4, 4, 4]), effective_number([10, 1, 1])
    (3.0, 1.411764705882353)
    """
    total = math.fsum(sizes)
    return total * total / math.fsum(size * size for size in sizes) if total else 0.0


def interval(ratio: "Ratio", confidence: float, *, share: bool = True) -> tuple[float, float] | None:
    """The interval that covers a figure's true value with the given confidence; None for too few clusters.

    A figure that is not a share (seconds) has no upper limit; its interval is computed on a logarithmic
    scale.
    """
    value, known = ratio.value, spread(ratio)
    if value is None or known is None:
        return None
    if share:
        return share_interval(value, known, confidence)
    return _of_factors(value, known, t_quantile(confidence, known.freedom))


def share_interval(value: float, known: Spread, confidence: float) -> tuple[float, float]:
    """Wilson's interval for a share, with the number of draws of 0 or 1 that would have this variance.

    If all clusters agree, the variance is not known; each cluster then counts as one draw.
    """
    reach = t_quantile(confidence, known.freedom)
    value = min(1.0, max(0.0, value))
    draws = value * (1 - value) / known.variance if known.variance else 0.0
    draws = draws or known.freedom
    return wilson(value, draws, reach)


def wilson(value: float, draws: float, reach: float) -> tuple[float, float]:
    """Wilson's interval for a share of so many draws, from its value and the quantile of its confidence."""
    pull = reach * reach / draws
    middle = (value + pull / 2) / (1 + pull)
    half = reach / (1 + pull) * math.sqrt(value * (1 - value) / draws + pull / (4 * draws))
    return min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half))


def _of_factors(value: float, known: Spread, reach: float) -> tuple[float, float] | None:
    """The interval on a logarithmic scale."""
    if value <= 0 or not known.variance:
        return None
    factor = math.exp(min(WIDEST, reach * math.sqrt(known.variance) / value))
    return value / factor, value * factor


def _pulls(ratio: "Ratio") -> list[float] | None:
    """How far the figure moves if each cluster is left out; None if fewer than two count."""
    value, total = ratio.value, math.fsum(ratio.below)
    if value is None or sum(weight != 0 for weight in ratio.below) < 2:
        return None
    return [
        (above - value * weight) / (total - weight)
        for above, weight in zip(ratio.above, ratio.below, strict=True)
    ]
