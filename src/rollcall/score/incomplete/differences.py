"""Whether the difference of two systems survives incomplete gold: its bounds, and its corrected value.

The errors of both form one pool, in four strata: of the first alone, of the second alone, and of both where a
right one helps the first or the second more. In each the judged errors are a random sample, whether the
sample was drawn from the pool of both or from the errors of each.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall.questions.judgment import Completeness
from rollcall.score.figures import spread, t_quantile
from rollcall.score.incomplete.bounds import (
    Bounds,
    Corrected,
    Doubts,
    Incomplete,
    TrueFigure,
    Weights,
    bounds,
    cluster_sums,
    corrected,
    reaching,
    sampled_errors,
    uneven,
    weights,
)
from rollcall.score.incomplete.counts import (
    NAMES,
    Counts,
    ErrorPool,
    Floats,
    MissingGroup,
    Name,
    PairVerdicts,
    counts_of,
    error_pool,
    missing_groups,
    rated,
    shares,
    verdicts,
)
from rollcall.score.incomplete.estimate import Knowledge, estimate, joined
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report


# Bounds without labels for the difference of two systems: what is missing is missing for both. For each
# question and each number m of missing answers, the greatest difference is known: errors of the first
# system alone are right, those of the second alone are not, and errors of both are right where that
# helps the first more. How m is spread over the questions is bounded by Lagrangian duality: for every
# price λ of a missing answer, Σ max over m of (difference − λ m) + λ M is at least the greatest
# difference. The price with the lowest such sum is sought; whatever is found, the bound holds.

GROWTH = 1.25
"""Beyond all errors, numbers of missing answers are tried in steps that grow by this factor."""
STEPS = 80
GOLDEN = (5**0.5 - 1) / 2


class SharedErrors(NamedTuple):
    """How many errors of each question only the first system made, only the second, and both."""

    first: Floats
    second: Floats
    both: Floats

    @property
    def swapped(self) -> "SharedErrors":
        return SharedErrors(self.second, self.first, self.both)


def difference_bounds(
    name: Name, first: Counts, second: Counts, shared: SharedErrors, groups: Sequence[MissingGroup]
) -> Bounds:
    """The bounds of the first system's mean minus the second's."""
    if not len(first):
        return Bounds(0.0, 0.0)
    high = sum(_greatest(name, first, second, shared, group) for group in groups)
    low = sum(_greatest(name, second, first, shared.swapped, group) for group in groups)
    return Bounds(max(-1.0, -low / len(first)), min(1.0, high / len(first)))


class _Cases(NamedTuple):
    """Possible numbers of missing answers of every question, those of one question side by side.

    A case stands for all whole numbers from `least` to `most`; `value` is at least the difference of any.
    """

    starts: NDArray[np.int64]
    least: Floats
    most: Floats
    value: Floats

    def dual(self, price: float) -> float:
        """The sum of each question's best case, if a missing answer costs this price."""
        paid = self.value - price * (self.least if price >= 0 else self.most)
        return float(np.maximum.reduceat(paid, self.starts).sum())


def _greatest(name: Name, first: Counts, second: Counts, shared: SharedErrors, group: MissingGroup) -> float:
    """An upper bound of the sum of differences over a group."""
    cases = _cases(name, first, second, shared, group)

    def bound(price: float) -> float:
        return cases.dual(price) + price * (group.most if price >= 0 else group.least)

    return _least(bound, -1.0, 2.0)


def _cases(name: Name, first: Counts, second: Counts, shared: SharedErrors, group: MissingGroup) -> _Cases:
    whole = int(np.ceil(group.most))
    errors = np.minimum(whole, shared.first[group.places] + shared.both[group.places] + 1).astype(np.int64)
    ends = {size: _ends(size, whole) for size in set(errors.tolist())}
    listed = [ends[size] for size in errors.tolist()]
    sizes = np.array([len(cases) for cases in listed], dtype=np.int64)
    at = np.repeat(group.places, sizes)
    starts = np.cumsum(sizes) - sizes
    high = np.concatenate(listed)
    low = np.concatenate([[0.0], high[:-1] + 1])
    low[starts] = 0.0
    alone = np.minimum(shared.first[at], high)
    both = np.minimum(shared.both[at], high - alone)
    # An error of both that is right helps more whoever gave fewer answers; in recall it helps both alike.
    both = np.where((first.given[at] < second.given[at]) & (name != "R"), both, 0.0)
    top = rated(
        name, first.found[at] + alone + both, first.given[at], first.gold[at] + low, first.silence[at]
    )
    worst = rated(name, second.found[at] + both, second.given[at], second.gold[at] + high, second.silence[at])
    return _Cases(starts, low, high, top - worst)


def _ends(errors: int, whole: int) -> Floats:
    """The numbers at which cases end: every one up to the errors, then in growing steps up to the whole."""
    ends = list(range(errors + 1))
    while ends[-1] < whole:
        ends.append(min(whole, max(ends[-1] + 1, int(ends[-1] * GROWTH))))
    return np.array(ends, dtype=np.float64)


def _least(of: Callable[[float], float], low: float, high: float) -> float:
    """The least value of a convex function that a golden-section search finds."""
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_a, at_b = of(a), of(b)
    best = min(at_a, at_b, of(0.0))
    for _ in range(STEPS):
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - GOLDEN * (high - low)
            at_a = of(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + GOLDEN * (high - low)
            at_b = of(b)
        best = min(best, at_a, at_b)
    return best


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


class RunErrors(NamedTuple):
    """One of the two runs."""

    counts: Counts
    pool: ErrorPool


def shared_errors(first: RunErrors, second: RunErrors) -> SharedErrors:
    """How many errors of each question the two systems have alone and together."""
    of_second = dict(zip(second.pool.pairs, second.pool.times.tolist(), strict=True))
    both = np.zeros(len(first.counts))
    for pair, index, times in zip(first.pool.pairs, first.pool.places, first.pool.times, strict=True):
        both[index] += min(times, of_second.get(pair, 0.0))
    return SharedErrors(first.counts.wrong - both, second.counts.wrong - both, both)


def corrected_difference(
    name: Name,
    first: RunErrors,
    second: RunErrors,
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
    linear = [weights(name, system.counts, middle) for system in (first, second)]
    effects = [weight.each[pool.places] * of for weight, of in zip(linear, times, strict=True)]
    chances, sample, judged = _sampled(pool, effects[0] - effects[1], times, confidence)
    right = [_per_question(pool, chances * of, len(counts)) for of in times]
    values = [weight.base + weight.each * hits for weight, hits in zip(linear, right, strict=True)]
    difference = values[0] - values[1]
    value = float(difference.sum())
    others = [
        _difference([weights(name, system.counts, share) for system in (first, second)], right)
        for share in (low, high)
    ]
    pulls = values[0] / linear[0].sizes - values[1] / linear[1].sizes
    rough = [v * weight.spread / weight.sizes**2 for v, weight in zip(values, linear, strict=True)]
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
    first, second = (weight.base + weight.each * hits for weight, hits in zip(linear, right, strict=True))
    return float((first - second).sum())


def _per_question(pool: ErrorPool, amounts: Floats, questions: int) -> Floats:
    return np.bincount(pool.places, amounts, minlength=questions).astype(np.float64)


def _joint(first: ErrorPool, second: ErrorPool) -> tuple[ErrorPool, list[Floats]]:
    """The pool of both systems, each error once, and how often it counts for each of them."""
    at = {pair: index for index, pair in enumerate(first.pairs)}
    new = [index for index, pair in enumerate(second.pairs) if pair not in at]
    chosen = np.array(new, dtype=np.int64)
    size = len(first) + len(new)
    times = [np.zeros(size), np.zeros(size)]
    times[0][: len(first)] = first.times
    times[1][len(first) :] = second.times[chosen]
    for pair, often in zip(second.pairs, second.times, strict=True):
        if pair in at:
            times[1][at[pair]] = often
    pool = ErrorPool(
        [*first.pairs, *(second.pairs[index] for index in new)],
        [*first.answers, *(second.answers[index] for index in new)],
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
        sample = sampled_errors(pool.chosen(stratum), size, confidence, usual)
        chances[stratum] = np.divide(sample.contributions, size, out=np.zeros_like(size), where=size > 0)
        down, up = sample.value - sample.low, sample.high - sample.value
        distances.append((down, up) if sign > 0 else (up, down))
        judged += sample.judged
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


# Adds the true figures to a report: for each measure its bounds, and its corrected value.

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
    figures = {
        measure: TrueFigure(
            None if groups is None else bounds(name, counts, groups),
            corrected(name, counts, pool, about, report.clusters, sure) if knowledge.judgments else None,
        )
        for measure, name in measures.items()
    }
    report.incomplete = Incomplete(
        about,
        figures,
        errors=len(pool),
        drawn=int(pool.drawn.sum()),
        known=int(pool.known.sum()),
        guessed=sum(chance == chance for chance in pool.chance.tolist()),
    )
    report.warnings += _cautions(report.incomplete, counts, pool, known, groups, sure)
    return counts, pool


def plain_measures(report: "Report") -> dict[Measure, Name]:
    """The report's measures whose true values can be known, by their names."""
    plain = {measure: cast(Name, str(measure)) for measure in report.measures if str(measure) in NAMES}
    if not plain:
        raise RollcallError(f"true figures are known for {', '.join(NAMES)}; measure one of them")
    return plain


def _cautions(
    about: Incomplete,
    counts: Counts,
    pool: ErrorPool,
    known: PairVerdicts,
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
        estimated = estimate(
            pool.times[rest], pool.right[rest], pool.drawn[rest], pool.chance[rest], confidence
        )
        least = estimated.low + float(pool.right[pool.known].sum())
        most = sum(group.most for group in groups)
        if least > most:
            notes.append(
                f"the judged errors say that at least {least:,.0f} answers are missing from the gold by this "
                f"run alone, and its completeness leaves room for {most:,.0f}: is it too high?"
            )
    return notes


# Adds to a comparison what is known of true figures and of their differences.


def add_true_differences(comparison: "Comparison", knowledge: Knowledge) -> None:
    """Say of each run and each pair what is known with complete gold."""
    systems = [RunErrors(*add_true_figures(report, knowledge)) for report in comparison.reports]
    first = comparison.reports[0]
    measures, sure = plain_measures(first), first.confidence or CONFIDENCE
    about = knowledge.completeness
    groups = None if about is None else missing_groups(systems[0].counts, about)
    for difference in comparison.differences:
        name = measures.get(difference.measure)
        if name is None:
            continue
        pair = systems[difference.first], systems[difference.second]
        bounds = None
        if groups is not None:
            bounds = difference_bounds(name, pair[0].counts, pair[1].counts, shared_errors(*pair), groups)
        adjusted = None
        if knowledge.judgments:
            adjusted = corrected_difference(name, *pair, about, first.clusters, sure)
        difference.true = TrueFigure(bounds, adjusted)
