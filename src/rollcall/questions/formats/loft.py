"""LOFT's JSONL: a query with the strings that answer it, or with the passages that are relevant.

An answer of its retrieval tasks is a passage's id with a grade; the id becomes the answer. Conversations of
several turns are refused, because an answer set belongs to one question here.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source, write_lines
from rollcall.questions.record import Answer, Question

NAME = "loft"
Graded = list[str | int | float]


class LoftRecord(msgspec.Struct):
    qid: str | int
    query_text: str | list[str]
    answers: list[str | int | float | Graded]
    metadata: dict[str, Any] | None = None


@FORMATS.register(NAME)
class Loft(QuestionFormat):
    """LOFT: a set of strings for each query, or the ids of its relevant passages."""

    text_key = "query_text"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"qid", "query_text", "answers"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        for number, example in enumerate(source.records(LoftRecord), 1):
            if not isinstance(example.query_text, str):
                raise RollcallError(
                    f"{source.where}: query {example.qid!r:.80} is a conversation of several turns; only "
                    "single questions can be read"
                )
            try:
                answers = [_answer(answer) for answer in example.answers]
            except ValueError as error:
                raise RollcallError(f"{source.where}: record {number}: {error}") from None
            yield Question(
                id=str(example.qid),
                question=example.query_text,
                answers=answers,
                provenance={"format": NAME, **({"metadata": example.metadata} if example.metadata else {})},
            )

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(_record, questions), path)


def _answer(answer: str | int | float | Graded) -> Answer:
    """A string, or the id in a pair such as `["doc7", 1]`."""
    if not isinstance(answer, list):
        return Answer(str(answer))
    if len(answer) != 2 or not isinstance(answer[0], str) or isinstance(answer[1], str):
        raise ValueError(f"an answer is neither a string nor a passage with its grade: {answer!r:.80}")
    return Answer(answer[0])


def _record(question: Question) -> dict[str, object]:
    metadata = question.provenance.get("metadata") if question.provenance.get("format") == NAME else None
    return {
        "qid": question.id,
        "query_text": question.question,
        "metadata": metadata or {},
        "answers": [answer.label for answer in question.answers],
    }
