"""The trees of the reader `rollcall`: for the things of chained questions, for a first and a second look."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.questions.record import Answer
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked
from rollcall.systems.read.combined.features import PLAIN, FirstLook, Weigh, names_of
from rollcall.systems.read.combined.second_look import LOOK
from rollcall.systems.read.combined.table import Chances
from rollcall.systems.read.combined.tempering import Tempering, Unseen, best_tempering
from rollcall.systems.read.combined.trees import Judged, Trees, fit
from rollcall.systems.read.combined.weighing import Weighing

_THINGS, _FIRST, _SECOND = "things.txt.gz", "first.txt.gz", "second.txt.gz"
_ENOUGH = 20
"""Direct questions that the trees for things need; with fewer, the weights of `mentions` serve."""


class Solved(NamedTuple):
    """A question with its passages and its answers."""

    weighing: Weighing
    """The graph and the corpus that it is about."""
    question: Asked
    passages: Sequence[Passage]
    answers: Sequence[Answer]


class FittedLooks(NamedTuple):
    """The trees; and for each question the chances of possible answers, by trees that had not seen it."""

    looks: "Looks"
    unseen: list[tuple[FirstLook, Chances]]


class Looks:
    """Trees that weigh possible answers, in two looks."""

    def __init__(
        self, first: Trees, second: Trees, things: Trees | None, tempering: Tempering | None = None
    ) -> None:
        self._first, self._second, self._things = first, second, things
        self._tempering = tempering or Tempering()

    @classmethod
    def open(cls, folder: Path) -> "Looks":
        things = folder / _THINGS
        return cls(
            Trees.open(folder / _FIRST),
            Trees.open(folder / _SECOND),
            Trees.open(things) if things.is_file() else None,
            Tempering.open(folder),
        )

    def save(self, folder: Path) -> None:
        self._first.save(folder / _FIRST)
        self._second.save(folder / _SECOND)
        if self._things is not None:
            self._things.save(folder / _THINGS)
        self._tempering.save(folder)

    @property
    def things(self) -> Weigh | None:
        """Weighs the things of chained questions."""
        return self._things.chances if self._things is not None else None

    def chances(self, weighing: Weighing, question: Asked, first: FirstLook) -> Chances:
        """The probability of each possible answer."""
        before = self._first.chances(first.rows)
        return self._tempering.of(self._second.chances(weighing.second(question, first, before)))


def fit_looks(solved: Sequence[Solved], seed: int = 0, threads: int = 1) -> FittedLooks:
    """Learn from questions with their passages and answers, none of which a model was trained on."""
    if not solved:
        raise RollcallError("there is no question that the trees could learn from")
    direct = [one for one in solved if not one.weighing.is_chained(one.question)]
    chained = [one for one in solved if one.weighing.is_chained(one.question)]
    firsts = _first_looks(direct, None)
    judged = [one.weighing.judged(one.answers, first) for one, first in zip(direct, firsts, strict=True)]
    things = None
    if sum(bool(one.right.any()) for one in judged) >= _ENOUGH and chained:
        plain = [Judged(one.rows[:, : len(PLAIN)], one.right) for one in judged]
        things = fit(PLAIN, plain, seed, threads).trees
    later = _first_looks(chained, things.chances if things is not None else None)
    judged += [one.weighing.judged(one.answers, first) for one, first in zip(chained, later, strict=True)]
    firsts += later
    both = [*direct, *chained]
    names = names_of(list(both[0].weighing.models))
    first = fit(names, judged, seed, threads)
    looked = [
        Judged(one.weighing.second(one.question, look, chances), each.right)
        for one, look, chances, each in zip(both, firsts, first.unseen, judged, strict=True)
    ]
    second = fit((*names, *LOOK), looked, seed, threads)
    tempering = best_tempering(
        [
            Unseen(each, chances, len(one.answers))
            for one, each, chances in zip(both, judged, second.unseen, strict=True)
        ]
    )
    order = {id(one): place for place, one in enumerate(both)}
    places = [order[id(one)] for one in solved]
    unseen = [(firsts[place], tempering.of(second.unseen[place])) for place in places]
    return FittedLooks(Looks(first.trees, second.trees, things, tempering), unseen)


def _first_looks(solved: Sequence[Solved], things: Weigh | None) -> list[FirstLook]:
    found: list[FirstLook] = []
    for weighing, group in groupby(solved, key=lambda one: one.weighing):
        some = list(group)
        found += weighing.first([one.question for one in some], [one.passages for one in some], things)
    return found
