"""What a trained system took a question to ask: the query, how sure it is, and what is left over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rollcall.graph.index import Numbers
from rollcall.query import Query
from rollcall.systems.ask.learned.adagrad import Floats
from rollcall.systems.ask.learned.likelihood import shares
from rollcall.systems.ask.reading import Reading


@dataclass(frozen=True)
class Interpretation:
    """The best query for a question, or none."""

    question: str
    query: Query | None
    score: float
    """The share of the query, and of others with its answers, among all candidates; from 0 to 1."""
    not_understood: tuple[str, ...]
    """The words that the query does not use; without a query, the words that name nothing."""


def unused_words(reading: Reading, mask: int) -> tuple[str, ...]:
    """The words that say something and are not in a mask, as they stand in the question."""
    return tuple(
        reading.question[word.start : word.end]
        for place, word in enumerate(reading.words)
        if not word.is_empty and not mask >> place & 1
    )


def nothing_found(reading: Reading) -> Interpretation:
    """What is said of a question without any candidate: the words that name neither entity nor class."""
    named = 0
    for mask in (*(one.mask for one in reading.entities), *(one.mask for one in reading.classes)):
        named |= mask
    left = unused_words(reading, named) or unused_words(reading, 0)
    return Interpretation(reading.question, None, 0.0, left)


class HasAnswers(Protocol):
    """A candidate query with its answers."""

    @property
    def terms(self) -> Numbers: ...

    @property
    def function(self) -> str: ...


def agreeing_share(scores: Floats, candidates: Sequence[HasAnswers], best: HasAnswers) -> float:
    """The share of a candidate, and of others with its answers, among all."""
    agreeing = [
        (one.function == "count") == (best.function == "count") and np.array_equal(one.terms, best.terms)
        for one in candidates
    ]
    return float(shares(scores)[agreeing].sum())
