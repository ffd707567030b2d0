"""DeepSearchQA's table: a problem, the answer as one text, and whether that is one answer or a set.

The text of the answer is kept, because the published grader reads it; its items become the answers. Without
an id the problem is the id.
"""

from collections.abc import Iterable

import msgspec

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question, text_items

NAME = "deepsearchqa"
SET = "Set Answer"


class DeepSearchQaRecord(msgspec.Struct):
    problem: str
    answer: str | int | float = ""
    answer_type: str = ""
    problem_category: str | None = None
    example_id: str | int | None = None


@FORMATS.register(NAME)
class DeepSearchQa(QuestionFormat):
    """DeepSearchQA: problems with one answer or a set of them, written as one text."""

    text_key = "problem"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"problem", "answer", "answer_type"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(DeepSearchQaRecord))


def _question(example: DeepSearchQaRecord) -> Question:
    text = str(example.answer).strip()
    items = text_items(text) if example.answer_type == SET else [text] if text else []
    return Question(
        id=example.problem if example.example_id is None else str(example.example_id),
        question=example.problem.strip(),
        kind=example.answer_type or None,
        characteristics={"category": example.problem_category} if example.problem_category else {},
        answers=[Answer(item) for item in items],
        provenance={"format": NAME, "answer": text, "answer_type": example.answer_type},
    )
