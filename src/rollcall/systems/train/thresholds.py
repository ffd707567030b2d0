"""The least score of an answer, tuned on exercises that were not learned from."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

_MOST = 500
"""Thresholds that are tried."""


class Judged(NamedTuple):
    """The scored answers of a question: which are right, and how many right ones there are in all."""

    scores: Sequence[float]
    right: Sequence[bool]
    gold: int


class Tuned(NamedTuple):
    """A threshold, and the mean F1 that it gives on what it was tuned on."""

    threshold: float
    f1: float


def judged(scores: Mapping[str, float], gold: set[str]) -> Judged:
    """The scored answers of a question, whose answers are compared as they are."""
    return Judged(list(scores.values()), [one in gold for one in scores], len(gold))


def best_threshold(questions: Sequence[Judged], otherwise: float = 0.5) -> Tuned:
    """The threshold of the greatest mean F1; `otherwise` if there is nothing to tune it on."""
    every = np.unique(np.concatenate([np.asarray(one.scores, float) for one in questions] or [np.zeros(0)]))
    if not len(every):
        return Tuned(otherwise, 0.0)
    places = np.unique(np.linspace(0, len(every) - 1, _MOST).round().astype(int))
    tried = every[places]
    total = np.zeros(len(tried))
    for one in questions:
        scores, right = np.asarray(one.scores, float), np.asarray(one.right, bool)
        given = len(scores) - np.searchsorted(np.sort(scores), tried, side="left")
        hits = right.sum() - np.searchsorted(np.sort(scores[right]), tried, side="left")
        total += np.divide(2.0 * hits, given + one.gold, out=np.zeros(len(tried)), where=given + one.gold > 0)
    best = int(total.argmax())
    # Halfway to the next lower score, so that an answer hardly below the least right one is not lost.
    below = every[max(places[best] - 1, 0)]
    return Tuned(float(tried[best] + below) / 2, float(total[best]) / len(questions))
