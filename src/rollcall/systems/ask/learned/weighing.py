"""Features by name, and their sum under weights."""

from collections.abc import Mapping
from typing import TypeAlias

Features: TypeAlias = Mapping[str, float]


def weighed(features: Features, weights: Features) -> float:
    """The score of features under weights."""
    return sum(value * weights.get(name, 0.0) for name, value in features.items())


def summed(*parts: Features) -> dict[str, float]:
    """The features of several parts together."""
    found: dict[str, float] = {}
    for one in parts:
        for name, value in one.items():
            found[name] = found.get(name, 0.0) + value
    return found
