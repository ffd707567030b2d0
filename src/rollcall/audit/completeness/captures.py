"""Captures: which sources gave which answer to which question.

One row is one answer of one question, in columns, so that estimates over millions of answers are a few
numpy calls. A row has the probability that the answer is right: 1 for what is gold or was judged right,
less for what only a verifier accepts. Every formula counts rows by this probability.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.errors import RollcallError

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
        """The captures of some rows; a row may name sources that are not wanted, which are passed over."""
        if len(set(sources)) != len(sources) or len(sources) > MOST_SOURCES:
            raise RollcallError(f"sources must differ, and be at most {MOST_SOURCES}: {', '.join(sources)}")
        place = {name: number for number, name in enumerate(sources)}
        numbers: dict[str, int] = {id_: number for number, id_ in enumerate(questions or ())}
        answers: dict[str, int] = {}
        asked, named, bits, gold, chance = [], [], [], [], []
        for row in rows:
            asked.append(numbers.setdefault(row.question, len(numbers)))
            named.append(answers.setdefault(row.answer, len(answers)))
            bits.append(sum({1 << place[name] for name in row.sources if name in place}))
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
        places = [self.sources.index(name) for name in names]
        return self._replace(sources=tuple(names), given=self.given[:, places])

    def merged(self, one: str, other: str) -> "Captures":
        """The same rows with two sources as one, named after both."""
        places = [self.sources.index(name) for name in (one, other)]
        rest = [place for place in range(len(self.sources)) if place not in places]
        names = (f"{one} with {other}", *(self.sources[place] for place in rest))
        both = self.given[:, places].any(axis=1)
        return self._replace(sources=names, given=np.column_stack([both, self.given[:, rest]]))

    @property
    def times(self) -> Ids:
        """How many sources gave each row."""
        return np.asarray(self.given.sum(axis=1, dtype=np.int64))
