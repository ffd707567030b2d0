"""A fictional world of any size as real dump files, with the ground truth about every sentence.

It is the built-in default data of Rollcall: test data for every stage, a load generator for benchmarks, and a
source of questions that no language model has seen.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcall.world.write import World, world, write_world

__all__ = ["World", "world", "write_world"]


def __getattr__(name: str) -> object:
    """Load the code that writes worlds on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rollcall.world import write

    return getattr(write, name)
