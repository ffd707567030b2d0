"""A report as LaTeX tables for a paper: plain `tabular` with booktabs rules; no other package is needed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure
from rollcall.score.output.numbers import interval_written, percent_written, written
from rollcall.score.output.true_figures import has_true_figures, true_heads, true_rows, true_title

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
}


def report_latex(report: "Report") -> str:
    """The report's figures and breakdowns, one table each."""
    sure = f", {percent_written(report.confidence)} intervals" if report.confidence else ""
    read = f"; {report.reading}" if report.reading else ""
    caption = escaped(f"{report.n} questions, profile {report.profile.name}{sure}{read}")
    parts = [_figures(report.figures, caption)]
    if has_true_figures(report):
        cells = [[escaped(cell) for cell in row] for row in true_rows(report)]
        parts.append(tabular(true_heads(report), cells, "l", escaped(true_title(report))))
    parts += [_groups(name, groups) for name, groups in report.by.items()]
    for variant in report.variants:
        measures = list(next(iter(variant.rows.values())))
        rows = [
            [escaped(name), *(escaped(written(m, figures[m].value)) for m in measures)]
            for name, figures in variant.rows.items()
        ]
        parts.append(tabular([variant.differ_in, *map(str, measures)], rows, "l", escaped(variant.title)))
    return "\n\n".join(parts)


def _figures(figures: Mapping[Measure, Figure], caption: str) -> str:
    values = [escaped(written(measure, figure.value)) for measure, figure in figures.items()]
    bounds = [escaped(interval_written(measure, figure)) for measure, figure in figures.items()]
    rows = [["", *values]]
    if any(bounds):
        rows.append(["", *(f"{{\\scriptsize {bound}}}" if bound else "" for bound in bounds)])
    return tabular(["", *map(str, figures)], rows, "l", caption)


def _groups(name: str, groups: Mapping[str, FigureGroup]) -> str:
    measures = list(next(iter(groups.values())).figures) if groups else []
    rows = [
        [escaped(key), str(group.n), *(escaped(written(m, group.figures[m].value)) for m in measures)]
        for key, group in groups.items()
    ]
    return tabular([name, "n", *map(str, measures)], rows, "l", escaped(f"by {name}"))


def tabular(headings: Sequence[str], rows: Sequence[Sequence[str]], left: str, caption: str) -> str:
    """One table; headings are escaped here, cells by the caller."""
    columns = left + "r" * (len(headings) - len(left))
    lines = [f"% rollcall: {caption}", f"\\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines.append(" & ".join(escaped(heading) for heading in headings) + r" \\")
    lines.append(r"\midrule")
    lines += [" & ".join(row) + r" \\" for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines)


def escaped(text: str) -> str:
    return "".join(SPECIAL.get(sign, sign) for sign in text)
