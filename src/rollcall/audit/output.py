"""An audit on the terminal and as a page."""

import html
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from rollcall._core.console import Screen, styled
from rollcall._core.packages import html_table
from rollcall.audit.completeness.estimating import CompletenessReport
from rollcall.audit.findings import CheckResult, Value
from rollcall.audit.lacking import ErrorPlan, Lacking
from rollcall.audit.missing import PUBLISHED
from rollcall.questions.judgment import Completeness
from rollcall.report.html import page, page_file
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.audit.result import Audit


# What a set lacks, in words: the same lines and rows for the terminal and for the page.

BEST = 5
"""Candidates that are shown."""


class CompletenessRow(NamedTuple):
    """The completeness of some questions."""

    name: str
    share: str
    interval: str
    questions: str


def share_line(report: CompletenessReport) -> str:
    """The completeness of the whole set in one line."""
    found = report.completeness
    named = ", ".join(
        f"{name} {source.answers:,.0f} answers, {source.alone:,.0f} of them alone"
        for name, source in report.sources.items()
    )
    return (
        f"the set has {_percent(found.estimate)} {_ends(found)} of the right answers to {found.questions:,} "
        f"questions: {report.gold:,} of about {report.total:,.0f} ({found.method}; {named})"
    )


def rows(report: CompletenessReport) -> list[CompletenessRow]:
    """The completeness of each kind; with one kind alone, nothing that the whole does not say."""
    kinds = report.completeness.by.get("kind", {})
    if len(kinds) < 2:
        return []
    return [
        CompletenessRow(kind, _percent(one.estimate), _ends(one), f"{one.questions:,}")
        for kind, one in kinds.items()
    ]


def merged_lines(report: CompletenessReport) -> list[str]:
    """What the estimate is if two sources count as one."""
    return [
        f"{_percent(one.estimate)} {_ends(one)} if {name} count as one source"
        for name, one in report.merged.items()
    ]


def candidates_line(found: Lacking) -> str:
    """How many candidates there are, and how many of them are expected to be right."""
    if not found.missing:
        return "no candidates for missing answers"
    right = sum(one.chance for one in found.missing)
    judged = sum(one.right is not None for one in found.judged)
    yes = sum(bool(one.right) for one in found.judged)
    told = f"; a model judged {judged:,}, {yes:,} of them right" if found.judged else ""
    assumed = "" if found.report is not None else f", if the set has {_percent(PUBLISHED)} of all"
    listed = f"{counted(len(found.missing), 'candidate')} for missing answers"
    return f"{listed}, about {right:,.0f} of them right{assumed}{told}"


def candidate_lines(found: Lacking) -> list[str]:
    """The best candidates, each with what speaks for it."""
    lines = []
    for one in found.missing[:BEST]:
        text = one.evidence[0].text if one.evidence else f"given by {', '.join(one.runs)}"
        lines.append(f"{one.asked} — {one.answer} ({_percent(one.chance)}): {text}")
    return lines


def plan_line(errors: ErrorPlan) -> str:
    """How much there is to judge."""
    made = errors.plan
    return (
        f"for an interval of {made.width:g} around {made.measure}, {made.needed:,} of {made.errors:,} errors "
        f"must be judged; {made.judged:,} are, {made.more:,} more are needed"
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _ends(one: Completeness) -> str:
    low, high = one.ends
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


# How the figures of an audit are written for people: shares as percentages, never 0 % for what was
# found.


def share_shown(share: float | None) -> str:
    """A share with two decimals."""
    if share is None:
        return "–"
    return "< 0.01 %" if 0 < share < 0.0001 else f"{100 * share:.2f} %"


def interval_shown(result: CheckResult) -> str:
    """The interval of a check's share, in brackets; empty if there is none."""
    if result.interval is None:
        return ""
    low, high = result.interval
    return f"[{100 * low:.2f}, {100 * high:.2f}]"


# An audit as one HTML page that needs no other file and no script: a card for each check. Every text is
# escaped here, so that a question cannot put anything into the page.

_HEADS = {
    "error": ("Errors", "What is wrong, and would make figures on this set wrong.", "checks found an error"),
    "warning": (
        "Warnings",
        "What is doubtful, or makes questions easier than they look.",
        "checks found something doubtful",
    ),
    "note": ("Notes", "What describes the set; neither right nor wrong.", "notes describe the set"),
}
"""By severity: the heading, what it means, and what is counted in the summary."""


def audit_html(audit: "Audit") -> str:
    """The page."""
    sections = "".join(_section(audit, severity) for severity in _HEADS)
    body = _summary(audit) + _lacking(audit) + sections + _skipped(audit.quality.results)
    title = f"Audit of {audit.name or 'a question set'}"
    return page(title, _subtitle(audit), body, style=page_file("rollcall.audit", "page.css"))


def audit_tables(audit: "Audit") -> str:
    """What a notebook shows: the errors and warnings with something found."""
    rows = [
        (one.check, one.found, one.examined, share_shown(one.share), one.meaning)
        for one in audit.quality.alarms()
    ]
    return html_table(_subtitle(audit), ("check", "found", "of", "share", "meaning"), rows, len(rows))


def _subtitle(audit: "Audit") -> str:
    card = audit.quality
    made = sum(not one.skipped for one in card.results)
    told = f"{counted(card.questions, 'question')}, {counted(made, 'check')}; in brackets 95 % intervals"
    return f"{told}; {audit.reading}" if audit.reading else told


def _summary(audit: "Audit") -> str:
    """Three figures, and whether the thresholds are kept."""
    card = audit.quality
    boxes = []
    for severity, (_head, _about, counts) in _HEADS.items():
        there = [one for one in card.results if one.severity == severity and one.examined]
        alarmed = sum(bool(one.found) for one in there)
        boxes.append(
            f'<div class="box {severity if alarmed else "quiet"}"><b>{alarmed}</b>'
            f"<span>of {len(there)} {counts}</span></div>"
        )
    if card.thresholds:
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in card.failures)
        kept = f"All {counted(len(card.thresholds), 'threshold')} are kept."
        told = f"<p><b>The set fails.</b></p><ul>{lines}</ul>" if lines else f"<p>{kept}</p>"
        boxes.append(f'<div class="box verdict {"error" if lines else "quiet"}">{told}</div>')
    return f'<section class="summary" aria-label="Summary">{"".join(boxes)}</section>'


def _lacking(audit: "Audit") -> str:
    """How complete the set is, and what it lacks most likely."""
    found, parts = audit.lacking, []
    if found is not None:
        report = found.report
        told = (
            found.why_not if report is None else f"{share_line(report)[0].upper()}{share_line(report)[1:]}."
        )
        parts.append(f"<p>{html.escape(told)}</p>")
        if report is not None:
            parts.append(_kinds(report))
            parts.append(_list([*merged_lines(report), *report.notes], "dim"))
        parts.append(f"<p><b>{html.escape(candidates_line(found))}</b></p>{_list(candidate_lines(found))}")
    if audit.errors is not None:
        parts.append(f"<p><b>To judge:</b> {html.escape(plan_line(audit.errors))}.</p>")
    return f"<section><h2>How complete</h2>{''.join(parts)}</section>" if parts else ""


def _kinds(report: CompletenessReport) -> str:
    """A table of kinds, if there are several."""
    lines = "".join(
        f'<tr><th scope="row">{html.escape(row.name)}</th><td>{row.share}</td>'
        f"<td>{row.interval}</td><td>{row.questions}</td></tr>"
        for row in rows(report)
    )
    head = "".join(f'<th scope="col">{one}</th>' for one in ("kind", "share", "interval", "questions"))
    return (
        f'<table class="bars"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>' if lines else ""
    )


def _list(lines: list[str], style: str = "") -> str:
    listed = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    return f'<ul class="{style}">{listed}</ul>' if lines else ""


def _section(audit: "Audit", severity: str) -> str:
    results = [one for one in audit.quality.results if one.severity == severity and one.examined]
    if not results:
        return ""
    head, about, _counts = _HEADS[severity]
    cards = "".join(_card(one, audit.quality.thresholds.get(one.check)) for one in results if one.found)
    quiet = [one for one in results if not one.found]
    listed = "".join(
        f"<li><code>{html.escape(one.check)}</code> {html.escape(one.meaning)} "
        f'<span class="dim">({one.examined:,} {html.escape(one.unit)})</span></li>'
        for one in quiet
    )
    nothing = _folded(f"Nothing found by {counted(len(quiet), 'check')}", f"<ul>{listed}</ul>")
    return f'<section><h2>{head}</h2><p class="dim">{about}</p>{cards}{nothing if quiet else ""}</section>'


def _card(one: CheckResult, threshold: float | None) -> str:
    interval = f' <span class="dim">{interval_shown(one)}</span>' if one.interval else ""
    share = f'<span class="share">{share_shown(one.share)}{interval}</span>'
    limit = f' <span class="dim">allowed: {share_shown(threshold)}</span>' if threshold is not None else ""
    listed = "".join(f"<li>{html.escape(sort)}: {count:,}</li>" for sort, count in one.sorts.items())
    sorts = f'<ul class="sorts">{listed}</ul>' if listed else ""
    inside = _distribution(one) if one.values else _examples(one)
    return (
        f'<article class="check {one.severity}"><h3>{html.escape(one.check)}</h3>'
        f"<p>{html.escape(one.meaning)}.</p>"
        f'<p class="figures"><b>{one.found:,}</b> of {one.examined:,} {html.escape(one.unit)}'
        f" · {share}{limit}</p>"
        f"{sorts}{inside}</article>"
    )


def _examples(result: CheckResult) -> str:
    """Some of what was found; errors are shown at once."""
    examples = result.examples
    if not examples:
        return ""
    rows = "".join(
        f'<li><span class="id">{html.escape(one.question)}</span> {html.escape(one.wording)}'
        f'<br><span class="what">{html.escape(one.text)}</span></li>'
        for one in examples
    )
    return _folded(
        counted(len(examples), "example"), f'<ul class="examples">{rows}</ul>', result.severity == "error"
    )


def _folded(head: str, inside: str, shown: bool = False) -> str:
    """What is shown on a click, or hidden by one."""
    return f"<details{' open' if shown else ''}><summary>{head}</summary>{inside}</details>"


def _distribution(one: CheckResult) -> str:
    widest = max(1.0, *(max(value.count, value.expected) for value in one.values))
    rows = "".join(_bar(value, one.examined, widest) for value in one.values)
    return _folded(
        "Shares, and what was expected",
        '<table class="bars"><thead><tr><th scope="col">value</th><th scope="col">in the set</th>'
        f'<th scope="col">expected</th><th></th></tr></thead><tbody>{rows}</tbody></table>',
    )


def _bar(value: Value, total: int, widest: float) -> str:
    here, there = 100 * value.count / widest, 100 * value.expected / widest
    return (
        f'<tr><th scope="row">{html.escape(value.name)}</th><td>{share_shown(value.count / total)}</td>'
        f"<td>{share_shown(value.expected / total)}</td>"
        f'<td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{here:.1f}" height="8"></rect>'
        f'<line x1="{there:.1f}" x2="{there:.1f}" y1="0" y2="8"></line></svg></td></tr>'
    )


def _skipped(results: list[CheckResult]) -> str:
    lines = [(one.check, one.skipped) for one in results if one.skipped]
    lines += [
        (one.check, f"the set has no {one.unit} to look at")
        for one in results
        if not one.examined and not one.skipped
    ]
    if not lines:
        return ""
    listed = "".join(f"<li><code>{html.escape(check)}</code> {html.escape(why)}</li>" for check, why in lines)
    return f"<section><h2>Not checked</h2><ul>{listed}</ul></section>"


# An audit on the terminal: one table of checks, and under it examples of what was found. Errors and
# warnings that found something come first; checks in order and those not made are counted in a line.

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
    quiet = [one for one in card.results if one.examined and not one.found]
    empty = [one for one in card.results if not one.examined and not one.skipped]
    _listed("nothing found by", [one.check for one in quiet], console)
    _listed("nothing to examine for", [one.check for one in empty], console)
    reasons: dict[str, list[str]] = {}
    for one in card.results:
        if one.skipped:
            reasons.setdefault(one.skipped, []).append(one.check)
    for why, checks in reasons.items():
        _listed(f"not checked ({why}):", checks, console)
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
