"""Pieces that need no name: the members of a class, and what has a value that the question compares."""

from collections.abc import Iterator

from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import BACKWARD
from rollcall.systems.ask.features import NONE, adding
from rollcall.systems.ask.forms import Compared, Members, query_of
from rollcall.systems.ask.model import LogLinear
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_mentions import RelationMention
from rollcall.systems.ask.words import places_of


class Conditions:
    """Finds classes and comparisons over one graph."""

    def __init__(self, index: GraphIndex, model: LogLinear) -> None:
        self._index, self._model = index, model
        self._by_dimension: dict[str, list[int]] = {}
        for relation in range(len(index.relation_ids)):
            dimension = index.value_dimension(relation)
            if dimension is not None:
                self._by_dimension.setdefault(index.dimensions[dimension], []).append(relation)

    def of(self, reading: Reading) -> list[Piece]:
        """All conditions of a question that something satisfies."""
        return [*self._compared(reading), *self._classes(reading)]

    def _compared(self, reading: Reading) -> Iterator[Piece]:
        """What has such a value, by a relation that the question names, or by any that may be meant."""
        for value, mask in reading.values:
            bounds = value.value.bounds
            for relation in self._by_dimension.get(bounds.dimension, ()) if bounds else ():
                mentions = reading.mentions_of(relation)
                named = next((one for one in mentions if not one.mask & mask), None)
                if named is None and value.comparator == "=":
                    continue
                form = Compared(relation, value.comparator, value.value)
                terms = answer_terms(self._index, query_of(form, self._index))
                if len(terms):
                    yield self._comparison(form, terms, mask, named)

    def _comparison(self, form: Compared, terms: Numbers, mask: int, named: RelationMention | None) -> Piece:
        uses: set[tuple[int, object]] = {(mask, form.value)}
        changes = {"hop": 1.0, "silent relation": 1.0}
        if named is not None:
            changes = {"hop": 1.0, "loose match": 1.0 - named.match}
            uses.add((named.mask, (form.relation, BACKWARD)))
            mask |= named.mask
        features, places = adding(NONE, changes), places_of(mask)
        return Piece(
            form, terms, mask, frozenset(uses), features, self._model.local(features), places[0], places[-1],
            ((form.relation, BACKWARD),),
        )  # fmt: skip

    def _classes(self, reading: Reading) -> Iterator[Piece]:
        for one in reading.classes:
            terms = self._index.members(self._index.class_ids[one.class_])
            if len(terms):
                form, features = Members(one.class_), adding(NONE, {"class": one.quality})
                yield Piece(
                    form, terms, one.mask, frozenset([(one.mask, form)]), features,
                    self._model.local(features), one.first, one.last - 1, typed=one.mask,
                )  # fmt: skip
