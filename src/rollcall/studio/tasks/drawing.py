"""Everything that tasks draw: which questions, in which order. The same set, settings and seed give the
same.

Each draw has random numbers of its own, named by what is drawn, so that one more item changes no other
draw.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.studio.records import Item
from rollcall.studio.tasks.task import TaskSettings

T = TypeVar("T")


def chance(seed: int, *what: object) -> random.Random:
    """Random numbers for one draw."""
    return random.Random("\x1f".join(map(str, (seed, *what))))


def shuffled(things: Iterable[T], seed: int, *what: object) -> list[T]:
    """The things in random order."""
    listed = list(things)
    chance(seed, *what).shuffle(listed)
    return listed


def drawn_questions(questions: QuestionSet, settings: TaskSettings) -> list[Question]:
    """The questions of the wanted splits in random order, as many as are asked for; texts must be there."""
    chosen = [one for one in questions.of_splits(settings.splits) if wording_of(one)]
    if not chosen:
        raise RollcallError("the set has no question with a text, so there is nothing to judge")
    ordered = shuffled(sorted(chosen, key=lambda one: one.id), settings.seed, "questions")
    return ordered[: settings.questions or None]


def wording_of(question: Question) -> str:
    """The text of a question as people see it."""
    return question.question or next(iter(question.wordings), "")


def numbered(items: Sequence[Item]) -> list[Item]:
    """The items with their places in the queue, each key once."""
    once = {item.key: item for item in reversed(items)}
    ordered = [item for item in items if once.pop(item.key, None) is not None]
    return [msgspec.structs.replace(item, order=place) for place, item in enumerate(ordered)]
