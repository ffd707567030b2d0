"""What a set lacks, in words: the same lines and rows for the terminal and for the page."""

from typing import NamedTuple

from rollcall.audit.completeness.estimating import CompletenessReport
from rollcall.audit.lacking import ErrorPlan, Lacking
from rollcall.audit.missing.find import PUBLISHED
from rollcall.english.counting import counted
from rollcall.questions.completeness import Completeness

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
