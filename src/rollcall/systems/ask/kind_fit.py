"""Whether the answers of a candidate are of the kind that a question asks for.

The nouns of the relation's end decide, and the classes of the answers where the graph has classes.
"""

from rollcall.graph import Graph
from rollcall.graph.rows import contained
from rollcall.mine.neighbourhood import FORWARD
from rollcall.systems.ask.asked_kind import AskedKind, kind_of_end
from rollcall.systems.ask.class_mentions import ClassMentions
from rollcall.systems.ask.forms import Members
from rollcall.systems.ask.pieces import Piece
from rollcall.systems.ask.relation_mentions import families
from rollcall.systems.ask.relation_phrases import RelationPhrases
from rollcall.systems.ask.words import roots_of

_SAME_NOUN, _SAME_KIND, _OTHER_NOUN, _OTHER_KIND = 1.0, 0.7, -0.1, -1.0
_SAMPLE = 20


class KindFit:
    """Compares answers with what is asked for, in one graph."""

    def __init__(self, graph: Graph, phrases: RelationPhrases, classes: ClassMentions) -> None:
        self._index, self._phrases = graph.index, phrases
        self._people = sorted(classes.people)

    def of(self, asked: AskedKind, piece: Piece) -> float:
        """How well the answers fit, from -1 to 1."""
        if asked.mask & piece.typed:
            return _SAME_NOUN
        if asked.kind == "any" or not piece.hops:
            return 0.0
        if any(asked.mask & mask for mask, meaning in piece.uses if isinstance(meaning, Members)):
            return _OTHER_KIND  # the class that is asked for is used for something else
        return max(self._of_end(asked, piece, *one) for one in piece.hops)

    def _of_end(self, asked: AskedKind, piece: Piece, relation: int, direction: int) -> float:
        ends = self._phrases.ends(relation)
        noun = ends.objects if direction == FORWARD else ends.subjects
        if asked.roots and self._is_said(asked, noun, relation, direction):
            return _SAME_NOUN
        if asked.roots and set(roots_of(noun)) & families().get(asked.roots[-1], frozenset()):
            return _SAME_KIND
        there = kind_of_end(noun)
        if there in ("any", "person", "thing") and self._people and asked.kind == "person":
            return _SAME_KIND if self._are_people(piece) else _OTHER_KIND
        if there == "any" or asked.kind == "any":
            return 0.0
        if there == asked.kind:
            return _OTHER_NOUN if there == "thing" else _SAME_KIND
        return 0.0 if {there, asked.kind} == {"place", "thing"} and asked.noun else _OTHER_KIND

    def _is_said(self, asked: AskedKind, noun: str, relation: int, direction: int) -> bool:
        """Whether the noun that is asked for is the noun of the end, or the relation's own noun for it."""
        nouns = {noun}
        if direction == FORWARD:
            nouns |= {self._phrases.entries[relation].noun, self._phrases.labels[relation]}
        heads = {roots[-1] for one in nouns if (roots := roots_of(one))} | {
            roots[0] for one in nouns if " of " in one and (roots := roots_of(one))
        }
        return asked.roots[-1] in heads or asked.roots[0] in heads

    def _are_people(self, piece: Piece) -> bool:
        terms = piece.terms[:_SAMPLE]
        if int(terms[0]) >= self._index.entity_count:
            return False
        ids = self._index.class_ids
        people = [contained(terms, self._index.members(ids[one])).mean() for one in self._people]
        return bool(max(people) >= 0.5)
