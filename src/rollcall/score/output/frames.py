"""Reports and comparisons as pandas tables; pandas is imported only when they are requested."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.packages import data_frame, pandas_library
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.score.columns import Figure, answer_sets, gold_of, predicted
from rollcall.score.match import WRONG
from rollcall.score.measure import Measure
from rollcall.score.output.text import true_columns

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report


# The result of each question, for people to read: which answers were found, missed and wrong.


class Explanation(msgspec.Struct, omit_defaults=True):
    """One question: its values in the order of the report's measures, and its answers."""

    id: str
    question: str
    kind: str
    state: Literal["answered", "missing", "failed"]
    why: str
    """Why the system failed, if it did."""
    values: list[float | None]
    found: list[str]
    missed: list[str]
    wrong: list[str]
    repeated: list[str]
    costs: dict[str, float] = {}
    """What the question cost, where the run says it."""


COSTS = ("seconds", "tokens", "money", "steps")


def gold_only(question: Question) -> Explanation:
    """A question without any system: its answers stand where those that were found would."""
    labels = [answer.label for answer in question.answers]
    return Explanation(
        question.id, question.question, question.kind or "", "answered", "", [], labels, [], [], []
    )


def explained(report: "Report") -> list[Explanation]:
    """The result of each question of a report."""
    return [_explain(report, place) for place in range(report.n)]


def _explain(report: "Report", place: int) -> Explanation:
    question, prediction = report.pairs[place]
    said = predicted(prediction)
    resolutions = [
        report.profile.resolve(question, gold, said) for gold in answer_sets(question, report.setting)
    ]
    resolution = max(resolutions, key=lambda one: report.profile.rate(one).f1)
    names: dict[int, list[str]] = {}
    wrong = []
    for text, owner in zip(resolution.predictions, resolution.owners, strict=True):
        if owner == WRONG:
            wrong.append(text)
        else:
            names.setdefault(owner, []).append(text)
    found = [
        _found(label, names.get(at, []))
        for at, (label, hit) in enumerate(zip(resolution.gold, resolution.found, strict=True))
        if hit
    ]
    missed = [label for label, hit in zip(resolution.gold, resolution.found, strict=True) if not hit]
    failure = None if prediction is None else prediction.failure
    return Explanation(
        id=question.id,
        question=question.question,
        kind=question.kind or "",
        state="missing" if prediction is None else "answered" if failure is None else "failed",
        why=failure or "",
        values=[column.shown(place) for column in report.columns],
        found=found,
        missed=missed,
        wrong=wrong,
        repeated=list(resolution.repeated),
        costs={} if prediction is None else _costs(prediction),
    )


def _costs(prediction: Prediction) -> dict[str, float]:
    given = {name: getattr(prediction, name) for name in COSTS}
    return {name: float(value) for name, value in given.items() if value is not None}


def _found(label: str, names: list[str]) -> str:
    """A found answer; with the predicted name if it differs."""
    others = [name for name in names if name != label]
    return label if not others or len(others) < len(names) else f"{label} ← {', '.join(others)}"


FrameRow = dict[str, object]
WHOLE = "all"
"""The value of `by` and `group` in the rows for all questions."""
ReportRows = Literal["figures", "questions"]
ComparisonRows = Literal["figures", "differences", "questions"]


def report_frame(report: "Report", rows: ReportRows = "figures") -> "pd.DataFrame":
    if rows == "questions":
        return data_frame(_question_rows(report))
    if rows != "figures":
        raise RollcallError(f"rows {rows!r:.80} is not known; choose figures or questions")
    whole: FrameRow = {"by": WHOLE, "group": WHOLE} if report.by else {}
    found = _figure_rows(report.figures, report.n, whole)
    if report.incomplete is not None:
        for measure, row in zip(report.figures, found, strict=True):
            row |= true_columns(report.incomplete.figures.get(measure))
    for name, groups in report.by.items():
        for key, group in groups.items():
            found += _figure_rows(group.figures, group.n, {"by": name, "group": key})
    return data_frame(found)


def comparison_frame(comparison: "Comparison", rows: ComparisonRows = "figures") -> "pd.DataFrame":
    if rows == "differences":
        return data_frame(_difference_rows(comparison))
    if rows not in ("figures", "questions"):
        raise RollcallError(f"rows {rows!r:.80} is not known; choose figures, differences or questions")
    pandas = pandas_library()
    frames = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        one = report_frame(report, rows)
        if rows == "figures":
            beaten = {
                str(measure): [comparison.names[loser] for loser in comparison.beats(place, measure)]
                for measure in report.measures
            }
            whole = one["by"] == WHOLE if report.by else [True] * len(one)
            one["better_than"] = [
                beaten[measure] if is_whole else None
                for measure, is_whole in zip(one["measure"], whole, strict=True)
            ]
        one.insert(0, "run", name)
        frames.append(one)
    return pandas.concat(frames, ignore_index=True)


def _figure_rows(figures: Mapping[Measure, Figure], n: int, of: FrameRow) -> list[FrameRow]:
    rows = []
    for measure, figure in figures.items():
        low, high = figure.interval or (None, None)
        rows.append({**of, "measure": str(measure), "value": figure.value, "low": low, "high": high, "n": n})
    return rows


def _question_rows(report: "Report") -> list[FrameRow]:
    """One row for each question: its values, and which answers were found, missed and wrong."""
    named = {name for question, _ in report.pairs for name in question.characteristics}
    rows: list[FrameRow] = []
    for (question, _), one in zip(report.pairs, explained(report), strict=True):
        row: FrameRow = {
            "id": one.id,
            "question": one.question,
            "kind": question.kind,
            "split": question.split,
            "cluster": question.cluster,
            "answers": len(gold_of(question, report.setting)),
            "state": one.state,
        }
        known = question.characteristics
        row |= {name: known.get(name) for name in report.by if name in named and name not in row}
        row |= dict(zip(map(str, report.measures), one.values, strict=True))
        row |= {"found": one.found, "missed": one.missed, "wrong": one.wrong}
        rows.append(row)
    return rows


def _difference_rows(comparison: "Comparison") -> list[FrameRow]:
    known = any(one.true is not None for one in comparison.differences)
    return [
        {
            "measure": str(one.measure),
            "first": comparison.names[one.first],
            "second": comparison.names[one.second],
            "difference": one.value,
            **{f"p_{test}": p for test, p in one.p_values._asdict().items()},
            "corrected_p": one.corrected_p,
            "significant": one.corrected_p is not None and one.corrected_p < comparison.level,
            **({} if not known else {**true_columns(one.true), "survives": one.survival}),
        }
        for one in comparison.differences
    ]
