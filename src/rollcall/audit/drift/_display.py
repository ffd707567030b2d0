"""A difference as notes and tables: what changed, what did it, and how scores change with the gold."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rollcall.audit.drift.changes import (
    CAME,
    NAMES,
    RENAMED,
    WENT,
    AnswerChange,
    Cause,
    ChangePart,
    QuestionChange,
    QuestionRecord,
    Rescored,
)
from rollcall.report import Display, Heading, Measured, Note, Table
from rollcall.report.values import Cell, Tone, warnings
from rollcall.report.values import Part as DisplayPart
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.audit.drift.verbs import Drift

_SIGNS = {CAME: "+", WENT: "−", RENAMED: "~", NAMES: "~"}
_TONES: dict[str, Tone] = {"+": "good", "−": "bad", "~": "doubtful"}


def drift_display(drift: "Drift", most: int | None = None) -> Display:
    """What changed, with at most so many questions of each sort."""
    parts: list[DisplayPart] = [Note(summary(drift), tone="strong")]
    if drift.answer_changes:
        words = {NAMES: "known by other names"}
        counts = (f"{count:,} {words.get(kind, kind)}" for kind, count in drift.counts().items())
        parts.append(Note(", ".join(counts), "answers"))
        headings = (Heading("cause"), Heading("answers", "count"))
        parts.append(Table("", headings, list(drift.causes().items()), label="causes"))
    parts += [_question(change) for change in drift.changed[:most]]
    parts += _more(len(drift.changed), most, "changed")
    for label, questions in (("gone", drift.gone), ("added", drift.added)):
        parts += [_record(label, question) for question in questions[:most]]
        parts += _more(len(questions), most, label)
    parts += [_rescored(run) for run in drift.rescored]
    return Display("What changed", (*parts, *warnings(drift.notes, "note")), summary(drift))


def summary(drift: "Drift") -> str:
    """What changed, in one line."""
    if drift.is_empty:
        return f"nothing changed: {counted(drift.same, 'question is', 'questions are')} the same"
    reworded = sum(change.reworded is not None for change in drift.changed)
    parts = [
        f"{counted(drift.same, 'question is', 'questions are')} the same",
        f"{len(drift.changed):,} changed",
    ]
    if reworded:
        parts[-1] += f" ({reworded:,} reworded)"
    return ", ".join([*parts, f"{len(drift.gone):,} gone", f"{len(drift.added):,} added"])


def _question(question: QuestionChange) -> Note:
    """A question, its new words, and each change of its answers with the causes."""
    lines = [Note(question.reworded.after, "now")] if question.reworded is not None else []
    for change in question.answers:
        sign = _SIGNS[change.kind]
        causes = [line for cause in change.causes for line in _cause_lines(cause)]
        lines.append(Note(_answer(change), sign, _TONES[sign], lines=tuple(causes)))
    return Note(question.question, tone="strong", detail=question.id, lines=tuple(lines))


def _answer(change: AnswerChange) -> str:
    """An answer and what happened to it."""
    id_ = f" ({change.id})" if change.id else ""
    if change.kind == RENAMED:
        return f"{change.before} is {change.label} now{id_}"
    return f"{change.label}{id_}{', known by other names' if change.kind == NAMES else ''}"


def _cause_lines(cause: Cause) -> Iterator[Note]:
    """What changed an answer, and the sentence that says so."""
    yield Note(_cause(cause))
    if cause.text:
        yield Note(f"“{cause.text}”", tone="dim")


def _cause(cause: Cause) -> str:
    return f"{cause.kind}: {cause.said or cause.fact}" if cause.said or cause.fact else cause.kind


def _record(label: str, question: QuestionRecord) -> Note:
    why = f" ({question.why})" if question.why else ""
    return Note(question.question, label, "strong", f"{question.id}{why}")


def _more(count: int, most: int | None, label: str) -> Sequence[Note]:
    if most is None or count <= most:
        return ()
    return [Note(f"… and {count - most:,} more {label}; --most shows more, --json and --html have all")]


def _rescored(run: Rescored) -> Table:
    """How much the score of a run changes with the gold, and the part of each cause."""
    rows: list[tuple[Cell, ...]] = []
    for measure, change in run.figures.items():
        rows.append((measure, Measured(change.before), Measured(change.after), _points(change.drift)))
        rows += [(f"  {cause}", "", "", _points(part)) for cause, part in change.by_cause.items()]
    headings = (
        Heading(""),
        Heading("old gold", "number"),
        Heading("new gold", "number"),
        Heading("drift of the gold", "number"),
    )
    questions = counted(run.unanswered, "question")
    notes = (f"without an answer of the run, and counted as wrong: {questions}",) if run.unanswered else ()
    title = f"{run.run or 'the run'}, {counted(run.questions, 'question')}"
    return Table(title, headings, rows, notes, "drift")


def _points(part: ChangePart) -> str:
    """A part of a change in percentage points, with its interval."""
    shown = f"{100 * part.value:+.2f}"
    if part.interval is None:
        return shown
    low, high = part.interval
    return f"{shown} [{100 * low:+.2f}, {100 * high:+.2f}]"


def drift_records(drift: "Drift") -> Table:
    """A row for each change of a question or of one of its answers."""
    names = ("id", "question", "change", "answer", "answer_id", "before", "causes")
    rows: list[tuple[Cell, ...]] = []
    for question in drift.changed:
        about = (question.id, question.question)
        if question.reworded is not None:
            rows.append((*about, "reworded", None, None, question.reworded.before, None))
        for change in question.answers:
            causes = "; ".join(map(_cause, change.causes))
            rows.append((*about, change.kind, change.label, change.id, change.before, causes))
    for kind, questions in (("gone", drift.gone), ("added", drift.added)):
        rows += [(one.id, one.question, kind, None, None, None, one.why) for one in questions]
    return Table("", tuple(map(Heading, names)), rows)
