"""Circles: entities with neighbouring numbers that work together, so that a world has collaborators."""

import numpy as np

from rollcall.world.census import Census
from rollcall.world.chance import Numbers, key, shares
from rollcall.world.families import SIZE
from rollcall.world.kinds import Kind

CIRCLE = 64
"""How many consecutive numbers share circles of collaborators."""


def circles(census: Census, kind: Kind, index: Numbers) -> Numbers:
    """The circle of each member: a few dozen consecutive numbers form one large and some small circles."""
    if kind.name == "human":
        family = index // SIZE
        return index // CIRCLE * 4 + (shares(key(census.seed, "circle"), family) > 0.7)
    draws = shares(key(census.seed, f"circle {kind.name}"), index)
    return index // CIRCLE * 4 + (draws * draws * 4).astype(np.int64)
