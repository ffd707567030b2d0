"""The order in which examples are seen: batches of similar length, in an order that a seed decides.

Examples are shuffled and cut into pools; within a pool they are sorted by size, so that little of a batch is
padding. The order depends on sizes and seed alone, so a resumed training sees the same batches.
"""

import random
from collections.abc import Sequence

_POOL = 50
"""Batches that are sorted by size together."""


def batches(sizes: Sequence[int], batch: int, seed: int) -> list[list[int]]:
    """All examples once, as batches of places; the last batch may be smaller."""
    draw = random.Random(seed)
    places = list(range(len(sizes)))
    draw.shuffle(places)
    found: list[list[int]] = []
    for start in range(0, len(places), batch * _POOL):
        pool = sorted(places[start : start + batch * _POOL], key=lambda place: (sizes[place], place))
        found += [pool[first : first + batch] for first in range(0, len(pool), batch)]
    draw.shuffle(found)
    return found


def parts(sizes: Sequence[int], tokens: int) -> list[list[int]]:
    """A batch cut into parts of at most this number of tokens, padding included; one example always fits."""
    order = sorted(range(len(sizes)), key=lambda place: (-sizes[place], place))
    found: list[list[int]] = []
    for place in order:
        # The first of a part is its longest, and decides the padding of all.
        if found and (len(found[-1]) + 1) * sizes[found[-1][0]] <= tokens:
            found[-1].append(place)
        else:
            found.append([place])
    return found
