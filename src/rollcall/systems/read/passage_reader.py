"""Readers that score answers in one passage at a time: the scores are kept, and then combined.

Passages of many questions are scored together, so that a GPU has large batches.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.read.kept_scores import KeptScores, Reading, ScoredAnswer

if TYPE_CHECKING:
    from rollcall.systems.train.exercise import Exercise


class PassageReader(Reader):
    """A reader that scores single passages and combines the scores of all."""

    together = 32

    def keep_scores(self, file: Path | str | None, model: str) -> None:
        """Keep scores in a file; `model` identifies the model. Without a file nothing is kept."""
        self._kept = KeptScores(Path(file) if file is not None else None, model)

    @classmethod
    def for_exercises(cls, model: str, exercises: Sequence["Exercise"]) -> Self:
        """A reader of a trained folder that scores the passages of exercises, without a graph."""
        raise NotImplementedError

    def score(self, readings: Sequence[Reading]) -> list[list[ScoredAnswer]]:
        """The answers that each passage gives to its question, with scores."""
        raise NotImplementedError

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        """The answers to a question, from the scores in each of its passages, best passage first."""
        raise NotImplementedError

    def scored(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]
    ) -> list[list[list[ScoredAnswer]]]:
        """For each question and each of its passages, the scored answers; only new passages are scored."""
        readings = [
            Reading(question, passage)
            for question, these in zip(questions, passages, strict=True)
            for passage in these
        ]
        found = [self._kept.get(one) for one in readings]
        new = [one for one, known in zip(readings, found, strict=True) if known is None]
        computed = self.score(new)
        self._kept.add(new, computed)
        rest = iter(computed)
        every = iter([next(rest) if known is None else known for known in found])
        return [[next(every) for _ in these] for these in passages]

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        scores = self.scored(questions, passages)
        return [self.combine(*one) for one in zip(questions, passages, scores, strict=True)]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]
