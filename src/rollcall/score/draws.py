"""How many random draws a test takes, and the count of those that reach what was observed.

No p-value of N draws falls below 1 / (N + 1), and a correction multiplies it by the number of comparisons: so
that number decides how many draws are needed for any difference to be marked at all. A pair that has been
reached a thousand times is settled and drops out, so that many comparisons cost little more than few.
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
"""The smallest p-value that draws can give lies, once corrected, this many times below the level."""
SETTLED = 1000


def enough_draws(comparisons: int, level: float) -> int:
    """The number of draws by which so many comparisons can each be significant at the level.

    >>> enough_draws(1, 0.05), enough_draws(60, 0.05)
    (10000, 12000)
    """
    return min(MOST, max(LEAST, math.ceil(MARGIN * comparisons / level)))


class Tally:
    """For each pair, how many draws reached what was observed, as long as that is not settled."""

    def __init__(self, pairs: int, draws: int, *, keep_all: bool = False) -> None:
        import numpy as np

        self.draws = draws
        self.keep_all = keep_all
        """Whether every pair sees every draw: where they are not drawn but all there are."""
        self.open: NDArray[np.int64] = np.arange(pairs)
        """The pairs that are not settled, which are those to be counted next."""
        self._reached = np.zeros(pairs, dtype=np.int64)
        self._drawn = np.zeros(pairs, dtype=np.int64)

    def blocks(self, most: int) -> Iterator[int]:
        """How many draws to make next, until there are enough or every pair is settled."""
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
        """The share of all there are that reached it."""
        return [float(p) for p in self._reached / self._drawn]

    def p_values(self) -> list[float]:
        """The share of draws that reached it; what was observed counts as one of them."""
        return [float(p) for p in (self._reached + 1) / (self._drawn + 1)]
