"""AmbigQA's JSON: each annotator gives one answer or several question–answer pairs.

Every annotation is a complete answer set of its own. The first becomes the question's answers, the others its
alternatives, and a prediction is scored against the one that fits best. The kind says whether every annotator
gave several answers, which is the published "multi only" subset.
"""

from collections.abc import Iterable

import msgspec

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question

NAME = "ambigqa"


class Pair(msgspec.Struct):
    answer: list[str] | str
    question: str = ""


class Annotation(msgspec.Struct):
    type: str = ""
    answer: list[str] | str = []
    qaPairs: list[Pair] = []  # noqa: N815 (the published key)


class Example(msgspec.Struct):
    id: str | int
    question: str = ""
    annotations: list[Annotation] = []


@FORMATS.register(NAME)
class AmbigQa(QuestionFormat):
    """AmbigQA: every annotator gives a complete answer set, each answer with its names."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "annotations" in source.record

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(Example))


def _question(example: Example) -> Question:
    sets = [_answers(annotation) for annotation in example.annotations]
    several = not any(annotation.type == "singleAnswer" for annotation in example.annotations)
    return Question(
        id=str(example.id),
        question=example.question,
        kind="multiple answers" if several else "single answer",
        answers=sets[0] if sets else [],
        alternatives=sets[1:],
        provenance={"format": NAME},
    )


def _answers(annotation: Annotation) -> list[Answer]:
    if annotation.type == "multipleQAs":
        return [_answer(pair.answer) for pair in annotation.qaPairs]
    return [_answer(annotation.answer)]


def _answer(names: list[str] | str) -> Answer:
    listed = [names] if isinstance(names, str) else names
    return Answer(label=listed[0] if listed else "", aliases=listed[1:])
