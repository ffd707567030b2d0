"""The questions a command is to work on, and what tells this choice from another."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.questions import Question


def chosen_questions(
    path: Path, splits: list[str] | None, limit: int | None
) -> "tuple[list[Question], list[Question]]":
    """All questions of a set, and those of the splits, each id once."""
    from rollcall.questions import read_questions

    every = list({question.id: question for question in reversed(list(read_questions(path)))}.values())[::-1]
    chosen = [one for one in every if not splits or one.split in splits][:limit]
    if not chosen:
        known = ", ".join(sorted({one.split for one in every if one.split})) or "none"
        raise RollcallError(f"{path}: holds no question to work on (splits: {known})")
    if not any(one.question or one.wordings for one in chosen):
        raise RollcallError(f"{path}: its questions have no wording, so nobody can answer them")
    return every, chosen


def fingerprint(questions: "list[Question]") -> str:
    """The hash of what is asked."""
    content = "\n".join(f"{one.id}\t{one.question}" for one in questions)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
