"""Bounds without labels: between which values P, R and F1 must lie if gold has a given completeness.

Only the number M of missing answers of a group is known, not which questions lack them, nor which counted
errors are among them. A question that lacks m answers, x ≤ min(m, errors) of which the system gave, has F1 =
2 (found + x) / (given + gold + m). The lowest mean has no error right and spreads M where it hurts most;
these are decreasing convex functions of m. The highest has every missing answer among the errors, for as long
as there are errors, where each helps most: increasing concave functions. Both are solved exactly (over real
numbers, which include the whole ones) by raising m wherever its effect is greatest. Answers that are missing
beyond all errors go to the one question where they cost least, because what they cost is convex.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.questions.judgment import Completeness, Judgment
from rollcall.questions.run import EntityAnswer
from rollcall.questions.splits import lot
from rollcall.score.figures import Ratio, interval
from rollcall.score.incomplete.counts import (
    NAMES,
    Counts,
    ErrorPool,
    Floats,
    MissingGroup,
    Name,
    Pair,
    above_and_below,
    counts_of,
    error_pool,
    pair_of,
    shares,
    verdicts,
)
from rollcall.score.incomplete.estimate import GivenCompleteness, Sampled, estimate, given_knowledge, joined
from rollcall.score.measure import Measure
from rollcall.score.rules import check_choice, check_share

if TYPE_CHECKING:
    from rollcall.score.report import Report


STEPS = 100
"""Halvings of the interval in which the level of a filling lies."""


class Bounds(NamedTuple):
    """The interval in which a true figure lies, whatever is missing."""

    low: float
    high: float


def bounds(name: Name, counts: Counts, groups: Sequence[MissingGroup]) -> Bounds:
    """The bounds of the mean of a measure over all questions."""
    if not len(counts):
        return Bounds(0.0, 1.0)
    low = high = 0.0
    for group in groups:
        rows = _Rows(name, counts, group)
        low += rows.lowest(group.most)
        high += rows.highest(group.least, group.most)
    return Bounds(max(0.0, low / len(counts)), min(1.0, high / len(counts)))


class _Rows:
    """The questions of one group under one measure."""

    def __init__(self, name: Name, counts: Counts, group: MissingGroup) -> None:
        self.name = name
        self.found = counts.found[group.places]
        self.given = counts.given[group.places]
        self.gold = counts.gold[group.places]
        self.wrong = counts.wrong[group.places]
        self.silence = counts.silence[group.places]
        self.values = counts.values(name)[group.places]
        self.quiet = (self.given == 0) & (self.gold == 0)
        """Questions without answers and gold: what the profile gives them is lost with one missing answer."""

    def lowest(self, most: float) -> float:
        """The least sum of values: no error is right, and `most` answers are missing."""
        lost = min(most, float(np.count_nonzero(self.silence)))  # one answer takes away the whole value
        low = self.values.sum() - lost
        if self.name == "P":
            return float(low)
        above, below = above_and_below(self.name, self.found, self.given, self.gold)
        there = above > 0
        above, below = above[there], below[there]
        missing = _filled(above, below, np.full_like(above, np.inf), most - lost)
        return float(low - (above / below - above / (below + missing)).sum())

    def highest(self, least: float, most: float) -> float:
        """The greatest sum of values: from `least` to `most` answers are missing."""
        room = float(self.wrong.sum())
        missing = min(most, max(least, room))
        value = self._gained(min(missing, room))
        return value - (self._cost(missing - room) if missing > room else 0.0)

    def _gained(self, missing: float) -> float:
        """The values with this number of missing answers, all of them among the errors."""
        if self.name == "P":
            return float(self.values.sum() + _best_first(1 / np.maximum(self.given, 1), self.wrong, missing))
        # Recall without gold is 0, and 1 as soon as an answer is missing and found: no other gain is greater.
        new = (self.gold == 0) & (self.wrong > 0) if self.name == "R" else np.zeros_like(self.quiet)
        first = min(missing, float(np.count_nonzero(new)))
        rest = ~new & (self.wrong > 0)
        above, below = above_and_below(self.name, self.found, self.given, self.gold)
        above, below, room = above[rest], below[rest], self.wrong[rest]
        rise = 1.0 if self.name == "R" else 2.0
        more = _filled(rise * below - above, below, room, missing - first)
        gained = (above + rise * more) / (below + more) - above / below
        return float(self.values.sum() + first + gained.sum())

    def _cost(self, missing: float) -> float:
        """What answers cost that are missing besides all errors, at the question where they cost least."""
        right = self.found + self.wrong
        above, below = above_and_below(self.name, right, self.given, self.gold + self.wrong)
        before = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
        more = 0.0 if self.name == "P" else missing
        after = np.divide(above, below + more, out=np.zeros_like(above), where=below > 0)
        lost = np.where(self.quiet, self.silence * min(1.0, missing), before - after)
        return float(lost.min(initial=np.inf)) if len(lost) else 0.0


def _filled(rates: Floats, sizes: Floats, room: Floats, total: float) -> Floats:
    """How a total is spread so that the marginal effects rate / (size + m)² are as great as possible.

    Each m is at most its room. All effects are equal in the end, except where m is 0 or the room is full.
    """
    if total <= 0 or not len(rates):
        return np.zeros_like(rates)
    if total >= room.sum():
        return room.copy()
    roots = np.sqrt(np.maximum(rates, 0.0))

    def at(level: float) -> Floats:
        return np.minimum(room, np.maximum(0.0, level * roots - sizes))

    low, high = 0.0, 1.0
    while at(high).sum() < total and high < 1e15:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle).sum() < total else (low, middle)
    return at(high)


def _best_first(gains: Floats, room: Floats, total: float) -> float:
    """The greatest sum of gains for a total, where each gain stays the same until its room is full."""
    order = np.argsort(-gains, kind="stable")
    taken = np.clip(total - (np.cumsum(room[order]) - room[order]), 0.0, room[order])
    return float((gains[order] * taken).sum())


# Corrected figures: what P, R and F1 would be with complete gold, estimated from judged errors. The
# sample of judged errors says how many errors are right, and completeness how many answers a question
# has: |G| / c of them. Both are estimates, and the interval holds what is uncertain about each: the draw
# of the sample, the interval of c, and that answers are missing from some questions more than from
# others.


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
        gold = counts.known / completeness - counts.ignored
        spread = counts.known * (1 - completeness) / completeness**2
    above, below = above_and_below(name, counts.found, counts.given, gold)
    gain, _ = above_and_below(name, np.ones(len(counts)), counts.given, gold)
    # A question without gold stays as it is rated: nothing tells how many answers it has.
    there = (below > 0) & (counts.gold > 0)
    safe = np.where(there, below, 1.0)
    lowered = 1 / (1 + spread / safe**2)
    base = np.where(there, above / safe * lowered, counts.values(name))
    each = np.where(there, gain / safe * lowered, 0.0)
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
    estimated = estimate(
        weight[rest], pool.right[rest], pool.drawn[rest], pool.chance[rest], confidence, usual
    )
    contributions = np.zeros(len(pool))
    contributions[known] = weight[known] * pool.right[known]
    sure = float(contributions.sum())
    contributions[rest] = estimated.contributions
    return Sampled(
        sure + estimated.value, sure + estimated.low, sure + estimated.high, contributions, estimated.judged
    )


def uneven(pulls: Floats, spread: Floats, confidence: float) -> float:
    """How far a sum may be off because each question lacks more or fewer answers than its share.

    `pulls` say by how much the sum falls with each further answer, `spread` how much their numbers vary.
    """
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return reach * math.sqrt(float((pulls**2 * spread).sum()))


def cluster_sums(values: Floats, counts: Counts, clusters: list[list[int]]) -> Ratio:
    """The sum of values, and the number of questions, of each cluster."""
    there = dict(zip(counts.places, values.tolist(), strict=True))
    listed = [[there[index] for index in cluster if index in there] for cluster in clusters]
    return Ratio([math.fsum(members) for members in listed], [float(len(members)) for members in listed])


def _sum(linear: Weights, right: Floats) -> float:
    return float((linear.base + linear.each * right).sum())


def _share(value: float, n: int) -> float:
    return min(1.0, max(0.0, value / n))


def _ends(whole: tuple[float, float], n: int) -> tuple[float, float]:
    return _share(whole[0], n), _share(whole[1], n)


# What is known about true figures: the records that reports and comparisons carry.


class TrueFigure(NamedTuple):
    """What is known about the true value of a figure, or of a difference of two."""

    bounds: Bounds | None = None
    """Without labels; None if completeness is not known."""
    corrected: Corrected | None = None
    """From judged errors; None if they do not suffice."""


@dataclass
class Incomplete:
    """The true figures of a report, and what they rest on."""

    completeness: Completeness | None
    figures: dict[Measure, TrueFigure]
    errors: int = 0
    """Different errors of the run."""
    drawn: int = 0
    """Errors that were drawn at random and judged."""
    known: int = 0
    """Errors that were judged for another reason."""
    guessed: int = 0
    """Errors that a machine judged."""


# Plans judging: how many errors must be judged for an interval of a wanted width. The width of a
# corrected figure's interval falls with the square root of the sample, and faster when few errors are
# left. What completeness leaves uncertain stays, however many errors are judged, and is named apart.

PRIOR = 1.0
"""Errors counted as right and as wrong before any was judged: a small first sample is not believed."""


@dataclass(frozen=True)
class JudgingPlan:
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
) -> JudgingPlan:
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
    errors: dict[Pair, bool] = {}
    drawn: dict[Pair, float] = {}
    for pool in pools:
        errors |= dict(zip(pool.pairs, pool.drawn.tolist(), strict=True))
        drawn |= {pair: right for pair, right, is_drawn in _verdicts(pool) if is_drawn}
    expected = _expected(share, list(drawn.values()))
    spread = expected * (1 - expected) * (1 - correlation**2)
    by_run, needed = [], 0
    for counts, pool in zip(counted, pools, strict=True):
        middle = None if about is None else shares(counts, about)[1]
        number = _needed(weights(measure, counts, middle).each, counts, pool, spread, width, confidence)
        by_run.append(number)
        needed = max(needed, math.ceil(number * len(errors) / len(pool)) if len(pool) else 0)
    judged = sum(errors.values())
    return JudgingPlan(
        measure, width, confidence, len(errors), judged, min(needed, len(errors)), expected, by_run
    )


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


# Draws errors to be judged: a random sample of what runs gave and gold does not have. The sample is
# drawn from the errors of all runs together, each once; those of one run are then a random sample of its
# errors. A larger sample from the same seed has the smaller one in it, so that judging can go on.


def draw_errors(
    reports: Sequence["Report"], number: int, *, judged: Iterable[Judgment] = (), seed: int = 0
) -> list[Judgment]:
    """The next errors to judge, so that `number` are judged in all; `right` and `by` are to be filled in.

    Pairs that people judged already are not drawn again. Drawn ones among them count towards the number.
    """
    judged = list(judged)
    known = verdicts(judged)
    seen = {pair_of(judgment.question, judgment.answer) for judgment in judged if judgment.by_people}
    errors: dict[Pair, Judgment] = {}
    for report in reports:
        pool, entities = error_pool(counts_of(report), known), _entities(report)
        asked = {question.id: question.question for question, _ in report.pairs}
        for pair, answer in zip(pool.pairs, pool.answers, strict=True):
            errors.setdefault(
                pair, Judgment(pair[0], answer, entities.get(pair), asked=asked[pair[0]], drawn=True)
            )
    done = sum(pair in errors and verdict.drawn for pair, verdict in known.pairs.items())
    left = sorted(errors.keys() - seen, key=lambda pair: lot(seed, "error", f"{pair[0]}\n{pair[1].hex()}"))
    return [errors[pair] for pair in left[: max(0, number - done)]]


def _entities(report: "Report") -> dict[Pair, str]:
    """The entities that a run gave as answers, by question and name."""
    return {
        pair_of(question.id, answer.label or answer.id): answer.id
        for question, prediction in report.pairs
        for answer in (prediction.answers if prediction is not None else ())
        if isinstance(answer, EntityAnswer)
    }
