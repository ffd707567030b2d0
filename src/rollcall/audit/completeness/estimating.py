"""Estimates what share of the true answers a set has: as a whole, for each kind, and for each relation.

Input: questions and the captures of their answers. Output: a `CompletenessReport`. Questions with the same
kind and relations form a stratum, because graph, text and lists know some relations better than others and
a formula over all would take that for agreement (Sekar and Deming 1949); strata in which sources rarely
meet are estimated together. A question of several relations counts in each of them.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError
from rollcall.audit.completeness.captures import Captures, Dependence, Numbers, dependences
from rollcall.questions.judgment import Completeness
from rollcall.questions.record import Question
from rollcall.score.figures import t_quantile

if TYPE_CHECKING:
    from rollcall.audit.completeness.captures import Ids


# The formulas that estimate how many answers no source gave, each with its derivatives. All are
# functions of counts of rows that few sources gave. `chapman` is Lincoln and Petersen's estimator for
# two sources with Chapman's correction (Chapman 1951); `chao` is the same idea for any number of sources
# of unequal size (Chao 1989, "Estimating population size for sparse data in capture-recapture
# experiments"), and is Chapman's for two; `chao2` is for sources that are alike, such as runs of similar
# systems (Chao 1987), and `chao1` for counts of how often an answer was given (Chao 1984). The
# derivatives say how much one more row of a sort changes the estimate;
# `rollcall.audit.completeness.estimating` needs nothing else.


class UnseenEstimate(NamedTuple):
    """How many answers no source gave, and what each row pulls the estimate by."""

    number: float
    pulls: Numbers
    """The derivative by the number of rows like each row; an unseen answer itself pulls by -1."""
    single: Numbers
    """How many rows each source alone gave."""
    double: float
    """How many rows exactly two sources gave; without any, nothing can be estimated."""


Estimator = Callable[[Captures], UnseenEstimate]


def chao(captures: Captures) -> UnseenEstimate:
    """From rows that one source alone gave, and rows that two gave; sources may be of unequal size.

    If sources are independent, so many answers of which i alone and j alone gave Z_i and Z_j are given by
    both that Z_i Z_j / Z_ij estimates those that no source gave; the sums over all pairs are divided by each
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
    return UnseenEstimate(number, pulls, single, double)


def chapman(captures: Captures) -> UnseenEstimate:
    """Lincoln and Petersen's estimator for two sources, with Chapman's correction."""
    if len(captures.sources) != 2:
        raise RollcallError(f"chapman compares two sources, not {len(captures.sources)}")
    return chao(captures)


def chao2(captures: Captures) -> UnseenEstimate:
    """For several sources that give about as many answers each, in the bias-corrected form.

    Where answers are not equally likely to be given, it estimates a lower bound.
    """
    sources = len(captures.sources)
    return _often(captures, (sources - 1) / sources if sources else 0.0)


def chao1(captures: Captures) -> UnseenEstimate:
    """From how often an answer was given, by very many sources; a lower bound,
    in the bias-corrected form.
    """
    return _often(captures, 1.0)


def _often(captures: Captures, share: float) -> UnseenEstimate:
    """Chao's bound from the answers that were given once and twice, by whichever source."""
    times, weights = captures.times, captures.chance
    single = (captures.given * (weights * (times == 1))[:, None]).sum(axis=0)
    once, twice = float(single.sum()), float(weights[times == 2].sum())
    number, by_once, by_twice = _once_twice(once, twice, share)
    pulls = np.where(times == 1, by_once, np.where(times == 2, by_twice, 0.0))
    return UnseenEstimate(number, pulls, single, twice)


def _once_twice(once: float, twice: float, share: float) -> tuple[float, float, float]:
    """Chao's bound from what was given once and twice, and its two derivatives; never below 0."""
    number = max(0.0, share * once * (once - 1) / (2 * (twice + 1)))
    by_once = max(0.0, share * (2 * once - 1) / (2 * (twice + 1)))
    return number, by_once, -number / (twice + 1)


ESTIMATORS: dict[str, Estimator] = {"chapman": chapman, "chao": chao, "chao2": chao2, "chao1": chao1}
"""Those that estimate from captures, by name."""


# How far an estimate of unseen answers may be off, where answers of one question share their fate. The
# error is a sum over answers: each seen one adds its pull, each unseen one adds -1, and the sum has mean
# zero where sources are independent. If answers were given independently of one another, the variance
# would be the sum of squares, which for two sources is Seber's formula. But a list has all answers of a
# question or none, and an entity that text never names is missing in all its questions; so sums over
# questions, and over entities, are squared (clusters in two ways), and the result is never taken to be
# smaller than for independent answers.


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
    """How many questions have rows: the most independent pieces that the variance can rest on."""
    return len(np.unique(captures.question))


# Intervals for a number of answers: Chao's log-normal form, which never ends below what was seen. The
# number of unseen answers is positive and its estimate is skewed, so its logarithm is taken to be normal
# (Chao 1987). Ends are at M + f/K and M + f*K for M seen and f unseen answers, where K follows from the
# variance of f; with few questions Student's quantile takes the place of the normal one.

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


def most_unseen(estimated: UnseenEstimate) -> float:
    """The most unseen answers that are likely where the estimate is none: a source that alone gave nothing
    may do so by chance, so it is counted as if it had given as many as chance may hide.
    """
    single: list[float] = [
        max(number, NONE_SEEN) if number <= 0 else number for number in estimated.single.tolist()
    ]
    total = sum(single)
    return (total**2 - sum(number**2 for number in single)) / 2 / (estimated.double + 1)


ENOUGH = 30.0
"""The fewest answers that two sources must share for a stratum to be estimated by itself."""
BIAS = (
    "Estimates assume that sources find answers independently. Sources that know the same (well-known) "
    "answers make too few look missing, so that completeness is overstated; sources that complement one "
    "another do the opposite."
)


class SourceSize(msgspec.Struct, frozen=True):
    """How many answers a source gave, and how many of them no other source gave."""

    answers: float
    alone: float


class CompletenessReport(msgspec.Struct, frozen=True):
    """What was estimated, from what, and how far it can be trusted."""

    completeness: Completeness
    gold: int
    """The number of answers that the set has."""
    seen: float
    """The expected number of right answers that some source has."""
    total: float
    """The estimated number of right answers, with its interval."""
    total_low: float
    total_high: float
    sources: dict[str, SourceSize]
    dependences: list[Dependence] = []
    merged: dict[str, Completeness] = {}
    """The completeness if two sources count as one, for every two of three or more sources: right even if
    these two depend on one another, as long as the others do not.
    """
    notes: list[str] = []


class _Total(NamedTuple):
    gold: float
    seen: float
    value: float
    low: float
    high: float
    method: str


def estimate(
    questions: Iterable[Question],
    captures: Captures,
    *,
    method: str = "auto",
    confidence: float = 0.95,
    notes: Sequence[str] = (),
) -> CompletenessReport:
    """How complete the answers of questions are, from what several sources give.

    `method` is `chapman` (two sources), `chao` (any number), `chao2` (sources that are alike), `chao1`
    (very many sources), or `auto`:
    chapman for two and chao for more. An error says what is missing if nothing can be estimated.
    """
    name = _method(method, len(captures.sources))
    captures = captures.chosen(captures.times > 0)
    if not (captures.times > 1).any():
        few = f"only {captures.sources[0]} gives" if len(captures.sources) == 1 else "no two sources share"
        raise RollcallError(
            f"{few} answers: completeness needs two sources that overlap; give a graph and a corpus, or runs "
            "that were judged"
        )
    about = _CaptureStrata(questions, captures)
    total = _total(captures, about.strata, ESTIMATORS[name], name, confidence)
    assert total is not None, "two sources overlap somewhere"
    by = {
        "kind": _grouped(captures, about, about.kinds, name, confidence),
        "relation": _grouped(captures, about, about.relations, name, confidence),
    }
    return CompletenessReport(
        _record(total, len(about.used), by),
        round(total.gold),
        total.seen,
        total.value,
        total.low,
        total.high,
        _sizes(captures),
        dependences(captures),
        _merged(captures, about, confidence) if len(captures.sources) > 2 else {},
        [*notes, BIAS],
    )


def _merged(captures: Captures, about: "_CaptureStrata", confidence: float) -> dict[str, Completeness]:
    """The completeness with every two sources as one."""
    completeness = {}
    for pair in combinations(captures.sources, 2):
        joined = captures.merged(*pair)
        name = _method("auto", len(joined.sources))
        total = _total(joined, about.strata, ESTIMATORS[name], name, confidence)
        if total is not None:
            completeness[joined.sources[0]] = _record(total, len(about.used), {})
    return completeness


def _method(method: str, sources: int) -> str:
    if method == "auto":
        return "chapman" if sources == 2 else "chao"
    if method not in ESTIMATORS:
        raise RollcallError(f"{method}: no such estimator; choose one of auto, {', '.join(ESTIMATORS)}")
    return method


class _CaptureStrata:
    """What the questions of captures are: their strata, and which kinds and relations have which of them."""

    def __init__(self, questions: Iterable[Question], captures: Captures) -> None:
        number_of = {id_: number for number, id_ in enumerate(captures.questions)}
        self.strata = np.zeros(len(number_of), np.int64)
        self.kinds: dict[str, list[int]] = {}
        self.relations: dict[str, list[int]] = {}
        self.used = np.unique(captures.question)
        numbers: dict[tuple[str, ...], int] = {}
        for question in questions:
            number = number_of.get(question.id)
            if number is None:
                continue
            kind, relations = question.kind or "", question.relations
            self.strata[number] = numbers.setdefault((kind, *relations), len(numbers) + 1)
            if kind:
                self.kinds.setdefault(kind, []).append(number)
            for relation in relations:
                self.relations.setdefault(relation, []).append(number)


def _grouped(
    captures: Captures,
    about: _CaptureStrata,
    groups: Mapping[str, Sequence[int]],
    name: str,
    confidence: float,
) -> dict[str, Completeness]:
    """The same figures for groups of questions; those without overlapping sources are left out."""
    order = np.argsort(captures.question, kind="stable")
    sorted_rows = captures.question[order]
    completeness: dict[str, Completeness] = {}
    for group, numbers in sorted(groups.items()):
        wanted = np.array(sorted(numbers), np.int64)
        starts, ends = (
            np.searchsorted(sorted_rows, wanted),
            np.searchsorted(sorted_rows, wanted, side="right"),
        )
        spans = [order[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        own = _rows(captures, np.concatenate([np.zeros(0, np.int64), *spans]))
        total = _total(own, about.strata, ESTIMATORS[name], name, confidence)
        if total is not None:
            completeness[group] = _record(total, len(np.unique(own.question)), {})
    return completeness


def _rows(captures: Captures, rows: NDArray[np.int64]) -> Captures:
    chosen = np.zeros(len(captures.question), np.bool_)
    chosen[rows] = True
    return captures.chosen(chosen)


def _total(
    captures: Captures, strata: NDArray[np.int64], estimator: Estimator, name: str, confidence: float
) -> _Total | None:
    """The number of all answers, summed over strata; None where no two sources meet."""
    weights = captures.chance
    pulls, parts = np.zeros(len(weights)), np.zeros(len(weights))
    unseen = 0.0
    for rows in _strata(captures, strata):
        part = captures.chosen(rows)
        unseen_estimate = estimator(part)
        if unseen_estimate.double <= 0:
            return None
        pulls[rows] = unseen_estimate.pulls
        parts[rows] = spread_out(part, unseen_estimate.number)
        unseen += unseen_estimate.number
    seen, gold = float(weights.sum()), float(weights[captures.gold].sum())
    if unseen > 0:
        ends = interval(seen, unseen, variance(captures, pulls, parts), clusters_of(captures), confidence)
    else:
        ends = interval(seen, 0.0, 0.0, 0)._replace(high=seen + most_unseen(estimator(captures)))
    return _Total(gold, seen, *ends, name)


def _strata(captures: Captures, strata: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """The rows of each stratum in which sources meet often enough, and all others together."""
    numbers = strata[captures.question]
    both = np.bincount(
        numbers, captures.chance * (captures.times == 2), minlength=int(strata.max(initial=0)) + 1
    )
    large = np.flatnonzero(both >= ENOUGH)
    rest = ~np.isin(numbers, large)
    if rest.any() and float(captures.chance[rest & (captures.times == 2)].sum()) < ENOUGH:
        # Too few even together: they join the smallest stratum, or form the only one.
        joined = large[np.argmin(both[large])] if len(large) else -1
        rest |= numbers == joined
        large = large[large != joined]
    return [*(numbers == number for number in large.tolist()), *([rest] if rest.any() else [])]


def _record(total: _Total, questions: int, by: dict[str, dict[str, Completeness]]) -> Completeness:
    def share(of: float) -> float:
        return min(1.0, total.gold / of) if of > 0 else 1.0

    return Completeness(
        estimate=share(total.value),
        low=share(total.high),
        high=share(total.low),
        method=total.method,
        questions=questions,
        by=by,
    )


def _sizes(captures: Captures) -> dict[str, SourceSize]:
    weights, alone = captures.chance, captures.times == 1
    return {
        name: SourceSize(
            float(weights[captures.given[:, column]].sum()),
            float(weights[captures.given[:, column] & alone].sum()),
        )
        for column, name in enumerate(captures.sources)
    }
