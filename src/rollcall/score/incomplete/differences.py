"""Whether the difference of two systems survives incomplete gold: its bounds, and its corrected value.

The errors of both form one pool, in four strata: of the first alone, of the second alone, and of both where a
right one helps the first or the second more. In each the judged errors are a random sample, whether the
sample was drawn from the pool of both or from the errors of each.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from rollcall.questions.completeness import Completeness
from rollcall.score.incomplete.corrected import (
    Corrected,
    Doubts,
    Weights,
    cluster_sums,
    reaching,
    sampled_errors,
    uneven,
    weights,
)
from rollcall.score.incomplete.counts import Counts, Floats, Name
from rollcall.score.incomplete.difference_bounds import Shared
from rollcall.score.incomplete.error_pool import ErrorPool
from rollcall.score.incomplete.estimate import joined
from rollcall.score.incomplete.missing_answers import shares
from rollcall.score.incomplete.results import TrueFigure
from rollcall.score.spread import spread
from rollcall.score.student import t_quantile

Survival = Literal["always", "likely", "reversed", "open"]


def survival(value: float | None, true: TrueFigure) -> Survival:
    """Whether an observed difference remains one: `always`, whatever is missing; `likely`, by the judged
    errors and for all such questions; `reversed`, if these say the opposite; else `open`.
    """
    if not value:
        return "open"
    if true.bounds is not None and _side(true.bounds) == math.copysign(1, value):
        return "always"
    if true.corrected is None or true.corrected.population is None:
        return "open"
    side = _side(true.corrected.population)
    return "open" if not side else "likely" if side == math.copysign(1, value) else "reversed"


def _side(ends: tuple[float, float]) -> int:
    """On which side of zero an interval lies; 0 if it holds zero."""
    return 1 if ends[0] > 0 else -1 if ends[1] < 0 else 0


class System(NamedTuple):
    """One of the two runs."""

    counts: Counts
    pool: ErrorPool


def shared_errors(first: System, second: System) -> Shared:
    """How many errors of each question the two systems have alone and together."""
    of_second = dict(zip(second.pool.pairs, second.pool.times.tolist(), strict=True))
    both = np.zeros(len(first.counts))
    for pair, place, times in zip(first.pool.pairs, first.pool.places, first.pool.times, strict=True):
        both[place] += min(times, of_second.get(pair, 0.0))
    return Shared(first.counts.wrong - both, second.counts.wrong - both, both)


def corrected_difference(
    name: Name,
    first: System,
    second: System,
    completeness: Completeness | None,
    clusters: list[list[int]],
    confidence: float,
) -> Corrected | None:
    """The first system's corrected mean minus the second's."""
    counts = first.counts
    if not len(counts) or (name != "P" and completeness is None):
        return None
    pool, times = _joint(first.pool, second.pool)
    if not pool.drawn.any() and np.isnan(pool.right).any():
        return None
    low, middle, high = (None, None, None) if completeness is None else shares(counts, completeness)
    linear = [weights(name, one.counts, middle) for one in (first, second)]
    effects = [one.each[pool.places] * of for one, of in zip(linear, times, strict=True)]
    chances, sample, judged = _sampled(pool, effects[0] - effects[1], times, confidence)
    right = [_per_question(pool, chances * of, len(counts)) for of in times]
    values = [one.base + one.each * found for one, found in zip(linear, right, strict=True)]
    difference = values[0] - values[1]
    value = float(difference.sum())
    others = [
        _difference([weights(name, one.counts, share) for one in (first, second)], right)
        for share in (low, high)
    ]
    pulls = values[0] / linear[0].sizes - values[1] / linear[1].sizes
    rough = [v * one.spread / one.sizes**2 for v, one in zip(values, linear, strict=True)]
    doubts = Doubts(
        sample,
        reaching(value, others),
        uneven(pulls, np.maximum(linear[0].spread, linear[1].spread), confidence),
        abs(float((rough[0] - rough[1]).sum())),
    )
    n = len(counts)
    whole = doubts.whole(value)
    moved = _mean_interval(difference, counts, clusters, confidence)
    population = doubts.population(value, moved, n)
    ends = None if population is None else (population[0] / n, population[1] / n)
    return Corrected(value / n, (whole[0] / n, whole[1] / n), ends, judged)


def _difference(linear: list[Weights], right: list[Floats]) -> float:
    first, second = (one.base + one.each * found for one, found in zip(linear, right, strict=True))
    return float((first - second).sum())


def _per_question(pool: ErrorPool, amounts: Floats, questions: int) -> Floats:
    return np.bincount(pool.places, amounts, minlength=questions).astype(np.float64)


def _joint(first: ErrorPool, second: ErrorPool) -> tuple[ErrorPool, list[Floats]]:
    """The pool of both systems, each error once, and how often it counts for each of them."""
    at = {pair: place for place, pair in enumerate(first.pairs)}
    new = [place for place, pair in enumerate(second.pairs) if pair not in at]
    chosen = np.array(new, dtype=np.int64)
    size = len(first) + len(new)
    times = [np.zeros(size), np.zeros(size)]
    times[0][: len(first)] = first.times
    times[1][len(first) :] = second.times[chosen]
    for pair, often in zip(second.pairs, second.times, strict=True):
        if pair in at:
            times[1][at[pair]] = often
    pool = ErrorPool(
        [*first.pairs, *(second.pairs[place] for place in new)],
        [*first.answers, *(second.answers[place] for place in new)],
        np.concatenate([first.places, second.places[chosen]]),
        np.maximum(*times),
        np.concatenate([first.right, second.right[chosen]]),
        np.concatenate([first.drawn, second.drawn[chosen]]),
        np.concatenate([first.chance, second.chance[chosen]]),
    )
    return pool, times


def _sampled(
    pool: ErrorPool, effects: Floats, times: list[Floats], confidence: float
) -> tuple[Floats, tuple[float, float], int]:
    """For each error the estimate that it is right, how far their sum may be off, and the sample's size."""
    mine, other = times[0] > 0, times[1] > 0
    strata = [mine & ~other, other & ~mine, mine & other & (effects > 0), mine & other & (effects <= 0)]
    usual = float(pool.right[pool.drawn].mean()) if pool.drawn.any() else 0.5
    chances = np.zeros(len(pool))
    distances, judged = [], 0
    for stratum, sign in zip(strata, (1, -1, 1, -1), strict=True):
        size = np.abs(effects[stratum])
        found = sampled_errors(pool.chosen(stratum), size, confidence, usual)
        chances[stratum] = np.divide(found.contributions, size, out=np.zeros_like(size), where=size > 0)
        down, up = found.value - found.low, found.high - found.value
        distances.append((down, up) if sign > 0 else (up, down))
        judged += found.judged
    below, above = joined(0.0, distances)
    return chances, (-below, above), judged


def _mean_interval(
    difference: Floats, counts: Counts, clusters: list[list[int]], confidence: float
) -> tuple[float, float] | None:
    """The interval of a mean difference over clusters, by Student's t."""
    ratio = cluster_sums(difference, counts, clusters)
    known = spread(ratio)
    if known is None or ratio.value is None:
        return None
    half = t_quantile(confidence, known.freedom) * math.sqrt(known.variance)
    return ratio.value - half, ratio.value + half
