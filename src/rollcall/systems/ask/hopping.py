"""Pieces along relations: from a name, further from what was reached, and back to what shares it.

A relation is followed where words of the question name it. From a name it is also followed at a price without
any word, and at a low price where English needs none, as in "French films" or "towns in Ostrell".
"""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood
from rollcall.systems.ask.directions import direction_fit
from rollcall.systems.ask.entity_mentions import EntityMention
from rollcall.systems.ask.features import NONE, adding
from rollcall.systems.ask.forms import Apart, Constant, Form, Hop, Joined
from rollcall.systems.ask.images import entities_among, image
from rollcall.systems.ask.model import LogLinear
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_mentions import RelationMention
from rollcall.systems.ask.relation_phrases import RelationPhrases, without_marks
from rollcall.systems.ask.words import mask_of, root, roots_of

_MENTIONS = 24
_LARGEST = 50_000
"""Sets of more terms than this are not grown further."""
_LEAST_BRIDGED = 0.5
"""A name of less quality than this needs a relation that the question names."""
_OF_PLACE = ("lie", "locate", "situate", "find", "sit", "stand")
"""Verbs that say no more than `is` before a place."""


class Hopper:
    """Grows pieces along the relations of one graph."""

    def __init__(
        self, index: GraphIndex, hops: Neighbourhood, phrases: RelationPhrases, model: LogLinear
    ) -> None:
        self._index, self._hops, self._model = index, hops, model
        ends = [phrases.ends(one) for one in range(len(phrases.entries))]
        self.nouns = [
            tuple(frozenset(roots_of(noun)) for noun in (one.objects, one.subjects)) for one in ends
        ]
        """For each relation and direction the roots of the noun for what is reached."""
        self._silent = [not roots_of(without_marks(entry.forward)) for entry in phrases.entries]

    def from_name(self, reading: Reading, mention: EntityMention, number: int) -> Iterator[Piece]:
        """What one hop reaches from an entity that the question may name."""
        features = adding(NONE, {"unsure name": 1.0 - mention.quality})
        anchor = Piece(
            Constant(number), np.array([number]), mention.mask, frozenset([(mention.mask, number)]),
            features, 0.0, mention.first, mention.last - 1,
        )  # fmt: skip
        for hop in self._hops.hops(number):
            relation, direction = divmod(hop, 2)
            terms = self._hops.others(number, hop)
            for one in reading.mentions_of(relation):
                if not one.mask & anchor.mask:
                    yield self._named(reading, anchor, terms, direction, one)
            if mention.quality >= _LEAST_BRIDGED or self._is_silent(relation, direction):
                yield self._unnamed(reading, anchor, terms, relation, direction)

    def further(self, reading: Reading, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """What one more hop reaches, along relations that the question names with unexplained words."""
        named = sorted(reading.relations, key=lambda one: -one.match)[: 2 * _MENTIONS]
        for piece in pieces:
            entities = entities_among(self._index, piece.terms)
            if not 0 < len(entities) <= _LARGEST:
                continue
            reached: dict[tuple[int, int], Numbers] = {}
            for mention in [one for one in named if not one.mask & piece.mask][:_MENTIONS]:
                for direction in (FORWARD, BACKWARD):
                    key = (mention.relation, direction)
                    if key not in reached:
                        reached[key] = image(self._index, entities, *key)
                    if len(reached[key]):
                        yield self._named(reading, piece, reached[key], direction, mention)

    def sharing(self, reading: Reading, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """What has the same as something else: "films with the same director as Dune", without Dune."""
        if not reading.signs.sameness:
            return
        for piece in pieces:
            anchors = _anchors(piece.form)
            if not anchors or len(set(piece.hops)) > 1:
                continue
            relation, direction = piece.hops[-1]
            terms = image(self._index, entities_among(self._index, piece.terms), relation, 1 - direction)
            terms = np.setdiff1d(terms, anchors, assume_unique=True)
            if len(terms):
                features = adding(piece.features, {"hop": 1.0})
                yield piece._replace(
                    form=Apart(Hop(piece.form, relation, 1 - direction)), terms=terms, features=features,
                    score=self._model.local(features), mask=piece.mask | reading.signs.sameness,
                    hops=((relation, 1 - direction),), typed=0,
                    nouns=piece.nouns | self.nouns[relation][1 - direction],
                )  # fmt: skip

    def _named(
        self, reading: Reading, piece: Piece, terms: Numbers, direction: int, mention: RelationMention
    ) -> Piece:
        """A piece grown along a relation that words of the question name."""
        relation, mask = mention.relation, piece.mask | mention.mask
        fit = direction_fit(reading.words, mention, piece.first, piece.last, direction)
        if mention.voice == "noun" and direction == BACKWARD and mention.mask & reading.kind.mask:
            fit = -1.0  # the noun of what is asked for names no other thing
        changes = {"hop": 1.0, "loose match": 1.0 - mention.match, "wrong side": 1.0 - fit}
        form: Form = Hop(piece.form, relation, direction)
        if isinstance(piece.form, Hop) and piece.hops[-1] == (relation, 1 - direction):
            changes["there and back"] = 0.0 if reading.signs.otherness else 1.0
            form, mask = Apart(form), mask | reading.signs.otherness
        features = adding(piece.features, changes)
        return Piece(
            form, terms, mask, piece.uses | {(mention.mask, (relation, direction))}, features,
            self._model.local(features), min(piece.first, mention.first), max(piece.last, mention.last),
            ((relation, direction),), piece.nouns | self.nouns[relation][direction], 0,
            piece.about | reading.also_about(mention),
        )  # fmt: skip

    def _unnamed(
        self, reading: Reading, piece: Piece, terms: Numbers, relation: int, direction: int
    ) -> Piece:
        """A piece grown along a relation that no word names."""
        silent = self._is_silent(relation, direction)
        features = adding(
            piece.features, {"hop": 1.0, "silent relation" if silent else "unnamed relation": 1.0}
        )
        places = (
            [place for place, word in enumerate(reading.words) if word.root in _roots(_OF_PLACE)]
            if silent
            else []
        )
        return piece._replace(
            form=Hop(piece.form, relation, direction), terms=terms, features=features,
            score=self._model.local(features), hops=((relation, direction),),
            nouns=piece.nouns | self.nouns[relation][direction], typed=0, about=piece.about | mask_of(places),
        )  # fmt: skip

    def _is_silent(self, relation: int, direction: int) -> bool:
        """Whether English needs no word for a relation in this direction."""
        return direction == BACKWARD and self._silent[relation]


def _anchors(form: Form) -> list[int]:
    """The entities from which one hop leads to the answers of a form; none if it was grown in another way."""
    match form:
        case Hop(Constant(entity), _, _):
            return [entity]
        case Joined("and", left, right):
            found = [_anchors(left), _anchors(right)]
            return sorted({*found[0], *found[1]}) if all(found) else []
    return []


@cache
def _roots(words: tuple[str, ...]) -> frozenset[str]:
    """The roots of words; found on first use, since not every machine has the stemmer."""
    return frozenset(map(root, words))
