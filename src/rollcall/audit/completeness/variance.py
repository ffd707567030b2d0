"""How far an estimate of unseen answers may be off, where answers of one question share their fate.

The error is a sum over answers: each seen one adds its pull, each unseen one adds -1, and the sum has mean
zero where sources are independent. If answers were given independently of one another, the variance would
be the sum of squares, which for two sources is Seber's formula. But a list has all answers of a question or
none, and an entity that text never names is missing in all its questions; so sums over questions, and over
entities, are squared (clusters in two ways), and the result is never taken to be smaller than for
independent answers.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rollcall.audit.completeness.captures import Captures, Ids, Numbers


def spread_out(captures: "Captures", unseen: float) -> "Numbers":
    """Unseen answers, spread over the rows like what was seen."""
    total = float(captures.chance.sum())
    return captures.chance * (unseen / total if total else 0.0)


def variance(captures: "Captures", pulls: "Numbers", unseen: "Numbers") -> float:
    """The variance of an estimate; `unseen` is the part of the unseen answers that each row stands for."""
    weights = captures.chance
    single = float((weights * pulls**2).sum() + unseen.sum())
    by_question = _clustered(captures.question, weights, pulls, unseen)
    by_answer = _clustered(captures.answer, weights, pulls, unseen)
    return max(single, by_question, by_answer, by_question + by_answer - single)


def _clustered(clusters: "Ids", weights: "Numbers", pulls: "Numbers", unseen: "Numbers") -> float:
    """The sum over clusters of squared errors; unseen answers are spread like the seen ones, by chance."""
    if not len(clusters):
        return 0.0
    sums = np.bincount(clusters, weights * pulls - unseen)
    doubtful = float((weights * (1 - weights) * pulls**2).sum())
    return float((sums**2).sum() + doubtful + unseen.sum())


def clusters_of(captures: "Captures") -> int:
    """How many questions have rows: so many independent pieces the variance rests on, at most."""
    return len(np.unique(captures.question))
