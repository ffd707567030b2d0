"""QUEST's JSONL: a query with implicit set operations, and the titles of the documents that answer it.

The query itself is the id, as its scorer joins by it; predictions have the same form as the gold. What
annotators marked in a document becomes the evidence of that answer.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.predictions import QUEST_KEYS
from rollcall.questions.formats.source import Source, write_lines
from rollcall.questions.record import Answer, Evidence, Question

NAME = "quest"


class Metadata(msgspec.Struct):
    template: str | None = None
    domain: str | None = None
    attributions: dict[str, list[dict[str, str] | None] | None] | None = None
    relevance_ratings: dict[str, Any] | None = None
    evidence_ratings: dict[str, Any] | None = None
    fluency: list[bool | None] | None = None
    meaning: list[bool | None] | None = None
    naturalness: list[bool | None] | None = None


class QuestRecord(msgspec.Struct):
    query: str
    docs: list[str]
    original_query: str | None = None
    metadata: Metadata | None = None


@FORMATS.register(NAME)
class Quest(QuestionFormat):
    """QUEST: queries with implicit set operations, answered by the titles of documents."""

    text_key = "query"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return source.record.keys() >= QUEST_KEYS

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(QuestRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(_record, questions), path)


def _question(example: QuestRecord) -> Question:
    about = example.metadata or Metadata()
    attributions = about.attributions or {}
    kept = {
        name: value
        for name, value in msgspec.structs.asdict(about).items()
        if value is not None and name not in ("template", "domain")
    }
    return Question(
        id=example.query,
        question=example.query,
        kind=about.template,
        characteristics={} if about.domain is None else {"domain": about.domain},
        answers=[Answer(title, evidence=_evidence(title, attributions.get(title))) for title in example.docs],
        provenance={
            "format": NAME,
            **({} if example.original_query is None else {"original_query": example.original_query}),
            **({"metadata": kept} if kept else {}),
        },
    )


def _evidence(title: str, marked: list[dict[str, str] | None] | None) -> list[Evidence]:
    """The parts of a document that annotators marked, each once."""
    texts = dict.fromkeys(text for marks in marked or [] for text in (marks or {}).values() if text)
    return [Evidence(text=text, title=title) for text in texts]


def _record(question: Question) -> dict[str, object]:
    """A question as one line of the published file."""
    kept = question.provenance.get("metadata")
    marked = {
        answer.label: [{piece.fact or "": piece.text} for piece in answer.evidence]
        for answer in question.answers
        if answer.evidence
    }
    return {
        "query": question.question or question.id,
        "docs": [answer.label for answer in question.answers],
        "original_query": question.provenance.get("original_query"),
        "scores": None,
        "metadata": {
            "template": question.kind,
            "domain": question.characteristics.get("domain"),
            **({"attributions": marked} if marked else {}),
            **(kept if isinstance(kept, dict) else {}),
        },
    }
