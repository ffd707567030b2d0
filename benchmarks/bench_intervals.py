"""What confidence intervals cover and how often tests reject a true null, by simulation.

python benchmarks/bench_intervals.py [--samples 1000] [--seed 1] [--clusters 5,10,12,30,100]

Scores are drawn from distributions like those of real figures: F1 of hard, middling and easy questions, with
many zeros and ones; shares of questions that are right; symmetric and skewed scores between 0 and 1; seconds.
Clusters are single questions, or of unequal sizes (1 to 15, few large ones) whose questions resemble each
other. Each row has the method that stood here before (percentile bootstrap, plain paired bootstrap, t-test by
number of clusters) and the one in use, on the same samples. An interval of 95 % should cover the truth in
95 % of samples, a test at 5 % reject in 5 %.
"""

import math
from argparse import Namespace
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from _harness import Arguments, Figures, run_benchmark
from rollcall.score.figures import Ratio, interval, two_sided_t
from rollcall.score.significance import compare_ratios

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Floats]
LARGEST = 15
OLD_RESAMPLES, NEW_RESAMPLES = 1000, 1000


class Scores(NamedTuple):
    """A distribution of scores and its mean."""

    name: str
    draw: Draw
    mean: float
    share: bool = True


def mixture(zeros: float, ones: float, a: float, b: float) -> Draw:
    """Scores like F1: some 0, some 1, the rest between."""

    def draw(chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        kind, between = chance.random(shape), chance.beta(a, b, shape)
        return np.where(kind < zeros, 0.0, np.where(kind < zeros + ones, 1.0, between))

    return draw


def right(share: float) -> Draw:
    return lambda chance, shape: (chance.random(shape) < share).astype(np.float64)


def beta(a: float, b: float) -> Draw:
    return lambda chance, shape: chance.beta(a, b, shape)


SCORES = [
    Scores("symmetric", beta(4, 4), 0.5),
    Scores("skewed", beta(1, 5), 1 / 6),
    Scores("F1, hard: 70 % 0, 5 % 1", mixture(0.7, 0.05, 2, 2), 0.175),
    Scores("F1, middling: 40 % 0, 20 % 1", mixture(0.4, 0.2, 2, 2), 0.4),
    Scores("F1, easy: 5 % 0, 60 % 1", mixture(0.05, 0.6, 4, 2), 0.6 + 0.35 * 2 / 3),
    Scores("right or wrong, 50 %", right(0.5), 0.5),
    Scores("right or wrong, 20 %", right(0.2), 0.2),
    Scores("right or wrong, 95 %", right(0.95), 0.95),
    Scores(
        "seconds, log-normal", lambda chance, shape: chance.lognormal(0, 0.5, shape), math.exp(1 / 8), False
    ),
]
"""What intervals are tried on."""

NULLS: list[tuple[str, Draw, Draw]] = [
    ("alike, symmetric", beta(4, 4), beta(4, 4)),
    ("alike, F1 middling", mixture(0.4, 0.2, 2, 2), mixture(0.4, 0.2, 2, 2)),
    ("alike, 20 % right", right(0.2), right(0.2)),
    ("same mean, skewed/narrow", beta(1, 5), beta(6, 30)),
    ("same mean, F1/narrow", mixture(0.4, 0.2, 2, 2), beta(8, 12)),
    ("same mean, right or wrong/constant", right(0.3), lambda chance, shape: np.full(shape, 0.3)),
]
"""Pairs of systems that do not differ in the mean: either alike in all, or one steadier than the other."""


class Layout(NamedTuple):
    """How questions stand in clusters."""

    name: str
    unequal: bool

    def sizes(self, chance: np.random.Generator, clusters: int) -> NDArray[np.int64]:
        if not self.unequal:
            return np.ones(clusters, dtype=np.int64)
        return np.minimum(1 + chance.geometric(1 / 4, clusters), LARGEST)

    def sums(self, chance: np.random.Generator, draw: Draw, sizes: NDArray[np.int64]) -> Floats:
        """Each cluster's sum of scores; half the questions of a cluster have its first one's."""
        if not self.unequal:
            return draw(chance, (len(sizes),))
        scores = draw(chance, (len(sizes), LARGEST))
        scores = np.where(chance.random(scores.shape) < 0.5, scores[:, :1], scores)
        sums: Floats = (scores * (np.arange(LARGEST) < sizes[:, None])).sum(axis=1)
        return sums


LAYOUTS = [Layout("single questions", False), Layout("unequal clusters", True)]


def old_draws(chance: np.random.Generator, clusters: int) -> Floats:
    return chance.multinomial(clusters, [1 / clusters] * clusters, OLD_RESAMPLES).astype(np.float64)


def old_interval(above: Floats, below: Floats, times: Floats) -> tuple[float, float]:
    low, high = np.quantile((times @ above) / (times @ below), [0.025, 0.975])
    return float(low), float(high)


def old_bootstrap(difference: Floats, below: Floats, times: Floats) -> float:
    drawn = (times @ difference) / (times @ below)
    reached = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
    return min(1.0, 2 * (reached + 1) / (len(drawn) + 1))


def old_t(difference: Floats, below: Floats) -> float:
    size, total = len(below), below.sum()
    value = difference.sum() / total
    variance = float((((difference - value * below) / total) ** 2).sum()) * size / (size - 1)
    if variance <= 1e-30:
        return 1.0 if abs(value) < 1e-15 else 0.0
    return two_sided_t(float(value) / math.sqrt(variance), size - 1)


def coverage(scores: Scores, layout: Layout, clusters: int, samples: int, seed: int) -> list[float]:
    """The share of samples whose interval holds the mean: before, and now; and how wide each is."""
    chance = np.random.default_rng(seed)
    times = old_draws(chance, clusters)  # the same draws for all samples, which changes nothing but the time
    held, width = [0, 0], [0.0, 0.0]
    for _ in range(samples):
        sizes = layout.sizes(chance, clusters)
        above, below = layout.sums(chance, scores.draw, sizes), sizes.astype(np.float64)
        before = old_interval(above, below, times)
        now = interval(Ratio(above.tolist(), below.tolist()), 0.95, share=scores.share)
        for place, ends in enumerate((before, now)):
            if ends is not None:
                held[place] += ends[0] - 1e-12 <= scores.mean <= ends[1] + 1e-12
                width[place] += ends[1] - ends[0]
    return [100 * held[0] / samples, 100 * held[1] / samples, width[0] / samples, width[1] / samples]


def rejections(
    first: Draw, second: Draw, layout: Layout, clusters: int, samples: int, seed: int
) -> list[float]:
    """The share of samples that each test at 5 % rejects: t and bootstrap before, the three now."""
    chance = np.random.default_rng(seed)
    times = old_draws(chance, clusters)
    rejected = np.zeros(5)
    for sample in range(samples):
        sizes = layout.sizes(chance, clusters)
        sums = [layout.sums(chance, draw, sizes) for draw in (first, second)]
        below = sizes.astype(np.float64)
        before = [old_t(sums[0] - sums[1], below), old_bootstrap(sums[0] - sums[1], below, times)]
        ratios = [Ratio(above.tolist(), below.tolist()) for above in sums]
        now = compare_ratios(ratios, [(0, 1)], resamples=NEW_RESAMPLES, seed=sample)[0]
        rejected += [p is not None and p < 0.05 for p in (*before, *now)]
    return [float(share) for share in 100 * rejected / samples]


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--samples", type=int, default=1000, smoke=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clusters", default="5,10,12,30,100", smoke="5")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    counts = [int(part) for part in options.clusters.split(",")]
    for layout in LAYOUTS:
        print(f"\n95 % intervals, {layout.name}: covered, before -> now (mean width now)")
        print(f"{'clusters':36}" + "".join(f"{count:>22}" for count in counts))
        for scores in SCORES:
            cells = []
            for count in counts:
                before, now, _, width = coverage(scores, layout, count, options.samples, options.seed)
                figures[f"{layout.name}, {scores.name}, {count} clusters: covered"] = [before, now]
                cells.append(f"{before:5.1f} -> {now:5.1f} ({width:.2f})")
            print(f"{scores.name:36}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    for layout in LAYOUTS:
        print(f"\nTests at 5 %, {layout.name}: true nulls rejected, before -> now")
        print(f"{'':36}{'clusters':>9}{'t':>16}{'bootstrap':>16}{'permutation':>13}")
        for name, first, second in NULLS:
            for count in counts:
                t, drawn, new_t, new_drawn, swapped = rejections(
                    first, second, layout, count, options.samples // 2, options.seed
                )
                rejected = {"t": new_t, "bootstrap": new_drawn, "permutation": swapped}
                figures[f"{layout.name}, {name}, {count} clusters: rejected"] = rejected
                print(
                    f"{name:36}{count:9}{f'{t:.1f} -> {new_t:.1f}':>16}"
                    f"{f'{drawn:.1f} -> {new_drawn:.1f}':>16}{swapped:13.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    run_benchmark(arguments(), main)
