"""A difference on the terminal: what changed in counts, causes, some questions, and rescored runs."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from rollcall.audit.drift.changes import QuestionRecord, Rescored
from rollcall.audit.drift.output.lines import SIGNS, answer_line, answers_line, cause_line, points, summary
from rollcall.english.counting import counted
from rollcall.screen import styled

if TYPE_CHECKING:
    from rollcall.audit.drift.result import Drift

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
