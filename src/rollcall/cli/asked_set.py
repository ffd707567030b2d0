"""The questions a command is to work on, and what tells this choice from another."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.questions import Question
    from rollcall.systems.catalogue import RetrieverOptions


def chosen_questions(
    path: Path, splits: list[str] | None, limit: int | None
) -> "tuple[list[Question], list[Question]]":
    """All questions of a set, and those of the splits, each id once."""
    from rollcall.questions import QuestionSet, read_questions

    read = read_questions(path)
    every = list({question.id: question for question in reversed(list(read))}.values())[::-1]
    chosen = list(QuestionSet(every, read.manifest).of_splits(splits))[:limit]
    if not chosen:
        raise RollcallError(f"{path}: holds no question to work on")
    if not any(one.question or one.wordings for one in chosen):
        raise RollcallError(f"{path}: its questions have no wording, so nobody can answer them")
    return every, chosen


def fingerprint(questions: "list[Question]") -> str:
    """The hash of what is asked."""
    content = "\n".join(f"{one.id}\t{one.question}" for one in questions)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def content_of(folder: Path | None, manifest: str) -> str | None:
    """The hash of what a graph or corpus holds, as its manifest tells it."""
    if folder is None or not (folder / manifest).is_file():
        return None
    return hashlib.sha256((folder / manifest).read_bytes()).hexdigest()[:16]


def scoring_command(questions: Path, out: Path, splits: list[str] | None, limit: int | None) -> str:
    """How to score a run on what it was asked."""
    chosen = "".join(f" --split {name}" for name in splits or ())
    return f"rollcall score {questions} {out}{chosen}" + (" --missing skip" if limit is not None else "")


def retriever_settings(parameters: "RetrieverOptions") -> dict[str, Any]:
    """What decides what a retriever finds; not where its index is kept."""
    import msgspec

    return {key: value for key, value in msgspec.structs.asdict(parameters).items() if key != "index"}
