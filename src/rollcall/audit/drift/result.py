"""The result of a difference: all that changed between two sides, and the forms in which it is shown."""

from collections import Counter

import msgspec

from rollcall.audit.drift.changes import (
    CAME,
    CAUSES,
    NAMES,
    RENAMED,
    WENT,
    AnswerChange,
    AnswerKind,
    QuestionChange,
    QuestionRecord,
    Rescored,
)


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
        order: tuple[AnswerKind, ...] = (CAME, WENT, RENAMED, NAMES)
        return {kind: found[kind] for kind in order if found[kind]}

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
