"""Verification between passages: further passages, retrieved for each answer, must support it.

The retriever is asked again with the question and the answer together. An answer check decides whether the
passages found support the answer. An answer without support is dropped.
"""

from collections.abc import Sequence

from rollcall.questions.run import EntityAnswer, Passage
from rollcall.settings import Settings
from rollcall.systems.interfaces import AnswerCheck, Answers, Asked, Offered, Reader, Retriever
from rollcall.systems.own import as_reader, as_retriever


class Verified(Reader):
    """Any reader, with its answers verified."""

    def __init__(self, reader: Reader, retriever: Retriever, check: AnswerCheck, passages: int = 10) -> None:
        self._reader, self._retriever = as_reader(reader), as_retriever(retriever)
        self._check, self._passages = check, passages
        self.name = f"{self._reader.name}, verified"
        self.parallel = self._reader.parallel

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        answers = self._reader.read(question, passages)
        offered = [
            Offered(answer.label or answer.id, answer.id)
            if isinstance(answer, EntityAnswer)
            else Offered(answer)
            for answer in answers
        ]
        further = self._retriever.retrieve(
            [Asked(question.id, f"{question.question} {one.label}") for one in offered], self._passages
        )
        return [
            answer
            for answer, one, found in zip(answers, offered, further, strict=True)
            if self._check.supports(question, one, found)
        ]

    def settings(self) -> Settings:
        return {
            **self._reader.settings(),
            "verified": {
                "check": self._check.settings(),
                "retriever": self._retriever.settings(),
                "passages": self._passages,
            },
        }
