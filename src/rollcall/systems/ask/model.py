"""A log-linear model over the features of candidates: weights set by hand, few enough to be read."""

import math
from collections.abc import Mapping, Sequence

from rollcall.systems.ask.features import FEATURES, LOCAL, Local

WEIGHTS: Mapping[str, float] = {
    "unsure name": -1.5,
    "loose match": -1.5,
    "wrong side": -0.7,
    "unnamed relation": -2.2,
    "silent relation": -0.8,
    "hop": -0.4,
    "there and back": -2.0,
    "class": 0.3,
    "join": -0.1,
    "idle denial": -0.5,
    "left over": -2.0,
    "kind": 1.2,
    "ignored sign": -2.0,
    "many answers": -0.05,
    "class alone": -1.0,
    "unlike": -2.0,
}


class LogLinear:
    """Scores candidates by a weighted sum of their features."""

    def __init__(self, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.weights = dict(weights)
        self._local = tuple(weights[name] for name in LOCAL)
        self._all = tuple(weights[name] for name in FEATURES)

    def local(self, features: Local) -> float:
        """The score of a part by its local features."""
        return sum(weight * value for weight, value in zip(self._local, features, strict=True))

    def score(self, features: Mapping[str, float]) -> float:
        """The score of a whole candidate."""
        return sum(weight * features[name] for name, weight in zip(FEATURES, self._all, strict=True))


def probabilities(scores: Sequence[float]) -> list[float]:
    """The share of each candidate, if one of them is right."""
    if not scores:
        return []
    greatest = max(scores)
    weights = [math.exp(score - greatest) for score in scores]
    return [weight / sum(weights) for weight in weights]
