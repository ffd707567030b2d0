"""Intervals for a number of answers: Chao's log-normal form, which never ends below what was seen.

The number of unseen answers is positive and its estimate is skewed, so its logarithm is taken to be normal
(Chao 1987). Ends are at M + f/K and M + f*K for M seen and f unseen answers, where K follows from the
variance of f; with few questions Student's quantile takes the place of the normal one.
"""

import math
from typing import NamedTuple

from rollcall.audit.completeness.estimators import Unseen
from rollcall.score.student import t_quantile

NONE_SEEN = 3.689
"""With no event seen, the number expected is at most this with 97.5 % confidence (Poisson)."""


class Interval(NamedTuple):
    """An estimate with the two ends of its interval."""

    value: float
    low: float
    high: float


def interval(
    seen: float, unseen: float, variance: float, clusters: int, confidence: float = 0.95
) -> Interval:
    """The number of all answers, seen and unseen."""
    if unseen <= 0:
        return Interval(seen, seen, seen)
    quantile = t_quantile(confidence, max(clusters - 1, 1))
    spread = math.exp(min(quantile * math.sqrt(math.log1p(variance / unseen**2)), 700.0))
    return Interval(seen + unseen, seen + unseen / spread, seen + unseen * spread)


def most_unseen(found: Unseen) -> float:
    """The most unseen answers that are likely where the estimate is none: a source that alone gave nothing
    may do so by chance, so it is counted as if it had given as many as chance may hide.
    """
    single: list[float] = [
        max(number, NONE_SEEN) if number <= 0 else number for number in found.single.tolist()
    ]
    total = sum(single)
    return (total**2 - sum(number**2 for number in single)) / 2 / (found.double + 1)
