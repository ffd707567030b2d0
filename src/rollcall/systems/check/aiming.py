"""What a retriever is asked to find more: a question with answers, or with one of its conditions alone."""

from collections.abc import Sequence

from rollcall.systems.check.words import question_names
from rollcall.systems.interfaces import Asked, Offered

_ANSWERS = 8
"""More names than this would leave little weight to the question."""


def about_answers(question: Asked, answers: Sequence[Offered]) -> Asked:
    """The question together with some answers."""
    return Asked(question.id, " ".join([question.question, *(one.label for one in answers[:_ANSWERS])]))


def about_conditions(question: Asked) -> list[Asked]:
    """The question with one of its names at a time, if it has several; each name stands for a condition."""
    names = list(dict.fromkeys(question_names(question.question)))
    if len(names) < 2:
        return []
    return [
        Asked(question.id, _without(question.question, [one for one in names if one != name]))
        for name in names
    ]


def _without(text: str, names: Sequence[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return " ".join(text.split())
