"""A comparison on the terminal, as JSON and as LaTeX: one row for each run, letters for significant wins."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from rollcall._core.console import styled
from rollcall.questions.question_set import inline
from rollcall.score.measure import Measure
from rollcall.score.output.files import (
    SPACE,
    breakdowns_json,
    breakdowns_latex,
    escaped,
    figures_json,
    formula,
    intervals_caption,
    small_interval,
    tabular,
)
from rollcall.score.output.text import (
    ROBUSTNESS_HEADS,
    SURVIVES,
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    difference_heads,
    difference_rows,
    has_true_figures,
    interval_written,
    percent_written,
    plain,
    print_breakdowns,
    print_titled,
    print_true_figures,
    robustness_rows,
    robustness_title,
    spread_written,
    text_table,
    true_heads,
    true_json,
    true_notes,
    true_rows,
    true_title,
    written,
)
from rollcall.score.significance import TESTS
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.columns import Figure, FigureGroup
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report


TEST_NAMES = {"t": "paired t-test", "bootstrap": "paired bootstrap", "permutation": "permutation test"}
HEADINGS = {"t": "p, t-test", "bootstrap": "bootstrap", "permutation": "permuted"}
CORRECTIONS = {"holm": "Holm's correction", "bonferroni": "Bonferroni's correction", "none": "no correction"}


BEST = "The best figure of each column is bold."


def legend(comparison: "Comparison") -> str:
    drawn = "" if comparison.test == "t" else f", at most {comparison.resamples:,} draws"
    compared = counted(len(comparison.differences), "comparison")
    number = f" for {compared}" if comparison.correction != "none" else ""
    return (
        "Letters after a figure name the runs that it is significantly better than "
        f"({TEST_NAMES[comparison.test]}{drawn}, {CORRECTIONS[comparison.correction]}{number}, "
        f"p < {comparison.level:g})."
    )


def print_comparison(comparison: "Comparison", console: Console) -> None:
    first = comparison.reports[0]
    table = Table()
    table.add_column("")
    table.add_column("run")
    for measure in first.measures:
        table.add_column(str(measure), justify="right")
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        cells = []
        for measure in first.measures:
            figure = report.figures[measure]
            spread = spread_written(measure, figure)
            marks = comparison.marks(place, measure)
            cells.append(
                styled(
                    written(measure, figure.value),
                    *([(f" {marks}", "bold")] if marks else []),
                    *([(f" {spread}", "dim")] if spread else []),
                )
            )
        table.add_row(comparison.letter(place), plain(name), *cells)
    print_titled(f"{counted(first.n, 'question')}, profile {first.profile.name}", table, console)
    if first.reading:
        console.print(plain(first.reading), style="dim")
    console.print(plain(legend(comparison)))
    print_titled("differences and p-values", _p_values(comparison), console)
    print_breakdowns(comparison.by_run, comparison.lettered, console)
    if has_true_figures(first):
        _print_true(comparison, console)
    for line in comparison.warnings:
        console.print(styled(("warning:", "yellow"), f" {line}"))
    for name, line in comparison.notes():
        console.print(styled((f"{name}:", "yellow"), f" {line}"))


def _print_true(comparison: "Comparison", console: Console) -> None:
    """The true figures of each run, and which differences survive."""
    for name, report in zip(comparison.names, comparison.reports, strict=True):
        print_true_figures(report, console, name)
    rows = difference_rows(comparison)
    print_titled("Does a difference survive?", text_table(difference_heads(comparison), rows, 2), console)
    console.print(plain(f"{true_notes(comparison.reports[0])} {SURVIVES}"), style="dim")


def _p_values(comparison: "Comparison") -> Table:
    table = Table()
    for heading in ("measure", "runs", "difference", *(HEADINGS[test] for test in TESTS), "corrected"):
        table.add_column(heading, justify="left" if heading in ("measure", "runs") else "right")
    for one in comparison.differences:
        ps = [one.p_values.by(test) for test in TESTS]
        table.add_row(
            str(one.measure),
            f"{comparison.letter(one.first)} − {comparison.letter(one.second)}",
            "–" if one.value is None else ("+" if one.value > 0 else "") + written(one.measure, one.value),
            *(_p_written(p) for p in (*ps, one.corrected_p)),
        )
    return table


def _p_written(p: float | None) -> str:
    if p is None:
        return "–"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def comparison_json(comparison: "Comparison") -> dict[str, object]:
    first = comparison.reports[0]
    return {
        "profile": first.profile.name,
        "n": first.n,
        **({"read": first.reading} if first.reading else {}),
        "runs": [
            {
                "name": name,
                "measures": figures_json(report.figures, report.incomplete),
                "by": breakdowns_json(report.by),
                "better_than": {
                    str(measure): [comparison.names[loser] for loser in comparison.beats(place, measure)]
                    for measure in report.measures
                },
                "unmatched": report.unmatched.as_json(),
                "warnings": report.warnings,
            }
            for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True))
        ],
        "test": comparison.test,
        "correction": comparison.correction,
        "level": comparison.level,
        "resamples": comparison.resamples,
        "differences": [
            {
                "measure": str(one.measure),
                "runs": [comparison.names[one.first], comparison.names[one.second]],
                "value": one.value,
                "p": one.p_values._asdict(),
                "corrected_p": one.corrected_p,
                **({} if one.true is None else {**true_json(one.true), "survives": one.survival}),
            }
            for one in comparison.differences
        ],
        **({"warnings": comparison.warnings} if comparison.warnings else {}),
    }


def comparison_latex(comparison: "Comparison") -> str:
    """A row for each run, the best figure of each column in bold, letters explained in the caption."""
    first = comparison.reports[0]
    measures = first.measures
    best = {measure: best_runs(comparison, measure) for measure in measures}
    rows = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        cells = [comparison.letter(place), escaped(name)]
        for measure in measures:
            marks = comparison.marks(place, measure)
            value = escaped(written(measure, report.figures[measure].value))
            value = f"\\textbf{{{value}}}" if place in best[measure] else value
            cells.append(value + (f"\\textsuperscript{{{marks}}}" if marks else ""))
        rows.append(cells)
        bounds = [small_interval(measure, report.figures[measure]) for measure in measures]
        if any(bounds):
            rows.append(["", "", *bounds])
            rows += [SPACE] if place + 1 < len(comparison.names) else []
    caption = (
        f"{counted(first.n, 'question')}, profile {first.profile.name}. {BEST} {intervals_caption(first)}"
    )
    heads = ["", "run", *map(formula, measures)]
    parts = [tabular(heads, rows, "ll", f"{caption.rstrip()} {legend(comparison)}", "comparison")]
    about = f"{counted(first.n, 'question')}, profile {first.profile.name}"
    parts += breakdowns_latex(comparison.by_run, comparison.lettered, about)
    if has_true_figures(first):
        survivors = [[escaped(cell) for cell in row] for row in difference_rows(comparison)]
        headings = [escaped(head) for head in difference_heads(comparison)]
        parts.append(tabular(headings, survivors, "ll", "Which differences survive", "survives"))
    return "\n\n".join(parts)


def best_runs(comparison: "Comparison", measure: Measure) -> list[int]:
    """The runs with the best figure as it is written, perhaps several; none if all are alike."""
    values = {
        place: report.figures[measure].value
        for place, report in enumerate(comparison.reports)
        if report.figures[measure].value is not None
    }
    if not values:
        return []
    choose = min if measure.kind.lower_is_better else max
    wanted = written(measure, choose(value for value in values.values() if value is not None))
    best = [place for place, value in values.items() if written(measure, value) == wanted]
    return best if len(best) < len(comparison.reports) else []


# Reports and comparisons as Markdown tables, for a README or an issue: the same cells as on the
# terminal.

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
