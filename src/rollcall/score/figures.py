"""Figures with their confidence intervals: means over questions, worst cases over clusters.

Every figure is a ratio of sums over clusters (a question without a cluster is a cluster of its own), so all
have the same kind of interval. Its unit is the cluster, because questions of one cluster are not independent.
Sums are exact, so the order of the questions does not change any digit.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.score.measure import Measure
from rollcall.score.spread import interval


class Figure(NamedTuple):
    """A value with its interval; no value if no question counts, no interval if none was requested."""

    value: float | None
    interval: tuple[float, float] | None = None


class FigureGroup(NamedTuple):
    """The figures of a part of the questions."""

    n: int
    figures: dict[Measure, Figure]


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
        chosen = [extreme(values[place] for place in cluster) for cluster in clusters]
        return Ratio(chosen, [1.0] * len(chosen))
    above, below = [], []
    for cluster in clusters:
        if column.per is not None:
            counted_places = [place for place in cluster if counts[place]]
            above.append(math.fsum(values[place] for place in counted_places))
            below.append(math.fsum(column.per[place] for place in counted_places))
        elif len(cluster) == 1:
            place = cluster[0]
            above.append(values[place] if counts[place] else 0.0)
            below.append(1.0 if counts[place] else 0.0)
        else:
            counted = [values[place] for place in cluster if counts[place]]
            above.append(math.fsum(counted))
            below.append(float(len(counted)))
    return Ratio(above, below)


def mean(column: MeasureColumn, clusters: Sequence[Sequence[int]]) -> float | None:
    """The plain value of a measure, without the sums that an interval needs."""
    if column.measure.extreme is not None or column.per is not None:
        return ratio(column, clusters).value
    places = [place for cluster in clusters for place in cluster if column.counts[place]]
    return math.fsum(column.values[place] for place in places) / len(places) if places else None


def figures(
    columns: Sequence[MeasureColumn], clusters: Sequence[Sequence[int]], *, confidence: float | None = None
) -> list[Figure]:
    """The figure of each column over the clusters, with its interval if a confidence is given."""
    if confidence is None:
        return [Figure(mean(column, clusters)) for column in columns]
    return [bounded(ratio(column, clusters), confidence, share=column.measure.is_share) for column in columns]


def bounded(one: Ratio, confidence: float | None, *, share: bool = True) -> Figure:
    """The figure of a ratio, with its interval if a confidence is given."""
    return Figure(one.value, None if confidence is None else interval(one, confidence, share=share))


def clustered(keys: Iterable[tuple[int, str, str | None]]) -> list[list[int]]:
    """Positions grouped by cluster, in an order that depends only on ids.

    Each key is a question's position, its id and its cluster.
    """
    single: dict[str, list[int]] = {}
    groups: dict[str, list[tuple[str, int]]] = {}
    for place, identity, cluster in keys:
        if cluster is None:
            single.setdefault(identity, []).append(place)
        else:
            groups.setdefault(cluster, []).append((identity, place))
    shared = [[place for _, place in sorted(groups[name])] for name in sorted(groups)]
    return [single[identity] for identity in sorted(single)] + shared
