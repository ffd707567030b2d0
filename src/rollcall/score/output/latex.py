"""A report as LaTeX tables for a paper: caption and label, `booktabs` rules, measures as formulas.

The comment before each table names the package it needs, `booktabs`; no other is needed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.english.counting import counted
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure, plain_decimal
from rollcall.score.output.numbers import (
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    interval_written,
    percent_written,
    written,
)
from rollcall.score.output.terminal import ROBUSTNESS_HEADS, robustness_rows, robustness_title
from rollcall.score.output.true_figures import has_true_figures, true_heads, true_rows, true_title
from rollcall.terminal import one_line

if TYPE_CHECKING:
    from rollcall.score.report import Report

SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    "[": "{[}",
    "]": "{]}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "…": r"\ldots{}",
}
SPACE: list[str] = []
"""A row that is a little space between others."""
WIDE = 7
"""Tables with more columns are set in smaller print."""
_DIGITS = re.compile(r"([A-Za-z])(\d+)")
"""A name with an index, such as F1."""
_LABEL = re.compile(r"[^a-z0-9]+")


def report_latex(report: "Report") -> str:
    """The report's figures and breakdowns, one table each."""
    named = f"Scores of {report.name}" if report.name else "Scores"
    about = f"{named} on {counted(report.n, 'question')}, profile {report.profile.name}"
    parts = [_figures(report.figures, f"{about}. {intervals_caption(report)}".rstrip())]
    if has_true_figures(report):
        cells = [[escaped(cell) for cell in row] for row in true_rows(report)]
        parts.append(tabular([*map(escaped, true_heads(report))], cells, "l", true_title(report), "true"))
    parts += breakdowns_latex(report.by_run, (), about)
    if report.robustness is not None:
        cells = [[escaped(cell) for cell in row] for row in robustness_rows(report.robustness)]
        heads = [*map(escaped, ROBUSTNESS_HEADS)]
        parts.append(tabular(heads, cells, "l", robustness_title(report.robustness), "robustness"))
    for variant in report.variants:
        measures = list(next(iter(variant.rows.values())))
        rows = [
            [escaped(name), *(escaped(written(m, figures[m].value)) for m in measures)]
            for name, figures in variant.rows.items()
        ]
        heads = [escaped(variant.differ_in), *map(formula, measures)]
        parts.append(tabular(heads, rows, "l", variant.title, variant.differ_in))
    if report.reading:  # of use to the author, not to readers of the paper
        parts.append(f"% {one_line(report.reading)}")
    return "\n\n".join(parts)


def intervals_caption(report: "Report") -> str:
    """What the brackets of a table are, as a sentence."""
    if not report.confidence:
        return ""
    return f"Brackets: {percent_written(report.confidence)} confidence intervals, whose unit is the cluster."


def _figures(figures: Mapping[Measure, Figure], caption: str) -> str:
    values = [escaped(written(measure, figure.value)) for measure, figure in figures.items()]
    rows = [["", *values]]
    bounds = [small_interval(measure, figure) for measure, figure in figures.items()]
    if any(bounds):
        rows.append(["", *bounds])
    return tabular(["", *map(formula, figures)], rows, "l", caption, "scores")


def small_interval(measure: Measure, figure: Figure) -> str:
    """The interval of a figure in small print, or nothing."""
    bound = interval_written(measure, figure)
    return f"{{\\scriptsize {escaped(bound)}}}" if bound else ""


def breakdowns_latex(
    by: Mapping[str, Mapping[str, Sequence[FigureGroup]]], runs: Sequence[str], about: str
) -> list[str]:
    """A table for each breakdown, of one run or of several."""
    parts = []
    for name, groups in by.items():
        measures = breakdown_measures(groups)
        rows = [
            [*map(escaped, cells), *(escaped(written(one, figures[one].value)) for one in measures)]
            for cells, figures in breakdown_rows(groups, runs)
        ]
        heads = ["$n$" if head == "n" else escaped(head) for head in breakdown_heads(name, runs)]
        left = "lrl" if runs else "l"
        parts.append(
            tabular([*heads, *map(formula, measures)], rows, left, f"{about}, by {name}.", f"by {name}")
        )
    return parts


def tabular(
    headings: Sequence[str], rows: Sequence[Sequence[str]], left: str, caption: str, label: str
) -> str:
    """One table; headings and cells are escaped by the caller, the caption here."""
    columns = left + "r" * (len(headings) - len(left))
    lines = [
        r"% rollcall: needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        *([r"\small", r"\setlength{\tabcolsep}{3pt}"] if len(headings) > WIDE else []),
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(headings) + r" \\",
        r"\midrule",
        *(r"\addlinespace" if row == SPACE else " & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        f"\\caption{{{escaped(caption)}}}",
        f"\\label{{tab:rollcall-{_LABEL.sub('-', label.lower()).strip('-') or 'table'}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def formula(measure: Measure) -> str:
    r"""A measure as a formula: `$R{\ge}0.8$`, `$\min(F_{1})$`, `$P@10$`."""
    name = _DIGITS.fullmatch(measure.name)
    plain = measure.name.isalnum() and len(measure.name) == 1
    shown = (
        f"{name[1]}_{{{name[2]}}}"
        if name
        else measure.name
        if plain
        else f"\\mathrm{{{escaped(measure.name)}}}"
    )
    shown += "" if measure.cap is None else f"\\text{{-}}{measure.cap}".replace("\\text", "\\mbox")
    shown += "" if measure.cut is None else f"@{measure.cut}"
    shown += "" if measure.threshold is None else f"{{\\ge}}{plain_decimal(measure.threshold)}"
    if measure.extreme is not None:
        shown = f"\\{'min' if measure.worst else 'max'}({shown})"
    return f"${shown}$"


def escaped(text: str) -> str:
    """A text of one line in LaTeX; control characters are shown as escape sequences."""
    return "".join(SPECIAL.get(sign, sign) for sign in one_line(text))
