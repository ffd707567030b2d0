"""How far two sources depend on one another, measured among the answers that a third source has.

What both lack cannot be counted, but among the answers of a third source it can: there the odds ratio of
two independent sources is 1. Above 1, both tend to have the same answers, and an estimate from them is too
low: if the ratio is the same elsewhere, so many times more answers are unseen.
"""

import math
from collections.abc import Iterator
from itertools import combinations

import msgspec
import numpy as np

from rollcall.audit.completeness.captures import Captures

_LEAST = 20
"""Fewer answers of the third source say nothing."""
_NORMAL = 1.96


class Dependence(msgspec.Struct, frozen=True):
    """The odds ratio of two sources among the answers that a third one has, with its 95 % interval."""

    sources: tuple[str, str]
    among: str
    answers: float
    odds_ratio: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The finding in words."""
        pair, size = " and ".join(self.sources), f"{self.odds_ratio:.2f} ({self.low:.2f} to {self.high:.2f})"
        if self.low > 1:
            found = "tend to have the same answers, so that too few are estimated to be missing"
        elif self.high < 1:
            found = "tend to have different answers, so that too many are estimated to be missing"
        else:
            found = "do not visibly depend on one another"
        return f"{pair} {found}: odds ratio {size} among the answers of {self.among}"


def dependences(captures: Captures) -> list[Dependence]:
    """Every two sources among the answers of every third one that has enough."""
    return list(_dependences(captures))


def _dependences(captures: Captures) -> Iterator[Dependence]:
    names, given = captures.sources, captures.given
    for third, among in enumerate(names):
        for one, other in combinations([place for place in range(len(names)) if place != third], 2):
            weights = np.where(given[:, third], captures.chance, 0.0)
            if weights.sum() < _LEAST:
                continue
            first, second = given[:, one], given[:, other]
            cells = [
                float(weights[mask].sum()) + 0.5
                for mask in (first & second, ~first & ~second, first & ~second, ~first & second)
            ]
            ratio = cells[0] * cells[1] / (cells[2] * cells[3])
            spread = math.exp(_NORMAL * math.sqrt(sum(1 / cell for cell in cells)))
            pair = (names[one], names[other])
            yield Dependence(pair, among, float(weights.sum()), ratio, ratio / spread, ratio * spread)
