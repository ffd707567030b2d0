"""The page of a report, a comparison or a question set: figures, charts, and every question, in one file.

The questions are stored as JSON and shown page by page, so that a file with ten thousand of them opens
quickly.
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.query import Query
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, NeutralAnswer, QueryRecord, Question
from rollcall.questions.run import Passage, Prediction
from rollcall.report import Display, Note
from rollcall.report.html import fragment, page, page_file
from rollcall.score._data import explained, gold_only
from rollcall.score._display import lead_measure
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.score.report import Report

_PACKAGE = "rollcall.score"


def scored_html(display: Display, runs: Sequence[tuple[str, "Report"]]) -> str:
    """The page of one run or several: their figures, and the questions as each answered them."""
    first = runs[0][1]
    answered = [{"name": name, "questions": explained(report)} for name, report in runs]
    by_question = zip(*(report.pairs for _, report in runs), strict=True)
    details = [detail(pairs[0][0], [prediction for _, prediction in pairs]) for pairs in by_question]
    shown = {"measures": _measures(first), "runs": answered, "lead": _lead(first)}
    return _written(display, shown, details)


def set_html(questions: QuestionSet, name: str) -> str:
    """The page of a question set alone."""
    kinds = Counter(question.kind or "other" for question in questions)
    about = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    run = {"name": "", "questions": [gold_only(question) for question in questions]}
    details = [detail(question, []) for question in questions]
    shown = {"measures": [], "runs": [run], "gold": True, "lead": None}
    notes = tuple(Note(str(line)) for line in questions.manifest.get("warnings", []))
    title = f"{name}: {counted(len(questions), 'question')}"
    return _written(Display(title, notes, about), shown, details)


def _written(display: Display, shown: dict[str, object], details: list["Detail"]) -> str:
    body = fragment(display) + page_file(_PACKAGE, "questions.html")
    data = f'<script type="application/json" id="data">{_embedded(shown)}</script>\n'
    packed_details = _embedded({"block": BLOCK, "blocks": packed(details)})
    data += f'<script type="application/json" id="details">{packed_details}</script>\n'
    script = f"{data}<script>{page_file(_PACKAGE, 'questions.js')}</script>"
    style = page_file(_PACKAGE, "questions.css")
    return page(display.title, display.subtitle, body, style=style, script=script)


def _embedded(value: object) -> str:
    """JSON that is safe inside a script element."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _measures(report: "Report") -> list[dict[str, object]]:
    """The measures of single questions: not worst cases of clusters, nor whether a threshold is reached."""
    return [
        {"name": str(column.measure), "place": index, "share": column.measure.is_share}
        for index, column in enumerate(report.columns)
        if column.measure.extreme is None and column.measure.threshold is None
    ]


def _lead(report: "Report") -> int | None:
    """The place of the measure by which systems are compared on one question."""
    lead = lead_measure(report.figures)
    return None if lead is None else report.measures.index(lead)


# What a page shows when a question is opened: its query, wordings, answers with evidence, and passages.
# Few questions are opened, so their details are compressed in blocks, which the page unpacks when one is
# asked for: a page of sixty thousand questions stays small and opens quickly.

BLOCK = 100
"""Questions in one block."""
_ALIASES, _EVIDENCE, _PASSAGES, _CHARACTERS = 12, 3, 10, 600
"""The most that is shown of each."""


class ProofSentence(msgspec.Struct):
    """A sentence that proves an answer."""

    title: str
    text: str


class GoldAnswer(msgspec.Struct):
    """A gold answer; the id is shown where names do not tell answers apart."""

    label: str
    id: str
    alike: bool
    aliases: list[str]
    evidence: list[ProofSentence]


class NeutralRow(msgspec.Struct):
    """A neutral answer, and why it does not count."""

    label: str
    id: str
    alike: bool
    aliases: list[str]
    reason: str


class RetrievedPassage(msgspec.Struct):
    """A passage that a system retrieved."""

    title: str
    text: str
    proves: bool
    """Whether it proves an answer, by its id."""


class Attempt(msgspec.Struct):
    """What one system did besides answering."""

    retrieved: list[RetrievedPassage]
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
    neutral: list[NeutralRow]
    attempts: list[Attempt]


def packed(details: Sequence[Detail]) -> list[str]:
    """Blocks of details, each compressed, as texts."""
    blocks = (details[start : start + BLOCK] for start in range(0, len(details), BLOCK))
    return [base64.b64encode(zlib.compress(msgspec.json.encode(block), 6)).decode() for block in blocks]


def detail(question: Question, predictions: Sequence[Prediction | None]) -> Detail:
    """What is shown of a question and what each system did with it."""
    known = {piece.passage for answer in question.answers for piece in answer.evidence if piece.passage}
    words, drawing = _query(question.query) if question.query is not None else ("", "")
    labels = Counter(answer.label.casefold() for answer in (*question.answers, *question.neutral))
    return Detail(
        split=question.split or "",
        cluster=question.cluster or "",
        wordings=[wording for wording in question.wordings if wording != question.question],
        query=words,
        drawing=drawing,
        answers=[_gold(answer, labels[answer.label.casefold()] > 1) for answer in question.answers],
        neutral=[_neutral(answer, labels[answer.label.casefold()] > 1) for answer in question.neutral],
        attempts=[_attempt(prediction, known) for prediction in predictions],
    )


def _gold(answer: Answer, alike: bool) -> GoldAnswer:
    aliases = [alias for alias in answer.aliases if alias != answer.label][:_ALIASES]
    evidence = [
        ProofSentence(piece.title or "", _short(piece.text)) for piece in answer.evidence if piece.text
    ]
    return GoldAnswer(answer.label, answer.id or "", alike, aliases, evidence[:_EVIDENCE])


def _neutral(answer: NeutralAnswer, alike: bool) -> NeutralRow:
    aliases = [alias for alias in answer.aliases if alias != answer.label][:_ALIASES]
    return NeutralRow(answer.label, answer.id or "", alike, aliases, _short(answer.reason))


def _attempt(prediction: Prediction | None, known: set[str]) -> Attempt:
    if prediction is None:
        return Attempt([], 0, "")
    shown = [_found(passage, known) for passage in prediction.retrieved[:_PASSAGES]]
    return Attempt(shown, len(prediction.retrieved) - len(shown), prediction.query or "")


def _found(passage: Passage, known: set[str]) -> RetrievedPassage:
    return RetrievedPassage(passage.title or passage.id, _short(passage.text), passage.id in known)


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
    names: dict[str, str] = {}
    waiting = [graph]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            name = value.get("friendly_name")
            for key in ("id", "class", "relation"):
                if name and isinstance(value.get(key), str):
                    names.setdefault(value[key], str(name))
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return names
