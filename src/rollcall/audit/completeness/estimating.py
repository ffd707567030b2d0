"""Estimates what share of the true answers a set has: as a whole, for each kind, and for each relation.

Input: questions and the captures of their answers. Output: a `CompletenessReport`. Questions with the same
kind and relations form a stratum, because graph, text and lists know some relations better than others and
a formula over all would take that for agreement (Sekar and Deming 1949); strata in which sources rarely
meet are estimated together. A question of several relations counts in each of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.audit.completeness.captures import Captures
from rollcall.audit.completeness.dependence import Dependence, dependences
from rollcall.audit.completeness.estimators import ESTIMATORS, Estimator
from rollcall.audit.completeness.interval import interval, most_unseen
from rollcall.audit.completeness.variance import clusters_of, spread_out, variance
from rollcall.errors import RollcallError
from rollcall.questions.completeness import Completeness
from rollcall.questions.record import Question

ENOUGH = 30.0
"""So many answers must two sources have in common for a stratum to be estimated by itself."""
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
    about = _About(questions, captures)
    whole = _total(captures, about.strata, ESTIMATORS[name], name, confidence)
    assert whole is not None, "two sources overlap somewhere"
    by = {
        "kind": _grouped(captures, about, about.kinds, name, confidence),
        "relation": _grouped(captures, about, about.relations, name, confidence),
    }
    return CompletenessReport(
        _record(whole, len(about.used), by),
        round(whole.gold),
        whole.seen,
        whole.value,
        whole.low,
        whole.high,
        _sizes(captures),
        dependences(captures),
        _merged(captures, about, confidence) if len(captures.sources) > 2 else {},
        [*notes, BIAS],
    )


def _merged(captures: Captures, about: "_About", confidence: float) -> dict[str, Completeness]:
    """The completeness with every two sources as one."""
    found = {}
    for pair in combinations(captures.sources, 2):
        joined = captures.merged(*pair)
        name = _method("auto", len(joined.sources))
        total = _total(joined, about.strata, ESTIMATORS[name], name, confidence)
        if total is not None:
            found[joined.sources[0]] = _record(total, len(about.used), {})
    return found


def _method(method: str, sources: int) -> str:
    if method == "auto":
        return "chapman" if sources == 2 else "chao"
    if method not in ESTIMATORS:
        raise RollcallError(f"{method}: no such estimator; there are auto, {', '.join(ESTIMATORS)}")
    return method


class _About:
    """What the questions of captures are: their strata, and which kinds and relations have which of them."""

    def __init__(self, questions: Iterable[Question], captures: Captures) -> None:
        place = {id_: number for number, id_ in enumerate(captures.questions)}
        self.strata = np.zeros(len(place), np.int64)
        self.kinds: dict[str, list[int]] = {}
        self.relations: dict[str, list[int]] = {}
        self.used = np.unique(captures.question)
        numbers: dict[tuple[str, ...], int] = {}
        for question in questions:
            number = place.get(question.id)
            if number is None:
                continue
            kind, relations = question.kind or "", question.relations
            self.strata[number] = numbers.setdefault((kind, *relations), len(numbers) + 1)
            if kind:
                self.kinds.setdefault(kind, []).append(number)
            for relation in relations:
                self.relations.setdefault(relation, []).append(number)


def _grouped(
    captures: Captures, about: _About, groups: Mapping[str, Sequence[int]], name: str, confidence: float
) -> dict[str, Completeness]:
    """The same figures for groups of questions; those without overlapping sources are left out."""
    order = np.argsort(captures.question, kind="stable")
    sorted_rows = captures.question[order]
    found: dict[str, Completeness] = {}
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
            found[group] = _record(total, len(np.unique(own.question)), {})
    return found


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
        found = estimator(part)
        if found.double <= 0:
            return None
        pulls[rows] = found.pulls
        parts[rows] = spread_out(part, found.number)
        unseen += found.number
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
        # Too few even together: they join the smallest stratum, or are all there is.
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
            float(weights[captures.given[:, place]].sum()),
            float(weights[captures.given[:, place] & alone].sum()),
        )
        for place, name in enumerate(captures.sources)
    }
