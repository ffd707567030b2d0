"""The records of what changed: causes, answers, questions, and all of them together."""

from collections import Counter
from typing import Literal

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

CAME, WENT, RENAMED, NAMES = "came", "went", "renamed", "names"
AnswerKind = Literal["came", "went", "renamed", "names"]


class Cause(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why an answer changed: what happened, and the fact to which it happened."""

    kind: str
    fact: str = ""
    """The fact as the query language writes it: `Q42 P50 Q5`."""
    said: str = ""
    """The fact in the names of the graph."""
    text: str = ""
    """The sentence that no longer states it, or that does now."""


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


class Drift(msgspec.Struct, omit_defaults=True):
    """All that changed between two sides, as data."""

    old: int = 0
    """How many questions the old side has."""
    new: int = 0
    same: int = 0
    """How many questions are the same in both, answers and names included."""
    added: list[QuestionRecord] = []
    gone: list[QuestionRecord] = []
    changed: list[QuestionChange] = []
    notes: list[str] = []
    rescored: list[Rescored] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not (self.added or self.gone or self.changed)

    @property
    def answer_changes(self) -> list[AnswerChange]:
        return [answer for question in self.changed for answer in question.answers]

    def counts(self) -> dict[str, int]:
        """How many answers changed, by what happened to them."""
        found = Counter(answer.kind for answer in self.answer_changes)
        return {kind: found[kind] for kind in (CAME, WENT, RENAMED, NAMES) if found[kind]}

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        heads = {"old": self.old, "new": self.new, "same": self.same, "changed": len(self.changed)}
        counts = {"gone": len(self.gone), "added": len(self.added)}
        answers = {"answers": self.counts(), "causes": self.causes()}
        record: dict[str, object] = msgspec.to_builtins(self)
        listed = {name: record.get(name, []) for name in ("changed", "gone", "added", "rescored", "notes")}
        return {"drift": {**heads, **counts, **answers}, **listed}

    def to_html(self) -> str:
        """The page of the difference, which needs no other file."""
        from rollcall.audit.drift.output.html import drift_html

        return drift_html(self)

    def __repr__(self) -> str:
        from rollcall.audit.drift.output.lines import summary

        return f"{type(self).__name__}({summary(self)})"

    def causes(self) -> dict[str, int]:
        """How many answers changed, by what did it."""
        found = Counter(answer.cause for answer in self.answer_changes)
        return {cause: found[cause] for cause in CAUSES if found[cause]}
