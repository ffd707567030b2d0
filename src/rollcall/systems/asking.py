"""The questions that a system is asked: all of a set, those of some splits, or only the first ones."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.questions.given import Questions, given_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Coverage


class Asking(NamedTuple):
    """All questions of a set (systems may learn from its training split), and those that are asked."""

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
    read = given_questions(given, "the questions")
    every = list({question.id: question for question in reversed(list(read))}.values())[::-1]
    chosen = list(QuestionSet(every, read.manifest).of_splits(split))[:limit]
    if not chosen:
        raise RollcallError(f"{where}: no question to ask")
    if not any(one.question or one.wordings for one in chosen):
        raise RollcallError(f"{where}: the questions have no wording, so nobody can answer them")
    return Asking(every, chosen)


def coverage(questions: Sequence[Question], whole: int | None = None) -> Coverage:
    """What a run over these questions covers; `whole` is the number of questions in the set."""
    wordings = "\n".join(f"{one.id}\t{one.question}" for one in questions)
    return Coverage(
        questions=len(questions),
        of=whole,
        splits=sorted({one.split for one in questions if one.split}),
        wordings=hashlib.sha256(wordings.encode()).hexdigest()[:16],
    )
