"""A difference for people and programs: on the terminal, as JSON, as one HTML page."""

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.table import Table

from rollcall import __version__
from rollcall._core.console import styled
from rollcall.audit.drift.changes import (
    CAME,
    NAMES,
    RENAMED,
    WENT,
    AnswerChange,
    Cause,
    Part,
    QuestionChange,
    QuestionRecord,
    Rescored,
)
from rollcall.report.html import page_file
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.audit.drift.verbs import Drift


# A difference in words, the same on the terminal and on a page.

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


# A difference as one HTML file that needs no other file and no script.

Member = TypeVar("Member", QuestionChange, QuestionRecord)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CHIPS = {"+": "found", "−": "wrong", "~": "missed"}
"""The classes of the shared style sheet for answers that came, went and were renamed."""
_STYLE = """
.chip.found { background: var(--found); color: var(--found-text); }
.chip.wrong { background: var(--wrong); color: var(--wrong-text); }
.chip.missed { background: var(--missed); color: var(--missed-text); }
.dim { color: var(--dim); } ul.plain { list-style: none; padding-left: 0; margin: 0.2rem 0; }
.drift td:nth-child(n+2) { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: 0.5rem 0; } summary { cursor: pointer; }
"""


def drift_html(drift: "Drift") -> str:
    """The page of a difference."""
    style = page_file("rollcall.report", "page.css") + _STYLE
    counted = answers_line(drift)
    body = [
        f"<header><h1>What changed</h1><p>{html.escape(summary(drift))}</p></header><main>",
        _causes(drift, counted),
        *(_rescored(run) for run in drift.rescored),
        _section("Changed", drift.changed, _question),
        _section("Gone", drift.gone, _record),
        _section("Added", drift.added, _record),
    ]
    if drift.notes:
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in drift.notes)
        body.append(f"<section><h2>Worth knowing</h2><ul>{notes}</ul></section>")
    return (
        f'<!doctype html>\n<!-- rollcall {__version__} -->\n<html lang="en">\n<head>\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>What changed</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, body))
        + "\n</main>\n</body>\n</html>\n"
    )


def _causes(drift: "Drift", counted: str) -> str:
    if not drift.answer_changes:
        return ""
    rows = "".join(
        f"<tr><td>{html.escape(cause)}</td><td>{count:,}</td></tr>" for cause, count in drift.causes().items()
    )
    return (
        f"<section><h2>Answers</h2><p>{html.escape(counted)}</p>"
        f'<table class="drift"><thead><tr><th>cause</th><th>answers</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _section(title: str, members: Sequence[Member], render: Callable[[Member], str]) -> str:
    if not members:
        return ""
    return f"<section><h2>{title} ({len(members):,})</h2>{''.join(map(render, members))}</section>"


def _question(question: QuestionChange) -> str:
    reworded = f"<p>now: {html.escape(question.reworded.after)}</p>" if question.reworded else ""
    answers = "".join(_answer(change) for change in question.answers)
    return (
        f"<details open><summary>{html.escape(question.question)} "
        f'<span class="dim">{html.escape(question.id)}</span></summary>'
        f'{reworded}<ul class="plain">{answers}</ul></details>'
    )


def _answer(change: AnswerChange) -> str:
    sign = SIGNS[change.kind]
    causes = "".join(
        f"<div>{html.escape(cause_line(cause))}"
        + (f' <span class="dim">“{html.escape(cause.text)}”</span>' if cause.text else "")
        + "</div>"
        for cause in change.causes
    )
    chip = f'<span class="chip {_CHIPS[sign]}">{sign} {html.escape(answer_line(change))}</span>'
    return f"<li>{chip}{causes}</li>"


def _record(one: QuestionRecord) -> str:
    why = f" · {html.escape(one.why)}" if one.why else ""
    return f'<p>{html.escape(one.question)} <span class="dim">{html.escape(one.id)}{why}</span></p>'


def _rescored(run: Rescored) -> str:
    rows = []
    for measure, change in run.figures.items():
        figures = (f"{100 * change.before:.2f}", f"{100 * change.after:.2f}", points(change.drift))
        cells = "".join(f"<td>{cell}</td>" for cell in figures)
        rows.append(f"<tr><td>{html.escape(measure)}</td>{cells}</tr>")
        rows += [
            f'<tr class="dim"><td>{html.escape(cause)}</td><td></td><td></td><td>{points(part)}</td></tr>'
            for cause, part in change.by_cause.items()
        ]
    heads = "".join(f"<th>{head}</th>" for head in ("", "old gold", "new gold", "drift of the gold"))
    title = f"{html.escape(run.run or 'The run')}, {counted(run.questions, 'question')}"
    return (
        f'<section><h2>{title}</h2><table class="drift"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></section>"
    )


# A difference on the terminal: what changed in counts, causes, some questions, and rescored runs.

_COLOURS = {"+": "green", "−": "red", "~": "yellow"}


def print_drift(drift: "Drift", console: Console, most: int = 10) -> None:
    """Print a difference, with at most so many questions of each sort."""
    console.print(styled((summary(drift), "bold")), soft_wrap=True)
    if drift.answer_changes:
        console.print(f"answers: {answers_line(drift)}", soft_wrap=True)
        table = Table("cause", "answers")
        table.columns[1].justify = "right"
        for kind, count in drift.causes().items():
            table.add_row(kind, f"{count:,}")
        console.print(table)
    for question in drift.changed[:most]:
        console.print(styled((question.question, "bold"), f"  {question.id}"), soft_wrap=True)
        if question.reworded is not None:
            console.print(f"  now: {question.reworded.after}", soft_wrap=True)
        for change in question.answers:
            sign = SIGNS[change.kind]
            console.print(styled((f"  {sign} ", _COLOURS[sign]), answer_line(change)), soft_wrap=True)
            for cause in change.causes:
                console.print(f"      {cause_line(cause)}", soft_wrap=True)
                if cause.text:
                    console.print(f"      “{cause.text}”", style="dim", soft_wrap=True)
    _more(len(drift.changed) - most, "changed", console)
    _listed("gone", drift.gone, console, most)
    _listed("added", drift.added, console, most)
    for run in drift.rescored:
        _print_rescored(run, console)
    for note in drift.notes:
        console.print(styled(("note:", "yellow"), f" {note}"), soft_wrap=True)


def _listed(title: str, questions: list[QuestionRecord], console: Console, most: int) -> None:
    for one in questions[:most]:
        why = f"  ({one.why})" if one.why else ""
        console.print(styled((f"{title}: ", "bold"), f"{one.question}  {one.id}{why}"), soft_wrap=True)
    _more(len(questions) - most, title, console)


def _more(count: int, what: str, console: Console) -> None:
    if count > 0:
        console.print(f"… and {count:,} more {what}; --most shows more, --json and --html have all")


def _print_rescored(run: Rescored, console: Console) -> None:
    table = Table(
        "",
        "old gold",
        "new gold",
        "drift of the gold",
        title=f"{run.run or 'the run'}, {counted(run.questions, 'question')}",
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for measure, change in run.figures.items():
        table.add_row(
            measure, f"{100 * change.before:.2f}", f"{100 * change.after:.2f}", points(change.drift)
        )
        for cause, part in change.by_cause.items():
            table.add_row(f"  {cause}", "", "", points(part), style="dim")
    console.print(table)
    if run.unanswered:
        console.print(
            f"without an answer of the run, and counted as wrong: {counted(run.unanswered, 'question')}"
        )
