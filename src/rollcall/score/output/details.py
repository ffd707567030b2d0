"""What a page shows when a question is opened: its query, wordings, answers with evidence, and passages.

Few questions are opened, so their details are compressed in blocks, which the page unpacks when one is asked
for: a page of sixty thousand questions stays small and opens quickly.
"""

import base64
import re
import zlib
from collections import Counter
from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.query import Query
from rollcall.questions.record import Answer, QueryRecord, Question
from rollcall.questions.run import Passage, Prediction

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
