"""The tables of reports and comparisons in HTML: for the page of a report, and for notebooks.

Every text is escaped here, so that a question or a run's name cannot put anything into a page.
"""

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.english.counting import counted
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure
from rollcall.score.output.comparison import legend
from rollcall.score.output.numbers import (
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    interval_written,
    percent_written,
    written,
)
from rollcall.score.output.terminal import meaning
from rollcall.score.output.true_figures import (
    SURVIVES,
    difference_heads,
    difference_rows,
    has_true_figures,
    true_heads,
    true_notes,
    true_rows,
    true_title,
)

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report
    from rollcall.score.side_by_side import SideBySide

MOST_ROWS = 40
"""Groups of a breakdown that a notebook shows."""


def report_tables(report: "Report") -> str:
    """What a notebook shows for a report: its figures, its breakdowns, and its warnings."""
    parts = [figures_table(report, report_title(report))]
    parts += [true_table(report)]
    parts += [breakdown_tables(report.by_run, (), MOST_ROWS)]
    parts += [variant_table(variant) for variant in report.variants]
    return f"<div>{''.join(parts)}{_notes([*report.unmatched.lines(), *report.warnings])}</div>"


def comparison_tables(comparison: "Comparison") -> str:
    """What a notebook shows for a comparison: the systems side by side."""
    notes = [*comparison.warnings, *(f"{name}: {line}" for name, line in comparison.notes())]
    tables = [
        systems_table(comparison, comparison_title(comparison)),
        breakdown_tables(comparison.by_run, comparison.lettered, MOST_ROWS),
        surviving_table(comparison),
    ]
    return f"<div>{''.join(tables)}{_notes(notes)}</div>"


def report_title(report: "Report") -> str:
    return f"{report.name or 'Scores'}: {counted(report.n, 'question')}, profile {report.profile.name}"


def comparison_title(comparison: "Comparison") -> str:
    first = comparison.reports[0]
    return (
        f"{len(comparison.reports)} systems on {counted(first.n, 'question')}, profile {first.profile.name}"
    )


def subtitle(report: "Report") -> str:
    """How a report was made, in one line."""
    parts = [report.profile.summary.rstrip(".")]
    if report.setting != "complete":
        parts.append(f"{report.setting} gold")
    if report.confidence:
        parts.append(f"{percent_written(report.confidence)} intervals, whose unit is the cluster")
    return "; ".join(parts)


def figures_table(report: "Report", title: str = "Figures") -> str:
    rows = [
        [str(measure), written(measure, figure.value), interval_written(measure, figure), meaning(measure)]
        for measure, figure in report.figures.items()
    ]
    return titled_table(title, ["measure", "value", "interval", "meaning"], rows)


def systems_table(comparison: "Comparison", title: str = "Systems") -> str:
    """A row for each run: its letter, and each figure with its interval and letters of the runs it beats."""
    measures = comparison.reports[0].measures
    rows = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        cells = []
        for measure in measures:
            cells.append(_interval_cell(measure, report.figures[measure], comparison.marks(place, measure)))
        rows.append([f"{comparison.letter(place)} {name}", *cells])
    heads = ["system", *(str(measure) for measure in measures)]
    return titled_table(title, heads, rows, f"<p>{html.escape(legend(comparison))}</p>", kind="systems")


def true_table(report: "Report", name: str = "") -> str:
    """What is known of the true figures; nothing if nothing is known."""
    if not has_true_figures(report):
        return ""
    after = "" if name else f"<p>{html.escape(true_notes(report))}</p>"
    return titled_table(true_title(report, name), true_heads(report), true_rows(report), after)


def surviving_table(comparison: "Comparison") -> str:
    """The true figures of each run, and which differences survive; nothing if nothing is known."""
    if not has_true_figures(comparison.reports[0]):
        return ""
    runs = zip(comparison.names, comparison.reports, strict=True)
    after = f"<p>{html.escape(f'{true_notes(comparison.reports[0])} {SURVIVES}')}</p>"
    heads, rows = difference_heads(comparison), difference_rows(comparison)
    return "".join(true_table(report, name) for name, report in runs) + titled_table(
        "Does a difference survive?", heads, rows, after
    )


def variant_table(variant: "SideBySide") -> str:
    measures = list(next(iter(variant.rows.values())))
    rows = [
        [name, *(written(measure, figures[measure].value) for measure in measures)]
        for name, figures in variant.rows.items()
    ]
    shown = {
        name: f"{count:.2f}" if isinstance(count, float) else count for name, count in variant.counts.items()
    }
    counts = listed([f"{name}: {count}" for name, count in shown.items()])
    return titled_table(variant.title, ["", *map(str, measures)], rows, counts)


def breakdown_tables(
    by: Mapping[str, Mapping[str, Sequence[FigureGroup]]], runs: Sequence[str], most: int | None = None
) -> str:
    """A table for each breakdown, of one run or of several, with at most so many groups."""
    tables = []
    for name, groups in by.items():
        measures = breakdown_measures(groups)
        rows = [
            [*cells, *(_interval_cell(measure, figures[measure]) for measure in measures)]
            for cells, figures in breakdown_rows(groups, runs, most)
        ]
        left_out = 0 if most is None else len(groups) - most
        more = f"<p>… and {left_out} more</p>" if left_out > 0 else ""
        heads = [*breakdown_heads(name, runs), *map(str, measures)]
        tables.append(titled_table(f"by {name}", heads, rows, more, kind="breakdown"))
    return "".join(tables)


def _interval_cell(measure: Measure, figure: Figure, marks: str = "") -> str:
    """A figure and what marks it, and its interval below."""
    value = written(measure, figure.value) + (f" {marks}" if marks else "")
    return "\n".join(filter(None, (value, interval_written(measure, figure))))


def titled_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], after: str = "", kind: str = "figures"
) -> str:
    """A section with a table whose first column names its rows; `after` is HTML already."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return (
        f'<section><h2>{html.escape(title)}</h2><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{after}</section>"
    )


def listed(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in lines)}</ul>"


def _notes(lines: Sequence[str]) -> str:
    return listed(lines) if lines else ""
