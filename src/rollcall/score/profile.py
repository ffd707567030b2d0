"""A profile: everything that decides how predictions are compared with gold answers.

A profile defines matching and edge cases, so a figure can be compared only with figures of the same profile.
That is why every report names it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer, answer_text
from rollcall.score.match import Match, Resolution
from rollcall.score.options import NeutralAre

Predicted = str | EntityAnswer
"""A predicted answer: a text, or an entity by id and label."""


class Profile(ABC):
    """Base of all profiles; the first line of a profile's documentation says how it matches."""

    name: str = ""
    """The name by which it was found, which every report gives."""
    source: ClassVar[str] = ""
    """The published scorer that it reproduces."""
    default_measures: ClassVar[tuple[str, ...]] = ("P", "R", "F1")
    own_figures: ClassVar[tuple[str, ...]] = ()
    """The names of the figures that it puts into `Match.own`, each a measure of its own."""
    reads_whole: ClassVar[bool] = False
    """Whether a prediction is one response that is read as a whole, so that no single answer is right."""

    neutral: ClassVar[NeutralAre] = "wrong"
    """What a prediction of a neutral answer is, if the user does not say. Published scorers do not know such
    answers."""

    @property
    def summary(self) -> str:
        """How it matches, in one line."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    def measures(self, *, closed: bool, clustered: bool) -> Sequence[str]:
        """The measures that are reported if the user names none."""
        return self.default_measures

    def distinct(self, predictions: Sequence[Predicted]) -> list[Predicted]:
        """The predictions in the order and number that `@k` counts them."""
        return list(predictions)

    def entities(self, gold: Sequence[Answer]) -> list[list[Answer]]:
        """The gold answers, grouped if several count as one."""
        return [[answer] for answer in gold]

    @abstractmethod
    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        """Which predictions name which gold answers."""

    def names_any(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> list[bool]:
        """For each prediction, whether it names one of the answers."""
        return [any(self.resolve(question, gold, [prediction]).found) for prediction in predictions]

    @abstractmethod
    def rate(self, resolution: Resolution) -> Match:
        """The figures that follow, edge cases included."""

    def warning(self, resolution: Resolution) -> str | None:
        """Why the published scorer gives no figure for this question, if it gives none."""
        return None

    def mentions(self, passage: str, names: Sequence[str]) -> bool:
        """Whether a prepared passage names an answer, for answer recall."""
        return any(name in passage for name in names)

    def prepare(self, text: str) -> str:
        """A passage or name in the form that `mentions` compares."""
        return text

    def match(self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]) -> Match:
        """The figures of one question."""
        return self.judge(question, gold, predictions)[0]

    def judge(
        self,
        question: Question,
        gold: Sequence[Answer],
        predictions: Sequence[Predicted],
        first: int | None = None,
    ) -> tuple[Match, str | None]:
        """The figures of one question, and a warning if there is one.

        With `first`, only this number of predictions counts.
        """
        counted = predictions if first is None else self.distinct(predictions)[:first]
        resolution = self.resolve(question, gold, counted)
        return self.rate(resolution), self.warning(resolution)


def texts(predictions: Sequence[Predicted]) -> list[str]:
    """Predictions as strings, for profiles that compare strings."""
    return [
        prediction if isinstance(prediction, str) else answer_text(prediction) for prediction in predictions
    ]
