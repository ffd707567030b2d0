"""MoNaCo's release: questions with their decompositions and validated answers.

The file is one object from questions to records, or lines of them. A validated answer is a value, or a row of
several values that belong together; the question itself is the id.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question

NAME = "monaco"
BETWEEN = " - "
"""What stands between the values of a row, in the name of the answer."""
Value = str | int | float | bool | None


class MonacoRecord(msgspec.Struct):
    question: str
    validated_answer: list[list[Value] | Value] | Value = []
    ex_num: str | int | None = None
    decomposition: list[str] = []


@FORMATS.register(NAME)
class Monaco(QuestionFormat):
    """MoNaCo: natural, time-consuming questions; an answer is a value or a row of values."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "validated_answer" in (source.record or _first_inside(source))

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        if source.shape != "object":
            yield from map(_question, source.records(MonacoRecord))
            return
        try:
            records = msgspec.json.decode(source.data, type=dict[str, MonacoRecord])
        except UNREADABLE as error:
            raise RollcallError(f"{source.where}: {why(error)}") from error
        yield from map(_question, records.values())


def _first_inside(source: Source) -> dict[str, Any]:
    """The first record of an object of records."""
    whole = source.first if source.shape == "object" and isinstance(source.first, dict) else {}
    first = next(iter(whole.values()), None)
    return first if isinstance(first, dict) else {}


def _question(example: MonacoRecord) -> Question:
    validated = example.validated_answer
    listed = validated if isinstance(validated, list) else [] if validated is None else [validated]
    number = {} if example.ex_num is None else {"ex_num": example.ex_num}
    steps: dict[str, object] = {"decomposition": example.decomposition} if example.decomposition else {}
    return Question(
        id=example.question,
        question=example.question,
        kind="list" if len(listed) > 1 else "single",
        characteristics={"steps": len(example.decomposition)} if example.decomposition else {},
        answers=[Answer(label) for label in map(_label, listed) if label],
        provenance={"format": NAME, **number, **steps},
    )


def _label(answer: list[Value] | Value) -> str:
    values = answer if isinstance(answer, list) else [answer]
    return BETWEEN.join(str(value) for value in values if value is not None)
