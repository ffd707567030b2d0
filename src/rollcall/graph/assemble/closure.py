"""The closure of the class hierarchy: every class with all classes above it, including itself.

Walking up from each class works with cycles too (all classes of a cycle are above one another), and visits
each ancestor once, however many paths lead to it.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


def ancestor_pairs(
    class_count: int, classes: Numbers, parents: Numbers, rows: int = 1_000_000
) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of class and ancestor in pieces of about `rows`; the input pairs are sorted by class."""
    starts = np.searchsorted(classes, np.arange(class_count + 1)).tolist()
    above = parents.tolist()
    ancestors: list[int] = []
    counts: list[int] = []
    first = 0
    for number in range(class_count):
        found = _ancestors(number, starts, above)
        ancestors += found
        counts.append(len(found))
        if len(ancestors) >= rows:
            yield _pairs(first, counts, ancestors)
            ancestors, counts, first = [], [], number + 1
    yield _pairs(first, counts, ancestors)


def _ancestors(number: int, starts: list[int], above: list[int]) -> list[int]:
    found = [number]
    seen = {number}
    for current in found:  # the list grows while it is walked
        for parent in above[starts[current] : starts[current + 1]]:
            if parent not in seen:
                seen.add(parent)
                found.append(parent)
    return found


def _pairs(first: int, counts: list[int], ancestors: list[int]) -> tuple[Numbers, Numbers]:
    classes = np.repeat(np.arange(first, first + len(counts), dtype=np.int64), counts)
    return classes, np.array(ancestors, dtype=np.int64)
