"""Ranks whole candidates: the final features of each piece, its score, and the best queries, each once."""

import math
from collections.abc import Iterable

from rollcall.errors import RollcallError
from rollcall.graph.index import GraphIndex
from rollcall.systems.ask.features import named
from rollcall.systems.ask.forms import Function, Members, query_of
from rollcall.systems.ask.kind_fit import KindFit
from rollcall.systems.ask.likeness import unlike
from rollcall.systems.ask.model import LogLinear
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.understanding import Candidate
from rollcall.systems.retrieve.encoder import Vectors

SHOWN = 8
"""How many candidates there are of a question."""
_FITTING = 0.7
"""Answers that fit so well explain the noun of what is asked for."""


class Ranking:
    """Ranks the candidates of questions about one graph."""

    def __init__(self, index: GraphIndex, kinds: KindFit, model: LogLinear) -> None:
        self._index, self._kinds, self._model = index, kinds, model

    def best(
        self,
        reading: Reading,
        pieces: Iterable[Piece],
        likenesses: Vectors | None = None,
        most: int = SHOWN,
    ) -> list[Candidate]:
        """The best candidates, at most so many, each query once."""
        scored = []
        for piece in pieces:
            features = self._features(reading, piece, likenesses)
            scored.append((self._model.score(features), features, piece))
        scored.sort(key=lambda one: -one[0])
        found: dict[str, Candidate] = {}
        for score, features, piece in scored[: 4 * most]:
            try:
                query = query_of(piece.form, self._index)
            except RollcallError:  # what the query language cannot say, such as two functions
                continue
            found.setdefault(query.text, Candidate(query, score, features, piece))
            if len(found) == most:
                break
        return list(found.values())

    def _features(self, reading: Reading, piece: Piece, likenesses: Vectors | None) -> dict[str, float]:
        kind = self._kinds.of(reading.kind, piece)
        uncounted = False
        if reading.kind.counts and not (isinstance(piece.form, Function) and piece.form.name == "count"):
            if int(piece.terms[-1]) >= self._index.entity_count:
                kind = 1.0  # a number that the graph has, such as the number of children
            else:
                uncounted = True
        final = (
            reading.left_over(explained(reading, piece, kind), piece.nouns),
            kind,
            reading.signs.ignored(piece.mask) + uncounted,
            math.log1p(len(piece.terms)),
            float(isinstance(piece.form, Members)),
            unlike(likenesses, piece),
        )
        return named(piece.features, final)


def explained(reading: Reading, piece: Piece, kind: float) -> int:
    """The words that a candidate explains: its own, and the noun of what is asked for if the answers fit."""
    return piece.explained | (reading.kind.mask if kind >= _FITTING else 0)
