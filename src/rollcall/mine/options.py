"""The parameters of mining with their defaults, which are those of QAMPARI if the paper gives one."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.mine.commonness import OTHER, number_bins
from rollcall.mine.mining import BOOKKEEPING
from rollcall.mine.quotas import apportioned
from rollcall.query.query import FUNCTIONS

if TYPE_CHECKING:
    from rollcall.graph import Graph


DIRECTIONS = ("subject", "object")
EVERY_RELATION = "all"


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers a query may have in the graph.

    The most is 250: at most 200 validated answers, which must be at least 80 % of all answers.
    """

    min_answers: int = 5
    max_answers: int = 250

    def __post_init__(self) -> None:
        if not 1 <= self.min_answers <= self.max_answers:
            raise RollcallError(
                f"min_answers {self.min_answers} and max_answers {self.max_answers}: the first must be"
                " at least 1 and not above the second"
            )


class TypeRule(msgspec.Struct, frozen=True, kw_only=True):
    """How answers are split by type; `rollcall.mine.simple` explains the rule."""

    split: bool = True
    direct_share: float = 0.1
    widest: float = 0.5
    specified: float = 0.9
    least_share: float = 0.03
    types_per_relation: int = 12
    types_per_query: int = 4
    largest_group: int = 20_000
    excluded: Collection[str] = BOOKKEEPING


class SimpleOptions(Sizes, frozen=True, kw_only=True):
    """Which simple queries are mined.

    `relations` are ids, or "all" for every relation of the graph. `excluded` are ids or labels of relations
    to leave out. Its default depends on `relations`: with "all" the relations of record keeping, else none.
    `types` gives the classes, by id or label, that split a relation. `per_relation` is the most queries of
    one relation and type; with more, that many are drawn at random.
    """

    relations: Sequence[str] | str = EVERY_RELATION
    excluded: Collection[str] | None = None
    directions: Sequence[str] = ("subject",)
    types: Mapping[str, Sequence[str]] = {}
    type_rule: TypeRule = TypeRule()
    per_relation: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_directions(self.directions)


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries of a kind are kept, sampled at random, so that no relation or entity dominates."""

    per_pair: int = 1000
    per_entity: int = 20
    seed: int = 1


class IntersectionOptions(Sizes, frozen=True, kw_only=True):
    """Which intersections are mined; answers of more than `per_answer` queries are not used to find pairs."""

    caps: Caps = Caps()
    per_answer: int = 200
    ways: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ways not in (2, 3):
            raise RollcallError(f"ways {self.ways}: intersections are of 2 or of up to 3 queries")


class CompositionOptions(Sizes, frozen=True, kw_only=True):
    """Which compositions are mined.

    `small_numbers` is the largest share of a relation's values that may be whole numbers below 100 without a
    unit: counts and ranks are not worth listing and are not found in text. `coverage` is the least share of
    the intermediate entities that must have the second relation. `round_trip` is the largest share of them
    that may lead back to the question's entity.
    """

    relations: Sequence[str] | str = EVERY_RELATION
    excluded: Collection[str] | None = None
    directions: Sequence[str] = ("object",)
    literal_kinds: Collection[str] = ("number", "quantity", "date", "text")
    small_numbers: float = 0.5
    same_relation: bool = False
    coverage: float = 0.5
    round_trip: float = 0.5
    caps: Caps = Caps()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_directions(self.directions)


def check_directions(directions: Sequence[str]) -> None:
    """Refuse a direction that is neither of the two."""
    for direction in directions:
        if direction not in DIRECTIONS:
            raise RollcallError(f"{direction!r} is not a direction; there are {' and '.join(DIRECTIONS)}")


# Finds mistakes in the quotas of templates before anything is mined. Unknown characteristics, unknown
# functions, bins that no query can be in, and classes that the graph does not have are refused.
# Otherwise each would cost a whole search that can only miss its quotas.

CHARACTERISTICS = ("edges", "nodes", "function", "answers", "commonness", "class")

Quota = Mapping[str, float]


def check_quotas(
    quotas: Mapping[str, Quota], functions: Collection[str], *, max_edges: int, most_answers: int
) -> None:
    """Refuse quotas that no graph could fill."""
    largest = {"edges": max_edges, "nodes": max_edges + 1, "answers": most_answers}
    for characteristic, bins in quotas.items():
        if characteristic not in CHARACTERISTICS:
            hint = _nearest(characteristic, CHARACTERISTICS)
            raise RollcallError(f"quotas: {characteristic!r} is no characteristic; {hint}")
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


def _check_names(bins: Quota, known: Collection[str], what: str) -> None:
    for bin_ in bins:
        if bin_ != OTHER and bin_ not in known:
            raise RollcallError(f"quotas: {bin_!r} is no {what}; {_nearest(bin_, known)}")


def _check_numbers(bins: Quota, characteristic: str, largest: int | None) -> None:
    for bin_ in bins:
        place = number_bins([bin_], characteristic)
        if largest is not None and all(place(value) is None for value in range(1, largest + 1)):
            raise RollcallError(
                f"quotas: no query can be in the bin {bin_!r} of {characteristic}; "
                f"these options allow 1 to {largest} {characteristic}"
            )


_LISTED = 20


def _nearest(name: str, known: Collection[str]) -> str:
    """The names that may have been meant, or all names to choose from."""
    near = difflib.get_close_matches(name, sorted(known), 1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]}?"
    listed = sorted(known) if len(known) <= _LISTED else []
    return f"there are {', '.join(listed)}" if listed else f"none of the {len(known):,} is called alike"


# The parameters of templates; the defaults are those of GraphQuestions if the paper gives one.

UNINFORMATIVE = (*sorted(BOOKKEEPING), "age", "position", "season", "type")
"""Labels of relations that say too little to ask about: headings of table columns rather than relations."""

Shares = Mapping[str, float]

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
    quotas: Mapping[str, Shares] = msgspec.field(default_factory=lambda: PUBLISHED_QUOTAS)
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


# The parameters of set operations.

OPERATIONS = ("A ∪ B", "A ∩ B ∩ C", "A \\ B", "A ∩ B \\ C")


class SetOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries of each operation are mined, and how many answers they may have."""

    per_operation: int = 250
    """How many queries of each operation are wanted."""
    operations: Sequence[str] = OPERATIONS
    """Which operations."""
    least_answers: int = 2
    """The fewest answers of a query."""
    most_answers: int = 100
    """The most answers of a query."""
    known: bool = True
    """Whether a set is subtracted only if the graph knows for every answer that it is not in it."""
    excluded: Sequence[str] = UNINFORMATIVE
    """Labels or ids of relations that are never asked about."""
    round_size: int = 512
    """How many attempts run before what was found is looked at."""
    attempts: int = 50_000
    """The most attempts; after these the set has what was found."""

    def __post_init__(self) -> None:
        for operation in self.operations:
            if operation not in OPERATIONS:
                raise RollcallError(f"{operation!r} is no set operation; there are {', '.join(OPERATIONS)}")
