"""A report as one HTML file that needs nothing else: figures, charts, and every question to look into.

The questions travel as JSON and are drawn a page at a time, so that ten thousand of them open at once;
charts are drawn by the JavaScript that comes with vl-convert, put into the file.
"""

import html
from importlib import resources
from typing import Any

import msgspec

from rollcall import __version__
from rollcall.score.output.charts import report_charts
from rollcall.score.output.explanation import explained
from rollcall.score.output.numbers import interval_written, written
from rollcall.score.output.terminal import meaning
from rollcall.score.report import Report
from rollcall.score.side_by_side import SideBySide


def report_html(report: Report) -> str:
    """The whole page."""
    import vl_convert

    vega: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub calls the snippet required
    charts = report_charts(report)
    parts = {
        "TITLE": html.escape(
            f"{report.name or 'Scores'}: {report.n} questions, profile {report.profile.name}"
        ),
        "HEADING": html.escape(
            f"{report.name or 'Scores'}: {report.n} questions, profile {report.profile.name}"
        ),
        "SUBTITLE": html.escape(_subtitle(report)),
        "FIGURES": _figures(report),
        "VARIANTS": "".join(_variant(variant) for variant in report.variants),
        "NOTES": _notes(report),
        "CHARTS": "".join(_place(number, chart) for number, chart in enumerate(charts)),
        "STYLE": _file("page.css"),
        "DATA": _embedded({"measures": _measures(report), "questions": explained(report)}),
        "SPECS": _embedded([chart["spec"] for chart in charts]),
        "VEGA": vega.replace("</script", "<\\/script"),
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
    if report.resamples:
        parts.append(
            f"{report.confidence:.0%} intervals from {report.resamples} bootstrap samples of clusters"
        )
    return "; ".join(parts)


def _measures(report: Report) -> list[dict[str, Any]]:
    """The measures of single questions: not worst cases of clusters, nor whether a threshold is reached."""
    return [
        {"name": str(column.measure), "place": place, "share": column.measure.needs != "seconds"}
        for place, column in enumerate(report.columns)
        if not column.measure.worst and column.measure.threshold is None
    ]


def _figures(report: Report) -> str:
    rows = []
    for measure, figure in report.figures.items():
        cells = (written(measure, figure.value), interval_written(measure, figure), meaning(measure))
        name = f'<th scope="row">{html.escape(str(measure))}</th>'
        rows.append(f"<tr>{name}{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>")
    return "".join(rows)


def _variant(variant: SideBySide) -> str:
    measures = list(next(iter(variant.rows.values())))
    head = "".join(f'<th scope="col">{html.escape(str(measure))}</th>' for measure in measures)
    body = ""
    for name, figures in variant.rows.items():
        cells = "".join(
            f"<td>{html.escape(written(measure, figures[measure].value))}</td>" for measure in measures
        )
        body += f'<tr><th scope="row">{html.escape(name)}</th>{cells}</tr>'
    told = {
        name: f"{count:.2f}" if isinstance(count, float) else count for name, count in variant.counts.items()
    }
    counts = _list([f"{name}: {count}" for name, count in told.items()])
    return (
        f"<section><h2>{html.escape(variant.title)}</h2><table class=figures><thead><tr><th></th>{head}</tr>"
        f"</thead><tbody>{body}</tbody></table>{counts}</section>"
    )


def _notes(report: Report) -> str:
    lines = [*report.unmatched.lines(), *report.warnings]
    if not lines:
        return ""
    return f"<section><h2>Worth knowing</h2>{_list(lines)}</section>"


def _list(lines: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(line)}</li>' for line in lines)}</ul>"


def _place(number: int, chart: dict[str, Any]) -> str:
    title = html.escape(chart["title"])
    return f'<figure><figcaption>{title}</figcaption><div class="chart" id="chart-{number}"></div></figure>'
