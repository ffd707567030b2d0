"""A report on the terminal: one table of figures, one for each breakdown, and what did not match."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rollcall.english.counting import counted
from rollcall.score.breakdown import RANK, share_of
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure, plain_decimal
from rollcall.score.output.numbers import (
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    interval_written,
    percent_written,
    spread_written,
    written,
)
from rollcall.score.output.true_figures import has_true_figures, true_heads, true_notes, true_rows, true_title
from rollcall.screen import styled

if TYPE_CHECKING:
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness
    from rollcall.score.side_by_side import SideBySide

MOST_WITH_SPREAD = 4
"""The most measures for which intervals fit beside the figures of a group."""
MOST_GROUPS = 40
"""The most rows of a breakdown that are shown; JSON and HTML have all of them."""
ROBUSTNESS_HEADS = ("number", "correlation with the score", "with the drop inside clusters")


def print_report(report: "Report", console: Console) -> None:
    print_titled(_title(report), _figures(report), console)
    if report.reading:
        console.print(plain(report.reading), style="dim")
    print_true_figures(report, console)
    print_breakdowns(report.by_run, (), console)
    if report.robustness is not None:
        rows = robustness_rows(report.robustness)
        table = text_table(ROBUSTNESS_HEADS, rows, left=1)
        print_titled(robustness_title(report.robustness), table, console)
    for variant in report.variants:
        print_side_by_side(variant, console)
    for line in report.unmatched.lines():
        console.print(styled(("unmatched:", "yellow"), f" {line}"))
    for line in report.warnings:
        console.print(styled(("warning:", "yellow"), f" {line}"))


def print_true_figures(report: "Report", console: Console, name: str = "") -> None:
    """The bounds and the corrected figures, if something is known about what the gold lacks."""
    if has_true_figures(report):
        table = text_table(true_heads(report), true_rows(report), left=1)
        print_titled(true_title(report, name), table, console)
        if not name:
            console.print(plain(true_notes(report)), style="dim")


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> Table:
    """A table of plain text, whose first columns are aligned to the left."""
    table = Table()
    for place, head in enumerate(heads):
        table.add_column(plain(head), justify="left" if place < left else "right")
    for row in rows:
        table.add_row(*map(plain, row))
    return table


def print_side_by_side(variant: "SideBySide", console: Console) -> None:
    """The rows of figures, and under them the counts that explain the difference."""
    measures = list(next(iter(variant.rows.values())))
    table = Table()
    table.add_column(variant.differ_in)
    for measure in measures:
        table.add_column(str(measure), justify="right", no_wrap=True)
    for name, figures in variant.rows.items():
        table.add_row(plain(name), *(_cell(measure, figures[measure], len(measures)) for measure in measures))
    print_titled(f"{variant.title} ({counted(variant.n, 'question')})", table, console)
    for name, count in variant.counts.items():
        shown = f"{count:.2f}" if isinstance(count, float) else str(count)
        console.print(plain(f"  {name}: {shown}"))


def print_titled(title: str, table: Table, console: Console) -> None:
    """A table under its title, which may be wider than the table."""
    console.print(plain(title), style="italic")
    console.print(table)


def _title(report: "Report") -> str:
    gold = "" if report.setting == "complete" else f", {report.setting} gold"
    sure = f", {percent_written(report.confidence)} intervals" if report.confidence else ""
    asked = len({question.id for question, _ in report.pairs})
    number = counted(asked, "question")
    if asked != report.n:
        number = f"{report.n} trials at {number}"
    return f"{number}, profile {report.profile.name}{gold}{sure}"


def _figures(report: "Report") -> Table:
    table = Table()
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("interval", justify="right")
    table.add_column("meaning", style="dim")
    for measure, figure in report.figures.items():
        table.add_row(
            str(measure),
            written(measure, figure.value),
            plain(interval_written(measure, figure)),
            meaning(measure),
        )
    return table


def print_breakdowns(
    by: Mapping[str, Mapping[str, Sequence[FigureGroup]]], runs: Sequence[str], console: Console
) -> None:
    """A table for each breakdown, of one run or of several."""
    for name, groups in by.items():
        print_titled(f"by {name}", _groups(name, groups, runs), console)
        if len(groups) > MOST_GROUPS:
            console.print(f"… and {len(groups) - MOST_GROUPS} more; --json and --html have all of them")


def _groups(name: str, groups: Mapping[str, Sequence[FigureGroup]], runs: Sequence[str]) -> Table:
    table = Table()
    for head in breakdown_heads(name, runs):
        table.add_column(plain(head), justify="right" if head == "n" else "left", no_wrap=head != "run")
    measures = breakdown_measures(groups)
    for measure in measures:
        table.add_column(str(measure), justify="right", no_wrap=True)
        if name == RANK:
            table.add_column("of 1st", justify="right", no_wrap=True)
    firsts = [group.figures for group in groups["1"]] if name == RANK and groups else []
    for number, (about, figures) in enumerate(breakdown_rows(groups, runs, MOST_GROUPS)):
        cells: list[str | Text] = []
        for measure in measures:
            if name == RANK:  # no room for intervals beside the shares
                share = share_of(figures[measure], firsts[number % len(firsts)][measure])
                cells += [written(measure, figures[measure].value), "–" if share is None else f"{share:.1%}"]
            else:
                cells.append(_cell(measure, figures[measure], len(measures)))
        table.add_row(*map(plain, about), *cells)
    return table


def robustness_title(found: "Robustness") -> str:
    return (
        f"robustness of {found.measure} over {found.clusters} clusters: mean {100 * found.mean:.2f}, "
        f"worst case {100 * found.worst:.2f}, drop {100 * (found.worst - found.mean):.2f}"
    )


def robustness_rows(found: "Robustness") -> list[list[str]]:
    """For each number, how it correlates with the score."""
    return [
        [name, *("–" if r is None else f"{r:+.3f}" for r in (trend.with_score, trend.with_drop))]
        for name, trend in found.trends.items()
    ]


def meaning(measure: Measure) -> str:
    """What a measure means, in a few words."""
    text = measure.kind.meaning().partition(";")[0].partition(":")[2].strip(" .")
    text = text or measure.kind.meaning().rstrip(".")
    if measure.cap is not None:
        text += f", where {measure.cap} answers are enough"
    if measure.cut is not None and "answers" in measure.kind.needs:
        text += f", of the first {measure.cut}"
    if measure.threshold is not None:
        text = f"questions where {measure.name} is at least {plain_decimal(measure.threshold)}"
    case = "worst" if measure.worst else "best"
    return text if measure.extreme is None else f"{case} in each cluster: {text}"


def _cell(measure: Measure, figure: Figure, columns: int) -> Text:
    """A figure with half its interval, if the screen has room for it."""
    spread = spread_written(measure, figure) if columns <= MOST_WITH_SPREAD else ""
    return styled(written(measure, figure.value), *([(f" {spread}", "dim")] if spread else []))


def plain(text: str) -> Text:
    """Text in which rich finds no markup, on any console."""
    return Text(text)
