"""Simulated people: how often each misses a wrong answer, rejects a right one, and how fast they are.

Somebody who is tired begins carefully and ends by clicking; who clicks says yes to everything; who guesses
throws a coin. Each has random numbers of their own, so that one more person changes nobody else.
"""

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

Kind = Literal["careful", "hasty", "clicking", "guessing", "tired"]
CARELESS: tuple[Kind, ...] = ("clicking", "guessing", "tired")


class Habit(NamedTuple):
    """How often somebody errs, and how long a judgment takes them."""

    misses: float
    """How often they take a wrong answer for right."""
    rejects: float
    """How often they take a right answer for wrong."""
    seconds: float


HABITS: dict[Kind, Habit] = {
    "careful": Habit(0.03, 0.01, 35.0),
    "hasty": Habit(0.10, 0.03, 20.0),
    "clicking": Habit(1.0, 0.0, 3.0),
    "guessing": Habit(0.5, 0.5, 4.0),
    "tired": Habit(0.03, 0.01, 30.0),
}
TIRED = Habit(0.8, 0.05, 6.0)


class SimulatedPerson:
    """Somebody who judges by their habit."""

    def __init__(self, name: str, kind: Kind, seed: int, tired_after: int = 100) -> None:
        self.name, self.kind, self.tired_after = name, kind, tired_after
        self.judged = 0
        self._numbers = random.Random(f"{seed}\x1f{name}")

    @property
    def is_careless(self) -> bool:
        """Whether this person ought to be found, by now."""
        return self.kind in CARELESS and (self.kind != "tired" or self.judged > self.tired_after)

    def judges(self, right: bool) -> tuple[bool, float]:
        """What they say of an answer that is right or wrong, and after how many seconds."""
        self.judged += 1
        habit = TIRED if self.kind == "tired" and self.judged > self.tired_after else HABITS[self.kind]
        errs = self._numbers.random() < (habit.rejects if right else habit.misses)
        return right != errs, habit.seconds * self._numbers.lognormvariate(0.0, 0.4)


def team(careful: int, hasty: int, careless: Sequence[Kind], seed: int) -> list[SimulatedPerson]:
    """So many careful and hasty people, and these careless ones."""
    kinds: list[Kind] = [*["careful"] * careful, *["hasty"] * hasty, *careless]  # type: ignore[list-item]
    return [SimulatedPerson(f"{kind}-{number}", kind, seed) for number, kind in enumerate(kinds, 1)]
