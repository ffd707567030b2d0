"""FanOutQA's JSON: questions whose answers are one value, a list of values, or an object of values by name.

As its own scorer counts them, every value is an answer, and every key of an object, too; lists may be nested.
True and false are "yes" and "no".
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Characteristic, Question

NAME = "fanoutqa"


class FanOutQaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    answer: Any = None
    answers: Any = None
    categories: list[str] = []
    decomposition: list[Any] = []
    necessary_evidence: list[Any] = []


@FORMATS.register(NAME)
class FanOutQa(QuestionFormat):
    """FanOutQA: answers that are values, lists of values, or objects, whose keys are answers, too."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"question", "necessary_evidence"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(FanOutQaRecord))


def _question(example: FanOutQaRecord) -> Question:
    name_lists = [
        _names(value) for value in _values(example.answers if example.answer is None else example.answer)
    ]
    answers = {names[0]: Answer(names[0], aliases=names[1:]) for names in name_lists if names[0]}
    characteristics: dict[str, Characteristic] = {"steps": len(example.decomposition)}
    if example.categories:
        characteristics["categories"] = example.categories
    kept = {"decomposition": example.decomposition, "necessary_evidence": example.necessary_evidence}
    return Question(
        id=str(example.id),
        question=example.question,
        kind="list" if len(answers) > 1 else "single",
        characteristics=characteristics,
        answers=list(answers.values()),
        provenance={"format": NAME, **{name: value for name, value in kept.items() if value}},
    )


def _values(answer: object) -> Iterator[str | int | float | bool]:
    """The values in an answer of any shape."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield str(key)
            yield from _values(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from _values(value)
    elif isinstance(answer, str | int | float):
        yield answer


def _names(value: str | int | float | bool) -> list[str]:
    """How a value is written; a prediction may have its JSON as well."""
    if isinstance(value, bool):
        return ["yes" if value else "no", str(value)]
    if isinstance(value, float) and value.is_integer():
        return [str(value), str(int(value))]
    return [str(value).strip()]
