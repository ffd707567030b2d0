"""Captures: which sources gave which answer to which question.

One row is one answer of one question, in columns, so that estimates over millions of answers are a few
numpy calls. A row has the probability that the answer is right: 1 for what is gold or was judged right,
less for what only a verifier accepts. Every formula counts rows by this probability.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import RollcallError

Numbers = NDArray[np.float64]
Ids = NDArray[np.int64]

MOST_SOURCES = 16


class Capture(NamedTuple):
    """One answer of one question, and who gave it."""

    question: str
    answer: str
    sources: Iterable[str]
    gold: bool = False
    chance: float = 1.0


class Captures(NamedTuple):
    """All captures in columns; `given` has one column of booleans for each source."""

    sources: tuple[str, ...]
    questions: tuple[str, ...]
    """The questions, which `question` numbers; those without any row count too."""
    question: Ids
    answer: Ids
    """Equal numbers are the same entity or value, whichever question it answers."""
    given: NDArray[np.bool_]
    gold: NDArray[np.bool_]
    chance: Numbers

    @classmethod
    def of(
        cls, rows: Iterable[Capture], sources: Sequence[str], questions: Sequence[str] | None = None
    ) -> "Captures":
        """The captures of some rows; sources that are not wanted are ignored."""
        if len(set(sources)) != len(sources) or len(sources) > MOST_SOURCES:
            raise RollcallError(f"sources must differ, and be at most {MOST_SOURCES}: {', '.join(sources)}")
        column = {name: number for number, name in enumerate(sources)}
        numbers: dict[str, int] = {id_: number for number, id_ in enumerate(questions or ())}
        answers: dict[str, int] = {}
        asked, named, bits, gold, chance = [], [], [], [], []
        for row in rows:
            asked.append(numbers.setdefault(row.question, len(numbers)))
            named.append(answers.setdefault(row.answer, len(answers)))
            bits.append(sum({1 << column[name] for name in row.sources if name in column}))
            gold.append(row.gold)
            chance.append(row.chance)
        masks = np.array(bits, np.int64)
        given = (masks[:, None] >> np.arange(len(sources))) & 1 if len(sources) else masks[:, None][:, :0]
        return cls(
            tuple(sources),
            tuple(numbers),
            np.array(asked, np.int64),
            np.array(named, np.int64),
            given.astype(np.bool_),
            np.array(gold, np.bool_),
            np.array(chance, np.float64),
        )

    def chosen(self, rows: NDArray[np.bool_]) -> "Captures":
        """Some of the rows."""
        return self._replace(
            question=self.question[rows],
            answer=self.answer[rows],
            given=self.given[rows],
            gold=self.gold[rows],
            chance=self.chance[rows],
        )

    def with_sources(self, names: Sequence[str]) -> "Captures":
        """The same rows with some of the sources only."""
        columns = [self.sources.index(name) for name in names]
        return self._replace(sources=tuple(names), given=self.given[:, columns])

    def merged(self, first: str, second: str) -> "Captures":
        """The same rows with two sources as one, named after both."""
        columns = [self.sources.index(name) for name in (first, second)]
        rest = [column for column in range(len(self.sources)) if column not in columns]
        names = (f"{first} with {second}", *(self.sources[column] for column in rest))
        both = self.given[:, columns].any(axis=1)
        return self._replace(sources=names, given=np.column_stack([both, self.given[:, rest]]))

    @property
    def times(self) -> Ids:
        """How many sources gave each row."""
        return np.asarray(self.given.sum(axis=1, dtype=np.int64))


# How far two sources depend on one another, measured among the answers that a third source has. What
# both lack cannot be counted, but among the answers of a third source it can: there the odds ratio of
# two independent sources is 1. Above 1, both tend to have the same answers, and an estimate from them is
# too low: if the ratio is the same elsewhere, so many times more answers are unseen.

_LEAST = 20
"""Fewer answers of the third source say nothing."""
_NORMAL = 1.96


class Dependence(msgspec.Struct, frozen=True):
    """The odds ratio of two sources among the answers that a third one has, with its 95 % interval."""

    sources: tuple[str, str]
    among: str
    answers: float
    odds_ratio: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The finding in words."""
        pair, size = " and ".join(self.sources), f"{self.odds_ratio:.2f} ({self.low:.2f} to {self.high:.2f})"
        if self.low > 1:
            finding = "tend to have the same answers, so that too few are estimated to be missing"
        elif self.high < 1:
            finding = "tend to have different answers, so that too many are estimated to be missing"
        else:
            finding = "do not visibly depend on one another"
        return f"{pair} {finding}: odds ratio {size} among the answers of {self.among}"


def dependences(captures: Captures) -> list[Dependence]:
    """Every two sources among the answers of every third one that has enough."""
    return list(_dependences(captures))


def _dependences(captures: Captures) -> Iterator[Dependence]:
    names, given = captures.sources, captures.given
    for third, among in enumerate(names):
        for left, right in combinations([column for column in range(len(names)) if column != third], 2):
            weights = np.where(given[:, third], captures.chance, 0.0)
            if weights.sum() < _LEAST:
                continue
            first, second = given[:, left], given[:, right]
            cells = [
                float(weights[mask].sum()) + 0.5
                for mask in (first & second, ~first & ~second, first & ~second, ~first & second)
            ]
            ratio = cells[0] * cells[1] / (cells[2] * cells[3])
            spread = math.exp(_NORMAL * math.sqrt(sum(1 / cell for cell in cells)))
            pair = (names[left], names[right])
            yield Dependence(pair, among, float(weights.sum()), ratio, ratio / spread, ratio * spread)
