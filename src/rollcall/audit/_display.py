"""An audit as tables and notes: what the checks found, and what the set lacks.

`audit_display`   one table for each severity, examples, checks that found nothing or were not made
`audit_text`      the same as plain text, for a prompt
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rollcall.audit.completeness.estimating import CompletenessReport
from rollcall.audit.findings import CheckResult
from rollcall.audit.lacking import ErrorPlan, Lacking
from rollcall.audit.missing import PUBLISHED
from rollcall.questions.judgment import Completeness
from rollcall.report import Display, Heading, Measured, Note, Table
from rollcall.report.terminal import display_text
from rollcall.report.values import NOTHING, Cell, Part, percent_text
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    from rollcall.audit.result import Audit

_HEADS = {
    "error": "Errors: what is wrong, and would make figures on this set wrong",
    "warning": "Warnings: what is doubtful, or makes questions easier than they look",
    "note": "Notes: what describes the set; neither right nor wrong",
}
"""By severity, what it means."""
BEST = 5
"""Candidates that are shown."""
_TOP = 4
"""Values of a distribution that the terminal shows."""
_LEAST = 0.0001
"""Smaller shares are not written as 0 for what was found."""


def audit_display(audit: "Audit", examples: int | None = None) -> Display:
    """Everything, with at most so many examples of each check; tables of distributions only if with all."""
    card = audit.quality
    parts: list[Part] = []
    for severity, title in _HEADS.items():
        found = [one for one in card.results if one.severity == severity and one.found]
        if found:
            parts.append(_checks_table(title, found, severity, card.thresholds))
    parts += [_distribution(one) for one in card.results if one.found and one.values and examples is None]
    parts += [_examples(one, examples) for one in card.alarms() if one.examples and examples != 0]
    parts += _quiet(card.results)
    parts += _lacking(audit, examples)
    name = audit.name or "a question set"
    made = sum(not one.skipped for one in card.results)
    title = f"{name}: {counted(card.questions, 'question')}"
    subtitle = f"{counted(made, 'check')}; in brackets 95 % intervals"
    return Display(
        f"Audit of {name}",
        (Note(title, tone="strong"), *([Note(audit.reading, tone="dim")] if audit.reading else []), *parts),
        f"{counted(card.questions, 'question')}, {subtitle}",
    )


def audit_text(audit: "Audit") -> str:
    """The audit as plain text, for a prompt."""
    failures = [f"fails: {line}" for line in audit.failures]  # the command ends with them, as its error
    return "\n".join([display_text(audit_display(audit, examples=0)), *failures])


def failure_notes(audit: "Audit") -> list[Part]:
    """Whether the thresholds are kept."""
    thresholds = audit.quality.thresholds
    if audit.failures:
        return [Note("The set fails.", tone="strong", lines=tuple(map(Note, audit.failures)))]
    return [Note(f"All {counted(len(thresholds), 'threshold')} are kept.")] if thresholds else []


def _checks_table(
    title: str, results: list[CheckResult], severity: str, thresholds: Mapping[str, float]
) -> Table:
    headings = (
        Heading("check"), Heading("found"), Heading("share, %", "number"), Heading("interval", "interval")
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one in results:
        share = Measured(one.share, one.interval)
        is_tiny = one.share is not None and 0 < one.share < _LEAST
        found = f"{one.found:,} of {one.examined:,} {one.unit}"
        if one.check in thresholds:
            found += f", allowed {percent_text(thresholds[one.check])}"
        about = f"{one.check}: {one.meaning}{_values(one)}{_sorts(one)}"
        rows.append((about, found, "< 0.01" if is_tiny else share, share))
    return Table(title, headings, rows, label=f"{severity}s")


def _values(one: CheckResult) -> str:
    """The most frequent values of a distribution."""
    top = [f"{value.name} {value.count / one.examined:.2%}" for value in one.values[:_TOP]]
    return f" ({', '.join(top)}, …)" if top else ""


def _sorts(one: CheckResult) -> str:
    listed = ", ".join(f"{sort} {count:,}" for sort, count in one.sorts.items())
    return f" ({listed})" if listed else ""


def _distribution(one: CheckResult) -> Table:
    """The shares of values, and what was expected."""
    headings = (Heading("value"), Heading("in the set", "percent"), Heading("expected", "percent"))
    rows = [(value.name, value.count / one.examined, value.expected / one.examined) for value in one.values]
    return Table(f"{one.check}: shares, and what was expected", headings, rows, label=one.check)


def _examples(one: CheckResult, most: int | None) -> Note:
    lines = tuple(
        Note(
            f"{example.wording} — {example.text}" if example.wording else example.text,
            detail=example.question,
        )
        for example in one.examples[:most]
    )
    return Note(one.check, tone="strong", lines=lines)


def _quiet(results: list[CheckResult]) -> list[Part]:
    """The checks that found nothing, and those that were not made."""
    listed = {
        "nothing found by": [
            one.check for one in results if one.examined and not one.found and not one.left_out
        ],
        "nothing to examine for": [one.check for one in results if not one.examined and not one.skipped],
    }
    for one in results:
        if one.skipped:
            listed.setdefault(f"not checked ({one.skipped}):", []).append(one.check)
        if one.left_out:
            listed.setdefault(f"not examined ({one.left_out}) by", []).append(one.check)
    return [Note(f"{head} {', '.join(names)}", tone="dim") for head, names in listed.items() if names]


# What a set lacks.


def _lacking(audit: "Audit", examples: int | None) -> list[Part]:
    """How complete the set is, what it lacks most likely, and how much is to be judged."""
    found = audit.lacking
    parts: list[Part] = []
    if found is not None and found.report is None:
        parts.append(Note(found.why_not, "completeness not estimated", "doubtful"))
    elif found is not None and found.report is not None:
        report = found.report
        lines = (*map(Note, merged_lines(report)), *(Note(note, tone="dim") for note in report.notes))
        parts.append(Note(share_line(report), "completeness", "strong", lines=lines))
        parts += _kinds(report)
    if found is not None:
        best = candidate_lines(found)[:examples]
        parts.append(Note(candidates_line(found), lines=tuple(map(Note, best))))
    if audit.errors is not None:
        parts.append(Note(plan_line(audit.errors), "plan", "strong"))
    return parts


def _kinds(report: CompletenessReport) -> list[Part]:
    """The completeness of each kind; with one kind alone, nothing that the whole does not say."""
    kinds = report.completeness.by.get("kind", {})
    if len(kinds) < 2:
        return []
    headings = (Heading("kind"), Heading("share, %", "estimate"), Heading("questions", "count"))
    rows = [(kind, Measured(one.estimate, one.ends), one.questions) for kind, one in kinds.items()]
    return [Table("How complete", headings, rows, label="completeness")]


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
    return NOTHING if share is None else f"{100 * share:.1f} %"


def _ends(one: Completeness) -> str:
    low, high = one.ends
    return f"[{100 * low:.1f}, {100 * high:.1f}]"
