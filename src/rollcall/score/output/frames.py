"""Reports and comparisons as pandas tables; pandas is imported only when they are requested."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from rollcall.errors import RollcallError
from rollcall.notebook import data_frame, pandas_library
from rollcall.score.columns import gold_of
from rollcall.score.figures import Figure
from rollcall.score.measure import Measure
from rollcall.score.output.explanation import explained
from rollcall.score.output.true_figures import true_columns

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report

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
