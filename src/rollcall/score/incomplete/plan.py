"""Plans judging: how many errors must be judged for an interval of a wanted width.

The width of a corrected figure's interval falls with the square root of the sample, and faster when few
errors are left. What completeness leaves uncertain stays, however many errors are judged, and is named apart.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from rollcall.errors import RollcallError
from rollcall.questions.judgment import Judgment
from rollcall.score.incomplete.corrected import weights
from rollcall.score.incomplete.counts import NAMES, Counts, Floats, Name, counts_of
from rollcall.score.incomplete.error_pool import ErrorPool, error_pool
from rollcall.score.incomplete.knowledge import GivenCompleteness, given_knowledge
from rollcall.score.incomplete.missing_answers import shares
from rollcall.score.incomplete.verdicts import Pair, verdicts
from rollcall.score.rules import check_choice, check_share

if TYPE_CHECKING:
    from rollcall.score.report import Report

PRIOR = 1.0
"""Errors counted as right and as wrong before any was judged: a small first sample is not believed."""


@dataclass(frozen=True)
class Plan:
    """How many errors to judge."""

    measure: Name
    width: float
    """The wanted width of the interval of each run's corrected figure."""
    confidence: float
    errors: int
    """Different errors of all runs together."""
    judged: int
    """Errors that were drawn and judged already."""
    needed: int
    """How many must be judged in all."""
    share: float
    """The share of errors that is taken to be right."""
    by_run: list[int]
    """How many of its own errors each run needs."""

    @property
    def more(self) -> int:
        """How many are still to be judged."""
        return max(0, self.needed - self.judged)


def plan(
    reports: "Sequence[Report]",
    width: float = 0.02,
    *,
    measure: Name = "F1",
    completeness: GivenCompleteness = None,
    judgments: Iterable[Judgment] = (),
    share: float | None = None,
    correlation: float = 0.0,
    confidence: float = 0.95,
) -> Plan:
    """How many errors of the runs must be judged, so that every corrected figure's interval has this width.

    `share` is the share of errors that is expected to be right; without it the judged ones tell, and without
    these a half is taken, which needs most. `correlation` is that of a verifier's scores with people's
    verdicts, if it judges all errors: it saves the share correlation² of the work. Errors are drawn from all
    runs together (`draw_errors`).
    """
    if not reports:
        raise RollcallError("a plan needs the scores of a run or more")
    check_share("width", width)
    check_share("confidence", confidence)
    check_choice("measure", measure, NAMES)
    if share is not None:
        check_share("share", share)
    if not -1 < correlation < 1:
        raise RollcallError(f"correlation: give a number between -1 and 1, not {correlation!r:.80}")
    knowledge = given_knowledge(completeness, None)
    about = None if knowledge is None else knowledge.completeness
    known = verdicts(judgments)
    counted = [counts_of(report) for report in reports]
    pools = [error_pool(counts, known) for counts in counted]
    found: dict[Pair, bool] = {}
    drawn: dict[Pair, float] = {}
    for pool in pools:
        found |= dict(zip(pool.pairs, pool.drawn.tolist(), strict=True))
        drawn |= {pair: right for pair, right, is_drawn in _verdicts(pool) if is_drawn}
    expected = _expected(share, list(drawn.values()))
    spread = expected * (1 - expected) * (1 - correlation**2)
    by_run, needed = [], 0
    for counts, pool in zip(counted, pools, strict=True):
        middle = None if about is None else shares(counts, about)[1]
        one = _needed(weights(measure, counts, middle).each, counts, pool, spread, width, confidence)
        by_run.append(one)
        needed = max(needed, math.ceil(one * len(found) / len(pool)) if len(pool) else 0)
    judged = sum(found.values())
    return Plan(measure, width, confidence, len(found), judged, min(needed, len(found)), expected, by_run)


def _verdicts(pool: ErrorPool) -> Iterable[tuple[Pair, float, bool]]:
    return zip(pool.pairs, pool.right.tolist(), pool.drawn.tolist(), strict=True)


def _expected(share: float | None, drawn: list[float]) -> float:
    """The share of right errors that is planned with; one not judged yet is near a half, to be careful."""
    if share is not None:
        return share
    return (math.fsum(drawn) + PRIOR) / (len(drawn) + 2 * PRIOR)


def _needed(
    each: Floats, counts: Counts, pool: ErrorPool, spread: float, width: float, confidence: float
) -> int:
    """How many of one run's errors are needed: fewer where they are a good part of all its errors."""
    if not len(pool):
        return 0
    weight = each[pool.places] * pool.times / len(counts)
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    size = len(pool)
    unlimited = (2 * reach / width) ** 2 * size**2 * float(np.mean(weight**2)) * spread
    return min(size, math.ceil(unlimited / (1 + unlimited / size)))
