"""What templates a set should have: options, quotas by characteristic, and the choice that comes closest.

- `TemplateOptions`: the options; the defaults are those of GraphQuestions if the paper gives one.
- `check_quotas`, `check_classes`: mistakes in quotas. `Quotas`: the choice.

Input: quotas and the bins of all mined queries (the pool). Output: the numbers of the chosen queries, and the
`Shortfall` of each bin that is not full. A quota is a marginal: a number of queries with one edge, a number
with a count, a number with several answers. All quotas are met together: members of the choice are exchanged
for others as long as the choice comes closer to the marginals. A shortfall says where mining must search
next, and at the end what could not be found.
"""

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.mine.commonness import OTHER, number_bins
from rollcall.mine.relations import UNINFORMATIVE
from rollcall.query.query import FUNCTIONS

if TYPE_CHECKING:
    from rollcall.graph import Graph


Quota = Mapping[str, float]
"""For each bin of a characteristic its share of the queries, in any unit."""

PUBLISHED_QUOTAS: dict[str, dict[str, float]] = {
    "edges": {"1": 321, "2": 144, "3": 35},
    "function": {"none": 350, "count": 61, "superlative": 42, "comparative": 47},
    "answers": {"1": 332, ">1": 168},
}
"""The marginals of the paper's Table 1, without commonness, whose bins depend on the size of the graph."""


class TemplateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which templates are grown, and which queries are kept."""

    queries: int = 500
    """How many queries are wanted."""
    max_edges: int = 3
    """The most edges of a query."""
    quotas: Mapping[str, Quota] = msgspec.field(default_factory=lambda: PUBLISHED_QUOTAS)
    """For a characteristic (edges, function, answers, commonness, class) the shares of its bins, in any
    unit; a characteristic without quotas is left to chance."""
    distinct: bool = True
    """Whether all nodes of a query must be different things."""
    commonness: float = -40.0
    """The least commonness of a query, as log10; rarer queries are left out."""
    smoothing: float = 0.1
    """What each use in the graph adds to a count of mentions, when commonness is estimated."""
    most_answers: int = 100
    """The most answers of a query that does not count."""
    least_counted: int = 2
    """The least number that a counting query may give."""
    most_counted: int = 1000
    """The largest number that a counting query may give."""
    per_template: int = 1
    """The most queries that differ only in their entities."""
    redundant: float = 0.0
    """The share of queries that keep what minimising would remove."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    least_instances: int = 5
    """An edge between classes with fewer facts starts no template."""
    class_share: float = 0.1
    """A class is named only if at least this share of its entities have it as their direct type."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 200_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        if self.queries < 1 or self.max_edges < 1 or self.round_size < 1:
            raise RollcallError("queries, max_edges and round_size must be at least 1")
        if not 0 <= self.redundant <= 1:
            raise RollcallError(f"redundant is a share of the queries, from 0 to 1, not {self.redundant}")
        functions = [*FUNCTIONS, *(name for members in FUNCTIONS.values() for name in members)]
        check_quotas(
            self.quotas,
            list(dict.fromkeys(functions)),
            max_edges=self.max_edges,
            most_answers=self.most_answers,
        )


# Finds mistakes in the quotas of templates before anything is mined. Unknown characteristics, unknown
# functions, bins that no query can be in, and classes that the graph does not have are refused.
# Otherwise each would cost a whole search that can only miss its quotas.

CHARACTERISTICS = ("edges", "nodes", "function", "answers", "commonness", "class")


def check_quotas(
    quotas: Mapping[str, Quota], functions: Collection[str], *, max_edges: int, most_answers: int
) -> None:
    """Refuse quotas that no graph could fill."""
    largest = {"edges": max_edges, "nodes": max_edges + 1, "answers": most_answers}
    for characteristic, bins in quotas.items():
        if characteristic not in CHARACTERISTICS:
            hint = _nearest(characteristic, CHARACTERISTICS)
            raise RollcallError(f"quotas: {characteristic!r} is not a characteristic; {hint}")
        apportioned(1, bins, characteristic)
        if characteristic == "function":
            _check_names(bins, functions, "function")
        elif characteristic != "class":
            _check_numbers(bins, characteristic, largest.get(characteristic))


def check_classes(quotas: Mapping[str, Quota], graph: "Graph") -> None:
    """Refuse classes that a graph does not have, by id or by label."""
    if "class" in quotas:
        names = {*graph.index.class_ids, *graph.index.class_labels} - {""}
        _check_names(quotas["class"], names, "class of the graph")


def _check_names(bins: Quota, names: Collection[str], noun: str) -> None:
    for bin_ in bins:
        if bin_ != OTHER and bin_ not in names:
            raise RollcallError(f"quotas: {bin_!r} is not a {noun}; {_nearest(bin_, names)}")


def _check_numbers(bins: Quota, characteristic: str, largest: int | None) -> None:
    for bin_ in bins:
        bin_of = number_bins([bin_], characteristic)
        if largest is not None and all(bin_of(value) is None for value in range(1, largest + 1)):
            raise RollcallError(
                f"quotas: no query can be in the bin {bin_!r} of {characteristic}; "
                f"these options allow 1 to {largest} {characteristic}"
            )


_LISTED = 20


def _nearest(name: str, names: Collection[str]) -> str:
    """The names that may have been meant, or all names to choose from."""
    near = difflib.get_close_matches(name, sorted(names), 1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]}?"
    listed = sorted(names) if len(names) <= _LISTED else []
    return f"choose one of {', '.join(listed)}" if listed else f"none of the {len(names):,} names is similar"


# The choice of queries that comes closest to the quotas.

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
            if all(
                bin_ in self.wanted[dimension] for dimension, bin_ in zip(self.dimensions, bins, strict=True)
            ):
                cells.setdefault(bins, []).append(number)
        counts = _QuotaChoice(self, {bins: len(members) for bins, members in cells.items()}).run()
        return sorted(number for bins, count in counts.items() for number in cells[bins][:count])

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
    total_share = sum(shares.values())
    if not shares or total_share <= 0 or min(shares.values()) < 0:
        raise RollcallError(f"the quota for {dimension} needs bins with shares above 0, not {dict(shares)}")
    exact = {bin_: total * share / total_share for bin_, share in shares.items()}
    counts = {bin_: int(amount) for bin_, amount in exact.items()}
    missing = total - sum(counts.values())
    for bin_ in sorted(exact, key=lambda bin_: (counts[bin_] - exact[bin_], bin_))[:missing]:
        counts[bin_] += 1
    return counts


_WALKS = 12
_STEPS = 40
"""If the greedy search ends before the quotas are met, `_WALKS` random walks of `_STEPS` steps follow."""


class _QuotaChoice:
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
        removed = chance.choice(members)
        self._move(removed, -1)
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
        for removed in [cell for cell in self.cells if self.taken[cell]]:
            self._move(removed, -1)
            candidates = [
                cell
                for cell in self.cells
                if cell != removed and self._has_more(cell) and self._room(cell) > 0
            ]
            for cell in candidates:
                self._move(cell, 1)
                if any(self._has_more(other) and self._room(other) > 0 for other in self.cells):
                    return True
                self._move(cell, -1)
            self._move(removed, 1)
        return False

    def _move(self, cell: Bins, amount: int) -> None:
        self.taken[cell] += amount
        for open_, bin_ in zip(self.open, cell, strict=True):
            open_[bin_] -= amount
