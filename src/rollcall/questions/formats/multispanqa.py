"""MultiSpanQA's JSON: each question has a passage of its own, in which labels mark the answers.

Question and passage are tokens, and a label for each token of the passage says whether an answer begins there
(`B`), continues (`I`), or not (`O`). `rollcall corpus` reads the passages of the same file.
"""

from collections.abc import Iterable, Sequence

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.corpus.sources.multispanqa import joined
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question
from rollcall.text.words import fold

NAME = "multispanqa"
_LABELS = ("B", "I", "O")


class MultiSpanRecord(msgspec.Struct):
    id: str | int
    question: list[str]
    context: list[str]
    label: list[str] | None = None
    type: str | None = None
    structure: str | None = None


@FORMATS.register(NAME)
class MultiSpanQa(QuestionFormat):
    """MultiSpanQA: questions with a passage of their own, whose answers are spans of it."""

    @classmethod
    def recognises(cls, source: Source) -> bool:
        return all(isinstance(source.record.get(key), list) for key in ("question", "context"))

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return (_question(record, source.where) for record in source.records(MultiSpanRecord))


def _question(record: MultiSpanRecord, where: str) -> Question:
    if record.label is not None and len(record.label) != len(record.context):
        raise RollcallError(
            f"{where}: the question {record.id} has {len(record.label)} labels for the "
            f"{len(record.context)} tokens of its context"
        )
    if unknown := sorted({label for label in record.label or () if label[:1] not in _LABELS}):
        raise RollcallError(
            f"{where}: the question {record.id} has the label {unknown[0]!r}; expected one of "
            f"{', '.join(_LABELS)}"
        )
    kinds = {"type": record.type} if record.type else {}
    return Question(
        id=str(record.id),
        question=joined(record.question).text,
        kind=record.structure or None,
        characteristics={**kinds},
        answers=_answers(record.context, record.label or []),
        provenance={"format": NAME},
    )


def _answers(tokens: Sequence[str], labels: Sequence[str]) -> list[Answer]:
    """The marked spans, each text once; the tokens with spaces, as published, are another name."""
    context = joined(tokens)
    answers: dict[str, Answer] = {}
    for first, last in _spans(labels):
        text = context.text[context.places[first][0] : context.places[last][1]]
        published = " ".join(tokens[first : last + 1])
        answers.setdefault(fold(text), Answer(text, aliases=[published] if published != text else []))
    return list(answers.values())


def _spans(labels: Sequence[str]) -> Iterable[tuple[int, int]]:
    """The first and the last token of each answer; an `I` after an `O` begins one, as published."""
    first: int | None = None
    for index, label in enumerate([*labels, "O"]):
        if first is not None and label[:1] != "I":
            yield first, index - 1
            first = None
        if label[:1] == "B" or (label[:1] == "I" and first is None):
            first = index
