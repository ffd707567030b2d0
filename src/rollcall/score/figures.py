"""Figures with their confidence intervals: how far a figure may be from the true value.

`FigureValue`, `FigureGroup`        a value with its interval, and the figures of a part of the questions
`Ratio`, `MeasureColumn`, `ratio`   every figure is a ratio of sums over clusters
`figures`, `clustered`              the figures of columns of values, and questions grouped in clusters
`spread`, `interval`                the variance over clusters, and the interval that follows
`interval_cautions`                 when intervals cannot be trusted

The unit of every interval is the cluster, because questions of one cluster are not independent; a question
without a cluster is a cluster of its own. Sums are exact, so the order of the questions does not change any
digit. The variance is the jackknife's, which leaves out one cluster at a time, so that a large cluster does
not hide its own influence. Clusters of unequal size count as fewer (Kish's effective number), and Student's t
allows for estimating the variance from few clusters. A share is between 0 and 1 and varies less near either
end; Wilson's form of the interval takes this into account: it never leaves these bounds and never has width
0. `benchmarks/bench_intervals.py` shows the coverage of these intervals, and that of the bootstrap used
before.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.score.measure import Measure


class FigureValue(NamedTuple):
    """A value with its interval; no value if no question counts, no interval if none was requested."""

    value: float | None
    interval: tuple[float, float] | None = None


class FigureGroup(NamedTuple):
    """The figures of a part of the questions."""

    n: int
    figures: dict[Measure, FigureValue]


class Ratio(NamedTuple):
    """A figure before division: the numerator and denominator of each cluster."""

    above: list[float]
    below: list[float]

    @property
    def value(self) -> float | None:
        below = math.fsum(self.below)
        return math.fsum(self.above) / below if below else None


class MeasureColumn(NamedTuple):
    """One measure's value for every question; `counts` says which are part of the mean."""

    measure: Measure
    values: list[float]
    counts: list[bool]
    per: list[float] | None = None
    """For a measure that is a ratio of sums: what each value is divided by, such as the right answers."""

    def shown(self, place: int) -> float | None:
        """The value of one question by itself; None if it has none."""
        if not self.counts[place] and self.measure.extreme is None:
            return None
        if self.per is None:
            return self.values[place]
        return self.values[place] / self.per[place] if self.per[place] else None


def ratio(column: MeasureColumn, clusters: Sequence[Sequence[int]]) -> Ratio:
    """A measure over clusters of question positions; clusters without a counted question are left out."""
    values, counts, extreme = column.values, column.counts, column.measure.extreme
    if extreme is not None:
        chosen = [extreme(values[index] for index in cluster) for cluster in clusters]
        return Ratio(chosen, [1.0] * len(chosen))
    above, below = [], []
    for cluster in clusters:
        if column.per is not None:
            counted_places = [index for index in cluster if counts[index]]
            above.append(math.fsum(values[index] for index in counted_places))
            below.append(math.fsum(column.per[index] for index in counted_places))
        elif len(cluster) == 1:
            only = cluster[0]
            above.append(values[only] if counts[only] else 0.0)
            below.append(1.0 if counts[only] else 0.0)
        else:
            counted = [values[index] for index in cluster if counts[index]]
            above.append(math.fsum(counted))
            below.append(float(len(counted)))
    return Ratio(above, below)


def mean(column: MeasureColumn, clusters: Sequence[Sequence[int]]) -> float | None:
    """The plain value of a measure, without the sums that an interval needs."""
    if column.measure.extreme is not None or column.per is not None:
        return ratio(column, clusters).value
    places = [index for cluster in clusters for index in cluster if column.counts[index]]
    return math.fsum(column.values[index] for index in places) / len(places) if places else None


def figures(
    columns: Sequence[MeasureColumn], clusters: Sequence[Sequence[int]], *, confidence: float | None = None
) -> list[FigureValue]:
    """The figure of each column over the clusters, with its interval if a confidence is given."""
    if confidence is None:
        return [FigureValue(mean(column, clusters)) for column in columns]
    return [bounded(ratio(column, clusters), confidence, share=column.measure.is_share) for column in columns]


def bounded(one: Ratio, confidence: float | None, *, share: bool = True) -> FigureValue:
    """The figure of a ratio, with its interval if a confidence is given."""
    return FigureValue(one.value, None if confidence is None else interval(one, confidence, share=share))


def clustered(keys: Iterable[tuple[int, str, str | None]]) -> list[list[int]]:
    """Positions grouped by cluster, in an order that depends only on ids.

    Each key is a question's position, its id and its cluster.
    """
    single: dict[str, list[int]] = {}
    groups: dict[str, list[tuple[str, int]]] = {}
    for index, identity, cluster in keys:
        if cluster is None:
            single.setdefault(identity, []).append(index)
        else:
            groups.setdefault(cluster, []).append((identity, index))
    shared = [[index for _, index in sorted(groups[name])] for name in sorted(groups)]
    return [single[identity] for identity in sorted(single)] + shared


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
    together = [pull - sum(rest) for pull, *rest in zip(first, *others, strict=True)]
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


# When intervals cannot be trusted: too few clusters, or clusters with the same score. The limits come
# from `benchmarks/bench_intervals.py`: with five clusters or more, intervals cover what they claim,
# unless a few clusters all have the same score.

FEW = 5
"""With fewer clusters (of equal size), no method can estimate how figures vary."""
FEW_ALIKE = 30
"""With fewer clusters, all may have the same score by chance."""
FEW_APART = 20
"""Near 0 or 1, this many clusters of unequal size must differ from the rest."""
NEAR = 0.1
UNEQUAL = 0.9


def interval_cautions(
    columns: Sequence[MeasureColumn], clusters: Sequence[Sequence[int]], confidence: float | None
) -> list[str]:
    """A line for each reason not to trust the intervals of a report."""
    if confidence is None or not clusters:
        return []
    sizes = [len(cluster) for cluster in clusters]
    if (few := few_clusters(sizes)) is not None:
        return [few]
    unequal = effective_number(sizes) < UNEQUAL * len(sizes)
    ratios = {column.measure: ratio(column, clusters) for column in columns}
    alike = [str(name) for name, fraction in ratios.items() if len(clusters) < FEW_ALIKE and _alike(fraction)]
    shares = {str(measure): fraction for measure, fraction in ratios.items() if measure.is_share}
    ends = [
        name for name, fraction in shares.items() if unequal and name not in alike and _near_an_end(fraction)
    ]
    lines = []
    if alike:
        lines.append(
            f"all {len(clusters)} clusters have the same {', '.join(alike)}, so its variance cannot be "
            "estimated: the interval is as wide as so few clusters allow"
        )
    if ends:
        lines.append(
            f"near 0 or 100 %, few of the {len(clusters)} clusters differ from the rest in "
            f"{', '.join(ends)}: the interval may be too narrow"
        )
    return lines


def _alike(fraction: Ratio) -> bool:
    known = spread(fraction)
    return known is not None and not known.variance


def _near_an_end(fraction: Ratio) -> bool:
    """Whether a share is near 0 or 1 and few clusters differ from that."""
    value = fraction.value
    if value is None or NEAR < value < 1 - NEAR:
        return False
    end = round(value)
    return sum(above != end * below for above, below in zip(*fraction, strict=True)) < FEW_APART


def few_clusters(sizes: list[int]) -> str | None:
    """A warning for figures based on too few clusters, given the clusters' sizes."""
    if len(sizes) == 1:
        return "all questions are of one cluster, so there is no interval" if sizes[0] > 1 else None
    effective = effective_number(sizes)
    if effective >= FEW:
        return None
    worth = "" if len(sizes) < FEW else f" of such unequal size that they count as {effective:.1f}"
    return (
        f"{len(sizes)} clusters{worth} are too few to estimate how figures vary: "
        "intervals and tests are rough"
    )
