"""`extractive`: gives the best span of all passages, or all spans above a threshold, by a trained encoder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read import READERS
from rollcall.systems.read.kept_scores import Reading, ScoredAnswer
from rollcall.systems.read.passage_reader import PassageReader
from rollcall.systems.read.trained_options import ScoringOptions
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.extractive import SETTINGS, SYSTEM, ExtractiveSettings, Number, chosen
from rollcall.systems.train.model_folder import RefusesSeen, read_about, read_settings
from rollcall.systems.train.span_network import HEADS, SpanNetwork, SpanReading


class ExtractiveReaderOptions(ScoringOptions, frozen=True):
    """The trained reader, and what it gives."""

    number: Number | None = None
    """Give the best answer alone, or all above a threshold; by default as it was trained."""
    passages: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Read so many of the passages, the best ones; by default all. The publication reads 10."""


@READERS.register(SYSTEM)
class ExtractiveReader(RefusesSeen, PassageReader):
    """Gives spans of passages that a trained encoder selects (`rollcall train extractive`)."""

    name = SYSTEM
    Options = ExtractiveReaderOptions
    needs = ("passages",)

    def __init__(self, options: ExtractiveReaderOptions) -> None:
        self._model, self.passages, self.seen = options.model, options.passages, options.seen
        self._about = read_about(options.model, SYSTEM)
        self.weights = self._about.version
        self.trained = read_settings(Path(options.model) / SETTINGS, ExtractiveSettings)
        self.number: Number = options.number or self.trained.number
        self._network = SpanNetwork.load(options.model, HEADS, self.trained.length)
        self.keep_scores(options.scores, self.weights)

    @classmethod
    def open(cls, options: ExtractiveReaderOptions, context: object) -> "ExtractiveReader":
        return cls(options)

    @classmethod
    def for_exercises(cls, model: str, exercises: Sequence[Exercise]) -> "ExtractiveReader":
        return cls(ExtractiveReaderOptions(model, seen=True))

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(questions, [these[: self.passages] for these in passages])

    def score(self, readings: Sequence[Reading]) -> list[list[ScoredAnswer]]:
        read = [SpanReading(one.question.question, one.passage.title, one.passage.text) for one in readings]
        return self._network.scores(read, self.trained.widest)

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        return [*chosen(scores, self.number, self.trained.union)]
