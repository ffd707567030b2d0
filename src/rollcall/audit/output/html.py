"""An audit as one HTML page that needs no other file and no script: a card for each check.

Every text is escaped here, so that a question cannot put anything into the page. The colours are those of the
page of a report (`rollcall.score.output`).
"""

import html
from typing import TYPE_CHECKING

from rollcall.audit.completeness.estimating import CompletenessReport
from rollcall.audit.findings import CheckResult, Value
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
from rollcall.notebook import html_table
from rollcall.score.output.page_file import filled, page_file

if TYPE_CHECKING:
    from rollcall.audit.result import Audit

_HERE = "rollcall.audit.output"
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
    parts = {
        "TITLE": html.escape(f"Audit of {audit.name or 'a question set'}"),
        "STYLE": page_file(_HERE, "page.css"),
        "HEADING": html.escape(f"Audit of {audit.name or 'a question set'}"),
        "SUBTITLE": html.escape(_subtitle(audit)),
        "SUMMARY": _summary(audit),
        "LACKING": _lacking(audit),
        "CHECKS": "".join(_section(audit, severity) for severity in _HEADS),
        "SKIPPED": _skipped(audit.quality.results),
    }
    return filled(page_file(_HERE, "page.html"), parts)


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
    quiet = [one for one in results if not one.found and not one.left_out]
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
    lines += [(one.check, f"not examined: {one.left_out}") for one in results if one.left_out]
    lines += [
        (one.check, f"the set has no {one.unit} to look at")
        for one in results
        if not one.examined and not one.skipped
    ]
    if not lines:
        return ""
    listed = "".join(f"<li><code>{html.escape(check)}</code> {html.escape(why)}</li>" for check, why in lines)
    return f"<section><h2>Not checked</h2><ul>{listed}</ul></section>"
