"""A fictional world of any size as real dump files, with the ground truth about every sentence.

It is the built-in default data of Rollcall: test data for every stage, a load generator for benchmarks, and a
source of questions that no language model has seen.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.world.write import World, world, write_world

__all__ = ["World", "world", "write_world"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, dict.fromkeys(__all__, "write"))
