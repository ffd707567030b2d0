"""All that is recognised in a question before a query is grown: names, relations, classes, values, signs."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import groupby
from operator import or_
from typing import NamedTuple

from rollcall.english.function_words import CONJUNCTIONS, RELATIVES
from rollcall.graph import Graph
from rollcall.systems.ask.asked_kind import AskedKind, asked_kind
from rollcall.systems.ask.class_mentions import ClassMention, ClassMentions
from rollcall.systems.ask.entity_mentions import EntityMention, EntityMentions
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.relation_mentions import RelationMention, RelationMentions
from rollcall.systems.ask.relation_phrases import RelationPhrases
from rollcall.systems.ask.signs import Signs, signs_in
from rollcall.systems.ask.spelling import Spelling
from rollcall.systems.ask.values_in_text import ValueMention, values_in
from rollcall.systems.ask.words import Word, mask_of, places_of, words_of
from rollcall.wording.lexicon import Lexicon

_LEAST_WEIGHT = 0.35
_ABOUT = 0.45
"""A word that matches a relation so well is explained by it, even beside better words."""
_ALIKE = 0.75
_CERTAIN = 0.9
"""A name of this quality is no ordinary noun."""
_SECOND = frozenset(("when", "where", "what", "how", "why"))
_CLAUSE_ENDS = RELATIVES | {"that", "of"}


class Reading(NamedTuple):
    """A question with everything that is recognised in it."""

    question: str
    words: Sequence[Word]
    weights: Sequence[float]
    """How much each word asks to be explained."""
    entities: Sequence[EntityMention]
    relations: Sequence[RelationMention]
    classes: Sequence[ClassMention]
    values: Sequence[tuple[ValueMention, int]]
    """Values with the words that they and their comparisons cover."""
    kind: AskedKind
    signs: Signs
    by_relation: Mapping[int, Sequence[RelationMention]]

    def mentions_of(self, relation: int) -> Sequence[RelationMention]:
        """The mentions of a relation, best first."""
        return self.by_relation.get(relation, ())

    @property
    def recognised(self) -> int:
        """All words that name something by themselves."""
        masks = [one.mask for one in self.entities]
        masks += [one.mask for one in self.relations]
        masks += [one.mask for one in self.classes]
        return reduce(or_, masks, 0)

    def also_about(self, mention: RelationMention) -> int:
        """Further words about a relation in the same clause: `music` of "composed the music for".

        A word that is there a second time is not among them, since it speaks of the relation again.
        """
        own = {self.words[place].root for place in places_of(mention.mask)}
        found = 0
        for other in self.mentions_of(mention.relation):
            if other.match >= _ABOUT:
                for place in places_of(other.mask & ~mention.mask):
                    if self.words[place].root not in own and self._is_beside(mention, place, other.match):
                        found |= 1 << place
        return found

    def _is_beside(self, mention: RelationMention, place: int, match: float) -> bool:
        """Whether a word is in the clause of a mention, and not another verb beside it.

        In "brothers and sisters" both name the relation; in "directed and produced" each names one.
        """
        nearest = min(places_of(mention.mask), key=lambda own: abs(own - place))
        between = {word.folded for word in self.words[min(nearest, place) + 1 : max(nearest, place)]}
        if between & _CLAUSE_ENDS:
            return False
        return match >= _ALIKE if between and between <= CONJUNCTIONS else True

    def left_over(self, mask: int, nouns: frozenset[str]) -> float:
        """The weight of the words that are not in a mask and are no such nouns."""
        return sum(
            weight
            for place, weight in enumerate(self.weights)
            if weight and not mask >> place & 1 and self.words[place].root not in nouns
        )

    def unexplained(self, mask: int, nouns: frozenset[str]) -> list[str]:
        """Those words, as they stand in the question."""
        return [
            self.question[word.start : word.end]
            for place, word in enumerate(self.words)
            if self.weights[place] and not mask >> place & 1 and word.root not in nouns
        ]


class QuestionReader:
    """Reads questions about one graph."""

    def __init__(self, graph: Graph, names: NameIndex, lexicon: Lexicon | None = None) -> None:
        self.phrases = RelationPhrases(graph, lexicon)
        self._relations = RelationMentions(self.phrases)
        self._entities = EntityMentions(graph, names, self._relations)
        self.classes = ClassMentions(graph)
        entries = self.phrases.entries
        texts = (
            text
            for one in entries
            for text in (one.label, one.noun, one.forward, one.backward, *one.given_cues)
        )
        self._spelling = Spelling([*texts, *graph.index.class_labels], names.has)

    def read(self, question: str) -> Reading:
        """What is recognised in a question."""
        words = self._spelling.corrected(words_of(question))
        relations, entities = self._relations.find(words), self._entities.find(question, words)
        certain = mask_of(
            [place for one in entities if one.quality >= _CERTAIN for place in places_of(one.mask)]
        )
        return Reading(
            question,
            words,
            [self._weight(word, before) for word, before in zip(words, [None, *words], strict=False)],
            entities,
            relations,
            self.classes.find(words),
            [(one, _words_within(words, one.start, one.end)) for one in values_in(question)],
            asked_kind(words, certain),
            signs_in(words),
            {key: list(group) for key, group in groupby(relations, key=lambda one: one.relation)},
        )

    def _weight(self, word: Word, before: Word | None) -> float:
        if word.is_empty:
            # "When and where" asks for two things, and a query gives one.
            second = before is not None and before.folded in CONJUNCTIONS and word.folded in _SECOND
            return float(second)
        return max(_LEAST_WEIGHT, self._relations.rarity(word.root))


def _words_within(words: Sequence[Word], start: int, end: int) -> int:
    return mask_of([place for place, word in enumerate(words) if word.start < end and start < word.end])
