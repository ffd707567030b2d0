"""How many answers the gold lacks, if it has a given completeness: the one place that says what it means.

A group of questions has a completeness c when its gold holds the share c of all right answers to its
questions together. So with |G| gold answers, |G| / c − |G| are missing, and how they are spread over the
questions is not known. With an interval for c, their number lies in an interval.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.errors import RollcallError
from rollcall.questions.completeness import KIND, Completeness
from rollcall.score.incomplete.counts import Counts, Floats

SLACK = 1e-9
"""Completeness is a rounded number, so the number of missing answers may be off by this share."""


class MissingGroup(NamedTuple):
    """Questions that share a completeness, and the least and greatest number of answers they lack."""

    places: NDArray[np.int64]
    least: float
    most: float


def missing_groups(counts: Counts, completeness: Completeness) -> list[MissingGroup]:
    """The questions grouped by the completeness that is known for them."""
    own = completeness.by.get(KIND, {})
    members: dict[str | None, list[int]] = {}
    for place, kind in enumerate(counts.kinds):
        members.setdefault(kind if kind in own else None, []).append(place)
    groups = []
    for kind, places in members.items():
        low, high = _ends(completeness, kind, counts, places)
        chosen = np.array(places, dtype=np.int64)
        size = float(counts.gold[chosen].sum())
        groups.append(
            MissingGroup(chosen, size * (1 / high - 1) * (1 - SLACK), size * (1 / low - 1) * (1 + SLACK))
        )
    return groups


def shares(counts: Counts, completeness: Completeness) -> tuple[Floats, Floats, Floats]:
    """The completeness of each question's group: lowest, estimated, highest."""
    found = []
    for place, kind in enumerate(counts.kinds):
        low, high = _ends(completeness, kind, counts, [place])
        found.append((low, completeness.of_kind(kind).estimate or low, high))
    low_, middle, high_ = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return low_, middle, high_


def _ends(
    completeness: Completeness, kind: str | None, counts: Counts, places: list[int]
) -> tuple[float, float]:
    known = completeness.of_kind(kind)
    if known.estimate is None:
        first = counts.kinds[places[0]]
        told = "without a kind" if first is None else f"of the kind {first!r:.80}"
        raise RollcallError(
            f"completeness: nothing is said of questions {told}, such as {counts.ids[places[0]]!r:.80}; add "
            "the kind, or `estimate` for all others"
        )
    return known.ends
