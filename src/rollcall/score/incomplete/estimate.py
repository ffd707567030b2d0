"""Estimates how much of the errors' weight is right from judged ones, by prediction-powered inference.

The sample alone gives an unbiased estimate. Where machines judged all errors, their probabilities are added
up, and the sample corrects their mean mistake (PPI; Angelopoulos et al. 2023). How far they are trusted is
tuned by their covariance with the verdicts (PPI++), so that useless ones do no harm. The errors of a run are
a finite population: with all of them judged, nothing is left to estimate.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall.questions.judgment import (
    COMPLETENESS,
    JUDGMENTS,
    Completeness,
    Judgment,
    judgment_fault,
    read_judgments,
)
from rollcall.score.figures import Spread, effective_number, share_interval
from rollcall.score.incomplete.counts import Floats


class Sampled(NamedTuple):
    """The estimated total weight of the right ones among some errors."""

    value: float
    low: float
    high: float
    contributions: Floats
    """What each error adds to the estimate; their sum is the value."""
    judged: int
    """The size of the sample."""


def estimate(
    weights: Floats,
    right: Floats,
    sampled: NDArray[np.bool_],
    chance: Floats,
    confidence: float,
    usual: float = 0.5,
) -> Sampled:
    """Estimate the sum of the weights of right errors; no weight is below 0.

    `right` is known where `sampled` says so. Errors with no `chance` count as average. Without any sample,
    the share `usual` is taken, and every share is possible.
    """
    size, n = len(weights), int(sampled.sum())
    whole = float(weights.sum())
    if not whole:
        return Sampled(0.0, 0.0, 0.0, np.zeros_like(weights), n)
    if not n:
        return Sampled(usual * whole, 0.0, whole, usual * weights, 0)
    heavy = float(weights[sampled].sum()) or 1.0
    share = float((weights[sampled] * right[sampled]).sum() / heavy)
    predicted = np.full(size, share)
    if not np.isnan(chance).all():
        guess = np.where(np.isnan(chance), np.nanmean(chance), chance)
        middle = float((weights[sampled] * guess[sampled]).sum() / heavy)
        predicted += trust(right[sampled], guess[sampled], guess[~sampled]) * (guess - middle)
    residuals = weights[sampled] * (right[sampled] - predicted[sampled])
    contributions = weights * predicted
    contributions[sampled] += residuals * size / n
    value = float(contributions.sum())
    # As the jackknife has it: how far each error is from the share that the others alone would give.
    apart = residuals / np.maximum(1 - weights[sampled] / heavy, 1 / n)
    low, high = _ends(value / whole, apart, weights, sampled, confidence)
    return Sampled(value, low * whole, high * whole, contributions, n)


def trust(labels: Floats, predictions: Floats, others: Floats) -> float:
    """How far predictions are trusted (λ of PPI++), with respect to the mean over all units.

    PPI++ takes the mean of predictions over the unlabelled units alone, and its λ, clipped to [0, 1], is
    n / (n + N) smaller; the estimate is the same.
    """
    n, rest = len(labels), len(others)
    if n < 2 or not rest:
        return 0.0
    spread = float(np.var(np.concatenate([predictions, others]), ddof=1))
    if not spread:
        return 0.0
    together = float(((labels - labels.mean()) * (predictions - predictions.mean())).mean())
    tuned = together / ((1 + n / rest) * spread)
    return min(1.0, max(0.0, tuned)) * (1 + n / rest)


def _ends(
    share: float, residuals: Floats, weights: Floats, sampled: NDArray[np.bool_], confidence: float
) -> tuple[float, float]:
    """The interval of the share of the weight that is right, by Student's t in Wilson's form."""
    size, n = len(weights), len(residuals)
    if n == size:
        return share, share
    left = 1 - n / size
    if n < 2:
        return 0.0, 1.0
    variance = left * float(np.var(residuals, ddof=1)) / n * (size / float(weights.sum())) ** 2
    many = effective_number(weights[sampled].tolist())
    # Where all judged errors agree there is no variance, and each counts as a draw from those that are left.
    drawn = 1 + max(1.0, many - 1) / left if variance <= 0 else many
    return share_interval(share, Spread(variance, drawn), confidence)


def joined(value: float, distances: list[tuple[float, float]]) -> tuple[float, float]:
    """The interval of a sum of independent estimates, from how far each may be below and above."""
    below = math.sqrt(math.fsum(low * low for low, _ in distances))
    above = math.sqrt(math.fsum(high * high for _, high in distances))
    return value - below, value + above


# What is known about the gold besides the gold: its completeness, and judgments of answers. Both may be
# given as values or as files, or be read from the folder of an audit.

GivenCompleteness: TypeAlias = float | str | Path | Mapping[str, object] | Completeness | None
"""A share, one for each kind, the record, or a file with any of these."""
GivenAudit: TypeAlias = str | Path | Iterable[Judgment] | None
"""The folder of an audit, or judgments."""


class Knowledge(NamedTuple):
    """What is known about answers that the gold lacks."""

    completeness: Completeness | None
    judgments: list[Judgment]


def given_knowledge(completeness: GivenCompleteness, audit: GivenAudit) -> Knowledge | None:
    """Read what is given; None if nothing is. A completeness that is given counts before the audit's."""
    if completeness is None and audit is None:
        return None
    share = None if completeness is None else _completeness(completeness)
    if audit is None:
        return Knowledge(share, [])
    if not isinstance(audit, str | Path):
        return Knowledge(share, _judgments(audit))
    folder = Path(audit)
    if not folder.is_dir():
        raise RollcallError(
            f"{folder}: is not the folder of an audit; `rollcall audit SET --out DIR` makes one"
        )
    about, judged = folder / COMPLETENESS, folder / JUDGMENTS
    if not about.is_file() and not judged.is_file():
        raise RollcallError(
            f"{folder}: holds neither {COMPLETENESS} nor {JUDGMENTS}, so it says nothing of gold"
        )
    if share is None and about.is_file():
        share = Completeness.open(about)
    return Knowledge(share, read_judgments(judged) if judged.is_file() else [])


def _completeness(given: float | str | Path | Mapping[str, object] | Completeness) -> Completeness:
    """A number may be written as a string, as on the command line; any other string is a file."""
    if isinstance(given, str):
        try:
            return Completeness.of(float(given))
        except ValueError:
            if not Path(given).exists():
                raise RollcallError(
                    f"completeness: {given} is neither a share, such as 0.88, nor a file"
                ) from None
    return Completeness.open(given) if isinstance(given, str | Path) else Completeness.of(given)


def _judgments(given: object) -> list[Judgment]:
    if not isinstance(given, Iterable):
        raise RollcallError("audit: give the folder of an audit, or a list of judgments")
    listed = list(given)
    for number, judgment in enumerate(listed, 1):
        if (fault := judgment_fault(judgment)) is not None:
            raise RollcallError(f"audit: judgment {number} {fault}")
    return listed
