"""AmbigQA's JSON: each annotator gives one answer or several question–answer pairs.

Every annotation is a complete answer set of its own. The first becomes the question's answers, the others its
alternatives, and a prediction is scored against the one that fits best. The kind says whether every annotator
gave several answers, which is the published "multi only" subset. What the file says besides is kept, so that
it can be written again.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source, write_array
from rollcall.questions.record import Answer, Question

NAME = "ambigqa"
SINGLE, SEVERAL = "singleAnswer", "multipleQAs"
MULTI, ALONE = "multiple answers", "single answer"


class AmbigqaPair(msgspec.Struct):
    answer: list[str] | str
    question: str = ""


class Annotation(msgspec.Struct):
    type: str = ""
    answer: list[str] | str = []
    qaPairs: list[AmbigqaPair] = []  # noqa: N815 (the published key)


class AmbigqaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    annotations: list[Annotation] = []
    viewed_doc_titles: Any = None
    used_queries: Any = None
    nq_answer: Any = None
    nq_doc_title: Any = None


_KEPT = ("viewed_doc_titles", "used_queries", "nq_answer", "nq_doc_title")


@FORMATS.register(NAME)
class AmbigQa(QuestionFormat):
    """AmbigQA: every annotator gives a complete answer set, each answer with its names."""

    ending = ".json"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return "annotations" in source.record

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(AmbigqaRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_array([_record(question) for question in questions], path)


def _question(example: AmbigqaRecord) -> Question:
    sets = [_answers(annotation) for annotation in example.annotations]
    several = not any(annotation.type == SINGLE for annotation in example.annotations)
    asked = [[pair.question for pair in annotation.qaPairs] for annotation in example.annotations]
    known = {name: getattr(example, name) for name in _KEPT}
    return Question(
        id=str(example.id),
        question=example.question,
        kind=MULTI if several else ALONE,
        answers=sets[0] if sets else [],
        alternatives=sets[1:],
        provenance={
            "format": NAME,
            **({"types": [annotation.type for annotation in example.annotations]} if sets else {}),
            **({"questions": asked} if any(map(any, asked)) else {}),
            **{name: value for name, value in known.items() if value is not None},
        },
    )


def _answers(annotation: Annotation) -> list[Answer]:
    if annotation.type == SEVERAL:
        return [_answer(pair.answer) for pair in annotation.qaPairs]
    return [_answer(annotation.answer)]


def _answer(names: list[str] | str) -> Answer:
    listed = [names] if isinstance(names, str) else names
    return Answer(label=listed[0] if listed else "", aliases=listed[1:])


def _record(question: Question) -> dict[str, object]:
    """A question as one record of the published file."""
    ours = question.provenance if question.provenance.get("format") == NAME else {}
    types = _listed(ours.get("types"))
    asked = _listed(ours.get("questions"))
    annotations = []
    answer_sets = [question.answers, *question.alternatives]
    for index, answers in enumerate(answer_sets if types or any(answer_sets) else []):
        several = types[index] == SEVERAL if index < len(types) else len(answers) != 1
        wordings = _listed(asked[index]) if index < len(asked) else []
        annotations.append(_annotation(question, answers, several, wordings))
    return {
        "id": question.id,
        "question": question.question,
        "annotations": annotations,
        **{name: ours[name] for name in _KEPT if name in ours},
    }


def _annotation(
    question: Question, answers: Sequence[Answer], several: bool, wordings: Sequence[object]
) -> dict[str, object]:
    names = [[answer.label, *answer.aliases] for answer in answers]
    if not several:
        return {"type": SINGLE, "answer": names[0] if names else []}
    texts = [*wordings, *[question.question] * (len(names) - len(wordings))]
    pairs = [
        {"question": text, "answer": answer_names} for text, answer_names in zip(texts, names, strict=False)
    ]
    return {"type": SEVERAL, "qaPairs": pairs}


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
