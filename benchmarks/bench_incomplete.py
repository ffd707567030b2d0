"""How often the bounds and the intervals of true figures hold, by simulation.

python benchmarks/bench_incomplete.py [--draws 500] [--questions 300] [--seed 1]

Every draw makes questions with known complete answer sets, a gold that lacks some of the answers, and two
systems that find some answers and give wrong ones. The true figures are those with the complete gold. The
gold is then scored with its true completeness and a random sample of the errors of both systems, judged by
the truth. Printed for each case: how often the bounds held the true value (it must be always), how often the
corrected interval did (95 % is wanted), how often that of all such questions held the mean of all draws, and
how often the plain interval held the true value, which knows nothing of what is missing; then the mean width
of bounds and corrected intervals, in points.

The cases differ in how answers are missing: each alike; those that systems seldom find more often ("hard");
from some questions many and from others none ("uneven"). Machines that judge all errors are good, poor or
useless. In "estimated c" completeness is known by a sample of answers, with its interval.
"""

import math
from argparse import Namespace
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from _harness import Arguments, Figures, run_benchmark
from rollcall.questions.judgment import Completeness
from rollcall.score.figures import Ratio, interval
from rollcall.score.incomplete.bounds import Corrected, bounds, corrected
from rollcall.score.incomplete.counts import NAMES, Counts, ErrorPool, Floats, missing_groups, rated
from rollcall.score.incomplete.differences import (
    RunErrors,
    corrected_difference,
    difference_bounds,
    shared_errors,
)

GOOD, POOR, USELESS = 2.0, 0.7, 0.0
"""By how much a verifier's scores of right and wrong answers differ, in standard deviations."""
WRONG = 20
"""Different wrong answers that a question invites."""


class Case(NamedTuple):
    """One way in which answers are missing, and how many errors are judged."""

    name: str
    completeness: float = 0.8
    fewest: int = 5
    """Answers that each question has at least."""
    mean: float = 15
    judged: int = 100
    """Errors of each run that are judged, on average."""
    missing: str = "alike"
    verifier: float | None = None
    sampled: int | None = None
    """From how many answers completeness is estimated; None if it is known."""


CASES = [
    Case("c = 0.9, 100 judged", 0.9),
    Case("c = 0.8, 100 judged"),
    Case("c = 0.8, 400 judged", judged=400),
    Case("c = 0.8, 50 judged", judged=50),
    Case("c = 0.8, 2 to 15 answers", fewest=2, mean=5),
    Case("hard answers missing", missing="hard"),
    Case("unevenly missing", missing="uneven"),
    Case("good verifier", verifier=GOOD),
    Case("poor verifier", verifier=POOR),
    Case("useless verifier", verifier=USELESS),
    Case("estimated c", sampled=300),
]


class Drawn(NamedTuple):
    """One simulated set: two systems under the incomplete gold, and their counts under the complete one."""

    systems: list[RunErrors]
    complete: list[Counts]
    completeness: Completeness


class Answered(NamedTuple):
    """What a system said to one question."""

    found: int
    """Answers that the gold has."""
    right: int
    """Answers that are right."""
    errors: list[bytes]
    """Answers that count as wrong, by name."""


def draw(case: Case, questions: int, chance: np.random.Generator) -> Drawn:
    """A set with its incomplete gold, two systems, and judged errors."""
    sizes, held = [], []
    rows: list[list[Answered]] = [[], []]
    for _ in range(questions):
        size = case.fewest + int(chance.geometric(1 / (case.mean - case.fewest + 1))) - 1
        ease, usual = chance.normal(0, 1, size), chance.normal(0.3, 1)
        kept = chance.random(size) < _shares(case, ease, chance)
        if not kept.any():
            continue
        sizes.append(size)
        held.append(int(kept.sum()))
        for run, skill in zip(rows, (0.0, 0.25), strict=True):
            found = chance.random(size) < 1 / (1 + np.exp(-(usual + skill + ease)))
            wrong = chance.permutation(WRONG)[: chance.poisson(4)]
            new = np.flatnonzero(found & ~kept)
            names = [*(b"right %d" % one for one in new), *(b"wrong %d" % one for one in wrong)]
            run.append(Answered(int((found & kept).sum()), int(found.sum()), names))
    known = Completeness(sum(held) / sum(sizes))
    if case.sampled is not None:
        known = _estimated(sum(held) / sum(sizes), case.sampled, chance)
    counted = [_counts([one.found for one in run], run, held) for run in rows]
    complete = [_counts([one.right for one in run], run, sizes) for run in rows]
    pools = _pools(case, [[one.errors for one in run] for run in rows], chance)
    return Drawn([RunErrors(*one) for one in zip(counted, pools, strict=True)], complete, known)


def _counts(found: list[int], run: list[Answered], gold: list[int]) -> Counts:
    n, right = len(run), np.array(found, dtype=np.float64)
    given = np.array([one.found + len(one.errors) for one in run], dtype=np.float64)
    size, ids = np.array(gold, dtype=np.float64), [str(place) for place in range(n)]
    return Counts(list(range(n)), ids, [None] * n, right, given, size, np.zeros(n), [], given - right)


def _shares(case: Case, ease: Floats, chance: np.random.Generator) -> Floats:
    """The probability that the gold has each answer of a question."""
    if case.missing == "hard":
        return np.clip(case.completeness + 0.15 * ease, 0.0, 1.0)
    if case.missing == "uneven":
        return np.full(len(ease), chance.beta(4 * case.completeness, 4 * (1 - case.completeness)))
    return np.full(len(ease), case.completeness)


def _estimated(true: float, sampled: int, chance: np.random.Generator) -> Completeness:
    """Completeness as a sample of answers tells it, with Wilson's interval."""
    share = chance.binomial(sampled, true) / sampled
    pull = 1.96**2 / sampled
    middle = (share + pull / 2) / (1 + pull)
    half = 1.96 / (1 + pull) * math.sqrt(share * (1 - share) / sampled + pull / (4 * sampled))
    return Completeness(share, min(share, middle - half), max(share, min(1.0, middle + half)))


def _pools(case: Case, runs: list[list[list[bytes]]], chance: np.random.Generator) -> list[ErrorPool]:
    """The errors of both runs, of which a random sample of all is judged."""
    pairs = sorted({(str(at), name) for run in runs for at, names in enumerate(run) for name in names})
    right = np.array([name.startswith(b"right") for _, name in pairs], dtype=np.float64)
    size = len(pairs)
    drawn = np.zeros(size, dtype=np.bool_)
    drawn[chance.permutation(size)[: case.judged * len(runs)]] = True
    scores = np.full(size, np.nan)
    if case.verifier is not None:
        scores = 1 / (1 + np.exp(-chance.normal(case.verifier * (2 * right - 1), 1)))
    at_pair = {pair: place for place, pair in enumerate(pairs)}
    pools = []
    for run in runs:
        own = [(str(at), name) for at, names in enumerate(run) for name in names]
        chosen: NDArray[np.int64] = np.array([at_pair[pair] for pair in own], dtype=np.int64)
        places = np.array([int(question) for question, _ in own], dtype=np.int64)
        seen = np.where(drawn, right, np.nan)[chosen]
        answers = [name.decode() for _, name in own]
        pools.append(ErrorPool(own, answers, places, np.ones(len(own)), seen, drawn[chosen], scores[chosen]))
    return pools


class Held(NamedTuple):
    """For one figure of one draw: its true value, what held it, and how wide that was."""

    value: float
    bounds: bool
    interval: bool
    plain: bool
    bounds_width: float
    width: float
    population: tuple[float, float] | None


def tried(case: Case, questions: int, chance: np.random.Generator) -> Iterator[tuple[str, Held]]:
    """The figures of one draw, those of the difference of the systems among them."""
    drawn = draw(case, questions, chance)
    first, second = drawn.systems
    about, n = drawn.completeness, len(first.counts)
    groups, clusters = missing_groups(first.counts, about), [[place] for place in range(n)]
    shared = shared_errors(first, second)
    for name in NAMES:
        true = [float(one.values(name).mean()) for one in drawn.complete]
        values = rated(name, first.counts.found, first.counts.given, first.counts.gold, np.zeros(n))
        plain = interval(Ratio(values.tolist(), [1.0] * n), 0.95) or (0.0, 1.0)
        own = corrected(name, first.counts, first.pool, about, clusters, 0.95)
        yield name, _held(true[0], bounds(name, first.counts, groups), own, plain)
        between = corrected_difference(name, first, second, about, clusters, 0.95)
        limits = difference_bounds(name, first.counts, second.counts, shared, groups)
        yield f"{name}, difference", _held(true[0] - true[1], limits, between, (1.0, -1.0))


def _held(
    value: float, limits: tuple[float, float], found: Corrected | None, plain: tuple[float, float]
) -> Held:
    assert found is not None
    low, high = found.interval
    return Held(
        value,
        limits[0] - 1e-9 <= value <= limits[1] + 1e-9,
        low <= value <= high,
        plain[0] <= value <= plain[1],
        limits[1] - limits[0],
        high - low,
        found.population,
    )


def simulated(case: Case, draws: int, questions: int, seed: int) -> dict[str, list[Held]]:
    """What held in all draws of a case, for each figure."""
    chance = np.random.default_rng([seed, *case.name.encode()])
    rows: dict[str, list[Held]] = {}
    for _ in range(draws):
        for name, held in tried(case, questions, chance):
            rows.setdefault(name, []).append(held)
    return rows


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--draws", type=int, default=500, smoke=2)
    parser.add_argument("--questions", type=int, default=300, smoke=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", default="", help="only cases whose name has these words")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    heads = ("case", "figure", "bounds", "corrected", "all such questions", "plain", "bounds' width")
    print("| " + " | ".join((*heads, "corrected's width")) + " |")
    print("|---|---|---|---|---|---|---|---|")
    for case in CASES:
        if given.case in case.name:
            for name, listed in simulated(case, given.draws, given.questions, given.seed).items():
                cells = figures[f"{case.name}, {name}"] = _cells(name, listed)
                print(f"| {case.name} | {name} | " + " | ".join(cells) + " |", flush=True)


def _cells(figure: str, listed: list[Held]) -> list[str]:
    usual = float(np.mean([held.value for held in listed]))  # of all such questions, as the draws are many
    populations = [held.population for held in listed if held.population is not None]
    shares = [
        np.mean([held.bounds for held in listed]),
        np.mean([held.interval for held in listed]),
        np.mean([low <= usual <= high for low, high in populations]),
        np.mean([held.plain for held in listed]),
    ]
    widths = [np.mean([held.bounds_width for held in listed]), np.mean([held.width for held in listed])]
    cells = [f"{100 * share:.1f}" for share in shares] + [f"{100 * width:.1f}" for width in widths]
    if figure.endswith("difference"):
        cells[3] = ""
    return cells


if __name__ == "__main__":
    run_benchmark(arguments(), main)
