"""The likelihood of right answers among candidate queries, whose own query is not known.

A candidate has the probability of a log-linear model, and a reward between 0 and 1 for its answers. What is
maximised is the logarithm of the expected reward; its gradient moves weights from the features of all
candidates to those of rewarded ones.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from rollcall.systems.ask.learned.adagrad import Floats


def shares(scores: Floats) -> Floats:
    """The probability of each candidate."""
    weights = np.exp(scores - scores.max())
    found: Floats = weights / weights.sum()
    return found


def pulls(scores: Floats, rewards: Floats) -> Floats:
    """How much each candidate's score should rise: the gradient of the log of the expected reward."""
    model = shares(scores)
    rewarded = model * rewards
    total = float(rewarded.sum())
    if total <= 0.0:
        return np.zeros_like(scores)
    found: Floats = rewarded / total - model
    return found


def objective(scores: Floats, rewards: Floats) -> float:
    """The log of the expected reward."""
    return float(np.log((shares(scores) * rewards).sum()))


def gradient(features: Sequence[Mapping[str, float]], scores: Floats, rewards: Floats) -> dict[str, float]:
    """The gradient by features; empty if no candidate is rewarded."""
    found: dict[str, float] = {}
    for own, pull in zip(features, pulls(scores, rewards).tolist(), strict=True):
        if pull:
            for name, value in own.items():
                found[name] = found.get(name, 0.0) + pull * value
    return found
