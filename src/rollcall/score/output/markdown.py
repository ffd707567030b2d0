"""Reports and comparisons as Markdown tables, for a README or an issue: the same cells as on the terminal."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rollcall.english.counting import counted
from rollcall.questions.markdown import inline
from rollcall.score.measure import Measure
from rollcall.score.output.comparison import BEST, best_runs, legend
from rollcall.score.output.numbers import interval_written, percent_written, written

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.figures import Figure
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
    for name, groups in report.by.items():
        shown = list(next(iter(groups.values())).figures) if groups else []
        rows = [
            [inline(key), str(group.n), *(_cell(one, group.figures[one]) for one in shown)]
            for key, group in groups.items()
        ]
        parts += [f"By {inline(name)}:", table([name, "n", *map(str, shown)], rows)]
    for variant in report.variants:
        rows = [
            [inline(name), *(_cell(one, figure) for one, figure in figures.items())]
            for name, figures in variant.rows.items()
        ]
        shown = list(next(iter(variant.rows.values())))
        parts += [f"{inline(variant.title)}:", table([variant.differ_in, *map(str, shown)], rows)]
    return "\n\n".join(parts) + "\n"


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
    return f"{table(heads, rows)}\n\n{notes}\n"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose columns of figures are aligned to the right; cells are Markdown already."""
    left = sum(head in ("", "run") for head in heads) or 1
    rule = ["---"] * left + ["---:"] * (len(heads) - left)
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
