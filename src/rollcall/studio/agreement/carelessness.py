"""When somebody who misses injected items is warned, and when stopped; with the exact error rates of the
rule.

The rule is a cumulative sum (CUSUM) of log-likelihood ratios between a careless and a careful person, which
never falls below zero: so it also finds those who become careless after a good start. It warns at one
bound, starts anew, and stops at the other. The sums are a Markov chain, so the share of careful people who
are wrongly stopped, and of careless ones who are found, are computed and not guessed.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

State = Literal["fine", "warned", "stopped"]
Rate = Annotated[float, msgspec.Meta(gt=0, lt=1)]
_DIGITS = 9
"""Sums that are equal to so many digits are one state of the chain."""


class CarelessRule(msgspec.Struct, frozen=True):
    """What is still careful, what is careless, and how much evidence a warning and a stop need."""

    careful: Rate = 0.15
    """The share of injected items that a careful person may miss."""
    careless: Rate = 0.5
    """The share that somebody misses who does not read; who chooses at random misses half or more."""
    warn: float = 3.0
    """How much evidence a warning needs, as the logarithm of a likelihood ratio."""
    stop: float = 4.0
    """How much evidence after the warning stops."""

    @property
    def steps(self) -> tuple[float, float]:
        """What an injected item that was found, or missed, adds to the sum."""
        found = math.log((1 - self.careless) / (1 - self.careful))
        return found, math.log(self.careless / self.careful)

    def after(self, place: "Place", missed: bool) -> "Place":
        """Where somebody stands after one more injected item."""
        if place.state == "stopped":
            return place
        total = max(0.0, round(place.total + self.steps[missed], _DIGITS))
        if place.state == "fine":
            return Place("warned", 0.0) if total >= self.warn else Place("fine", total)
        return Place("stopped", 0.0) if total >= self.stop else Place("warned", total)


class Place(NamedTuple):
    """A state of the chain."""

    state: State
    total: float


class Standing(NamedTuple):
    """Where somebody stands, and after how many injected items they were warned and stopped."""

    state: State
    seen: int
    missed: int
    warned_at: int | None = None
    stopped_at: int | None = None


DEFAULT_RULE = CarelessRule()
START = Place("fine", 0.0)


def standing(misses: Sequence[bool], rule: CarelessRule = DEFAULT_RULE) -> Standing:
    """Where somebody stands who missed these of the injected items that they judged, in this order."""
    place = START
    reached: dict[State, int] = {}
    for number, missed in enumerate(misses, 1):
        place = rule.after(place, missed)
        reached.setdefault(place.state, number)
    return Standing(place.state, len(misses), sum(misses), reached.get("warned"), reached.get("stopped"))


class ErrorRates(NamedTuple):
    """What becomes of somebody with a given share of misses after so many injected items."""

    seen: int
    warned: float
    """The probability of having been warned."""
    stopped: float
    """The probability of having been stopped."""
    until_stopped: float | None
    """How many injected items those who were stopped had judged by then, on average."""


def error_rates(miss_rate: float, seen: int, rule: CarelessRule = DEFAULT_RULE) -> ErrorRates:
    """The exact probabilities that somebody who misses this share of injected items is warned and stopped."""
    chances: dict[Place, float] = {START: 1.0}
    waited = stopped = 0.0
    for number in range(1, seen + 1):
        following: defaultdict[Place, float] = defaultdict(float)
        for place, chance in chances.items():
            following[rule.after(place, missed=True)] += chance * miss_rate
            following[rule.after(place, missed=False)] += chance * (1 - miss_rate)
        newly = sum(chance for place, chance in following.items() if place.state == "stopped")
        stopped += newly
        waited += newly * number
        chances = {place: chance for place, chance in following.items() if place.state != "stopped"}
    warned = stopped + sum(chance for place, chance in chances.items() if place.state == "warned")
    return ErrorRates(seen, warned, stopped, waited / stopped if stopped else None)
