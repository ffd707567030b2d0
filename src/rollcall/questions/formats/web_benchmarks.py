"""Published sets of questions about the web that are only read: DeepSearchQA, FanOutQA and MoNaCo."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Characteristic, Question, text_items

# DeepSearchQA's table: a problem, the answer as one text, and whether that is one answer or a set. The
# text of the answer is kept, because the published grader reads it; its items become the answers. Without
# an id the problem is the id.

DEEPSEARCHQA = "deepsearchqa"
SET = "Set Answer"


class DeepSearchQaRecord(msgspec.Struct):
    problem: str
    answer: str | int | float = ""
    answer_type: str = ""
    problem_category: str | None = None
    example_id: str | int | None = None


@FORMATS.register(DEEPSEARCHQA)
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
        provenance={"format": DEEPSEARCHQA, "answer": text, "answer_type": example.answer_type},
    )


# FanOutQA's JSON: questions whose answers are one value, a list of values, or an object of values by name.
# As its own scorer counts them, every value is an answer, and every key of an object, too; lists may be
# nested. True and false are "yes" and "no".


FANOUTQA = "fanoutqa"


class FanOutQaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    answer: Any = None
    answers: Any = None
    categories: list[str] = []
    decomposition: list[Any] = []
    necessary_evidence: list[Any] = []


@FORMATS.register(FANOUTQA)
class FanOutQa(QuestionFormat):
    """FanOutQA: answers that are values, lists of values, or objects, whose keys are answers, too."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return {"question", "necessary_evidence"} <= source.record.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_fanoutqa_question, source.records(FanOutQaRecord))


def _fanoutqa_question(example: FanOutQaRecord) -> Question:
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
        provenance={"format": FANOUTQA, **{name: value for name, value in kept.items() if value}},
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


# MoNaCo's release: questions with their decompositions and validated answers. The file is one object from
# questions to records, or lines of them. A validated answer is a value, or a row of several values that
# belong together; the question itself is the id.


MONACO = "monaco"
BETWEEN = " - "
"""What stands between the values of a row, in the name of the answer."""
Value = str | int | float | bool | None


class MonacoRecord(msgspec.Struct):
    question: str
    validated_answer: list[list[Value] | Value] | Value = []
    ex_num: str | int | None = None
    decomposition: list[str] = []


@FORMATS.register(MONACO)
class Monaco(QuestionFormat):
    """MoNaCo: natural, time-consuming questions; an answer is a value or a row of values."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "validated_answer" in (source.record or _first_inside(source))

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterator[Question]:
        if source.shape != "object":
            yield from map(_monaco_question, source.records(MonacoRecord))
            return
        try:
            records = msgspec.json.decode(source.data, type=dict[str, MonacoRecord])
        except UNREADABLE as error:
            raise RollcallError(f"{source.where}: {why(error)}") from error
        yield from map(_monaco_question, records.values())


def _first_inside(source: Source) -> dict[str, Any]:
    """The first record of an object of records."""
    whole = source.first if source.shape == "object" and isinstance(source.first, dict) else {}
    first = next(iter(whole.values()), None)
    return first if isinstance(first, dict) else {}


def _monaco_question(example: MonacoRecord) -> Question:
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
        provenance={"format": MONACO, **number, **steps},
    )


def _label(answer: list[Value] | Value) -> str:
    values = answer if isinstance(answer, list) else [answer]
    return BETWEEN.join(str(value) for value in values if value is not None)
