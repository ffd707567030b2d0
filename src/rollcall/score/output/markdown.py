"""Reports and comparisons as Markdown tables, for a README or an issue: the same cells as on the terminal."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.english.counting import counted
from rollcall.questions.markdown import inline
from rollcall.score.measure import Measure
from rollcall.score.output.comparison import BEST, best_runs, legend
from rollcall.score.output.numbers import (
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    interval_written,
    percent_written,
    written,
)
from rollcall.score.output.terminal import ROBUSTNESS_HEADS, robustness_rows, robustness_title
from rollcall.score.output.true_figures import (
    difference_heads,
    difference_rows,
    has_true_figures,
    true_heads,
    true_rows,
    true_title,
)

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.figures import Figure, FigureGroup
    from rollcall.score.report import Report

_NUMBER = re.compile(r"[\d.]+|–")


def report_markdown(report: "Report") -> str:
    """The figures of a run, and a table for each breakdown and each comparison of gold sets."""
    measures = list(report.figures)
    cells = [_cell(measure, report.figures[measure]) for measure in measures]
    parts = [
        f"{_about(report)}{_sure(report)}.",
        table(["run", *map(str, measures)], [[inline(report.name or "run"), *cells]]),
    ]
    parts += _breakdowns(report.by_run, ())
    if has_true_figures(report):
        parts += _titled(true_title(report), true_heads(report), true_rows(report))
    if report.robustness is not None:
        title = robustness_title(report.robustness)
        parts += _titled(title, ROBUSTNESS_HEADS, robustness_rows(report.robustness))
    for variant in report.variants:
        shown = list(next(iter(variant.rows.values())))
        rows = [
            [inline(name), *(_cell(one, figures[one]) for one in shown)]
            for name, figures in variant.rows.items()
        ]
        parts += [f"{inline(variant.title)}:", table([variant.differ_in, *map(str, shown)], rows)]
    return "\n\n".join(parts) + "\n"


def _titled(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of plain text under its title."""
    return [f"{inline(title)}:", table(heads, [[*map(inline, row)] for row in rows])]


def comparison_markdown(comparison: "Comparison") -> str:
    """A row for each run, the best figures in bold, and letters for the runs that each is better than."""
    first = comparison.reports[0]
    best = {measure: best_runs(comparison, measure) for measure in first.measures}
    rows = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        cells = []
        for measure in first.measures:
            marks = comparison.marks(place, measure)
            cell = _cell(measure, report.figures[measure], bold=place in best[measure])
            cells.append(cell + (f" <sup>{marks}</sup>" if marks else ""))
        rows.append([comparison.letter(place), inline(name), *cells])
    heads = ["", "run", *map(str, first.measures)]
    notes = f"{_about(first)}{_sure(first)}. {BEST} {legend(comparison)}"
    parts = [table(heads, rows), notes, *_breakdowns(comparison.by_run, comparison.lettered)]
    if has_true_figures(first):
        for name, report in zip(comparison.names, comparison.reports, strict=True):
            parts += _titled(true_title(report, name), true_heads(report), true_rows(report))
        heads = difference_heads(comparison)
        parts += _titled("Does a difference survive?", heads, difference_rows(comparison))
    return "\n\n".join(parts) + "\n"


def _breakdowns(by: Mapping[str, Mapping[str, "Sequence[FigureGroup]"]], runs: Sequence[str]) -> list[str]:
    """A table for each breakdown, of one run or of several, under its name."""
    parts = []
    for name, groups in by.items():
        shown = breakdown_measures(groups)
        rows = [
            [*map(inline, cells), *(_cell(one, figures[one]) for one in shown)]
            for cells, figures in breakdown_rows(groups, runs)
        ]
        parts += [f"By {inline(name)}:", table([*breakdown_heads(name, runs), *map(str, shown)], rows)]
    return parts


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose columns of figures are aligned to the right; cells are Markdown already."""
    rule = ["---" if head in ("", "run") or place == 0 else "---:" for place, head in enumerate(heads)]
    lines = [[inline(head.replace(">=", "≥")) for head in heads], rule, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(measure: Measure, figure: "Figure", bold: bool = False) -> str:
    value = written(measure, figure.value)
    value = value if _NUMBER.fullmatch(value) else inline(value)
    bounds = interval_written(measure, figure)  # digits in brackets, which mean nothing in Markdown
    return (f"**{value}**" if bold else value) + (f" {bounds}" if bounds else "")


def _about(report: "Report") -> str:
    return f"{counted(report.n, 'question')}, profile {inline(report.profile.name)}"


def _sure(report: "Report") -> str:
    return f", {percent_written(report.confidence)} intervals in brackets" if report.confidence else ""
