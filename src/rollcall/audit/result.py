"""The result of an audit: the quality card and what the set lacks, as JSON, tables and notes.

`Audit`           the result; it prints, renders and saves itself
`audit_display`   one table for each severity, examples, checks that found nothing or were not made
`audit_text`      the same as plain text, for a prompt
"""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall import __version__
from rollcall.audit.completeness.estimating import CompletenessReport
from rollcall.audit.findings import CheckResult
from rollcall.audit.lacking import ErrorPlan, Lacking
from rollcall.audit.missing import PUBLISHED
from rollcall.audit.quality import QualityCard, write_audit
from rollcall.questions.judgment import Completeness
from rollcall.report import Display, Heading, Measured, Note, Rendered, Table
from rollcall.report.terminal import display_text
from rollcall.report.values import NOTHING, Cell, Medium, Part, percent_text
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import pandas as pd

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


class Audit(Rendered):
    """What an audit found: `quality` has every check, `failures` what is above its threshold."""

    def __init__(self, quality: QualityCard, name: str = "", reading: str = ""):
        self.quality = quality
        self.name = name
        """What the set is called."""
        self.reading = reading
        """How the set was read, if it was a file."""
        self.lacking: Lacking | None = None
        """How complete the set is, and candidates for missing answers, if that was asked for."""
        self.errors: ErrorPlan | None = None
        """Which errors of runs to judge, if a plan was asked for."""

    @property
    def failures(self) -> list[str]:
        """One line for each check above its threshold; empty if the set passes."""
        return self.quality.failures

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "rollcall": __version__,
            "set": self.name,
            **({"read": self.reading} if self.reading else {}),
            "questions": self.quality.questions,
            "failures": self.failures,
            "quality": quality_json(self.quality),
            **({} if self.lacking is None else {"completeness": lacking_json(self.lacking)}),
            **({} if self.errors is None else {"plan": plan_json(self.errors)}),
        }

    def display(self, medium: Medium = "terminal") -> Display:
        """What the checks found, with two examples of each on the terminal; other media have all."""
        if medium in ("terminal", "notebook"):
            return audit_display(self, examples=2)
        display = audit_display(self)
        return msgspec.structs.replace(display, parts=(*failure_notes(self), *display.parts))

    def records(self) -> Table:
        """A row for each check."""
        names = ("check", "severity", "unit", "examined", "found", "share", "low", "high", "skipped")
        rows = [
            [
                *(result.check, result.severity, result.unit, result.examined, result.found, result.share),
                *(result.interval or (None, None)),
                result.skipped,
            ]
            for result in self.quality.results
        ]
        return Table("", tuple(map(Heading, names)), rows)

    def to_frame(self) -> "pd.DataFrame":
        """One row for each check, as a pandas data frame."""
        from rollcall._core.packages import data_frame

        return data_frame(
            [{**msgspec.to_builtins(result), "share": result.share} for result in self.quality.results]
        )

    def save(self, folder: Path | str) -> None:
        """Write the audit as a folder, replacing an older one; judgments that are there stay."""
        write_audit(self, Path(folder))

    def failure(self) -> str | None:
        """What is above its threshold."""
        name = self.name or "the set"
        return f"{name} fails its audit: {'; '.join(self.failures)}" if self.failures else None

    def __repr__(self) -> str:
        return audit_text(self)


def lacking_json(lacking: Lacking) -> dict[str, object]:
    """What a set lacks as plain values; candidates are counted, and have a file of their own."""
    return {
        "report": msgspec.to_builtins(lacking.report),
        "why_not": lacking.why_not,
        "relations": msgspec.to_builtins(lacking.relations),
        "candidates": len(lacking.missing),
        "expected_right": sum(candidate.chance for candidate in lacking.missing),
        "judged": len(lacking.judged),
    }


def plan_json(errors: ErrorPlan) -> dict[str, object]:
    """A plan for judging as plain values."""
    return {**asdict(errors.plan), "more": errors.plan.more}


def quality_json(card: QualityCard) -> dict[str, object]:
    """A quality card as plain values, with the share of every check."""
    return {
        "questions": card.questions,
        "thresholds": card.thresholds,
        "failures": card.failures,
        "checks": {
            result.check: {
                **{key: value for key, value in msgspec.to_builtins(result).items() if key != "check"},
                "examined": result.examined,
                "found": result.found,
                "share": result.share,
            }
            for result in card.results
        },
    }


# The audit as tables and notes.


def audit_display(audit: Audit, examples: int | None = None) -> Display:
    """Everything, with at most `examples` of each check; tables of distributions only without a limit."""
    card = audit.quality
    parts: list[Part] = []
    for severity, title in _HEADS.items():
        findings = [result for result in card.results if result.severity == severity and result.found]
        if findings:
            parts.append(_checks_table(title, findings, severity, card.thresholds))
    parts += [
        _distribution(result)
        for result in card.results
        if result.found and result.values and examples is None
    ]
    parts += [_examples(result, examples) for result in card.alarms() if result.examples and examples != 0]
    parts += _quiet(card.results)
    parts += _lacking(audit, examples)
    name = audit.name or "a question set"
    check_count = sum(not result.skipped for result in card.results)
    title = f"{name}: {counted(card.questions, 'question')}"
    subtitle = f"{counted(check_count, 'check')}; in brackets 95 % intervals"
    return Display(
        f"Audit of {name}",
        (Note(title, tone="strong"), *([Note(audit.reading, tone="dim")] if audit.reading else []), *parts),
        f"{counted(card.questions, 'question')}, {subtitle}",
    )


def audit_text(audit: Audit) -> str:
    """The audit as plain text, for a prompt."""
    failures = [f"fails: {line}" for line in audit.failures]  # the command ends with them, as its error
    return "\n".join([display_text(audit_display(audit, examples=0)), *failures])


def failure_notes(audit: Audit) -> list[Part]:
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
    for result in results:
        share = Measured(result.share, result.interval)
        is_tiny = result.share is not None and 0 < result.share < _LEAST
        finding = f"{result.found:,} of {result.examined:,} {result.unit}"
        if result.check in thresholds:
            finding += f", allowed {percent_text(thresholds[result.check])}"
        about = f"{result.check}: {result.meaning}{_values(result)}{_sorts(result)}"
        rows.append((about, finding, "< 0.01" if is_tiny else share, share))
    return Table(title, headings, rows, label=f"{severity}s")


def _values(result: CheckResult) -> str:
    """The most frequent values of a distribution."""
    top = [f"{value.name} {value.count / result.examined:.2%}" for value in result.values[:_TOP]]
    return f" ({', '.join(top)}, …)" if top else ""


def _sorts(result: CheckResult) -> str:
    listed = ", ".join(f"{sort} {count:,}" for sort, count in result.sorts.items())
    return f" ({listed})" if listed else ""


def _distribution(result: CheckResult) -> Table:
    """The shares of values, and what was expected."""
    headings = (Heading("value"), Heading("in the set", "percent"), Heading("expected", "percent"))
    rows = [
        (value.name, value.count / result.examined, value.expected / result.examined)
        for value in result.values
    ]
    return Table(f"{result.check}: shares, and what was expected", headings, rows, label=result.check)


def _examples(result: CheckResult, most: int | None) -> Note:
    lines = tuple(
        Note(
            f"{example.wording} — {example.text}" if example.wording else example.text,
            detail=example.question,
        )
        for example in result.examples[:most]
    )
    return Note(result.check, tone="strong", lines=lines)


def _quiet(results: list[CheckResult]) -> list[Part]:
    """The checks that found nothing, and those that were not made."""
    listed = {
        "nothing found by": [
            result.check for result in results if result.examined and not result.found and not result.left_out
        ],
        "nothing to examine for": [
            result.check for result in results if not result.examined and not result.skipped
        ],
    }
    for result in results:
        if result.skipped:
            listed.setdefault(f"not checked ({result.skipped}):", []).append(result.check)
        if result.left_out:
            listed.setdefault(f"not examined ({result.left_out}) by", []).append(result.check)
    return [Note(f"{head} {', '.join(names)}", tone="dim") for head, names in listed.items() if names]


# What a set lacks.


def _lacking(audit: Audit, examples: int | None) -> list[Part]:
    """How complete the set is, what it lacks most likely, and how much is to be judged."""
    lacking = audit.lacking
    parts: list[Part] = []
    if lacking is not None and lacking.report is None:
        parts.append(Note(lacking.why_not, "completeness not estimated", "doubtful"))
    elif lacking is not None and lacking.report is not None:
        report = lacking.report
        lines = (*map(Note, merged_lines(report)), *(Note(note, tone="dim") for note in report.notes))
        parts.append(Note(share_line(report), "completeness", "strong", lines=lines))
        parts += _kinds(report)
    if lacking is not None:
        best = candidate_lines(lacking)[:examples]
        parts.append(Note(candidates_line(lacking), lines=tuple(map(Note, best))))
    if audit.errors is not None:
        parts.append(Note(plan_line(audit.errors), "plan", "strong"))
    return parts


def _kinds(report: CompletenessReport) -> list[Part]:
    """The completeness of each kind; with one kind alone, nothing that the whole does not say."""
    kinds = report.completeness.by.get("kind", {})
    if len(kinds) < 2:
        return []
    headings = (Heading("kind"), Heading("share, %", "estimate"), Heading("questions", "count"))
    rows = [
        (kind, Measured(completeness.estimate, completeness.ends), completeness.questions)
        for kind, completeness in kinds.items()
    ]
    return [Table("How complete", headings, rows, label="completeness")]


def share_line(report: CompletenessReport) -> str:
    """The completeness of the whole set in one line."""
    completeness = report.completeness
    named = ", ".join(
        f"{name} {source.answers:,.0f} answers, {source.alone:,.0f} of them alone"
        for name, source in report.sources.items()
    )
    return (
        f"the set has {_percent(completeness.estimate)} {_ends(completeness)} of the right answers to "
        f"{completeness.questions:,} questions: {report.gold:,} of about {report.total:,.0f} "
        f"({completeness.method}; {named})"
    )


def merged_lines(report: CompletenessReport) -> list[str]:
    """What the estimate is if two sources count as one."""
    return [
        f"{_percent(completeness.estimate)} {_ends(completeness)} if {name} count as one source"
        for name, completeness in report.merged.items()
    ]


def candidates_line(lacking: Lacking) -> str:
    """How many candidates there are, and how many of them are expected to be right."""
    if not lacking.missing:
        return "no candidates for missing answers"
    right = sum(candidate.chance for candidate in lacking.missing)
    judged = sum(judgment.right is not None for judgment in lacking.judged)
    yes = sum(bool(judgment.right) for judgment in lacking.judged)
    judged_text = f"; a model judged {judged:,}, {yes:,} of them right" if lacking.judged else ""
    assumed = "" if lacking.report is not None else f", if the set has {_percent(PUBLISHED)} of all"
    listed = f"{counted(len(lacking.missing), 'candidate')} for missing answers"
    return f"{listed}, about {right:,.0f} of them right{assumed}{judged_text}"


def candidate_lines(lacking: Lacking) -> list[str]:
    """The best candidates, each with what speaks for it."""
    lines = []
    for candidate in lacking.missing[:BEST]:
        text = candidate.evidence[0].text if candidate.evidence else f"given by {', '.join(candidate.runs)}"
        lines.append(f"{candidate.asked} — {candidate.answer} ({_percent(candidate.chance)}): {text}")
    return lines


def plan_line(errors: ErrorPlan) -> str:
    """How much there is to judge."""
    plan = errors.plan
    return (
        f"for an interval of {plan.width:g} around {plan.measure}, {plan.needed:,} of {plan.errors:,} errors "
        f"must be judged; {plan.judged:,} are, {plan.more:,} more are needed"
    )


def _percent(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"


def _ends(completeness: Completeness) -> str:
    low, high = completeness.ends
    return f"[{100 * low:.1f}, {100 * high:.1f}]"
