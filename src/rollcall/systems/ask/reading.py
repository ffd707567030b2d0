"""All that is recognised in a question before a query is grown: names, relations, classes, values, signs."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import groupby
from operator import or_
from typing import NamedTuple

from rollcall.graph import Graph
from rollcall.systems.ask.mentions import (
    ClassMention,
    ClassMentions,
    EntityMention,
    EntityMentions,
    RelationMention,
    RelationMentions,
    RelationPhrases,
)
from rollcall.systems.ask.name_index import NameIndex, edits
from rollcall.systems.ask.values_in_text import ValueMention, values_in
from rollcall.systems.ask.words import (
    EMPTY,
    SIGN_WORDS,
    AskedKind,
    Signs,
    Word,
    asked_kind,
    mask_of,
    places_of,
    qualities,
    root,
    signs_in,
    span_mask,
    without_kinds,
    words_of,
)
from rollcall.text.nouns import is_person, singular
from rollcall.text.words import COMMON, CONJUNCTIONS, RELATIVES, word_list
from rollcall.wording.lexicon import Lexicon

# Misspelt ordinary words of a question: `wich`, `directer`, `populaton`. The known words are those of
# the graph's relations and classes, related words and question words. A word that is known, or is part of
# a name in the graph, is never changed.

_SHORTEST, _LONG = 4, 8
_LISTS = (
    "related_words", "verbs", "verbs_or_nouns", "irregular_verbs", "intransitive_verbs", "people", "kinds_of",
    "plurals",
    "short_nouns", "participles", "prepositions", "demonyms",
)  # fmt: skip
_ASKING = frozenset(["what", "when", "where", "which", "whose", "many", "name", "list"])
"""Short words are taken for these alone, since many other words are like them."""


class Spelling:
    """Corrects words by a vocabulary."""

    def __init__(self, texts: Iterable[str], in_names: Callable[[str], bool]) -> None:
        listed = {
            word for name in _LISTS for line in word_list(name) for word in line.split() if word.isalpha()
        }
        text_words = {word for text in texts for word in text.lower().split() if word.isalpha()}
        self._known = {*listed, *text_words, *COMMON, *EMPTY, *SIGN_WORDS}
        self._roots = {root(word) for word in self._known}
        self._in_names = in_names
        self._nearest = lru_cache(maxsize=4096)(self._find)

    def corrected(self, words: Sequence[Word]) -> list[Word]:
        """The words, with misspelt ones as they should be."""
        return [self._corrected(word) for word in words]

    def _corrected(self, word: Word) -> Word:
        if len(word.folded) < _SHORTEST or not word.folded.isalpha() or word.root in self._roots:
            return word
        if word.folded in self._known or self._in_names(word.folded):
            return word
        other = self._nearest(word.folded)
        return word._replace(folded=other, root=root(other)) if other else word

    def _find(self, word: str) -> str:
        """The nearest known word, or nothing if none is near."""
        most = 1 if len(word) < _LONG else 2
        letters = set(word)
        near = [
            (distance, other[0] != word[0], other)
            for other in sorted(self._known if len(word) > _SHORTEST else _ASKING)
            if abs(len(other) - len(word)) <= most
            and len(letters.symmetric_difference(other)) <= 2 * most
            and (distance := edits(word, other, most)) <= most
        ]
        return min(near)[2] if near else ""


_LEAST_WEIGHT = 0.35
_ABOUT = 0.45
"""A word that matches a relation so well is explained by it, even beside better words."""
_ALIKE = 0.75
_CERTAIN = 0.9
"""A name of this quality is not an ordinary noun."""
_SECOND = frozenset(("when", "where", "what", "how", "why"))
_CLAUSE_ENDS = RELATIVES | {"that", "of"}


class QuestionReading(NamedTuple):
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

    def is_name(self, mask: int) -> bool:
        """Whether exactly these words are the whole name of an entity."""
        return any(mention.whole and mention.mask == mask for mention in self.entities)

    @property
    def recognised(self) -> int:
        """All words that name something on their own."""
        masks = [mention.mask for mention in self.entities]
        masks += [mention.mask for mention in self.relations]
        masks += [mention.mask for mention in self.classes]
        return reduce(or_, masks, 0)

    def also_about(self, mention: RelationMention) -> int:
        """Further words about a relation in the same clause: `music` of "composed the music for".

        A word that is there a second time is not among them, since it speaks of the relation again.
        """
        own = {self.words[position].root for position in places_of(mention.mask)}
        mask = 0
        for other in self.mentions_of(mention.relation):
            if other.match >= _ABOUT:
                for position in places_of(other.mask & ~mention.mask):
                    if self.words[position].root not in own and self._is_beside(
                        mention, position, other.match
                    ):
                        mask |= 1 << position
        return mask

    def _is_beside(self, mention: RelationMention, position: int, match: float) -> bool:
        """Whether a word is in the clause of a mention, and not another verb next to it.

        In "brothers and sisters" both name the relation; in "directed and produced" each names one.
        """
        nearest = min(places_of(mention.mask), key=lambda own: abs(own - position))
        between = {word.folded for word in self.words[min(nearest, position) + 1 : max(nearest, position)]}
        if between & _CLAUSE_ENDS:
            return False
        return match >= _ALIKE if between and between <= CONJUNCTIONS else True

    def left_over(self, mask: int, nouns: frozenset[str]) -> float:
        """The weight of the words that are neither in a mask nor such nouns."""
        return sum(
            weight
            for position, weight in enumerate(self.weights)
            if weight and not mask >> position & 1 and self.words[position].root not in nouns
        )

    def restricts(self, mask: int, nouns: frozenset[str]) -> bool:
        """Whether one of those words surely restricts the answers: a name, or what comes before the noun that
        is asked for (`red` of "which red films").
        """
        head = self.kind.mask.bit_length() - 1
        before_head = span_mask(max(head + 1 - len(self.kind.roots), 0), max(head, 0))
        written_small = any(
            not word.is_empty and self.question[word.start].islower() for word in self.words[1:]
        )
        return any(
            self.weights[position]
            and not mask >> position & 1
            and word.root not in nouns
            and (
                before_head >> position & 1
                or (written_small and position and self.question[word.start].isupper())
            )
            for position, word in enumerate(self.words)
        )

    def unexplained(self, mask: int, nouns: frozenset[str], *, light: bool = True) -> list[str]:
        """Those words, as they are written in the question; without `light`, only those that say something on
        their own, which `go` of "go to school" does not.
        """
        return [
            self.question[word.start : word.end]
            for position, word in enumerate(self.words)
            if self.weights[position]
            and not mask >> position & 1
            and word.root not in nouns
            and (light or word.root not in _light_roots())
        ]


@cache
def _light_roots() -> frozenset[str]:
    """The roots of light words; found on first use, since not every machine has the stemmer."""
    return frozenset(map(root, word_list("light_words")))


class QuestionReader:
    """Reads questions about one graph."""

    def __init__(self, graph: Graph, names: NameIndex, lexicon: Lexicon | None = None) -> None:
        self.phrases = RelationPhrases(graph, lexicon)
        self._relations = RelationMentions(self.phrases)
        self._entities = EntityMentions(graph, names, self._relations)
        self.classes = ClassMentions(graph)
        self._graph = graph
        entries = self.phrases.entries
        texts = (
            text
            for relation, entry in enumerate(entries)
            for text in (
                entry.label,
                entry.noun,
                entry.forward,
                entry.backward,
                *entry.given_cues,
                *self.phrases.aliases(relation),
            )
        )
        self._spelling = Spelling([*texts, *graph.index.class_labels], names.has)

    def read(self, question: str) -> QuestionReading:
        """What is recognised in a question."""
        question = _without_grand(question)
        typed = words_of(question)
        words = without_kinds(
            [
                word if qualities(typed, position) & self.phrases.measured else corrected
                for position, (word, corrected) in enumerate(
                    zip(typed, self._spelling.corrected(typed), strict=True)
                )
            ]
        )
        relations, entities = self._relations.find(words), self._entities.find(question, words)
        certain = mask_of(
            [
                position
                for mention in entities
                if mention.quality >= _CERTAIN and not self._is_noun(question, words, mention)
                for position in places_of(mention.mask)
            ]
        )
        return QuestionReading(
            question,
            words,
            [self._weight(word, before) for word, before in zip(words, [None, *words], strict=False)],
            entities,
            relations,
            self.classes.find(words),
            [(value, _words_within(words, value.start, value.end)) for value in values_in(question)],
            asked_kind(words, certain),
            signs_in(words, self.phrases.measured),
            {key: list(group) for key, group in groupby(relations, key=lambda mention: mention.relation)},
        )

    def _is_noun(self, question: str, words: Sequence[Word], mention: EntityMention) -> bool:
        """Whether a name is an ordinary noun: `novelists`, `form of government`."""
        first = words[mention.first]
        if not question[first.start].islower():
            return False
        if mention.last == mention.first + 1 and is_person(singular(first.folded)):
            return True
        ids = self._graph.index.entity_ids
        labels = (self._graph.label(ids[entity]) for entity in mention.entities)
        return mention.whole and any(label[:1].islower() for label in labels)

    def _weight(self, word: Word, before: Word | None) -> float:
        if word.is_empty:
            # "When and where" asks for two things, and a query gives one.
            second = before is not None and before.folded in CONJUNCTIONS and word.folded in _SECOND
            return float(second)
        return max(_LEAST_WEIGHT, self._relations.rarity(word.root))


_GRAND = re.compile(
    r"\bgrand(?:(?P<below>child(?:ren)?|sons?|daughters?)|(?P<above>(?:father|mother|parent)s?))\b(?P<of>\s+of\b)?",
    re.IGNORECASE,
)


def _without_grand(question: str) -> str:
    """A question with two steps for one word: "children of the children of" for "grandchildren of"."""

    def steps(match: re.Match[str]) -> str:
        last, first = match["above"] or "children", "children" if match["below"] else "parents"
        return f"{last} of the {first} of" if match["of"] else f"{first}'s {last}"

    return _GRAND.sub(steps, question)


def _words_within(words: Sequence[Word], start: int, end: int) -> int:
    return mask_of([position for position, word in enumerate(words) if word.start < end and start < word.end])
