"""How far a figure may be from the true value: its variance over clusters, and the interval that follows.

Every figure is a ratio of sums over clusters. Its variance is the jackknife's, which leaves out one cluster
at a time, so that a large cluster does not hide its own influence. Clusters of unequal size count as fewer
(Kish's effective number), and Student's t allows for estimating the variance from few clusters. A share is
between 0 and 1 and varies less near either end; Wilson's form of the interval takes this into account: it
never leaves these bounds and never has width 0. `benchmarks/bench_intervals.py` shows the coverage of these
intervals, and that of the bootstrap used before.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rollcall.score.student import t_quantile

if TYPE_CHECKING:
    from rollcall.score.figures import Ratio

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
