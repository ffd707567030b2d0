"""A report or a question set as one HTML file that needs no other: figures, charts, and every question.

The questions are stored as JSON and shown page by page, so that a file with ten thousand of them opens
quickly. Charts are SVG and need no script.
"""

import base64
import html
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from rollcall import __version__
from rollcall._core.errors import RollcallError
from rollcall.query import Query
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, QueryRecord, Question
from rollcall.questions.run import Passage, Prediction
from rollcall.score.columns import Figure, FigureGroup
from rollcall.score.measure import Measure
from rollcall.score.output.charts import Chart, comparison_charts, lead_measure, report_charts
from rollcall.score.output.comparison import legend
from rollcall.score.output.frames import explained, gold_only
from rollcall.score.output.text import (
    SURVIVES,
    breakdown_heads,
    breakdown_measures,
    breakdown_rows,
    difference_heads,
    difference_rows,
    has_true_figures,
    interval_written,
    meaning,
    percent_written,
    true_heads,
    true_notes,
    true_rows,
    true_title,
    written,
)
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.expansion import SideBySide
    from rollcall.score.report import Report


# The tables of reports and comparisons in HTML: for the page of a report, and for notebooks. Every text
# is escaped here, so that a question or a run's name cannot put anything into a page.

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


# What a page shows when a question is opened: its query, wordings, answers with evidence, and passages.
# Few questions are opened, so their details are compressed in blocks, which the page unpacks when one is
# asked for: a page of sixty thousand questions stays small and opens quickly.

BLOCK = 100
"""Questions in one block."""
_ALIASES, _EVIDENCE, _PASSAGES, _CHARACTERS = 12, 3, 10, 600
"""The most that is shown of each."""


class Proof(msgspec.Struct):
    """A sentence that proves an answer."""

    title: str
    text: str


class GoldAnswer(msgspec.Struct):
    """A gold answer; the id is shown where names do not tell answers apart."""

    label: str
    id: str
    alike: bool
    aliases: list[str]
    evidence: list[Proof]


class Found(msgspec.Struct):
    """A passage that a system retrieved."""

    title: str
    text: str
    proves: bool
    """Whether it proves an answer, by its id."""


class Attempt(msgspec.Struct):
    """What one system did besides answering."""

    retrieved: list[Found]
    more: int
    """Retrieved passages that are not shown."""
    query: str


class Detail(msgspec.Struct):
    """All that is shown of a question when it is opened."""

    split: str
    cluster: str
    wordings: list[str]
    query: str
    """The query with names for ids."""
    drawing: str
    answers: list[GoldAnswer]
    attempts: list[Attempt]


def packed(details: Sequence[Detail]) -> list[str]:
    """Blocks of details, each compressed, as texts."""
    blocks = (details[start : start + BLOCK] for start in range(0, len(details), BLOCK))
    return [base64.b64encode(zlib.compress(msgspec.json.encode(block), 6)).decode() for block in blocks]


def detail(question: Question, predictions: Sequence[Prediction | None]) -> Detail:
    """What is shown of a question and what each system did with it."""
    known = {piece.passage for answer in question.answers for piece in answer.evidence if piece.passage}
    words, drawing = _query(question.query) if question.query is not None else ("", "")
    labels = Counter(answer.label.casefold() for answer in question.answers)
    return Detail(
        split=question.split or "",
        cluster=question.cluster or "",
        wordings=[one for one in question.wordings if one != question.question],
        query=words,
        drawing=drawing,
        answers=[_gold(one, labels[one.label.casefold()] > 1) for one in question.answers],
        attempts=[_attempt(one, known) for one in predictions],
    )


def _gold(answer: Answer, alike: bool) -> GoldAnswer:
    aliases = [one for one in answer.aliases if one != answer.label][:_ALIASES]
    evidence = [Proof(one.title or "", _short(one.text)) for one in answer.evidence if one.text]
    return GoldAnswer(answer.label, answer.id or "", alike, aliases, evidence[:_EVIDENCE])


def _attempt(prediction: Prediction | None, known: set[str]) -> Attempt:
    if prediction is None:
        return Attempt([], 0, "")
    shown = [_found(one, known) for one in prediction.retrieved[:_PASSAGES]]
    return Attempt(shown, len(prediction.retrieved) - len(shown), prediction.query or "")


def _found(passage: Passage, known: set[str]) -> Found:
    return Found(passage.title or passage.id, _short(passage.text), passage.id in known)


def _short(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"


def _query(record: QueryRecord) -> tuple[str, str]:
    """The query with names for ids, and its drawing; what cannot be parsed is shown as it stands."""
    names = _names(record.graph)
    words = re.sub(r"[\w.:/-]+", lambda word: names.get(word[0], word[0]), record.text)
    try:
        drawing = Query.parse(record.text).to_svg(lambda id_: names.get(id_, id_)) if record.text else ""
    except RollcallError:
        drawing = ""
    return words, drawing


def _names(graph: object) -> dict[str, str]:
    """The names that the graph of a query gives to ids."""
    found: dict[str, str] = {}
    waiting = [graph]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            name = value.get("friendly_name")
            for key in ("id", "class", "relation"):
                if name and isinstance(value.get(key), str):
                    found.setdefault(value[key], str(name))
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return found


# Pages that are one file: a package has their parts, which take the places of marks like `<!--TITLE-->`.


def page_file(package: str, name: str) -> str:
    """A file of the folder `page` of a package."""
    return (resources.files(package) / "page" / name).read_text("utf-8")


def filled(page: str, parts: Mapping[str, str]) -> str:
    """A page with its parts, and with the version that wrote it; parts must be escaped already."""
    page = page.replace("VERSION", __version__, 1)
    for name, content in parts.items():
        before, _, after = page.partition(f"<!--{name}-->")
        page = before + content + after
    return page


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
