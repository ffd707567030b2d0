"""`pig`: gives the answers that a trained generator writes for each passage, united over all passages."""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read import READERS
from rollcall.systems.read.kept_scores import Reading, ScoredAnswer
from rollcall.systems.read.passage_reader import PassageReader
from rollcall.systems.read.trained_options import ScoringOptions
from rollcall.systems.train.combination import Combination
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.generate.opening import load_generator, open_trained
from rollcall.systems.train.generate.passage_answers import PassageAnswers, PassageReading
from rollcall.systems.train.generate.union import given
from rollcall.systems.train.model_folder import RefusesSeen


class PigReaderOptions(ScoringOptions, frozen=True):
    """Which trained system reads, and how its answers are combined."""

    combination: Combination | None = None
    """An answer's score over all passages: its greatest, or the probability that at least one is right; by
    default the one that was better on dev."""
    threshold: float | None = None
    """The least score of an answer that is given; by default the one that was best on dev."""
    published: bool = False
    """As the publication's code: no threshold, and an answer of several passages is given several times."""
    tokens: int = 131072
    """How many tokens are computed at once; fewer need less memory."""
    compile: bool = False
    """Compile the network: some seconds at the start, then faster on a GPU."""


@READERS.register("pig")
class PigReader(RefusesSeen, PassageReader):
    """A trained generator that reads one passage at a time; its answers are united (`rollcall train pig`)."""

    name = "pig"
    Options = PigReaderOptions
    needs = ("passages",)

    def __init__(self, options: PigReaderOptions) -> None:
        self.published = options.published
        self._model, self.seen = options.model, options.seen
        trained = open_trained(options.model, "pig", PassageReading)
        self._about, self.weights = trained.about, trained.about.version
        self._settings, self._options = trained.settings, options
        union = trained.settings.union
        self.union = msgspec.structs.replace(
            union,
            combination=options.combination or union.combination,
            threshold=union.threshold if options.threshold is None else options.threshold,
        )
        self.keep_scores(options.scores, f"{self.weights}{' published' if options.published else ''}")

    @cached_property
    def _answers(self) -> PassageAnswers:
        """Loaded when there is something to score; kept scores need no network."""
        generator = load_generator(self._model, self.name)
        if self._options.compile:
            generator.compile()
        return PassageAnswers(generator, self._settings, self._options.tokens)

    @classmethod
    def open(cls, options: PigReaderOptions, context: object) -> "PigReader":
        return cls(options)

    @classmethod
    def for_exercises(cls, model: str, exercises: Sequence[Exercise]) -> "PigReader":
        return cls(PigReaderOptions(model, seen=True))

    def score(self, readings: Sequence[Reading]) -> list[list[ScoredAnswer]]:
        if not readings:
            return []
        questions = [one.question.question for one in readings]
        passages = [one.passage for one in readings]
        compute = self._answers.published if self.published else self._answers.scored
        return compute(questions, passages)

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(questions, passages)

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        if self.published:
            return [one.answer for these in scores for one in these]
        return list(given(scores, self.union))
