"""Corrected figures: what P, R and F1 would be with complete gold, estimated from judged errors.

The sample of judged errors says how many errors are right, and completeness how many answers a question has:
|G| / c of them. Both are estimates, and the interval holds what is uncertain about each: the draw of the
sample, the interval of c, and that answers are missing from some questions more than from others.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from rollcall.questions.completeness import Completeness
from rollcall.score.figures import Ratio
from rollcall.score.incomplete.counts import Counts, Floats, Name, above_and_below
from rollcall.score.incomplete.error_pool import ErrorPool
from rollcall.score.incomplete.estimate import Sampled, estimate, joined
from rollcall.score.incomplete.missing_answers import shares
from rollcall.score.spread import interval


class Corrected(NamedTuple):
    """An estimate of a true figure (or of a difference of two)."""

    value: float
    interval: tuple[float, float]
    """Where the true figure of these questions lies."""
    population: tuple[float, float] | None
    """Where that of all such questions lies, of which these are a sample; None for too few clusters."""
    judged: int
    """How many drawn errors the estimate rests on."""


@dataclass(frozen=True)
class Weights:
    """A measure as a linear function of the errors that are right, for the true sizes of answer sets."""

    base: Floats
    """The value of each question if none of its errors is right."""
    each: Floats
    """How much one right error adds to it."""
    sizes: Floats
    """The denominator of the measure."""
    spread: Floats
    """The variance of the denominator; 0 where it is known."""


def weights(name: Name, counts: Counts, completeness: Floats | None) -> Weights:
    """The measure of each question with |G| / c answers.

    If each answer is missing with the same probability, |G| / c has the variance |G| (1 − c) / c² around the
    true number, and a fraction with it below is too great by a factor of about 1 + variance / denominator².
    """
    gold, spread = counts.gold, np.zeros(len(counts))
    if name != "P" and completeness is not None:
        gold = counts.gold / completeness
        spread = counts.gold * (1 - completeness) / completeness**2
    above, below = above_and_below(name, counts.found, counts.given, gold)
    one, _ = above_and_below(name, np.ones(len(counts)), counts.given, gold)
    # A question without gold stays as it is rated: nothing tells how many answers it has.
    there = (below > 0) & (counts.gold > 0)
    safe = np.where(there, below, 1.0)
    lowered = 1 / (1 + spread / safe**2)
    base = np.where(there, above / safe * lowered, counts.values(name))
    each = np.where(there, one / safe * lowered, 0.0)
    if name == "P":
        each = np.where(counts.given > 0, 1 / np.maximum(counts.given, 1), 0.0)
    return Weights(base, each, safe, np.where(there, spread, 0.0))


def corrected(
    name: Name,
    counts: Counts,
    pool: ErrorPool,
    completeness: Completeness | None,
    clusters: list[list[int]],
    confidence: float,
) -> Corrected | None:
    """The corrected mean of a measure; None if nothing was drawn, or the answers' number is not known."""
    if not len(counts) or (name != "P" and completeness is None):
        return None
    if not pool.drawn.any() and np.isnan(pool.right).any():
        return None
    low, middle, high = (None, None, None) if completeness is None else shares(counts, completeness)
    linear = weights(name, counts, middle)
    sample = sampled_errors(pool, linear.each[pool.places] * pool.times, confidence)
    added = np.bincount(pool.places, sample.contributions, minlength=len(counts))
    values = linear.base + added
    value = float(values.sum())
    right = np.divide(added, linear.each, out=np.zeros_like(added), where=linear.each > 0)
    others = [_sum(weights(name, counts, share), right) for share in (low, high)]
    doubts = Doubts(
        (sample.value - sample.low, sample.high - sample.value),
        reaching(value, others),
        uneven(values / linear.sizes, linear.spread, confidence),
        abs(float((values * linear.spread / linear.sizes**2).sum())),
    )
    whole, n = doubts.whole(value), len(counts)
    population = doubts.population(value, interval(cluster_sums(values, counts, clusters), confidence), n)
    return Corrected(_share(value, n), _ends(whole, n), population and _ends(population, n), sample.judged)


class Doubts(NamedTuple):
    """What is uncertain about a corrected sum over questions, each part by how far it may be off."""

    sample: tuple[float, float]
    """By the draw of the judged errors: below and above."""
    completeness: tuple[float, float]
    """By the interval of completeness."""
    uneven: float
    """By how unevenly answers are missing."""
    rough: float
    """By the correction for that, which is only of second order."""

    def whole(self, value: float) -> tuple[float, float]:
        """The interval for these questions."""
        parts = [self.sample, self.completeness, (self.uneven, self.uneven), (self.rough, self.rough)]
        return joined(value, parts)

    def population(
        self, value: float, drawn: tuple[float, float] | None, n: int
    ) -> tuple[float, float] | None:
        """The interval for all such questions; `drawn` is the mean's over the questions.

        The estimates of single questions vary by sample and unevenness, too, so `drawn` has these already;
        but where nothing was drawn from some errors, only the interval for these questions tells.
        """
        if drawn is None:
            return None
        moved = (value - n * drawn[0], n * drawn[1] - value)
        low, high = joined(value, [moved, self.completeness, (self.rough, self.rough)])
        least, most = self.whole(value)
        return min(low, least), max(high, most)


def reaching(value: float, others: Sequence[float]) -> tuple[float, float]:
    """How far below and above a value others are."""
    return max(0.0, value - min(others)), max(0.0, max(others) - value)


def sampled_errors(pool: ErrorPool, weight: Floats, confidence: float, usual: float = 0.5) -> Sampled:
    """The estimated weight of all right errors; those judged on purpose are known and estimate nothing.

    `usual` is the share that is taken to be right where nothing was drawn; every share is possible then.
    """
    known = pool.known
    rest = ~known
    found = estimate(weight[rest], pool.right[rest], pool.drawn[rest], pool.chance[rest], confidence, usual)
    contributions = np.zeros(len(pool))
    contributions[known] = weight[known] * pool.right[known]
    sure = float(contributions.sum())
    contributions[rest] = found.contributions
    return Sampled(sure + found.value, sure + found.low, sure + found.high, contributions, found.judged)


def uneven(pulls: Floats, spread: Floats, confidence: float) -> float:
    """How far a sum may be off because each question lacks more or fewer answers than its share.

    `pulls` say by how much the sum falls with each further answer, `spread` how much their numbers vary.
    """
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return reach * math.sqrt(float((pulls**2 * spread).sum()))


def cluster_sums(values: Floats, counts: Counts, clusters: list[list[int]]) -> Ratio:
    """The sum of values, and the number of questions, of each cluster."""
    there = dict(zip(counts.places, values.tolist(), strict=True))
    listed = [[there[place] for place in cluster if place in there] for cluster in clusters]
    return Ratio([math.fsum(one) for one in listed], [float(len(one)) for one in listed])


def _sum(linear: Weights, right: Floats) -> float:
    return float((linear.base + linear.each * right).sum())


def _share(value: float, n: int) -> float:
    return min(1.0, max(0.0, value / n))


def _ends(whole: tuple[float, float], n: int) -> tuple[float, float]:
    return _share(whole[0], n), _share(whole[1], n)
