"""How far the chances of possible answers are drawn towards one half before answers are chosen.

Answers to one question are right or wrong together, more than trees can know that look at one at a time: a
word that states nothing fools them for all. So chances that are right on the average promise too much, and
too few or too many answers are given. One number mends most of it: the slope of the log-odds, chosen so that
questions which the trees had not seen are answered best.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE, why
from rollcall.systems.read.combined.table import Chances
from rollcall.systems.read.combined.trees import Judged
from rollcall.systems.read.mentions import best_number

FILE = "tempering.json"
_SLOPES = tuple(round(0.05 * number, 2) for number in range(8, 27))
_LEAST = 1e-9


class Tempering(msgspec.Struct, frozen=True):
    """The slope of the log-odds; with one, chances stay as they are."""

    slope: float = 1.0

    def of(self, chances: Chances) -> Chances:
        """The tempered chances."""
        if self.slope == 1.0:
            return chances
        sure = np.clip(chances, _LEAST, 1.0 - _LEAST)
        return 1.0 / (1.0 + ((1.0 - sure) / sure) ** self.slope)

    def save(self, folder: Path) -> None:
        (folder / FILE).write_bytes(msgspec.json.encode(self) + b"\n")

    @classmethod
    def open(cls, folder: Path) -> "Tempering":
        """Of a folder; trees that were fitted before there was such a file have none."""
        file = folder / FILE
        if not file.is_file():
            return cls()
        try:
            return msgspec.json.decode(file.read_bytes(), type=cls)
        except UNREADABLE as error:
            raise RollcallError(f"{file}: cannot be read ({why(error)}); train it again") from None


class Unseen(NamedTuple):
    """A question, the chances that trees gave which had not seen it, and the number of its answers."""

    judged: Judged
    chances: Chances
    answers: int


def best_tempering(unseen: Sequence[Unseen]) -> Tempering:
    """The slope with the greatest mean F1; of equal ones that nearest to one."""
    found = {slope: sum(_f1(one, Tempering(slope)) for one in unseen) for slope in _SLOPES}
    return Tempering(max(found, key=lambda slope: (round(found[slope], 9), -abs(slope - 1.0))))


def _f1(unseen: Unseen, tempering: Tempering) -> float:
    """Of the answers that would be given."""
    chances = tempering.of(unseen.chances)
    order = np.argsort(-chances, kind="stable")
    given = best_number(chances[order].tolist())
    right = float(unseen.judged.right[order[:given]].sum())
    return 2.0 * right / (given + unseen.answers) if right else 0.0
