"""The figures of reports and comparisons as CSV: a row for each figure, with all its digits."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from rollcall._core.console import one_line
from rollcall.questions.formats.source import csv_lines
from rollcall.score.breakdown import RANK, share_of_first
from rollcall.score.columns import Figure, FigureGroup
from rollcall.score.measure import Measure, plain_decimal
from rollcall.score.output.text import (
    ROBUSTNESS_HEADS,
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    has_true_figures,
    interval_written,
    percent_written,
    robustness_rows,
    robustness_title,
    true_heads,
    true_json,
    true_rows,
    true_title,
    written,
)
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.expansion import SideBySide
    from rollcall.score.incomplete.bounds import Incomplete
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness


HEADS = ("run", "by", "group", "n", "measure", "value", "low", "high")


def report_csv(report: "Report") -> str:
    """The figures of a run, including those of groups."""
    return "".join(csv_lines(chain([HEADS], _rows(report.name, report))))


def comparison_csv(comparison: "Comparison") -> str:
    """The figures of all runs."""
    runs = zip(comparison.names, comparison.reports, strict=True)
    rows = (row for name, report in runs for row in _rows(name, report))
    return "".join(csv_lines(chain([HEADS], rows)))


def _rows(name: str, report: "Report") -> Iterable[Sequence[object]]:
    yield from _figures((name, "", "", report.n), report.figures)
    for by, groups in report.by.items():
        for key, group in groups.items():
            yield from _figures((name, by, key, group.n), group.figures)


def _figures(about: Sequence[object], figures: Mapping[Measure, Figure]) -> Iterable[Sequence[object]]:
    for measure, figure in figures.items():
        low, high = figure.interval or ("", "")
        yield (*about, str(measure), "" if figure.value is None else figure.value, low, high)


# A report as JSON: profile, number of questions, measures with intervals, breakdowns, what did not
# match. These five keys are always present; others only if something was requested or needs a warning.
# Shares are fractions, never percentages.


def report_json(report: "Report") -> dict[str, object]:
    """The report as plain values, ready for any JSON encoder."""
    whole: dict[str, object] = {
        "profile": report.profile.name,
        "n": report.n,
        "measures": figures_json(report.figures, report.incomplete),
        "by": breakdowns_json(report.by),
        "unmatched": report.unmatched.as_json(),
    }
    if report.reading:
        whole["read"] = report.reading
    if report.setting != "complete":
        whole["gold"] = report.setting
    if report.incomplete is not None:
        whole["incomplete"] = _incomplete_json(report.incomplete)
    if report.robustness is not None:
        whole["robustness"] = _robustness_json(report.robustness)
    for variant in report.variants:
        whole[variant.key] = _side_by_side_json(variant)
    if report.warnings:
        whole["warnings"] = report.warnings
    return whole


def figures_json(
    figures: Mapping[Measure, Figure], incomplete: "Incomplete | None" = None
) -> dict[str, object]:
    """Every figure with its interval, and with what is known of its true value."""
    true = {} if incomplete is None else incomplete.figures
    return {
        str(measure): {
            "value": one.value,
            "ci": None if one.interval is None else list(one.interval),
            **(true_json(true[measure]) if measure in true else {}),
        }
        for measure, one in figures.items()
    }


def _incomplete_json(known: "Incomplete") -> dict[str, object]:
    """What the true figures rest on."""
    return {
        "completeness": None if known.completeness is None else msgspec.to_builtins(known.completeness),
        "errors": known.errors,
        "drawn": known.drawn,
        "known": known.known,
        "guessed": known.guessed,
    }


def breakdowns_json(by: Mapping[str, Mapping[str, FigureGroup]]) -> dict[str, object]:
    """The figures of every group of each breakdown."""
    return {name: _groups_json(name, groups) for name, groups in by.items()}


def _groups_json(name: str, groups: Mapping[str, FigureGroup]) -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = {
        key: {"n": group.n, "measures": figures_json(group.figures)} for key, group in groups.items()
    }
    if name == RANK and groups:
        shares = {str(one): share_of_first(dict(groups), one) for one in groups["1"].figures}
        if shares:
            for rank, row in table.items():
                row["of_rank_1"] = {measure: of_rank[rank] for measure, of_rank in shares.items()}
    return table


def _robustness_json(found: "Robustness") -> dict[str, object]:
    return {
        "measure": str(found.measure),
        "clusters": found.clusters,
        "mean": found.mean,
        "worst": found.worst,
        "drop": found.worst - found.mean,
        "correlation": {
            name: {
                "with_score": trend.with_score,
                "with_drop": trend.with_drop,
                "points": [point._asdict() for point in trend.points],
            }
            for name, trend in found.trends.items()
        },
    }


def _side_by_side_json(variant: "SideBySide") -> dict[str, object]:
    return {
        "n": variant.n,
        "rows": {name: figures_json(figures) for name, figures in variant.rows.items()},
        "counts": variant.counts,
    }


# A report as LaTeX tables for a paper: caption and label, `booktabs` rules, measures as formulas. The
# comment before each table names the package it needs, `booktabs`; no other is needed.

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
    parts = [_latex_figures(report.figures, f"{about}. {intervals_caption(report)}".rstrip())]
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


def _latex_figures(figures: Mapping[Measure, Figure], caption: str) -> str:
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
