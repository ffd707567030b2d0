"""What a question was understood to ask: candidate queries, how sure the first one is, and what is left."""

from dataclasses import dataclass

import numpy as np

from rollcall.query import Query
from rollcall.systems.ask.forms import Function
from rollcall.systems.ask.pieces import Piece

_LEAST_SURE = 0.5


@dataclass(frozen=True)
class Candidate:
    """A query that a question may ask for."""

    query: Query
    score: float
    features: dict[str, float]
    piece: Piece

    def agrees_with(self, other: "Candidate") -> bool:
        """Whether both give the same answers."""
        return _is_count(self.piece) == _is_count(other.piece) and np.array_equal(
            self.piece.terms, other.piece.terms
        )


def _is_count(piece: Piece) -> bool:
    return isinstance(piece.form, Function) and piece.form.name == "count"


@dataclass(frozen=True)
class Understanding:
    """All that was understood of a question."""

    question: str
    candidates: tuple[Candidate, ...]
    """The queries it may ask for, best first; none if no name in it is known."""
    surety: float
    """The share of the first one and of others with its answers, lowered by what is not explained."""
    not_understood: tuple[str, ...]
    """The words that the first query does not explain; without a query, the words that name nothing."""

    @property
    def query(self) -> Query | None:
        return self.candidates[0].query if self.candidates else None


@dataclass(frozen=True)
class Understood:
    """A question that was understood, as it is shown to people."""

    query: Query
    words: str
    surety: float
    not_understood: tuple[str, ...]
    others: tuple[str, ...]
    """Other readings in words, best first."""

    @property
    def is_certain(self) -> bool:
        """Whether every word is explained, and no other reading comes near."""
        return not self.not_understood and self.surety >= _LEAST_SURE

    def record(self) -> dict[str, object]:
        """What is said of it in JSON."""
        return {
            "words": self.words,
            "score": round(self.surety, 4),
            "not_understood": list(self.not_understood),
        }
