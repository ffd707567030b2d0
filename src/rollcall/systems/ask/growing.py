"""Grows candidate queries from the names of a question over the facts that are there, best first.

From each name every relation of the graph is tried that the question names, and the others at a price. What
was reached is grown further along relations that the question still names, and pieces that explain different
words are joined. Each round keeps its best pieces only, so that a question costs milliseconds on any graph.
"""

from collections.abc import Iterable

from rollcall.graph import Graph
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.conditions import Conditions
from rollcall.systems.ask.forms import Form
from rollcall.systems.ask.hopping import Hopper
from rollcall.systems.ask.joining import joined
from rollcall.systems.ask.model import LogLinear
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_phrases import RelationPhrases

_ANCHORS = 60
_BEAM = 40
_PARTNERS = 30
_ROUNDS = 3
_LOST, _MOST_LOST = 0.02, 0.1
"""What each further entity of the same name loses in quality."""


class Grower:
    """Grows pieces over one graph."""

    def __init__(self, graph: Graph, hops: Neighbourhood, phrases: RelationPhrases, model: LogLinear) -> None:
        self._model = model
        self._hopper = Hopper(graph.index, hops, phrases, model)
        self._conditions = Conditions(graph.index, model)

    def grow(self, reading: Reading) -> list[Piece]:
        """All pieces that were kept, best first."""
        named = [
            (mention._replace(quality=mention.quality - min(_MOST_LOST, _LOST * place)), one)
            for mention in reading.entities
            for place, one in enumerate(mention.entities)
        ][:_ANCHORS]
        first = (piece for pair in named for piece in self._hopper.from_name(reading, *pair))
        kept = self._best(reading, first, 3 * _BEAM)
        conditions = self._conditions.of(reading)
        frontier = [*kept[:_BEAM], *conditions]
        kept += conditions
        for _ in range(_ROUNDS):
            if not frontier or self._is_complete(reading, kept[0], conditions):
                break
            partners = self._best(reading, [*kept[:_PARTNERS], *conditions], len(kept))
            grown = [
                *self._hopper.further(reading, frontier),
                *self._hopper.sharing(reading, frontier),
                *joined(reading, self._model, frontier, partners),
            ]
            frontier = self._best(reading, grown, _BEAM)
            kept = sorted([*kept, *frontier], key=lambda one: -self._rank(reading, one))
        return kept

    def _is_complete(self, reading: Reading, piece: Piece, conditions: Iterable[Piece]) -> bool:
        """Whether a piece explains every word, and uses every class and value that is named."""
        unused = any(not one.uses & piece.uses for one in conditions)
        return not unused and not reading.left_over(piece.explained, piece.nouns)

    def _rank(self, reading: Reading, piece: Piece) -> float:
        left = reading.left_over(piece.explained, piece.nouns)
        return piece.score + self._model.weights["left over"] * left

    def _best(self, reading: Reading, pieces: Iterable[Piece], most: int) -> list[Piece]:
        """The best pieces; of those with the same form the best one alone."""
        found: dict[Form, Piece] = {}
        for piece in pieces:
            if piece.form not in found or found[piece.form].score < piece.score:
                found[piece.form] = piece
        return sorted(found.values(), key=lambda one: -self._rank(reading, one))[:most]
