"""A fictional world of any size as real dump files, with the truth about every sentence.

The embedded default of the whole project: a test bed for every stage, a load generator for every benchmark,
and a source of questions no language model has seen.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcall.world.write import World, world, write_world

__all__ = ["World", "world", "write_world"]


def __getattr__(name: str) -> object:
    """Load the writing of worlds when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rollcall.world import write

    return getattr(write, name)
