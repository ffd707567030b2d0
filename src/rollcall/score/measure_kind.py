"""What a measure declares: its parameters, what it needs, and how it is computed.

One class is one measure. It is computed from a question's match, from the order of its answers, from the
passages retrieved for the question, or from the record of its prediction; each has a base class here. A
measure's name is in the registry, and its meaning is the first line of its documentation, so no other code
has to know it.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Prediction
from rollcall.score.match import Match
from rollcall.score.profile import Predicted, Profile
from rollcall.score.retrieval import Retrieval

# How far a list of answers got: where its last right answer is, and what is left unsaid. An answer is
# right at its place if the list up to it finds more gold answers than the list before it, by the
# profile's own matching; another name of an answer already found is not. Longer lists find no fewer
# answers, so the place is found by halving.


class Progress(NamedTuple):
    """The answers given to one question, and how many of them it took."""

    given: int
    """The number of answers given, with repeats."""
    last_right: int
    """The place of the last right one, from 1; 0 if none is right."""
    found: int
    gold: int


def progress(
    profile: Profile, question: Question, gold: Sequence[Answer], said: Sequence[Predicted]
) -> Progress:
    """Where the last right answer of a list is, under a profile."""
    whole = profile.match(question, gold, said)
    last = bisect_left(
        range(len(said)), whole.found, key=lambda length: profile.match(question, gold, said[:length]).found
    )
    return Progress(len(said), last if whole.found else 0, whole.found, whole.gold)


Presence = Literal["never", "optional", "required"]
MeasureNeed = Literal[
    "answers", "passages", "passage texts", "evidence", "seconds", "tokens", "money", "steps"
]


class MeasureParameters(NamedTuple):
    """Which parameters a measure takes."""

    cut: Presence = "optional"
    """`@k`: only the first k predictions or passages count."""
    cap: Presence = "never"
    """`-k`: finding k answers is enough."""
    threshold: bool = True
    """`>=t`: the share of questions whose value is at least t."""
    worst: bool = True
    """`min(…)` and `max(…)`: the lowest or highest value in each cluster, averaged over clusters."""


class MeasureKind:
    """A measure with its `@k` and `-k`; threshold and worst case are applied to its values elsewhere."""

    source: ClassVar[str] = ""
    """The paper and section that defines it."""
    parameters: ClassVar[MeasureParameters] = MeasureParameters()
    needs: ClassVar[tuple[MeasureNeed, ...]] = ()
    """What predictions and gold must contain; without it scoring stops with a message."""
    unit: ClassVar[str] = ""
    """The unit of its values, such as "s"; empty for a share, which is between 0 and 1."""
    lower_is_better: ClassVar[bool] = False

    def __init__(self, cut: int | None = None, cap: int | None = None) -> None:
        self.cut = cut
        self.cap = cap

    @property
    def depth(self) -> int | None:
        """How many predictions or passages it uses; None for all of them."""
        return self.cut

    @classmethod
    def meaning(cls) -> str:
        """What it measures, in one line."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    @classmethod
    def forms(cls, name: str) -> list[str]:
        """The ways it is written with `@k` and `-k`.

        >>> from rollcall.score.measures.answers import Recall
        >>> Recall.forms("R")
        ['R', 'R@k', 'R-k']
        """
        takes = cls.parameters
        plain = name + "-k" * (takes.cap == "required") + "@k" * (takes.cut == "required")
        cut = [f"{plain}@k"] if takes.cut == "optional" else []
        return [plain, *cut, *([f"{name}-k"] if takes.cap == "optional" else [])]


class AnswerMeasure(MeasureKind, ABC):
    """A measure of the predicted answers."""

    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)
    skips_empty_gold: ClassVar[bool] = True
    """Whether its mean leaves out questions without gold answers if the profile does so (RoMQA)."""

    @abstractmethod
    def value(self, match: Match) -> float:
        """The value of one question; `match` is of the first `depth` predictions."""


class OwnMeasure(MeasureKind):
    """A figure that only some profiles define, such as that of the cells of a table."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")
    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)
    figure: ClassVar[str] = ""
    """Its name in `Match.own`, and in the profile's `own_figures`."""

    def value(self, match: Match) -> float | None:
        """The value of one question; None if the question does not count."""
        return match.own.get(self.figure)


class ListMeasure(MeasureKind, ABC):
    """A measure of the list as it was given: where its last right answer is."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")
    needs: ClassVar[tuple[MeasureNeed, ...]] = ("answers",)

    @abstractmethod
    def value(self, progress: Progress) -> float | None:
        """The value of one question; None if the question does not count."""


class CostMeasure(MeasureKind, ABC):
    """What all questions cost together, divided by all right answers: a ratio of sums, not a mean."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never", threshold=False, worst=False)
    lower_is_better: ClassVar[bool] = True

    @abstractmethod
    def cost(self, prediction: Prediction) -> float | None:
        """What one question cost; None if its record does not say, so that it does not count."""


class PassageMeasure(MeasureKind, ABC):
    """A measure of the retrieved passages."""

    needs: ClassVar[tuple[MeasureNeed, ...]] = ("passages",)

    @abstractmethod
    def value(self, retrieval: Retrieval) -> float | None:
        """The value of one question; None if the question does not count.

        `retrieval` may have more than the first `depth` passages, because measures with different k share it.
        """


class RecordMeasure(MeasureKind, ABC):
    """A measure of what the record of a prediction says besides answers and passages."""

    parameters: ClassVar[MeasureParameters] = MeasureParameters(cut="never")

    @abstractmethod
    def value(self, prediction: Prediction) -> float | None:
        """The value of one question; None if the question does not count."""
