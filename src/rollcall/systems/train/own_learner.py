"""Systems that learn by themselves, and not by the loop that trains networks: trees, and log-linear models.

Such a system is given everything that a training has, and writes its own folder. What the folder says of the
training is written for it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall.errors import RollcallError
from rollcall.systems.context import Context
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.learning import Learning
from rollcall.systems.train.refusals import PartOptions, refuse_parts
from rollcall.systems.train.trainable import Learner


class OwnTraining(NamedTuple):
    """Everything that a training needs."""

    options: msgspec.Struct
    """The system's own."""
    part_options: PartOptions
    """For each part of a system that has parts, the options of the part."""
    base: str | None
    learning: Learning
    context: Context
    """With the graph and the corpus, as far as they were given."""
    work: Path
    """A folder for what an interrupted training needs to continue."""
    progress: bool | None


class Learned(NamedTuple):
    """What came out of a training, beside the files of the system."""

    seen: Sequence[Exercise]
    """The exercises that it was fitted to."""
    best: float | None = None
    """The `measure` on exercises that it was not fitted to."""
    history: Sequence[dict[str, float]] = ()
    """Figures of single passes."""
    steps: int = 0


class OwnLearner(Learner):
    """A system that learns by itself."""

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        return ("corpus", "graph", "index")

    @classmethod
    def check(cls, system: str, options: msgspec.Struct, part_options: PartOptions, base: str | None) -> None:
        """Refuse what cannot be learned from, before any exercise is made; by default there are neither
        checkpoints nor parts.
        """
        if base is not None:
            raise RollcallError(f"{system} starts from no checkpoint: leave out --base (base= in Python)")
        refuse_parts(system, part_options)

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> Learned | None:
        """Learn, and write what a reader opens into an empty folder; None where another process writes."""
        raise NotImplementedError
