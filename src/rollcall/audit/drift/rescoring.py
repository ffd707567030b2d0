"""How much of a change in a run's score is drift of the gold: the same answers, scored on both golds.

The difference is divided among its causes question by question, by Shapley's values: the mean gain of a cause
over all orders in which the causes could have come. So the parts add up to the difference exactly, and none
depends on an order that somebody chose. Their intervals are those of means over questions (or clusters of
them), as everywhere in scoring.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from rollcall.audit.drift.changes import CAME, WENT, AnswerChange, FigureChange, Part, Rescored
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Run
from rollcall.score.figures import MeasureColumn, Ratio, clustered, ratio
from rollcall.score.report import Report
from rollcall.score.rules import GivenMeasures, GivenProfile, Rules
from rollcall.score.scoring import score_records
from rollcall.score.spread import spread
from rollcall.score.student import t_quantile

if TYPE_CHECKING:
    from rollcall.audit.drift.result import Drift

_MOST_CAUSES = 6
"""Causes are divided exactly up to this number; the rarer ones are taken together."""
OTHER = "other causes"

Pairs = Sequence[tuple[Question, Question]]


def rescored(
    run: Run,
    pairs: Pairs,
    drift: "Drift",
    profile: GivenProfile,
    measures: GivenMeasures,
    confidence: float | None,
) -> Rescored:
    """Score a run on the old and the new gold, and divide the difference among the causes."""
    rules = Rules(profile, measures, (), "complete", "count", False, None)
    asked = {before.id for before, _ in pairs}
    kept = Run([one for one in run if one.id in asked], run.name, run.warnings)
    golds = _Golds(pairs, drift)
    whole = score_records(QuestionSet(before for before, _ in pairs), kept, rules)
    chosen = [one.measure for one in whole.columns if one.measure.is_share and not one.measure.worst]
    scored = Rules(rules.scorer, chosen, (), "complete", "count", False, None)
    reports = {
        causes: score_records(QuestionSet(golds.with_(causes)), kept, scored) for causes in golds.subsets()
    }
    answered = {one.id for one in kept}
    found = Rescored(run.name, len(pairs), rules.scorer.name, {}, len(asked - answered))
    for place, measure in enumerate(chosen):
        columns = {causes: report.columns[place] for causes, report in reports.items()}
        change = _figure(columns, golds.causes, reports[frozenset()], confidence)
        if change is not None:
            found.figures[str(measure)] = change
    return found


class _Golds:
    """The gold of every question with some of the causes at work."""

    def __init__(self, pairs: Pairs, drift: "Drift"):
        self.pairs = pairs
        self._changes = {one.id: one.answers for one in drift.changed}
        counts: dict[str, int] = {}
        for change in drift.answer_changes:
            counts[change.cause] = counts.get(change.cause, 0) + 1
        common = sorted(counts, key=lambda cause: (-counts[cause], cause))
        own = common if len(common) <= _MOST_CAUSES else common[: _MOST_CAUSES - 1]
        self._group = {cause: cause if cause in own else OTHER for cause in common}
        self.causes = list(dict.fromkeys(self._group[cause] for cause in common))

    def subsets(self) -> list[frozenset[str]]:
        sizes = range(len(self.causes) + 1)
        return [frozenset(some) for size in sizes for some in combinations(self.causes, size)]

    def with_(self, causes: frozenset[str]) -> list[Question]:
        """The old questions after the changes that these causes made."""
        return [
            self._changed(before, after, causes) if before.id in self._changes else before
            for before, after in self.pairs
        ]

    def _changed(self, before: Question, after: Question, causes: frozenset[str]) -> Question:
        at_work = [one for one in self._changes[before.id] if self._group[one.cause] in causes]
        answers = [now for answer in before.answers if (now := _after(answer, after, at_work)) is not None]
        came = [one for one in at_work if one.kind == CAME]
        answers += [answer for answer in after.answers if any(_is(answer, one) for one in came)]
        return msgspec.structs.replace(before, answers=answers)


def _after(answer: Answer, after: Question, changes: Sequence[AnswerChange]) -> Answer | None:
    """An old answer after the changes: gone, with its new names, or as it was."""
    for change in changes:
        if change.kind == CAME or not _was(answer, change):
            continue
        if change.kind == WENT:
            return None
        return next((one for one in after.answers if _is(one, change)), answer)
    return answer


def _is(answer: Answer, change: AnswerChange) -> bool:
    if change.id is not None and answer.id is not None:
        return answer.id == change.id
    return answer.label == change.label


def _was(answer: Answer, change: AnswerChange) -> bool:
    if change.id is not None and answer.id is not None:
        return answer.id == change.id
    return answer.label == (change.before or change.label)


def _figure(
    columns: dict[frozenset[str], MeasureColumn],
    causes: Sequence[str],
    report: Report,
    confidence: float | None,
) -> FigureChange | None:
    """One figure on both golds, and the part of each cause."""
    clusters = clustered((place, one.id, one.cluster) for place, (one, _) in enumerate(report.pairs))
    before, after = columns[frozenset()], columns[frozenset(causes)]
    first, last = ratio(before, clusters).value, ratio(after, clusters).value
    if first is None or last is None:
        return None
    parts = {cause: _part(before, _gains(columns, causes, cause), clusters, confidence) for cause in causes}
    whole = [new - old for old, new in zip(before.values, after.values, strict=True)]
    return FigureChange(first, last, _part(before, whole, clusters, confidence), parts)


def _gains(columns: dict[frozenset[str], MeasureColumn], causes: Sequence[str], cause: str) -> list[float]:
    """Shapley's value of a cause for every question."""
    others = [one for one in causes if one != cause]
    total = [0.0] * len(columns[frozenset()].values)
    for size in range(len(others) + 1):
        weight = 1 / (len(causes) * math.comb(len(others), size))
        for some in map(frozenset, combinations(others, size)):
            without, with_ = columns[some].values, columns[some | {cause}].values
            total = [
                sum_ + weight * (new - old) for sum_, old, new in zip(total, without, with_, strict=True)
            ]
    return total


def _part(
    column: MeasureColumn, gains: Sequence[float], clusters: list[list[int]], confidence: float | None
) -> Part:
    """The mean of gains over all questions, and its interval."""
    pulled = ratio(MeasureColumn(column.measure, list(gains), column.counts), clusters)
    value = pulled.value or 0.0
    return Part(value, None if confidence is None else _interval(pulled, value, confidence))


def _interval(one: Ratio, value: float, confidence: float) -> tuple[float, float] | None:
    """The interval of a difference, which may be negative, so that no bounds of shares apply."""
    known = spread(one)
    if known is None:
        return None
    reach = t_quantile(confidence, known.freedom) * math.sqrt(known.variance)
    return value - reach, value + reach
