"""How far people agree, and what is most likely true: pure functions of ratings.

- **Coefficients** (`observed_agreement`, `krippendorff`, `gwet`): observed agreement, Krippendorff's alpha,
  Gwet's AC1 and AC2, with bootstrap intervals over questions.
- **Dawid and Skene** (`dawid_skene`): each person makes mistakes of their own, and the truth is what best
  explains all judgments.

Where nearly all answers are right, alpha (like kappa) is low although people agree, because it takes most of
the agreement for chance. AC1 is not, so both are shown. Each coefficient is a function of sums over items, so
that thousands of resamples are one product of matrices. All of them allow missing judgments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.score.figures import t_quantile, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The bootstrap interval of a figure that is a function of sums over clusters (Efron's BCa). Clusters are
# drawn with replacement; equal ones are drawn together, as one multinomial, so a set with 100,000 items
# costs no more than its different rows. Coefficients near 1 are skewed: plain percentiles cover too
# little there, BCa does not (`tests/unit/studio/test_agreement.py` counts it).

RESAMPLES = 2000
_BLOCK = 1 << 22
"""Numbers in memory at a time."""

Figure = Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]
"""A figure for each row of sums; not a number where it is not defined."""


def bootstrap_interval(
    clusters: "NDArray[np.float64]", figure: Figure, confidence: float, seed: int
) -> tuple[float, float] | None:
    """The interval of the figure of all clusters' sum, one row for each cluster; None if it has none."""
    value = float(figure(clusters.sum(axis=0, keepdims=True))[0])
    kinds, times = np.unique(clusters, axis=0, return_counts=True)
    generator = np.random.default_rng(seed)
    resampled = []
    rows = max(1, _BLOCK // len(kinds))
    for start in range(0, RESAMPLES, rows):
        drawn = generator.multinomial(len(clusters), times / len(clusters), min(rows, RESAMPLES - start))
        resampled.append(figure(drawn.astype(np.float64) @ kinds))
    values = np.concatenate(resampled)
    values = values[~np.isnan(values)]
    if np.isnan(value) or not len(values):
        return None
    without = figure((times @ kinds)[None, :] - kinds)
    low, high = np.quantile(values, _levels(values, value, without, times, confidence))
    return min(float(low), value), max(float(high), value)


def _levels(
    values: "NDArray[np.float64]",
    value: float,
    without: "NDArray[np.float64]",
    times: "NDArray[np.int64]",
    confidence: float,
) -> list[float]:
    """Which quantiles to take, for the bias of the resamples and the skew that leaving out one shows."""
    normal = NormalDist()
    below = float(np.sum(values < value) + np.sum(values == value) / 2) / len(values)
    bias = normal.inv_cdf(min(1 - 1 / len(values), max(1 / len(values), below)))
    left = np.nan_to_num(without, nan=value)
    pulls = np.average(left, weights=times) - left
    spread = float(np.sum(times * pulls**2))
    skew = float(np.sum(times * pulls**3)) / (6 * spread**1.5) if spread else 0.0
    reaches = [bias + normal.inv_cdf(tail) for tail in ((1 - confidence) / 2, (1 + confidence) / 2)]
    return [normal.cdf(bias + reach / max(1e-9, 1 - skew * reach)) for reach in reaches]


# How much two different categories still agree: weights for Gwet's AC2 and distances for Krippendorff's
# alpha. Nominal categories agree or do not. Ordinal ones are weighed by how many categories lie between
# them (AC2), or by how many ratings do (alpha); interval ones by the square of the difference of their
# values.

Level = Literal["nominal", "ordinal", "interval"]


def category_values(categories: Sequence[str]) -> "NDArray[np.float64]":
    """The numbers that categories of an interval scale are."""
    try:
        return np.array([float(category) for category in categories])
    except ValueError:
        raise RollcallError(
            f"the categories of an interval scale must be numbers, not {', '.join(categories)}"
        ) from None


def agreement_weights(categories: Sequence[str], level: Level) -> "NDArray[np.float64]":
    """How much each pair of categories agrees, from 0 to 1: Gwet's identity, ordinal or quadratic weights."""
    size = len(categories)
    if level == "nominal" or size < 2:
        return np.eye(size)
    if level == "ordinal":
        between = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) + 1.0
        return np.asarray(1 - between * (between - 1) / (size * (size - 1)))
    values = category_values(categories)
    squares = np.subtract.outer(values, values) ** 2
    return np.asarray(1 - squares / squares.max())


def squared_distances(
    categories: Sequence[str], level: Level, totals: "NDArray[np.float64]"
) -> "NDArray[np.float64]":
    """Krippendorff's squared distances, for each row of totals of how often categories were chosen."""
    size = len(categories)
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(size), (len(totals), size, size))
    if level == "ordinal":
        # The ratings between two categories, with half of those at both ends.
        middles = np.cumsum(totals, axis=1) - totals / 2
        return (middles[:, :, None] - middles[:, None, :]) ** 2
    values = category_values(categories)
    return np.broadcast_to(np.subtract.outer(values, values) ** 2, (len(totals), size, size))


# Who chose what for which item, as counts that coefficients of agreement are computed from. People may
# judge different items: an item counts by the judgments it has. Categories are given in their order,
# including those that were never chosen, because chance-corrected coefficients depend on how many there are.


class Rating(NamedTuple):
    """What one person chose for one item."""

    item: str
    person: str
    category: str


class RatingTable(NamedTuple):
    """How often each category was chosen for each item."""

    categories: tuple[str, ...]
    items: tuple[str, ...]
    counts: "NDArray[np.float64]"
    """One row for each item, one column for each category."""
    clusters: "NDArray[np.int64]"
    """The cluster of each item; what belongs together is drawn together where intervals are computed."""
    people: int

    @property
    def shared(self) -> int:
        """How many items have the judgments of two people or more."""
        return int((self.counts.sum(axis=1) >= 2).sum())


def rating_table(
    ratings: Iterable[Rating], categories: Sequence[str], clusters: Mapping[str, str] | None = None
) -> RatingTable:
    """Count ratings; of several by one person on one item, the last counts.

    `clusters` names what each item belongs to, such as its question; without it each item stands alone.
    """
    columns = {category: column for column, category in enumerate(categories)}
    last: dict[str, dict[str, int]] = {}
    for item, person, category in ratings:
        if category not in columns:
            raise RollcallError(
                f"{category!r:.80} was chosen for {item}; expected one of {', '.join(columns)}"
            )
        last.setdefault(item, {})[person] = columns[category]
    counts = np.zeros((len(last), len(columns)))
    for row, chosen in enumerate(last.values()):
        np.add.at(counts[row], list(chosen.values()), 1)
    named = {} if clusters is None else clusters
    numbers: dict[str, int] = {}
    of_items = [numbers.setdefault(named.get(item, item), len(numbers)) for item in last]
    people = {person for chosen in last.values() for person in chosen}
    return RatingTable(tuple(categories), tuple(last), counts, np.array(of_items, np.int64), len(people))


CONFIDENCE = 0.95
LEAST_CLUSTERS = 10
"""Fewer questions give no interval: resamples of a few are too much alike. Simulated with questions that
differ in how hard they are, intervals of 95 % held the truth in 68 to 70 % of the draws with 3 questions,
in 81 to 85 % with 5, in 90 to 92 % with 8 to 15, and in 94 to 95 % with 30 (400 to 1,000 draws each)."""


class Coefficient(msgspec.Struct, frozen=True):
    """One coefficient with its interval; no value where there is nothing to compare, or nothing varies."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    items: int
    """Items with the judgments of two people or more."""
    people: int
    clusters: int = 0
    """The questions of these items, whose items are drawn together; few of them give no interval."""

    @property
    def has_too_few(self) -> bool:
        """Whether there is a value, and no interval because it is of too few questions."""
        return self.value is not None and self.clusters < LEAST_CLUSTERS


class _Sums(NamedTuple):
    """What each item adds, and the coefficient that such sums give."""

    parts: "NDArray[np.float64]"
    value: Callable[["NDArray[np.float64]"], "NDArray[np.float64]"]
    lowest: Callable[["NDArray[np.float64]", float], float]
    """The coefficient if this were the observed agreement, and chance agreement stayed as it is."""


def observed_agreement(table: RatingTable, level: Level = "nominal", *, seed: int = 0) -> Coefficient:
    """The share of pairs of judgments that agree; similar categories of a scale agree in part."""
    return _with_interval("agreement", table, _agreeing(table, level, chance=False), seed)


def gwet(table: RatingTable, level: Level = "nominal", *, seed: int = 0) -> Coefficient:
    """Gwet's AC1; with a scale that is not nominal, his AC2."""
    name = "AC1" if level == "nominal" else "AC2"
    return _with_interval(name, table, _agreeing(table, level, chance=True), seed)


def krippendorff(table: RatingTable, level: Level = "nominal", *, seed: int = 0) -> Coefficient:
    """Krippendorff's alpha; None where all judgments are the same, since nothing then varies."""
    sizes = table.counts.sum(axis=1)
    pairable = table.counts * (sizes >= 2)[:, None]
    pairs = pairable[:, :, None] * pairable[:, None, :] - pairable[:, :, None] * np.eye(len(table.categories))
    parts = (pairs / np.maximum(sizes - 1, 1)[:, None, None]).reshape(
        len(table.items), len(table.categories) ** 2
    )

    def distances(sums: "NDArray[np.float64]") -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
        together = sums.reshape(len(sums), len(table.categories), -1)
        totals = together.sum(axis=2)
        square = squared_distances(table.categories, level, totals)
        met = (together * square).sum(axis=(1, 2))
        by_chance = np.einsum("ri,rj,rij->r", totals, totals, square)
        return met, by_chance / np.maximum(totals.sum(axis=1) - 1, 1)

    def value(sums: "NDArray[np.float64]") -> "NDArray[np.float64]":
        met, by_chance = distances(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(by_chance > 0, 1 - met / by_chance, np.nan)

    def lowest(sums: "NDArray[np.float64]", observed: float) -> float:
        # As if the share 1 - observed of all pairs were as far apart as categories that differ by chance.
        totals = sums.reshape(len(table.categories), -1).sum(axis=1)
        differing = 1 - (totals * (totals - 1)).sum() / (totals.sum() * (totals.sum() - 1))
        return float(1 - (1 - observed) / differing)

    return _with_interval("alpha", table, _Sums(parts, value, lowest), seed)


def _agreeing(table: RatingTable, level: Level, *, chance: bool) -> _Sums:
    """Observed agreement by item, and the shares of categories that Gwet's chance agreement is made of."""
    weights = agreement_weights(table.categories, level)
    sizes = table.counts.sum(axis=1)
    near = table.counts @ weights
    agreeing = (table.counts * (near - 1)).sum(axis=1) / np.maximum(sizes * (sizes - 1), 1)
    shares = table.counts / np.maximum(sizes, 1)[:, None]
    parts = np.column_stack([agreeing * (sizes >= 2), sizes >= 2, sizes >= 1, shares])
    size = len(table.categories)

    def by_chance(sums: "NDArray[np.float64]") -> "NDArray[np.float64]":
        if not chance or size < 2:
            return np.zeros(len(sums))
        part = sums[:, 3:] / np.maximum(sums[:, 2], 1)[:, None]
        spread: NDArray[np.float64] = (part * (1 - part)).sum(axis=1)
        return spread * float(weights.sum()) / (size * (size - 1))

    def value(sums: "NDArray[np.float64]") -> "NDArray[np.float64]":
        expected = by_chance(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            met = np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan)
            return np.asarray((met - expected) / (1 - expected))

    def lowest(sums: "NDArray[np.float64]", observed: float) -> float:
        expected = float(by_chance(sums)[0])
        return (observed - expected) / (1 - expected)

    return _Sums(parts, value, lowest)


def _with_interval(name: str, table: RatingTable, sums: _Sums, seed: int) -> Coefficient:
    clusters = int(table.clusters.max(initial=-1)) + 1
    joined = np.zeros((clusters, sums.parts.shape[1]))
    np.add.at(joined, table.clusters, sums.parts)
    if not table.shared:
        return Coefficient(name, None, None, 0, table.people)
    shared = len(np.unique(table.clusters[table.counts.sum(axis=1) >= 2]))
    total = joined.sum(axis=0, keepdims=True)
    value = float(sums.value(total)[0])
    if np.isnan(value):
        return Coefficient(name, None, None, table.shared, table.people, shared)
    if shared < LEAST_CLUSTERS:
        bounds = None
    elif value >= 1:
        # No resample disagrees: take what a share of 1 still allows for so many clusters.
        low, _ = wilson(1.0, shared, t_quantile(CONFIDENCE, shared - 1))
        bounds = sums.lowest(total, low), 1.0
    else:
        bounds = bootstrap_interval(joined, sums.value, CONFIDENCE, seed)
    return Coefficient(name, value, bounds, table.shared, table.people, shared)


# Dawid and Skene's estimate of what is true: each person makes mistakes of their own, and truth is what
# best explains all judgments.
#
# Expectation maximisation with a small prior that people are more often right than not, without which a
# person with few judgments would be taken at any word, and a mirrored solution would be as likely. Items
# whose verdict is known beforehand (injected ones) show what mistakes a person makes, and say nothing
# about how common a verdict is, since they were not drawn from the set.

RIGHT = 0.8
"""How often the prior takes people to be right."""
WEIGHT = 4.0
"""How many judgments of each category the prior is worth."""
SMOOTH = 1.0
"""How many items of each category are added to the shares of categories."""
MOST_ROUNDS = 200
NEAR = 1e-6
"""Probabilities that change by less are settled."""


class DawidSkene(NamedTuple):
    """The estimate: for each item how likely each category is, and for each person how they judge."""

    categories: tuple[str, ...]
    items: tuple[str, ...]
    people: tuple[str, ...]
    probabilities: "NDArray[np.float64]"
    """One row for each item, one column for each category."""
    confusion: "NDArray[np.float64]"
    """For each person and true category, how often they choose each category."""
    shares: "NDArray[np.float64]"
    """How common each category is."""
    objective: tuple[float, ...]
    """The logarithm of likelihood and prior after each round; it never falls."""

    def likeliest(self) -> dict[str, tuple[str, float]]:
        """The likeliest category of each item, and its probability."""
        best = self.probabilities.argmax(axis=1)
        return {
            item: (self.categories[column], float(self.probabilities[row, column]))
            for row, (item, column) in enumerate(zip(self.items, best, strict=True))
        }

    def accuracy(self, person: str) -> float:
        """How often a person is right, over categories as common as they are."""
        matrix = self.confusion[self.people.index(person)]
        return float((matrix.diagonal() * self.shares).sum())


class _Votes(NamedTuple):
    """All ratings as three columns of numbers."""

    item: "NDArray[np.int64]"
    person: "NDArray[np.int64]"
    choice: "NDArray[np.int64]"


def dawid_skene(
    ratings: Iterable[Rating], categories: Sequence[str], known: Mapping[str, str] | None = None
) -> DawidSkene:
    """Estimate what is true from all judgments; `known` has the verdicts that are known beforehand."""
    last = {(rating.item, rating.person): rating.category for rating in ratings}
    if not last:
        raise RollcallError("there are no judgments to estimate from")
    items = {item: index for index, item in enumerate(dict.fromkeys(item for item, _ in last))}
    people = {person: index for index, person in enumerate(sorted({person for _, person in last}))}
    columns = {category: column for column, category in enumerate(categories)}
    strange = sorted({*last.values(), *(known or {}).values()} - columns.keys())
    if strange:
        raise RollcallError(f"{strange[0]!r:.80} was chosen; expected one of {', '.join(columns)}")
    votes = _Votes(
        np.array([items[item] for item, _ in last]),
        np.array([people[person] for _, person in last]),
        np.array([columns[category] for category in last.values()]),
    )
    fixed = np.full(len(items), -1)
    for item, category in (known or {}).items():
        if item in items:
            fixed[items[item]] = columns[category]
    estimate = _estimate(votes, fixed, len(people), len(columns))
    return DawidSkene(tuple(columns), tuple(items), tuple(people), *estimate)


def _estimate(
    votes: _Votes, fixed: "NDArray[np.int64]", people: int, size: int
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]", tuple[float, ...]]:
    open_items = fixed < 0
    prior = _prior(size)
    truth = np.zeros((len(fixed), size))
    np.add.at(truth, (votes.item, votes.choice), 1.0)
    truth /= truth.sum(axis=1, keepdims=True)
    truth[~open_items] = np.eye(size)[fixed[~open_items]]
    objective: list[float] = []
    for _ in range(MOST_ROUNDS):
        confusion, shares = _maximise(votes, truth, open_items, prior, people)
        logs = _sums_by_group(votes.item, np.log(confusion)[votes.person, :, votes.choice], len(fixed))
        joint = logs + np.log(shares)
        top = joint.max(axis=1, keepdims=True)
        following = np.exp(joint - top)
        likelihood = top[:, 0] + np.log(following.sum(axis=1))
        following /= following.sum(axis=1, keepdims=True)
        following[~open_items] = truth[~open_items]
        log_likelihood = likelihood[open_items].sum() + (logs * truth)[~open_items].sum()
        objective.append(
            float(log_likelihood + (prior * np.log(confusion)).sum() + SMOOTH * np.log(shares).sum())
        )
        change = float(np.abs(following - truth).max())
        truth = following
        if change < NEAR:
            break
    return truth, confusion, shares, tuple(objective)


def _prior(size: int) -> "NDArray[np.float64]":
    """How many judgments of each true category (row) are added to what each person chose (column)."""
    if size < 2:
        return np.full((size, size), WEIGHT)
    return WEIGHT * np.where(np.eye(size, dtype=bool), RIGHT, (1 - RIGHT) / (size - 1))


def _maximise(
    votes: _Votes,
    truth: "NDArray[np.float64]",
    open_items: "NDArray[np.bool_]",
    prior: "NDArray[np.float64]",
    people: int,
) -> tuple["NDArray[np.float64]", "NDArray[np.float64]"]:
    """The confusion matrices and shares that best explain the judgments, if this is the truth."""
    size = len(prior)
    chosen = _sums_by_group(votes.person * size + votes.choice, truth[votes.item], people * size)
    confusion = prior + chosen.reshape(people, size, size).transpose(0, 2, 1)
    confusion /= confusion.sum(axis=2, keepdims=True)
    shares = truth[open_items].sum(axis=0) + SMOOTH
    return confusion, shares / shares.sum()


def _sums_by_group(
    groups: "NDArray[np.int64]", rows: "NDArray[np.float64]", size: int
) -> "NDArray[np.float64]":
    """The sum of the rows of each group; ten times as fast as `np.add.at`."""
    return np.stack([np.bincount(groups, weights=column, minlength=size) for column in rows.T], axis=1)
