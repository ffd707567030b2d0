"""An answer's score over all passages: its greatest, or the probability that at least one passage is right.

The second takes passages to be independent. Which of the two is used, and the least score, are chosen for the
greatest F1 on dev.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Literal, NamedTuple, TypeAlias

from rollcall.systems.train.thresholds import Judged, best_threshold

Combination: TypeAlias = Literal["greatest", "noisy-or"]
_COMBINATIONS: tuple[Combination, ...] = ("greatest", "noisy-or")


class Chosen(NamedTuple):
    """A combination, and the least score of an answer that is given."""

    combination: Combination
    threshold: float


def over_passages(scores: Sequence[float], combination: Combination) -> float:
    """One score from those of single passages."""
    return max(scores) if combination == "greatest" else 1.0 - prod(1.0 - min(one, 1.0) for one in scores)


def best_combination(questions: Callable[[Combination], Sequence[Judged]]) -> Chosen:
    """The combination and the threshold of the greatest F1 on questions whose answers were combined by it."""
    tried = {combination: best_threshold(questions(combination)) for combination in _COMBINATIONS}
    best = max(_COMBINATIONS, key=lambda one: tried[one].f1)
    return Chosen(best, tried[best].threshold)
