"""What a system is: a retriever and a reader, each with one method, and what they are shown of a question.

A system sees the wording, and in the closed setting the candidates, and nothing else: `Asked` leaves out the
query, the answers and which candidates are right, so that no system can peek.
"""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import msgspec

from rollcall.questions.record import Question
from rollcall.questions.run import EntityAnswer, Passage

Answers: TypeAlias = "list[str | EntityAnswer]"


class Offered(msgspec.Struct, frozen=True):
    """An entity that the closed setting offers."""

    label: str
    id: str | None = None
    aliases: tuple[str, ...] = ()

    def answer(self) -> str | EntityAnswer:
        return EntityAnswer(self.id, self.label) if self.id else self.label


class Asked(msgspec.Struct, frozen=True):
    """A question as a system sees it."""

    id: str
    question: str
    candidates: tuple[Offered, ...] = ()


def asked(question: Question) -> Asked:
    """What a system may see of a question."""
    offered = (Offered(one.label, one.id, tuple(one.aliases)) for one in question.candidates)
    wording = question.question or next(iter(question.wordings), "")
    return Asked(question.id, wording, tuple(sorted(offered, key=lambda one: (one.label, one.id or ""))))


class Retriever(Protocol):
    """Finds passages for many questions at once, best first."""

    name: str

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        """For each question its k best passages (fewer where there are no more)."""
        ...


class Reader(Protocol):
    """Answers a question from passages."""

    name: str

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        """The answers, the surest first; a `ReadingError` where the question could not be answered."""
        ...


class ReadingError(Exception):
    """The reader broke down on this question; the run records why, and the next start tries again."""
