"""How many random draws a test takes, and how many of them reach the observed difference.

No p-value of N draws is below 1 / (N + 1), and a correction multiplies it by the number of comparisons. So
that number decides how many draws are needed for a difference to be significant. A pair whose difference a
thousand draws have reached is decided and left out, so many comparisons take little longer than few.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST = 10_000
MOST = 1_000_000
MARGIN = 10
"""How many times smaller than the level the smallest possible p-value is after correction."""
SETTLED = 1000


def enough_draws(comparisons: int, level: float) -> int:
    """The number of draws needed so that each of these comparisons can be significant at the level.

    >>> enough_draws(1, 0.05), enough_draws(60, 0.05)
    (10000, 12000)
    """
    return min(MOST, max(LEAST, math.ceil(MARGIN * comparisons / level)))


class Tally:
    """For each pair, how many draws reached the observed difference, until that is decided."""

    def __init__(self, pairs: int, draws: int, *, keep_all: bool = False) -> None:
        import numpy as np

        self.draws = draws
        self.keep_all = keep_all
        """Whether every pair uses every draw, as when all possible swaps are tried."""
        self.open: NDArray[np.int64] = np.arange(pairs)
        """The pairs that are not decided yet."""
        self._reached = np.zeros(pairs, dtype=np.int64)
        self._drawn = np.zeros(pairs, dtype=np.int64)

    def blocks(self, most: int) -> Iterator[int]:
        """How many draws to make next, until there are enough or every pair is decided."""
        done = 0
        while done < self.draws and len(self.open):
            rows = min(max(1, most), self.draws - done)
            yield rows
            done += rows

    def add(self, reached: "NDArray[np.int64]", drawn: int) -> None:
        """Count a block of draws for the open pairs."""
        self._reached[self.open] += reached
        self._drawn[self.open] += drawn
        settled = (self._reached[self.open] >= SETTLED) & (self._drawn[self.open] >= LEAST)
        if not self.keep_all:
            self.open = self.open[~settled]

    def shares(self) -> list[float]:
        """The share of all possible swaps that reached it."""
        return [float(p) for p in self._reached / self._drawn]

    def p_values(self) -> list[float]:
        """The share of draws that reached it; the observed difference counts as one draw."""
        return [float(p) for p in (self._reached + 1) / (self._drawn + 1)]
