"""The questions that a system is asked: all of a set, or those of some splits, or the first so many."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.formats import read_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Coverage

Questions: TypeAlias = "QuestionSet | Path | str | Iterable[Question | Mapping[str, object]]"
"""A set, the path of one or of a published file, or records, be they plain dicts."""


class Asking(NamedTuple):
    """All questions of a set, from whose training split systems may learn, and those that are asked."""

    every: list[Question]
    chosen: list[Question]

    @property
    def covers(self) -> Coverage:
        return coverage(self.chosen, len(self.every))


def choose_questions(
    given: Questions, split: str | Sequence[str] | None = None, limit: int | None = None
) -> Asking:
    """The questions of a set, and those of the splits, each id once."""
    if limit is not None and limit < 1:
        raise RollcallError(f"a limit of {limit} questions leaves nothing to ask; give 1 or more")
    where = str(given) if isinstance(given, Path | str) else "the questions"
    read = as_question_set(given)
    every = list({question.id: question for question in reversed(list(read))}.values())[::-1]
    splits = [split] if isinstance(split, str) else split
    chosen = list(QuestionSet(every, read.manifest).of_splits(splits))[:limit]
    if not chosen:
        raise RollcallError(f"{where}: no question to ask")
    if not any(one.question or one.wordings for one in chosen):
        raise RollcallError(f"{where}: the questions have no wording, so nobody can answer them")
    return Asking(every, chosen)


def as_question_set(given: Questions) -> QuestionSet:
    """Questions of any form as a set."""
    if isinstance(given, QuestionSet):
        return given
    if isinstance(given, Path | str):
        return read_questions(given)
    return QuestionSet(_record(one, place) for place, one in enumerate(given, 1))


def coverage(questions: Sequence[Question], whole: int | None = None) -> Coverage:
    """What a run over these questions covers, of a set of so many."""
    wordings = "\n".join(f"{one.id}\t{one.question}" for one in questions)
    return Coverage(
        questions=len(questions),
        of=whole,
        splits=sorted({one.split for one in questions if one.split}),
        wordings=hashlib.sha256(wordings.encode()).hexdigest()[:16],
    )


def _record(given: Question | Mapping[str, object], place: int) -> Question:
    if isinstance(given, Question):
        return given
    try:
        return msgspec.convert(dict(given), Question)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise RollcallError(f"question {place}: {error}") from None
