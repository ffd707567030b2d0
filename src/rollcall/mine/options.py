"""The parameters of mining with their defaults, which are those of QAMPARI if the paper gives one."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.record_keeping import BOOKKEEPING

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
    """How answers are split by type; `rollcall.mine.typed` explains the rule."""

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
    `types` gives the classes, by id or label, that split a relation.
    """

    relations: Sequence[str] | str = EVERY_RELATION
    excluded: Collection[str] | None = None
    directions: Sequence[str] = ("subject",)
    types: Mapping[str, Sequence[str]] = {}
    type_rule: TypeRule = TypeRule()

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
