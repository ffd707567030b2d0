"""How a system's scores drop within clusters of related questions (RoMQA's Figures 5 and 6).

For every number that describes a question (its constraints, its answers, …): how the score varies
with it over all questions, and how the score's distance from its cluster's mean varies with the number's own
distance from the cluster's mean.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.score.breakdown import as_number
from rollcall.score.columns import MeasureColumn, gold_of
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.report import Report

BINS = 5
SAME = 1e-9
"""Smaller distances are rounding errors."""


class TrendPoint(NamedTuple):
    """A group of questions: their distance from their cluster's mean in a number, and in score."""

    distance: float
    drop: float
    n: int


class Trend(NamedTuple):
    """How a score varies with one number."""

    with_score: float | None
    """Pearson's correlation of number and score over all questions (Figure 5)."""
    with_drop: float | None
    """The same for their distances from the cluster's mean (Figure 6)."""
    points: list[TrendPoint]


@dataclass
class Robustness:
    """How far the worst case is below the mean, and on which numbers that depends."""

    measure: Measure
    mean: float
    worst: float
    clusters: int
    trends: dict[str, Trend]


def robustness(report: "Report", measure: str = "F1") -> Robustness:
    """The robustness on a report's questions in clusters of two or more."""
    wanted = Measure.parse(measure)
    column = next((one for one in report.columns if one.measure == wanted), None)
    if column is None:
        raise RollcallError(f"robustness is measured by {wanted}: add it to the measures")
    clusters = [cluster for cluster in report.clusters if len(cluster) > 1]
    if not clusters:
        raise RollcallError("no two questions share a cluster, so there is no robustness to measure")
    trends = {name: _trend(column, clusters, numbers) for name, numbers in _numbers(report).items()}
    return Robustness(
        wanted,
        mean=_mean([_mean([column.values[place] for place in cluster]) for cluster in clusters]),
        worst=_mean([min(column.values[place] for place in cluster) for cluster in clusters]),
        clusters=len(clusters),
        trends=trends,
    )


def _numbers(report: "Report") -> dict[str, dict[int, float]]:
    """Every numeric characteristic with its value for each question that has it."""
    numbers: dict[str, dict[int, float]] = defaultdict(dict)
    for place, (question, _) in enumerate(report.pairs):
        numbers["answers"][place] = len(gold_of(question, report.setting))
        for name, value in question.characteristics.items():
            if name != "answers" and (number := as_number(value)) is not None:
                numbers[name][place] = number
    return dict(numbers)


def _trend(column: MeasureColumn, clusters: Sequence[Sequence[int]], numbers: dict[int, float]) -> Trend:
    both = [(number, column.values[place]) for place, number in numbers.items()]
    distances = []
    for cluster in clusters:
        places = [place for place in cluster if place in numbers]
        if len(places) > 1:
            number = _mean([numbers[place] for place in places])
            value = _mean([column.values[place] for place in places])
            distances += [(numbers[place] - number, column.values[place] - value) for place in places]
    if all(abs(distance) < SAME for distance, _ in distances):  # the number is the same throughout clusters
        return Trend(pearson(both), None, [])
    return Trend(pearson(both), pearson(distances), _points(distances))


def _points(distances: list[tuple[float, float]]) -> list[TrendPoint]:
    """The distances in order, cut into a few groups of about equal size; equal ones stay together."""
    ordered = sorted(distances)
    groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
    group_of: dict[float, int] = {}
    for place, pair in enumerate(ordered):
        groups[group_of.setdefault(pair[0], place * BINS // len(ordered))].append(pair)
    return [
        TrendPoint(_mean([x for x, _ in group]), _mean([y for _, y in group]), len(group))
        for _, group in sorted(groups.items())
    ]


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """The linear correlation; None if either side does not vary."""
    if len(pairs) < 2:
        return None
    x_mean, y_mean = _mean([x for x, _ in pairs]), _mean([y for _, y in pairs])
    x_spread = math.fsum((x - x_mean) ** 2 for x, _ in pairs)
    y_spread = math.fsum((y - y_mean) ** 2 for _, y in pairs)
    if x_spread == 0 or y_spread == 0:
        return None
    together = math.fsum((x - x_mean) * (y - y_mean) for x, y in pairs)
    return max(-1.0, min(1.0, together / math.sqrt(x_spread * y_spread)))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
