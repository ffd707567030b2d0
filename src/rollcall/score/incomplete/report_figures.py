"""Adds the true figures to a report: for each measure its bounds, and its corrected value."""

from typing import TYPE_CHECKING, cast

from rollcall.errors import RollcallError
from rollcall.score.incomplete.bounds import bounds
from rollcall.score.incomplete.corrected import corrected
from rollcall.score.incomplete.counts import NAMES, Counts, Name, counts_of
from rollcall.score.incomplete.error_pool import ErrorPool, error_pool
from rollcall.score.incomplete.estimate import estimate
from rollcall.score.incomplete.knowledge import Knowledge
from rollcall.score.incomplete.missing_answers import MissingGroup, missing_groups
from rollcall.score.incomplete.results import Incomplete, TrueFigure
from rollcall.score.incomplete.verdicts import Verdicts, verdicts
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.report import Report

CONFIDENCE = 0.95
"""The confidence of corrected figures in a report without intervals."""


def add_true_figures(report: "Report", knowledge: Knowledge) -> tuple[Counts, ErrorPool]:
    """Say in a report what is known about its true figures."""
    measures = plain_measures(report)
    counts = counts_of(report)
    known = verdicts(knowledge.judgments)
    pool = error_pool(counts, known)
    about = knowledge.completeness
    groups = missing_groups(counts, about) if about is not None else None
    sure = report.confidence or CONFIDENCE
    found = {
        measure: TrueFigure(
            None if groups is None else bounds(name, counts, groups),
            corrected(name, counts, pool, about, report.clusters, sure) if knowledge.judgments else None,
        )
        for measure, name in measures.items()
    }
    report.incomplete = Incomplete(
        about,
        found,
        errors=len(pool),
        drawn=int(pool.drawn.sum()),
        known=int(pool.known.sum()),
        guessed=sum(chance == chance for chance in pool.chance.tolist()),
    )
    report.warnings += _cautions(report.incomplete, counts, pool, known, groups, sure)
    return counts, pool


def plain_measures(report: "Report") -> dict[Measure, Name]:
    """The report's measures whose true values can be known, by their names."""
    found = {measure: cast(Name, str(measure)) for measure in report.measures if str(measure) in NAMES}
    if not found:
        raise RollcallError(f"true figures are known for {', '.join(NAMES)}; measure one of them")
    return found


def _cautions(
    about: Incomplete,
    counts: Counts,
    pool: ErrorPool,
    known: Verdicts,
    groups: list[MissingGroup] | None,
    confidence: float,
) -> list[str]:
    """What a reader must know of the true figures."""
    notes = []
    empty = int((counts.gold == 0).sum())
    if empty and about.drawn:
        notes.append(f"{empty} questions without gold answers stay as they are in corrected figures")
    if known.by_machine:
        notes.append(
            f"the sample was judged by {known.by_machine} alone: what it judges wrongly is not allowed for"
        )
    if known.undecided:
        notes.append(f"{known.undecided} judged pairs are undecided and left out")
    if known.pairs and not about.drawn and about.errors:
        notes.append(
            f"{about.known} judged errors are known, but none of this run's was drawn at random, so there is "
            "no corrected figure (`drawn` in judgments.jsonl)"
        )
    if about.drawn and about.completeness is None:
        notes.append("completeness is not known, so only precision is corrected; give --completeness")
    if about.drawn and groups is not None:
        rest = ~pool.known
        found = estimate(pool.times[rest], pool.right[rest], pool.drawn[rest], pool.chance[rest], confidence)
        least = found.low + float(pool.right[pool.known].sum())
        most = sum(group.most for group in groups)
        if least > most:
            notes.append(
                f"the judged errors say that at least {least:,.0f} answers are missing from the gold by this "
                f"run alone, and its completeness leaves room for {most:,.0f}: is it too high?"
            )
    return notes
