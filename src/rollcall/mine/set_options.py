"""The parameters of set operations."""

from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.templates.options import UNINFORMATIVE

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
