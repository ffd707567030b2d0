"""The formulas that estimate how many answers no source gave, each with its derivatives.

All are functions of counts of rows that few sources gave. `chapman` is Lincoln and Petersen's estimator for
two sources with Chapman's correction (Chapman 1951); `chao` is the same idea for any number of sources of
unequal size (Chao 1989, "Estimating population size for sparse data in capture-recapture experiments"), and
is Chapman's for two; `chao2` is for sources that are alike, such as runs of similar systems (Chao 1987),
and `chao1` for counts of how often an answer was given (Chao 1984). The derivatives say how much one more
row of a sort changes the estimate; `rollcall.audit.completeness.variance` needs nothing else.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rollcall.audit.completeness.captures import Captures, Numbers
from rollcall.errors import RollcallError


class Unseen(NamedTuple):
    """How many answers no source gave, and what each row pulls the estimate by."""

    number: float
    pulls: Numbers
    """The derivative by the number of rows like each row; an unseen answer itself pulls by -1."""
    single: Numbers
    """How many rows each source alone gave."""
    double: float
    """How many rows exactly two sources gave; without any, nothing can be estimated."""


Estimator = Callable[[Captures], Unseen]


def chao(captures: Captures) -> Unseen:
    """From rows that one source alone gave, and rows that two gave; sources may be of unequal size.

    If sources are independent, so many answers of which i alone and j alone gave Z_i and Z_j are given by
    both that Z_i Z_j / Z_ij estimates those that nobody gave; the sums over all pairs are divided by each
    other.
    """
    times, weights = captures.times, captures.chance
    single = (captures.given * (weights * (times == 1))[:, None]).sum(axis=0)
    double = float(weights[times == 2].sum())
    pairs = float((single.sum() ** 2 - (single**2).sum()) / 2)
    number = pairs / (double + 1)
    by_source = (single.sum() - single) / (double + 1)
    pulls = np.where(times == 1, (captures.given * by_source).sum(axis=1), 0.0)
    pulls = np.where(times == 2, -number / (double + 1), pulls)
    return Unseen(number, pulls, single, double)


def chapman(captures: Captures) -> Unseen:
    """Lincoln and Petersen's estimator for two sources, with Chapman's correction."""
    if len(captures.sources) != 2:
        raise RollcallError(f"chapman compares two sources, not {len(captures.sources)}")
    return chao(captures)


def chao2(captures: Captures) -> Unseen:
    """For several sources that give about as many answers each, in the bias-corrected form.

    Where answers are not equally likely to be given, it estimates a lower bound.
    """
    sources = len(captures.sources)
    return _often(captures, (sources - 1) / sources if sources else 0.0)


def chao1(captures: Captures) -> Unseen:
    """From how often an answer was given, by so many sources that their number says nothing; a lower bound,
    in the bias-corrected form.
    """
    return _often(captures, 1.0)


def _often(captures: Captures, share: float) -> Unseen:
    """Chao's bound from the answers that were given once and twice, by whichever source."""
    times, weights = captures.times, captures.chance
    single = (captures.given * (weights * (times == 1))[:, None]).sum(axis=0)
    once, twice = float(single.sum()), float(weights[times == 2].sum())
    number, by_once, by_twice = _once_twice(once, twice, share)
    pulls = np.where(times == 1, by_once, np.where(times == 2, by_twice, 0.0))
    return Unseen(number, pulls, single, twice)


def _once_twice(once: float, twice: float, share: float) -> tuple[float, float, float]:
    """Chao's bound from what was given once and twice, and its two derivatives; never below nothing."""
    number = max(0.0, share * once * (once - 1) / (2 * (twice + 1)))
    by_once = max(0.0, share * (2 * once - 1) / (2 * (twice + 1)))
    return number, by_once, -number / (twice + 1)


ESTIMATORS: dict[str, Estimator] = {"chapman": chapman, "chao": chao, "chao2": chao2, "chao1": chao1}
"""Those that estimate from captures, by name."""
