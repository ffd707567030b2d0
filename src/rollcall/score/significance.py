"""Tests whether one system is better than another: three paired tests, and Holm's correction.

The unit is the cluster, because the scores of a cluster's questions are correlated: the t-test is
cluster-robust (with one question in each cluster it is the plain paired t-test), the bootstrap draws
clusters, and the permutation test swaps the two systems in whole clusters.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.score.figures import Ratio, spread, two_sided_t
from rollcall.score.options import Correction, Test

if TYPE_CHECKING:
    from numpy.typing import NDArray


TESTS: tuple[Test, ...] = ("t", "bootstrap", "permutation")
BLOCK = 1 << 21
ROUNDING = 1e-12
EXACT = 12
"""Up to this many clusters, all possible swaps are tried instead of a sample."""


# How many random draws a test takes, and how many of them reach the observed difference. No p-value of N
# draws is below 1 / (N + 1), and a correction multiplies it by the number of comparisons. So that number
# decides how many draws are needed for a difference to be significant. A pair whose difference a
# thousand draws have reached is decided and left out, so many comparisons take little longer than few.

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


class DrawTally:
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


class PValues(NamedTuple):
    """Two-sided p-values of one comparison by the three tests; None if a test is not defined."""

    t: float | None
    bootstrap: float | None
    permutation: float | None

    def by(self, test: Test) -> float | None:
        return {"t": self.t, "bootstrap": self.bootstrap, "permutation": self.permutation}[test]


def compare_ratios(
    ratios: Sequence[Ratio],
    pairs: Sequence[tuple[int, int]],
    *,
    resamples: int,
    seed: int,
    test: Test | None = None,
) -> list[PValues]:
    """All three tests for pairs of figures over the same clusters; the random draws are shared by all.

    If one test decides, the others are only shown and need fewer draws.
    """
    results: list[PValues] = [PValues(None, None, None)] * len(pairs)
    there = [index for index, (first, second) in enumerate(pairs) if _comparable(ratios, first, second)]
    if not there:
        return results
    chosen = [pairs[index] for index in there]
    ts = [paired_t(ratios[first], ratios[second]) for first, second in chosen]
    drawn: list[float] | list[None] = [None] * len(chosen)
    swapped: list[float] | list[None] = [None] * len(chosen)
    if resamples:
        shown = min(resamples, LEAST)
        drawn = paired_bootstraps(ratios, chosen, shown if test == "permutation" else resamples, seed)
        swapped = permutations(ratios, chosen, shown if test == "bootstrap" else resamples, seed)
    for index, *three in zip(there, ts, drawn, swapped, strict=True):
        results[index] = PValues(*three)
    return results


def _comparable(ratios: Sequence[Ratio], first: int, second: int) -> bool:
    """Whether both figures have a value, and at least two clusters, so that its variance can be estimated."""
    return spread(ratios[first], ratios[second]) is not None


def paired_t(first: Ratio, second: Ratio) -> float | None:
    """Student's t of the difference of two ratios of sums, its variance estimated over clusters."""
    known = spread(first, second)
    if known is None:
        return None
    difference = (first.value or 0.0) - (second.value or 0.0)
    if not known.variance:
        return _all_alike(difference, len(first.above))
    return two_sided_t(difference / math.sqrt(known.variance), known.freedom)


def _all_alike(difference: float, clusters: int) -> float:
    """If the runs differ by the same amount in every cluster, there is no variance: only the signs count."""
    return 1.0 if abs(difference) <= ROUNDING else 2.0 ** (1 - min(clusters, 1000))


def paired_bootstraps(
    ratios: Sequence[Ratio], pairs: Sequence[tuple[int, int]], resamples: int, seed: int
) -> list[float]:
    """How often samples of clusters differ from the observed difference by as much as that from zero."""
    differences = [(ratios[a].value or 0.0) - (ratios[b].value or 0.0) for a, b in pairs]
    p_values = [_all_alike(difference, len(ratios[0].above)) for difference in differences]
    spreads = [spread(ratios[first], ratios[second]) for first, second in pairs]
    vary = [index for index, known in enumerate(spreads) if known is not None and known.variance]
    if vary:
        pulls = np.array([_deviations(ratios[pairs[at][0]], ratios[pairs[at][1]]) for at in vary]).T
        values = np.array([differences[at] for at in vary])
        for at, p in zip(vary, studentised(pulls, values, resamples, seed), strict=True):
            p_values[at] = p
    return p_values


def _deviations(first: Ratio, second: Ratio) -> list[float]:
    """Each cluster's influence on the difference of two ratios (linearised)."""
    terms = []
    for ratio in (first, second):
        value, total = ratio.value or 0.0, math.fsum(ratio.below)
        terms.append([(a - value * b) / total for a, b in zip(ratio.above, ratio.below, strict=True)])
    return [a - b for a, b in zip(*terms, strict=True)]


def is_exact(clusters: int, resamples: int) -> bool:
    """Whether the permutation test tries all swaps: there are few, or no more than draws."""
    return clusters <= max(EXACT, resamples.bit_length() - 1)


def permutations(
    ratios: Sequence[Ratio], pairs: Sequence[tuple[int, int]], resamples: int, seed: int
) -> list[float]:
    """How often swapping two systems in some clusters gives a difference at least as large."""
    size = len(ratios[0].above)
    exact = is_exact(size, resamples)
    generator = np.random.default_rng(seed)
    sums = np.array([[ratio.above, ratio.below] for ratio in ratios])  # ratio, above or below, cluster
    tally = DrawTally(len(pairs), 2**size if exact else resamples, keep_all=exact)
    done = 0
    for rows in tally.blocks(BLOCK // size):
        numbers = np.arange(done, done + rows)[:, None]
        swaps = (
            ((numbers >> np.arange(size)) & 1).astype(np.uint8) if exact else _coins(generator, rows, size)
        )
        open_pairs = [pairs[index] for index in tally.open]
        tally.add(_reached(sums, open_pairs, swaps.astype(np.float64)), rows)
        done += rows
    return tally.shares() if exact else tally.p_values()


def _coins(generator: "np.random.Generator", rows: int, size: int) -> "NDArray[np.uint8]":
    """Random zeros and ones; each random byte gives eight."""
    drawn = generator.integers(0, 256, (rows, (size + 7) // 8), dtype=np.uint8)
    return np.unpackbits(drawn, axis=1)[:, :size]


def _reached(
    sums: "NDArray[np.float64]", pairs: Sequence[tuple[int, int]], swaps: "NDArray[np.float64]"
) -> "NDArray[np.int64]":
    """For each pair, how many of the swaps give a difference at least as large as the one observed."""
    whole = sums.sum(axis=2)
    swapped = np.einsum("rsc,dc->rsd", sums, swaps, optimize=True)  # what each run gives to the other
    counts = np.zeros(len(pairs), dtype=np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        for index, (first, second) in enumerate(pairs):
            moved = swapped[second] - swapped[first]
            a, b = whole[first][:, None] + moved, whole[second][:, None] - moved
            observed = abs(whole[first, 0] / whole[first, 1] - whole[second, 0] / whole[second, 1])
            differences = np.nan_to_num(np.abs(a[0] / a[1] - b[0] / b[1]))
            counts[index] = int((differences >= observed - ROUNDING).sum())
    return counts


def corrected(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """The p-values of a family of comparisons, raised for their number."""
    known = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    raised: list[float | None] = [None] * len(p_values)
    running = 0.0
    for rank, (p, index) in enumerate(known):
        factor = {"holm": len(known) - rank, "bonferroni": len(known), "none": 1}[correction]
        running = max(running if correction == "holm" else 0.0, min(1.0, p * factor))
        raised[index] = running
    return raised


# The paired bootstrap test: how often samples of clusters differ as clearly as the runs themselves do.
# Clusters are drawn with replacement from a seed, and every sample's difference is divided by its own
# standard error (the studentised bootstrap). A plain count of samples on the other side of zero would
# reject a true null hypothesis in 15 % of cases at 5 clusters. All pairs use the same samples.

BLOCK_OF_DRAWS = 1 << 21
"""Draws in memory at a time."""
NO_SPREAD = 1e-20


def studentised(
    pulls: "NDArray[np.float64]", values: "NDArray[np.float64]", resamples: int, seed: int
) -> list[float]:
    """The p-value of each pair, from the clusters' influence on its difference (one column per pair).

    A sample that consists of one repeated cluster has no variance: its t is infinite.
    """
    size = len(pulls)
    observed = np.abs(values) / np.sqrt((pulls**2).sum(axis=0) * size / (size - 1))
    tally = DrawTally(len(values), resamples)
    generator = np.random.default_rng(seed)
    for rows in tally.blocks(BLOCK_OF_DRAWS // size):
        drawn = generator.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)
        chosen = pulls[:, tally.open]
        means = times @ chosen
        spreads = (times @ chosen**2 - means**2 / size) * size / (size - 1)
        scale = (chosen**2).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(spreads > NO_SPREAD * scale, np.abs(means) / np.sqrt(spreads), np.inf)
        t[np.abs(means) <= NO_SPREAD**0.5 * np.sqrt(scale)] = 0.0
        tally.add((t >= observed[tally.open] * (1 - 1e-12)).sum(axis=0), rows)
    return tally.p_values()
