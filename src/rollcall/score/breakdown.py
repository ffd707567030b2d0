"""Breaking figures down by a characteristic of the questions, or by the rank of their paraphrases.

`breakdown`             the figures of each group of questions
`paraphrase_ranks`      the figures at each rank of the wordings of a query, best first
`cluster_robustness`    how far the worst case is below the mean, and on which numbers that depends

A number with few distinct values gives one group per value. Commonness is cut into bins of ten, as in
GraphQuestions, and the number of answers into bins of growing width. A question with several relations counts
under each of them.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.score.figures import FigureGroup, FigureValue, MeasureColumn, Ratio, bounded
from rollcall.score.measure import Measure
from rollcall.score.pairing import gold_of, some

if TYPE_CHECKING:
    from rollcall.score.report import Report

UNKNOWN = "(unknown)"
RANK = "paraphrase-rank"
MOST_VALUES = 12
"""A numeric characteristic with more distinct values than this is cut into quarters."""

FUNCTIONS = {
    **dict.fromkeys(("max", "min", "argmax", "argmin", "superlative"), "superlative"),
    **dict.fromkeys((">", ">=", "<", "<=", "comparative"), "comparative"),
}
ANSWER_BINS = (0, 1, 2, 5, 10, 20, 50, 100, 200)
ORDER = {name: index for index, name in enumerate(("none", "count", "superlative", "comparative"))}

Key = tuple[float, str]
"""A group's place in the table and its name."""


def available(questions: Iterable[Question]) -> list[str]:
    """The characteristics these questions can be broken down by."""
    names: dict[str, None] = {}
    computed: dict[str, None] = {"answers": None, "cardinality": None}
    for question in questions:
        for name, value in (("kind", question.kind), ("split", question.split)):
            if value is not None:
                names[name] = None
        if question.cluster is not None:
            computed[RANK] = None
        names |= dict.fromkeys(question.characteristics)
    return [*names, *(name for name in computed if name not in names)]


def named_characteristics(by: Sequence[str], report: "Report") -> list[str]:
    """The characteristics that were asked for; `all` means every one the questions have."""
    if not by:
        return []
    there = available(question for question, _ in report.pairs)
    chosen: dict[str, None] = {}
    for name in by:
        if name == "all":
            chosen |= dict.fromkeys(there)
        elif name in there:
            chosen[name] = None
        else:
            raise RollcallError(f"cannot break down by {name!r:.80}; these questions have {some(there, 20)}")
    return list(chosen)


def breakdown(report: "Report", name: str) -> dict[str, FigureGroup]:
    """The report's figures for each group of questions."""
    if name == RANK:
        return paraphrase_ranks(report)
    cluster_of = {index: number for number, cluster in enumerate(report.clusters) for index in cluster}
    groups: dict[str, list[int]] = defaultdict(list)
    order: dict[str, Key] = {}
    keys_of = _grouping(report, name)
    for index, (question, _) in enumerate(report.pairs):
        for key in keys_of(question):
            order[key[1]] = min(key, order.get(key[1], key))
            groups[key[1]].append(index)
    table = {}
    for group in sorted(groups, key=order.__getitem__):
        clusters: dict[int, list[int]] = defaultdict(list)
        for index in groups[group]:
            clusters[cluster_of[index]].append(index)
        in_order = [
            sorted(clusters[number], key=lambda at: report.pairs[at][0].id) for number in sorted(clusters)
        ]
        table[group] = FigureGroup(
            len(groups[group]), dict(zip(report.measures, report.over(in_order), strict=True))
        )
    return table


def _grouping(report: "Report", name: str) -> Callable[[Question], list[Key]]:
    if name in ("answers", "cardinality"):
        size = _answer_bin if name == "answers" else _cardinality
        return lambda question: [size(len(gold_of(question, report.setting)))]
    if name == "kind":
        return lambda question: [_text_key(question.kind)]
    if name == "split":
        return lambda question: [_text_key(question.split)]
    values = [question.characteristics.get(name) for question, _ in report.pairs]
    numbers = sorted({number for number in map(as_number, values) if number is not None})
    cuts = [numbers[len(numbers) * part // 4] for part in (1, 2, 3)] if len(numbers) > MOST_VALUES else []

    def keys(question: Question) -> list[Key]:
        value = question.characteristics.get(name)
        if isinstance(value, list):
            return [_text_key(part) for part in dict.fromkeys(value)] or [_text_key(None)]
        number = as_number(value)
        if number is None:
            return [_function(value) if name == "function" else _text_key(value)]
        if name == "commonness":
            return [_tens(number)]
        return [_quarter(number, numbers, cuts) if cuts else (number, _number_text(number))]

    return keys


def as_number(value: object) -> float | None:
    """A characteristic as a number; None for a text, a truth value, or a number too large for a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _number_text(number: float) -> str:
    """A number with the fewest digits that distinguish it from every other."""
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def _text_key(value: object) -> Key:
    return (math.inf, UNKNOWN) if value is None else (0.0, str(value))


def _function(value: object) -> Key:
    if value is None:
        return _text_key(None)
    category = FUNCTIONS.get(str(value), str(value))
    return float(ORDER.get(category, len(ORDER))), category


def _tens(value: float) -> Key:
    low = math.floor(value / 10) * 10
    return float(low), f"[{low}, {low + 10})"


def _quarter(value: float, numbers: list[float], cuts: list[float]) -> Key:
    bounds = [numbers[0], *cuts, numbers[-1]]
    part = min(bisect_right(cuts, value), 3)
    closing = "]" if part == 3 else ")"
    return float(part), f"[{_number_text(bounds[part])}, {_number_text(bounds[part + 1])}{closing}"


def _cardinality(count: int) -> Key:
    return float(min(count, 2)), ">1" if count > 1 else str(count)


def _answer_bin(count: int) -> Key:
    part = bisect_right(ANSWER_BINS, count) - 1
    low = ANSWER_BINS[part]
    if part == len(ANSWER_BINS) - 1:
        return float(part), f"{low}+"
    high = ANSWER_BINS[part + 1] - 1
    return float(part), str(low) if low == high else f"{low}–{high}"


def paraphrase_ranks(report: "Report") -> dict[str, FigureGroup]:
    """Each measure at every rank: a query's wordings sorted by the measure, then averaged over queries."""
    columns = [
        column for column in report.columns if column.measure.extreme is None and column.measure.is_share
    ]
    clusters = [cluster for cluster in report.clusters if report.pairs[cluster[0]][0].cluster is not None]
    ranked = [
        [
            sorted(
                (column.values[index] for index in cluster), reverse=not column.measure.kind.lower_is_better
            )
            for cluster in clusters
        ]
        for column in columns
    ]
    table: dict[str, FigureGroup] = {}
    for rank in range(max((len(cluster) for cluster in clusters), default=0)):
        ratios = []
        for scores in ranked:
            there = [values[rank] for values in scores if len(values) > rank]
            ratios.append(Ratio(there, [1.0] * len(there)))
        size = len(ratios[0].above) if ratios else 0
        with_intervals = [bounded(ratio, report.confidence) for ratio in ratios]
        figures = {column.measure: figure for column, figure in zip(columns, with_intervals, strict=True)}
        table[str(rank + 1)] = FigureGroup(size, figures)
    return table


def share_of_first(ranks: dict[str, FigureGroup], measure: Measure) -> dict[str, float | None]:
    """Each rank's score as a share of the best wording's."""
    return {
        rank: share_of(group.figures[measure], ranks["1"].figures[measure]) for rank, group in ranks.items()
    }


def share_of(figure: FigureValue, first: FigureValue) -> float | None:
    """A figure as a share of another; None where that is 0 or one of them has no value."""
    return figure.value / first.value if first.value and figure.value is not None else None


# How a system's scores drop within clusters of related questions (RoMQA's Figures 5 and 6). For every number
# that describes a question (its constraints, its answers, …): how the score varies with it over all
# questions, and how the score's distance from its cluster's mean varies with the number's own.

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


def cluster_robustness(report: "Report") -> Robustness:
    """The robustness on a report's questions in clusters of two or more."""
    wanted = Measure.parse("F1")
    column = next((column for column in report.columns if column.measure == wanted), None)
    if column is None:
        raise RollcallError(f"robustness is measured by {wanted}: add it to the measures")
    clusters = [cluster for cluster in report.clusters if len(cluster) > 1]
    if not clusters:
        raise RollcallError("no two questions share a cluster, so there is no robustness to measure")
    trends = {name: _trend(column, clusters, numbers) for name, numbers in _numbers(report).items()}
    return Robustness(
        wanted,
        mean=_mean([_mean([column.values[index] for index in cluster]) for cluster in clusters]),
        worst=_mean([min(column.values[index] for index in cluster) for cluster in clusters]),
        clusters=len(clusters),
        trends=trends,
    )


def _numbers(report: "Report") -> dict[str, dict[int, float]]:
    """Every numeric characteristic with its value for each question that has it."""
    numbers: dict[str, dict[int, float]] = defaultdict(dict)
    for index, (question, _) in enumerate(report.pairs):
        numbers["answers"][index] = len(gold_of(question, report.setting))
        for name, value in question.characteristics.items():
            if name != "answers" and (number := as_number(value)) is not None:
                numbers[name][index] = number
    return dict(numbers)


def _trend(column: MeasureColumn, clusters: Sequence[Sequence[int]], numbers: dict[int, float]) -> Trend:
    both = [(number, column.values[index]) for index, number in numbers.items()]
    distances = []
    for cluster in clusters:
        places = [index for index in cluster if index in numbers]
        if len(places) > 1:
            number = _mean([numbers[index] for index in places])
            value = _mean([column.values[index] for index in places])
            distances += [(numbers[index] - number, column.values[index] - value) for index in places]
    if all(abs(distance) < SAME for distance, _ in distances):  # the number is the same throughout clusters
        return Trend(pearson(both), None, [])
    return Trend(pearson(both), pearson(distances), _points(distances))


def _points(distances: list[tuple[float, float]]) -> list[TrendPoint]:
    """The distances in order, cut into a few groups of about equal size; equal ones stay together."""
    ordered = sorted(distances)
    groups: dict[int, list[tuple[float, float]]] = defaultdict(list)
    group_of: dict[float, int] = {}
    for index, pair in enumerate(ordered):
        groups[group_of.setdefault(pair[0], index * BINS // len(ordered))].append(pair)
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
