"""A report as one HTML file that needs nothing else: figures, charts, and every question to look into.

The questions travel as JSON and are drawn a page at a time, so that ten thousand of them open at once;
charts are SVG and need no script.
"""

import html
from importlib import resources
from typing import Any

import msgspec

from rollcall import __version__
from rollcall.score.comparison import Comparison, letter
from rollcall.score.output.charts import Chart, comparison_charts, report_charts
from rollcall.score.output.comparison import legend
from rollcall.score.output.explanation import explained
from rollcall.score.output.numbers import interval_written, percent_written, written
from rollcall.score.output.terminal import meaning
from rollcall.score.report import Report
from rollcall.score.side_by_side import SideBySide


def report_html(report: Report) -> str:
    """The page of one run."""
    return _page(
        f"{report.name or 'Scores'}: {report.n} questions, profile {report.profile.name}",
        _subtitle(report),
        _figures(report) + "".join(_variant(variant) for variant in report.variants),
        [*report.unmatched.lines(), *report.warnings],
        report_charts(report),
        [(report.name, report)],
    )


def comparison_html(comparison: Comparison) -> str:
    """The page of several runs: their figures side by side, and the questions as each answered them."""
    first = comparison.reports[0]
    runs = list(zip(comparison.names, comparison.reports, strict=True))
    return _page(
        f"{len(runs)} systems on {first.n} questions, profile {first.profile.name}",
        _subtitle(first),
        _systems(comparison),
        [*comparison.warnings, *(f"{name}: {line}" for name, line in comparison.notes())],
        comparison_charts(runs),
        runs,
    )


def _page(
    title: str,
    subtitle: str,
    figures: str,
    notes: list[str],
    charts: list[Chart],
    runs: list[tuple[str, Report]],
) -> str:
    answered = [{"name": name, "questions": explained(report)} for name, report in runs]
    parts = {
        "TITLE": html.escape(title),
        "HEADING": html.escape(title),
        "SUBTITLE": html.escape(subtitle),
        "FIGURES": figures,
        "NOTES": f"<section><h2>Worth knowing</h2>{_list(notes)}</section>" if notes else "",
        "CHARTS": _charts(charts),
        "STYLE": _file("page.css"),
        "DATA": _embedded({"measures": _measures(runs[0][1]), "runs": answered}),
        "SCRIPT": _file("page.js"),
    }
    page = _file("page.html").replace("VERSION", __version__, 1)
    for name, content in parts.items():
        before, _, after = page.partition(f"<!--{name}-->")
        page = before + content + after
    return page


def _file(name: str) -> str:
    return (resources.files("rollcall.score.output") / "page" / name).read_text("utf-8")


def _embedded(value: Any) -> str:
    """JSON that is safe inside a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _subtitle(report: Report) -> str:
    parts = [report.profile.summary]
    if report.setting != "complete":
        parts.append(f"{report.setting} gold")
    if report.confidence:
        parts.append(f"{percent_written(report.confidence)} intervals, whose unit is the cluster")
    return "; ".join(parts)


def _measures(report: Report) -> list[dict[str, Any]]:
    """The measures of single questions: not worst cases of clusters, nor whether a threshold is reached."""
    return [
        {"name": str(column.measure), "place": place, "share": column.measure.needs != "seconds"}
        for place, column in enumerate(report.columns)
        if not column.measure.worst and column.measure.threshold is None
    ]


def _figures(report: Report) -> str:
    rows = [
        [str(measure), written(measure, figure.value), interval_written(measure, figure), meaning(measure)]
        for measure, figure in report.figures.items()
    ]
    return _section("Figures", ["measure", "value", "interval", "meaning"], rows)


def _systems(comparison: Comparison) -> str:
    """A row a run: its letter, and each figure with the letters of the runs it beats and its interval."""
    measures = comparison.reports[0].measures
    rows = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        cells = []
        for measure in measures:
            figure = report.figures[measure]
            marks = comparison.marks(place, measure)
            value = written(measure, figure.value) + (f" {marks}" if marks else "")
            cells.append("\n".join(filter(None, (value, interval_written(measure, figure)))))
        rows.append([f"{letter(place)} {name}", *cells])
    heads = ["system", *(str(measure) for measure in measures)]
    return _section("Systems", heads, rows, f"<p>{html.escape(legend(comparison))}</p>", kind="systems")


def _section(
    title: str, heads: list[str], rows: list[list[str]], after: str = "", kind: str = "figures"
) -> str:
    """A section with a table whose first column names its rows."""
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


def _variant(variant: SideBySide) -> str:
    measures = list(next(iter(variant.rows.values())))
    rows = [
        [name, *(written(measure, figures[measure].value) for measure in measures)]
        for name, figures in variant.rows.items()
    ]
    told = {
        name: f"{count:.2f}" if isinstance(count, float) else count for name, count in variant.counts.items()
    }
    counts = _list([f"{name}: {count}" for name, count in told.items()])
    return _section(variant.title, ["", *map(str, measures)], rows, counts)


def _list(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in lines)}</ul>"


def _charts(charts: list[Chart]) -> str:
    if not charts:
        return ""
    figures = "".join(
        f"<figure><figcaption>{html.escape(chart.title)}</figcaption>"
        f'<div class="chart">{chart.svg}</div></figure>'
        for chart in charts
    )
    return f'<section><h2>Charts</h2><div class="charts">{figures}</div></section>'
