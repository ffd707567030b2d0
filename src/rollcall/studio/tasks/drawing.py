"""Everything that tasks draw: which questions, in which order. The same set, settings and seed give the
same.

Each draw has random numbers of its own, named by what is drawn, so that one more item changes no other
draw.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

import msgspec

from rollcall.english.counting import counted, counted_kinds
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.studio.records import Item
from rollcall.studio.tasks.task import Task, TaskSettings

T = TypeVar("T")


def chance(seed: int, *what: object) -> random.Random:
    """Random numbers for one draw."""
    return random.Random("\x1f".join(map(str, (seed, *what))))


def shuffled(things: Iterable[T], seed: int, *what: object) -> list[T]:
    """The things in random order."""
    listed = list(things)
    chance(seed, *what).shuffle(listed)
    return listed


def drawn_questions(task: Task, questions: QuestionSet, settings: TaskSettings) -> list[Question]:
    """The questions that a task can use in random order, as many as are asked for."""
    reasons = {one.id: task.leaves_out(one, settings) for one in questions.of_splits(settings.splits)}
    chosen = [one for one in questions if reasons.get(one.id) == ""]
    if not chosen:
        told = counted_kinds(Counter(reasons.values())) or "it has no questions"
        raise RollcallError(f"the task {task.name} finds nothing to judge in the set: {told}")
    ordered = shuffled(sorted(chosen, key=lambda one: one.id), settings.seed, "questions")
    return ordered[: settings.questions or None]


def left_out(task: Task, questions: QuestionSet, settings: TaskSettings, asked: Collection[str]) -> list[str]:
    """What of a set is not judged, and why, in lines for people; `asked` are the questions with items."""
    otherwise = "questions that were not drawn (option questions)" if settings.questions else task.not_asked
    reasons = Counter(task.leaves_out(one, settings) or otherwise for one in questions if one.id not in asked)
    answers = {one.id: task.answers_left_out(one) for one in questions if one.id in asked}
    lines = []
    if reasons:
        number = counted(len(questions), "question")
        lines.append(f"{reasons.total():,} of {number} not judged: {counted_kinds(reasons)}")
    if total := sum(answers.values()):
        concerned = counted(sum(map(bool, answers.values())), "judged question")
        lines.append(
            f"{counted(total, 'answer')} of {concerned} not judged: without evidence that can be read"
        )
    return lines


def wording_of(question: Question) -> str:
    """The text of a question as people see it."""
    return question.question or next(iter(question.wordings), "")


def numbered(items: Sequence[Item]) -> list[Item]:
    """The items with their places in the queue, each key once."""
    once = {item.key: item for item in reversed(items)}
    ordered = [item for item in items if once.pop(item.key, None) is not None]
    return [msgspec.structs.replace(item, order=place) for place, item in enumerate(ordered)]
