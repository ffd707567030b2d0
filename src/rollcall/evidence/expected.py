"""What a threshold is expected to lose and to let through, from probabilities alone.

Input: how many candidates have each score, and the share of true sentences for which the scores are
probabilities. Output: how likely each is to be true among these candidates, thresholds, and `Expected`
figures. Scores alone show how large the share of true candidates is (Saerens, Latinne and Decaestecker 2002,
"Adjusting the outputs of a classifier to new a priori probabilities"), so no labels are needed.
"""

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

UNCALIBRATED = 0.5
"""The share of true sentences assumed for scores that are not calibrated probabilities."""
_SUREST = 1e-6
"""No score is taken to be surer than this; scores are stored with as many digits."""
_HALVINGS = 50
_EXTREME = 0.01
"""The share of true candidates is taken to be at least this far from 0 and from 1."""


class Expected(msgspec.Struct, frozen=True):
    """What is expected of the accepted candidates."""

    true: float
    """The share of all candidates that state their fact."""
    lost: float
    """Of those, the share that is not accepted."""
    precision: float | None
    """The share of the accepted that state their fact; None if none is accepted."""
    threshold: float | None = None
    """The score from which candidates are accepted; None if it is not one score for all."""


class Chances(NamedTuple):
    """The different scores of candidates, ascending; how many have each, and how likely those are true."""

    scores: Numbers
    counts: Counts
    chances: Numbers

    @property
    def true(self) -> Numbers:
        """How many candidates of each score are expected to be true."""
        return self.chances * self.counts


def chances(scores: Numbers, counts: Counts, prior: float) -> Chances:
    """How likely candidates are true, from ascending scores that are probabilities if the share `prior` is.

    Candidates that all have one score show nothing about the share, which is then taken to be the prior.
    """
    share = true_share(scores, counts, prior) if len(scores) > 1 else prior
    return Chances(scores, counts, _shifted(scores, prior, share))


def true_share(scores: Numbers, counts: Counts, prior: float) -> float:
    """The share of true candidates, in which the chances that follow from it have their mean.

    One true and one false candidate are added, since few scores show little. The algorithm of Saerens et al.
    approaches the same value step by step, slowly near 0 and 1; here the interval is halved. Scores
    are never good enough to show that all are true, or that all are false.
    """
    low, high = _EXTREME, 1 - _EXTREME
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        mean = (1 + _sum(_shifted(scores, prior, middle), counts)) / (int(counts.sum()) + 2)
        low, high = (middle, high) if mean > middle else (low, middle)
    return (low + high) / 2


def _sum(chances: Numbers, counts: Counts) -> float:
    # A product of vectors would be added up in an order that depends on the number of threads.
    return float((chances * counts).sum())


def _shifted(scores: Numbers, prior: float, share: float) -> Numbers:
    """Probabilities for a share `prior` of true candidates, as they are for another share."""
    within_bounds = np.clip(scores, _SUREST, 1 - _SUREST)
    true, false = within_bounds * (share / prior), (1 - within_bounds) * ((1 - share) / (1 - prior))
    return np.asarray(true / (true + false))


def losing_at_most(by_score: Chances, share: float) -> float | None:
    """The highest score as threshold below which at most a share of the true ones is expected; None if there
    are no candidates.
    """
    true_below = np.cumsum(by_score.true) - by_score.true
    allowed = np.flatnonzero(true_below <= share * by_score.true.sum())
    return float(by_score.scores[allowed[-1]]) if len(allowed) else None


def precise_from(by_score: Chances, share: float) -> float | None:
    """The lowest score as threshold from which at least a share is expected to be true; None if there is
    none.
    """
    true, all_ = (np.cumsum(column[::-1])[::-1] for column in (by_score.true, by_score.counts))
    reached = np.flatnonzero(true >= share * all_)
    return float(by_score.scores[reached[0]]) if len(reached) else None


def expected(by_score: Chances, accepted: Counts) -> Expected | None:
    """What is expected if so many of each score are accepted; None if there are no candidates."""
    if not len(by_score.scores):
        return None
    accepted_true, lost_true = (
        _sum(by_score.chances, accepted),
        _sum(by_score.chances, by_score.counts - accepted),
    )
    return Expected(
        true=(accepted_true + lost_true) / int(by_score.counts.sum()),
        lost=lost_true / (accepted_true + lost_true),
        precision=accepted_true / int(accepted.sum()) if accepted.any() else None,
    )


def expected_from(by_score: Chances, threshold: float | None) -> Expected | None:
    """What is expected if all from a score on are accepted, or none; None if there are no candidates."""
    is_accepted = (
        by_score.scores >= threshold if threshold is not None else np.zeros(len(by_score.scores), bool)
    )
    figures = expected(by_score, by_score.counts * is_accepted)
    return None if figures is None else msgspec.structs.replace(figures, threshold=threshold)


# The rules by which scored sentences are accepted; `rollcall.evidence.find` applies them.


class Acceptance(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which sentences are accepted: one of these, or without any the verifier itself."""

    threshold: float | None = None
    """Sentences with at least this score."""
    stated: float | None = None
    """Besides those that the verifier accepts, this share of the facts of each relation, the best."""
    lose: float | None = None
    """So many that at most this share of the sentences that state their fact is expected to be lost."""
    precision: float | None = None
    """So many that at least this share of the accepted is expected to be right."""

    def __post_init__(self) -> None:
        names = [name for name, value in msgspec.structs.asdict(self).items() if value is not None]
        if len(names) > 1:
            raise RollcallError(f"{' and '.join(names)}: give only one of them")

    @property
    def is_expectation(self) -> bool:
        """Whether the threshold follows from what is expected."""
        return self.lose is not None or self.precision is not None
