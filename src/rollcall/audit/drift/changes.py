"""The records of what changed: causes, answers, questions, figures."""

from typing import Final, Literal

import msgspec

ADDED = "statement added"
ENDED, DEPRECATED, REMOVED = "statement ended", "statement deprecated", "statement removed"
GONE = "statement gone"
"""Ended, deprecated or removed: which of them, only the dump says."""
STATED, UNSTATED = "evidence added", "evidence gone"
JUDGED = "evidence judged otherwise"
LISTED = "list changed"
LABEL = "label changed"
UNKNOWN = "unknown"
CAUSES = (ADDED, ENDED, DEPRECATED, REMOVED, GONE, STATED, UNSTATED, JUDGED, LISTED, LABEL, UNKNOWN)

AnswerKind = Literal["came", "went", "renamed", "names"]
CAME: Final = "came"
WENT: Final = "went"
RENAMED: Final = "renamed"
NAMES: Final = "names"
"""Its label is the same, and other names are not."""


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why an answer changed: what happened, and the fact to which it happened."""

    kind: str
    fact: str = ""
    """The fact as the query language writes it: `Q42 P50 Q5`."""
    said: str = ""
    """The fact in the names of the graph."""
    text: str = ""
    """The sentence that no longer states it, or that does now."""
    title: str | None = None
    """The page of the sentence."""


class AnswerChange(msgspec.Struct, omit_defaults=True):
    """An answer that came, went, was renamed, or is known by other names now."""

    kind: AnswerKind
    label: str
    id: str | None = None
    before: str | None = None
    """The label it had, if it was renamed."""
    causes: list[Cause] = []

    @property
    def cause(self) -> str:
        """The kind of its first cause."""
        return self.causes[0].kind if self.causes else UNKNOWN


class Reworded(msgspec.Struct, frozen=True):
    """The text of a question before and after."""

    before: str
    after: str


class QuestionChange(msgspec.Struct, omit_defaults=True):
    """A question of both sides that is not the same in both."""

    id: str
    question: str
    new_id: str | None = None
    """Its id in the new set, if that is another."""
    kind: str | None = None
    reworded: Reworded | None = None
    answers: list[AnswerChange] = []


class QuestionRecord(msgspec.Struct, omit_defaults=True):
    """A question that only one side has, and why, if that is known."""

    id: str
    question: str
    kind: str | None = None
    why: str = ""


class Part(msgspec.Struct, frozen=True):
    """A part of a change in a figure, with its interval if one could be computed."""

    value: float
    interval: tuple[float, float] | None = None


class Rescored(msgspec.Struct, omit_defaults=True):
    """A run's figures on the old and the new gold of the questions that both sides have."""

    run: str
    questions: int
    profile: str
    figures: dict[str, "FigureChange"] = {}
    unanswered: int = 0
    """How many of the questions the run has no answer to; they count as wrong on both sides."""


class FigureChange(msgspec.Struct, omit_defaults=True):
    """One figure before and after, and the part of each cause in the difference."""

    before: float
    after: float
    drift: Part
    by_cause: dict[str, Part] = {}
