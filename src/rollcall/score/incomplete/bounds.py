"""Bounds without labels: between which values P, R and F1 must lie if gold has a given completeness.

Only the number M of missing answers of a group is known, not which questions lack them, nor which counted
errors are among them. A question that lacks m answers, x ≤ min(m, errors) of which the system gave, has F1 =
2 (found + x) / (given + gold + m). The lowest mean has no error right and spreads M where it hurts most;
these are decreasing convex functions of m. The highest has every missing answer among the errors, for as long
as there are errors, where each helps most: increasing concave functions. Both are solved exactly (over real
numbers, which include the whole ones) by raising m wherever its effect is greatest. Answers that are missing
beyond all errors go to the one question where they cost least, because what they cost is convex.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.score.incomplete.counts import Counts, Floats, Name, above_and_below
from rollcall.score.incomplete.missing_answers import MissingGroup

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
