"""A difference in words, the same on the terminal and on a page."""

from typing import TYPE_CHECKING

from rollcall.audit.drift.changes import CAME, NAMES, RENAMED, WENT, AnswerChange, Cause, Part
from rollcall.english.counting import counted

if TYPE_CHECKING:
    from rollcall.audit.drift.result import Drift

SIGNS = {CAME: "+", WENT: "−", RENAMED: "~", NAMES: "~"}


def summary(drift: "Drift") -> str:
    """What changed, in one line."""
    if drift.is_empty:
        return f"nothing changed: {counted(drift.same, 'question is', 'questions are')} the same"
    reworded = sum(one.reworded is not None for one in drift.changed)
    parts = [
        f"{counted(drift.same, 'question is', 'questions are')} the same",
        f"{len(drift.changed):,} changed",
    ]
    if reworded:
        parts[-1] += f" ({reworded:,} reworded)"
    return ", ".join([*parts, f"{len(drift.gone):,} gone", f"{len(drift.added):,} added"])


def answers_line(drift: "Drift") -> str:
    """How many answers changed, by what happened to them."""
    words = {NAMES: "known by other names"}
    return ", ".join(f"{count:,} {words.get(kind, kind)}" for kind, count in drift.counts().items())


def answer_line(change: AnswerChange) -> str:
    """An answer and what happened to it."""
    id_ = f" ({change.id})" if change.id else ""
    if change.kind == RENAMED:
        return f"{change.before} is {change.label} now{id_}"
    return f"{change.label}{id_}{', known by other names' if change.kind == NAMES else ''}"


def cause_line(cause: Cause) -> str:
    """What did it."""
    return f"{cause.kind}: {cause.said or cause.fact}" if cause.said or cause.fact else cause.kind


def points(part: Part) -> str:
    """A part of a change in percentage points, with its interval."""
    shown = f"{100 * part.value:+.2f}"
    if part.interval is None:
        return shown
    low, high = part.interval
    return f"{shown} [{100 * low:+.2f}, {100 * high:+.2f}]"
