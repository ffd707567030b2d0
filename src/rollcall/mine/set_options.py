"""The parameters of set operations."""

from collections.abc import Sequence

import msgspec

from rollcall.errors import RollcallError
from rollcall.mine.templates.options import UNINFORMATIVE

OPERATIONS = ("A ∪ B", "A ∩ B ∩ C", "A \\ B", "A ∩ B \\ C")


class SetOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How many queries of each operation are mined, and how many answers they may have.

    `known`: a set is subtracted only if the graph knows for every answer that it is not in it.
    """

    per_operation: int = 250
    operations: Sequence[str] = OPERATIONS
    least_answers: int = 2
    most_answers: int = 100
    known: bool = True
    excluded: Sequence[str] = UNINFORMATIVE
    round_size: int = 512
    attempts: int = 50_000

    def __post_init__(self) -> None:
        for operation in self.operations:
            if operation not in OPERATIONS:
                raise RollcallError(f"{operation!r} is no set operation; there are {', '.join(OPERATIONS)}")
