"""A report or a question set as one HTML file that needs no other: figures, charts, and every question.

The questions are stored as JSON and shown page by page, so that a file with ten thousand of them opens
quickly. Charts are SVG and need no script.
"""

import html
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from rollcall.english.counting import counted
from rollcall.questions.question_set import QuestionSet
from rollcall.score.output.charts import Chart, comparison_charts, lead_measure, report_charts
from rollcall.score.output.details import BLOCK, Detail, detail, packed
from rollcall.score.output.explanation import explained, gold_only
from rollcall.score.output.html_tables import (
    breakdown_tables,
    comparison_title,
    figures_table,
    listed,
    report_title,
    subtitle,
    surviving_table,
    systems_table,
    true_table,
    variant_table,
)
from rollcall.score.output.page_file import filled, page_file

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report


def report_html(report: "Report") -> str:
    """The page of one run."""
    return _page(
        report_title(report),
        subtitle(report),
        figures_table(report)
        + breakdown_tables(report.by_run, ())
        + true_table(report)
        + "".join(variant_table(variant) for variant in report.variants),
        [*filter(None, [report.reading]), *report.unmatched.lines(), *report.warnings],
        report_charts(report),
        [(report.name, report)],
    )


def comparison_html(comparison: "Comparison") -> str:
    """The page of several runs: their figures side by side, and the questions as each answered them."""
    runs = list(zip(comparison.names, comparison.reports, strict=True))
    return _page(
        comparison_title(comparison),
        subtitle(comparison.reports[0]),
        systems_table(comparison)
        + breakdown_tables(comparison.by_run, comparison.lettered)
        + surviving_table(comparison),
        [
            *filter(None, [comparison.reports[0].reading]),
            *comparison.warnings,
            *(f"{name}: {line}" for name, line in comparison.notes()),
        ],
        comparison_charts(runs),
        runs,
    )


def _page(
    title: str,
    about: str,
    figures: str,
    notes: list[str],
    charts: list[Chart],
    runs: list[tuple[str, "Report"]],
) -> str:
    answered = [{"name": name, "questions": explained(report)} for name, report in runs]
    said = zip(*(report.pairs for _, report in runs), strict=True)
    details = [detail(pairs[0][0], [one for _, one in pairs]) for pairs in said]
    shown = {"measures": _measures(runs[0][1]), "runs": answered, "lead": _lead(runs[0][1])}
    return _written(title, about, figures, notes, charts, shown, details)


def set_html(questions: QuestionSet, name: str) -> str:
    """The page of a question set alone."""
    kinds = Counter(one.kind or "other" for one in questions)
    about = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    run = {"name": "", "questions": [gold_only(one) for one in questions]}
    details = [detail(one, []) for one in questions]
    shown = {"measures": [], "runs": [run], "gold": True, "lead": None}
    notes = [str(line) for line in questions.manifest.get("warnings", [])]
    return _written(f"{name}: {counted(len(questions), 'question')}", about, "", notes, [], shown, details)


def _written(
    title: str,
    about: str,
    figures: str,
    notes: list[str],
    charts: list[Chart],
    shown: dict[str, object],
    details: list[Detail],
) -> str:
    parts = {
        "TITLE": html.escape(title),
        "HEADING": html.escape(title),
        "SUBTITLE": html.escape(about),
        "FIGURES": figures,
        "NOTES": f"<section><h2>Worth knowing</h2>{listed(notes)}</section>" if notes else "",
        "CHARTS": _charts(charts),
        "STYLE": _file("page.css"),
        "DATA": _embedded(shown),
        "DETAILS": _embedded({"block": BLOCK, "blocks": packed(details)}),
        "SCRIPT": _file("page.js"),
    }
    return filled(_file("page.html"), parts)


def _file(name: str) -> str:
    return page_file("rollcall.score.output", name)


def _embedded(value: object) -> str:
    """JSON that is safe inside a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _measures(report: "Report") -> list[dict[str, object]]:
    """The measures of single questions: not worst cases of clusters, nor whether a threshold is reached."""
    return [
        {"name": str(column.measure), "place": place, "share": column.measure.is_share}
        for place, column in enumerate(report.columns)
        if column.measure.extreme is None and column.measure.threshold is None
    ]


def _lead(report: "Report") -> int | None:
    """The place of the measure by which systems are compared on one question."""
    lead = lead_measure(report.figures)
    return None if lead is None else report.measures.index(lead)


def _charts(charts: list[Chart]) -> str:
    if not charts:
        return ""
    figures = "".join(
        f"<figure><figcaption>{html.escape(chart.title)}</figcaption>"
        f'<div class="chart">{chart.svg}</div></figure>'
        for chart in charts
    )
    return f'<section><h2>Charts</h2><div class="charts">{figures}</div></section>'
