"""Questions as rows of one fixed shape, for tools that want every column in every row.

Dataset libraries guess a column's type from the first rows they see, so every field is written in every row,
and what has no fixed shape (the query's graph, characteristics, provenance) is written as a string of JSON.
Nothing is lost: a row gives its question back.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from rollcall.questions.formats.source import Source
from rollcall.questions.record import AddedAlias, Answer, Candidate, Evidence, Query, Question

NAME = "flat"

_json = msgspec.json.Encoder(order="sorted")


class Row(msgspec.Struct):
    """A question in which every field has one type."""

    id: str
    question: str
    kind: str
    split: str
    cluster: str
    wordings: list[str]
    relations: list[str]
    query_text: str
    query_graph: str
    query_sparql: str
    characteristics: str
    answers: list[dict[str, Any]]
    more: str
    """As JSON: alternatives, candidates, the provenance of added aliases."""
    provenance: str


def flatten(question: Question) -> Row:
    """The row of a question."""
    query = question.query or Query()
    relations = question.characteristics.get("relations")
    more: dict[str, Any] = {}
    if question.alternatives:
        more["alternatives"] = question.alternatives
    if question.candidates:
        more["candidates"] = question.candidates
    if any(answer.added for answer in question.answers):
        more["added"] = [answer.added for answer in question.answers]
    return Row(
        id=question.id,
        question=question.question,
        kind=question.kind or "",
        split=question.split or "",
        cluster=question.cluster or "",
        wordings=question.wordings,
        relations=list(relations) if isinstance(relations, list) else [],
        query_text=query.text,
        query_graph=_text(query.graph),
        query_sparql=query.sparql or "",
        characteristics=_text(question.characteristics),
        answers=[_answer(answer) for answer in question.answers],
        more=_text(more),
        provenance=_text(question.provenance),
    )


def restore(row: Row) -> Question:
    """The question of a row."""
    query = Query(row.query_text, _value(row.query_graph), row.query_sparql or None)
    more = _value(row.more) or {}
    answers = [_restored(answer) for answer in row.answers]
    for answer, added in zip(answers, more.get("added", []), strict=False):
        answer.added = msgspec.convert(added, list[AddedAlias])
    return Question(
        id=row.id,
        question=row.question,
        wordings=row.wordings,
        kind=row.kind or None,
        query=query if query != Query() else None,
        characteristics=_value(row.characteristics) or {},
        cluster=row.cluster or None,
        split=row.split or None,
        answers=answers,
        alternatives=msgspec.convert(more.get("alternatives", []), list[list[Answer]]),
        candidates=msgspec.convert(more.get("candidates", []), list[Candidate]),
        provenance=_value(row.provenance) or {},
    )


def recognises(first: Any) -> bool:
    return isinstance(first, dict) and "query_text" in first and "answers" in first


def read(source: Source) -> list[Question]:
    return [restore(row) for row in source.records(Row)]


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.id or "",
        "label": answer.label,
        "aliases": answer.aliases,
        "evidence": [
            {
                "text": piece.text,
                "title": piece.title or "",
                "passage": piece.passage or "",
                "url": piece.url or "",
                "start": -1 if piece.start is None else piece.start,
                "end": -1 if piece.end is None else piece.end,
                "score": -1.0 if piece.score is None else float(piece.score),
                "fact": piece.fact or "",
            }
            for piece in answer.evidence
        ],
    }


def _restored(answer: Mapping[str, Any]) -> Answer:
    evidence = [
        Evidence(
            text=piece["text"],
            title=piece["title"] or None,
            passage=piece["passage"] or None,
            url=piece["url"] or None,
            start=None if piece["start"] < 0 else piece["start"],
            end=None if piece["end"] < 0 else piece["end"],
            score=None if piece["score"] < 0 else piece["score"],
            fact=piece["fact"] or None,
        )
        for piece in answer["evidence"]
    ]
    return Answer(answer["label"], answer["id"] or None, list(answer["aliases"]), evidence)


def _text(value: Any) -> str:
    return _json.encode(value).decode() if value else ""


def _value(text: str) -> Any:
    return msgspec.json.decode(text) if text else None
