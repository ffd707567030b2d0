"""Bounds without labels for the difference of two systems: what is missing is missing for both.

For each question and each number m of missing answers, the greatest difference is known: errors of the first
system alone are right, those of the second alone are not, and errors of both are right where that helps the
first more. How m is spread over the questions is bounded by Lagrangian duality: for every price λ of a
missing answer, Σ max over m of (difference − λ m) + λ M is at least the greatest difference. The price with
the lowest such sum is sought; whatever is found, the bound holds.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.score.incomplete.bounds import Bounds
from rollcall.score.incomplete.counts import Counts, Floats, Name, rated
from rollcall.score.incomplete.missing_answers import MissingGroup

GROWTH = 1.25
"""Beyond all errors, numbers of missing answers are tried in steps that grow by this factor."""
STEPS = 80
GOLDEN = (5**0.5 - 1) / 2


class Shared(NamedTuple):
    """How many errors of each question only the first system made, only the second, and both."""

    first: Floats
    second: Floats
    both: Floats

    @property
    def swapped(self) -> "Shared":
        return Shared(self.second, self.first, self.both)


def difference_bounds(
    name: Name, first: Counts, second: Counts, shared: Shared, groups: Sequence[MissingGroup]
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


def _greatest(name: Name, first: Counts, second: Counts, shared: Shared, group: MissingGroup) -> float:
    """An upper bound of the sum of differences over a group."""
    cases = _cases(name, first, second, shared, group)

    def bound(price: float) -> float:
        return cases.dual(price) + price * (group.most if price >= 0 else group.least)

    return _least(bound, -1.0, 2.0)


def _cases(name: Name, first: Counts, second: Counts, shared: Shared, group: MissingGroup) -> _Cases:
    whole = int(np.ceil(group.most))
    errors = np.minimum(whole, shared.first[group.places] + shared.both[group.places] + 1).astype(np.int64)
    ends = {size: _ends(size, whole) for size in set(errors.tolist())}
    listed = [ends[size] for size in errors.tolist()]
    sizes = np.array([len(one) for one in listed], dtype=np.int64)
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
    found = list(range(errors + 1))
    while found[-1] < whole:
        found.append(min(whole, max(found[-1] + 1, int(found[-1] * GROWTH))))
    return np.array(found, dtype=np.float64)


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
