"""An audit on the terminal: one table of checks, and under it examples of what was found.

Errors and warnings that found something come first; checks in order and those not made are counted in a line.
"""

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from rollcall.audit.findings import CheckResult
from rollcall.audit.output.lacking_text import (
    candidate_lines,
    candidates_line,
    merged_lines,
    plan_line,
    rows,
    share_line,
)
from rollcall.audit.output.numbers import interval_shown, share_shown
from rollcall.english.counting import counted
from rollcall.screen import Screen, styled

if TYPE_CHECKING:
    from rollcall.audit.result import Audit

COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_WIDE = 100
_TOP = 4
"""Values of a distribution that the table shows."""


def print_audit(audit: "Audit", console: Console, examples: int = 2) -> None:
    """The table, and so many examples of each check that found something."""
    card = audit.quality
    console.print(
        styled((f"{audit.name or 'The set'}: {counted(card.questions, 'question')}", "bold")), soft_wrap=True
    )
    if audit.reading:
        console.print(Text(audit.reading), style="dim", soft_wrap=True)
    alarms = card.alarms()
    notes = [one for one in card.results if one.severity == "note" and one.found]
    if alarms or notes:
        console.print(_table([*alarms, *notes]))
    for one in alarms[: len(alarms) if examples else 0]:
        _print_examples(one, console, examples)
    quiet = [one for one in card.results if one.examined and not one.found and not one.left_out]
    empty = [one for one in card.results if not one.examined and not one.skipped]
    _listed("nothing found by", [one.check for one in quiet], console)
    _listed("nothing to examine for", [one.check for one in empty], console)
    reasons: dict[str, list[str]] = {}
    for one in card.results:
        if one.skipped:
            reasons.setdefault(one.skipped, []).append(one.check)
    for why, checks in reasons.items():
        _listed(f"not checked ({why}):", checks, console)
    for one in card.results:
        if one.left_out:
            _listed(f"not examined ({one.left_out}) by", [one.check], console)
    _print_lacking(audit, console, examples)


def _print_lacking(audit: "Audit", console: Console, examples: int) -> None:
    """How complete the set is, what it lacks most likely, and how much is to be judged."""
    found = audit.lacking
    if found is not None:
        report = found.report
        if report is None:
            console.print(styled(("completeness not estimated: ", "yellow"), found.why_not), soft_wrap=True)
        else:
            console.print(styled(("completeness: ", "bold"), share_line(report)), soft_wrap=True)
            for line in [*(" ".join(row) for row in rows(report)), *merged_lines(report)]:
                console.print(Text(f"  {line}"), soft_wrap=True)
            for note in report.notes:
                console.print(Text(f"  {note}"), style="dim", soft_wrap=True)
        console.print(Text(candidates_line(found)), soft_wrap=True)
        for line in candidate_lines(found)[:examples]:
            console.print(Text(f"  {line}"), soft_wrap=True)
    if audit.errors is not None:
        console.print(styled(("plan: ", "bold"), plan_line(audit.errors)), soft_wrap=True)


def _table(results: list[CheckResult]) -> Table:
    table = Table()
    table.add_column("check")
    table.add_column("found", justify="right", max_width=16)
    table.add_column("share", justify="right", no_wrap=True)
    for one in results:
        told = _values(one) if one.values else one.meaning
        table.add_row(
            Group(styled((one.check, COLOURS[one.severity])), f"{told}{_sorts(one)}"),
            f"{one.found:,} of {one.examined:,} {one.unit}",
            Group(*filter(None, (share_shown(one.share), interval_shown(one)))),
        )
    return table


def _values(one: CheckResult) -> str:
    top = [f"{value.name} {share_shown(value.count / one.examined)}" for value in one.values[:_TOP]]
    return f"{one.meaning} ({', '.join(top)}, …)"


def _sorts(one: CheckResult) -> str:
    listed = ", ".join(f"{sort} {count:,}" for sort, count in one.sorts.items())
    return f" ({listed})" if listed else ""


def _print_examples(one: CheckResult, console: Console, most: int) -> None:
    for example in one.examples[:most]:
        told = Text.assemble((f"{one.check} ", COLOURS[one.severity]), (f"{example.question} ", "dim"))
        told.append(f"{example.wording} — {example.text}" if example.wording else example.text)
        console.print(told, soft_wrap=True)


def _listed(head: str, names: list[str], console: Console) -> None:
    if names:
        console.print(Text(f"{head} {', '.join(names)}"), style="dim")


def audit_text(audit: "Audit") -> str:
    """The audit as plain text, for a prompt."""
    stream = StringIO()
    screen = Screen(file=stream, width=_WIDE)
    print_audit(audit, screen, examples=0)
    for line in audit.failures:  # the command ends with them, as its error
        screen.print(f"fails: {line}", soft_wrap=True)
    return stream.getvalue().rstrip()
