"""Passages by id and score alone, for runs that are to stay small."""

from collections.abc import Sequence

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked, Retriever


class Bare:
    """Any retriever, without titles and texts."""

    def __init__(self, retriever: Retriever) -> None:
        self.name = retriever.name
        self._retriever = retriever

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        return [
            [Passage(one.id, score=one.score) for one in found]
            for found in self._retriever.retrieve(questions, k)
        ]
