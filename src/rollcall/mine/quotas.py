"""Quotas by characteristic: how many queries of which kind are wanted, and the choice that comes closest.

Input: quotas and the bins of all mined queries (the pool). Output: the numbers of the chosen queries, and the
`Shortfall` of each bin that is not full. A quota is a marginal: a number of queries with one edge, a number
with a count, a number with several answers. All quotas are met together: members of the choice are exchanged
for others as long as the choice comes closer to the marginals. A shortfall says where mining must search
next, and at the end what could not be found.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from rollcall._core.errors import RollcallError

Bins = tuple[str, ...]
"""The bin of a query in each dimension, in the order of the quotas."""


class Shortfall(NamedTuple):
    """A bin with fewer queries than wanted."""

    dimension: str
    bin: str
    wanted: int
    chosen: int
    available: int
    """How many of all mined queries are in the bin."""


class Quotas:
    """The wanted number of queries for every bin of every dimension; each dimension has the same total."""

    def __init__(self, total: int, shares: Mapping[str, Mapping[str, float]]) -> None:
        self.total = total
        self.wanted = {dimension: apportioned(total, bins, dimension) for dimension, bins in shares.items()}
        self.dimensions = tuple(self.wanted)

    def choose(self, pool: Sequence[Bins]) -> list[int]:
        """Indices into the pool, earlier ones first, that come closest to the quotas; at most the total."""
        cells: dict[Bins, list[int]] = {}
        for number, bins in enumerate(pool):
            if all(bin_ in self.wanted[d] for d, bin_ in zip(self.dimensions, bins, strict=True)):
                cells.setdefault(bins, []).append(number)
        taken = _Choice(self, {bins: len(members) for bins, members in cells.items()}).run()
        return sorted(number for bins, count in taken.items() for number in cells[bins][:count])

    def shortfalls(self, chosen: Iterable[Bins], pool: Iterable[Bins]) -> list[Shortfall]:
        """The bins that the chosen queries do not fill, in order."""
        have, available = self._counts(chosen), self._counts(pool)
        return [
            Shortfall(dimension, bin_, wanted, have[dimension][bin_], available[dimension][bin_])
            for dimension, bins in self.wanted.items()
            for bin_, wanted in bins.items()
            if have[dimension][bin_] < wanted
        ]

    def _counts(self, members: Iterable[Bins]) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {dimension: Counter() for dimension in self.dimensions}
        for bins in members:
            for dimension, bin_ in zip(self.dimensions, bins, strict=True):
                counts[dimension][bin_] += 1
        return counts


def apportioned(total: int, shares: Mapping[str, float], dimension: str) -> dict[str, int]:
    """Whole numbers in proportion to the shares that add up to the total, by largest remainders."""
    whole = sum(shares.values())
    if not shares or whole <= 0 or min(shares.values()) < 0:
        raise RollcallError(f"the quota for {dimension} needs bins with shares above 0, not {dict(shares)}")
    exact = {bin_: total * share / whole for bin_, share in shares.items()}
    counts = {bin_: int(amount) for bin_, amount in exact.items()}
    missing = total - sum(counts.values())
    for bin_ in sorted(exact, key=lambda b: (counts[b] - exact[b], b))[:missing]:
        counts[bin_] += 1
    return counts


_WALKS = 12
_STEPS = 40
"""If the greedy search ends before the quotas are met, `_WALKS` random walks of `_STEPS` steps follow."""


class _Choice:
    """How many members to take from each cell: a greedy choice, then exchanges that add members."""

    def __init__(self, quotas: Quotas, available: Mapping[Bins, int]) -> None:
        self.quotas = quotas
        self.available = available
        self.cells = list(available)
        self.taken: Counter[Bins] = Counter()
        self.open = [dict(quotas.wanted[dimension]) for dimension in quotas.dimensions]
        """The number of queries missing in each bin; negative if there are too many."""

    def run(self) -> Counter[Bins]:
        self._climb()
        chance = Random(0)
        for _ in range(_WALKS):
            if not self.cells or self.taken.total() >= self.quotas.total:
                break
            for _ in range(_STEPS):
                self._sidestep(chance)
            self._climb()
        return self.taken

    def _climb(self) -> None:
        while self._add() or self._exchange():
            pass

    def _sidestep(self, chance: Random) -> None:
        """Exchange one member for a random one that fits, to leave a local optimum."""
        members = [cell for cell in self.cells if self.taken[cell]]
        if not members:
            return
        given = chance.choice(members)
        self._move(given, -1)
        fitting = [cell for cell in self.cells if self._has_more(cell) and self._room(cell) > 0]
        self._move(chance.choice(fitting), 1)  # never empty: the member that was given up fits again

    def _add(self) -> bool:
        """Take one more from the cell whose bins lack the most, if all its bins lack something."""
        best = max(
            (cell for cell in self.cells if self._has_more(cell) and self._room(cell) > 0),
            key=self._room,
            default=None,
        )
        if best is None:
            return False
        self._move(best, 1)
        return True

    def _has_more(self, cell: Bins) -> bool:
        return self.taken[cell] < self.available[cell]

    def _room(self, cell: Bins) -> float:
        """The smallest number missing in the cell's bins; the sum breaks ties."""
        lacks = [open_[bin_] for open_, bin_ in zip(self.open, cell, strict=True)]
        if not lacks:
            return float(self.quotas.total - self.taken.total())
        return 0.0 if min(lacks) <= 0 else min(lacks) + sum(lacks) / (1 + 1000 * self.quotas.total)

    def _exchange(self) -> bool:
        """Give up one member if two others then fit: the total grows, and no bin gets too many."""
        for given in [cell for cell in self.cells if self.taken[cell]]:
            self._move(given, -1)
            first = [
                cell for cell in self.cells if cell != given and self._has_more(cell) and self._room(cell) > 0
            ]
            for cell in first:
                self._move(cell, 1)
                if any(self._has_more(other) and self._room(other) > 0 for other in self.cells):
                    return True
                self._move(cell, -1)
            self._move(given, 1)
        return False

    def _move(self, cell: Bins, amount: int) -> None:
        self.taken[cell] += amount
        for open_, bin_ in zip(self.open, cell, strict=True):
            open_[bin_] -= amount
