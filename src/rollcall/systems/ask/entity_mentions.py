"""The entities that a question may name: by a whole name, a part of one, a misspelt one, or an adjective.

Every reading is kept with its quality, because the graph around an entity decides better than its name which
one is meant. Homonyms come in the order of how much the graph says about them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.english.base_form import base_form
from rollcall.english.demonyms import land_of
from rollcall.english.folding import fold
from rollcall.english.function_words import COMMON
from rollcall.graph import Graph
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.relation_mentions import RelationMentions
from rollcall.systems.ask.words import Word, span_mask, words_of

_LONGEST = 16
_WHOLE, _ADJECTIVE, _PART, _MISSPELT = 1.0, 0.7, 0.55, 0.6
_COMMON_WORD = 0.6
"""The quality of a name that is also a word for relations, such as "Author"."""
_INSIDE = 0.6
"""A name inside a longer one is seldom meant."""
_HOMONYMS, _PARTIAL = 8, 24
_PART_WORDS = 5


class EntityMention(NamedTuple):
    """Words of a question that may name an entity."""

    first: int
    last: int
    """The place after its last word."""
    entities: tuple[int, ...]
    quality: float

    @property
    def mask(self) -> int:
        return span_mask(self.first, self.last)


class EntityMentions:
    """Finds names of one graph's entities in questions."""

    def __init__(self, graph: Graph, names: NameIndex, relations: RelationMentions) -> None:
        self._index, self._names, self._relations = graph.index, names, relations

    def find(self, question: str, words: Sequence[Word]) -> list[EntityMention]:
        """The mentions in a question, best first."""
        whole = self._whole(question, words)
        covered = [False] * len(words)
        for one in whole:
            if one.last - one.first > 1 or one.quality > _COMMON_WORD:
                covered[one.first : one.last] = [True] * (one.last - one.first)
        found = [*whole, *self._partial(question, words, covered), *self._adjectives(words)]
        longest: dict[tuple[int, int], EntityMention] = {}
        for one in found:
            key = (one.first, one.last)
            if key not in longest or longest[key].quality < one.quality:
                longest[key] = one
            elif longest[key].quality == one.quality:
                both = dict.fromkeys((*longest[key].entities, *one.entities))
                longest[key] = longest[key]._replace(entities=tuple(both))
        listed = [self._within(one, list(longest.values())) for one in longest.values()]
        return sorted(
            listed, key=lambda one: (-one.quality * (one.last - one.first + 1), one.first, one.last)
        )

    def _within(self, one: EntityMention, others: Sequence[EntityMention]) -> EntityMention:
        inside = any(
            other.first <= one.first and one.last <= other.last and other is not one and other.quality >= 0.9
            for other in others
        )
        return one._replace(quality=one.quality * _INSIDE) if inside else one

    def _whole(self, question: str, words: Sequence[Word]) -> list[EntityMention]:
        """Names that stand in the question as the graph has them, in any case."""
        found = []
        for first in range(len(words)):
            for last in range(first + 1, min(first + _LONGEST, len(words)) + 1):
                text = fold(question[words[first].start : words[last - 1].end])
                known = self._index.has_name_beginning(text)
                for name in (text, *self._singular(text)):
                    entities = (
                        self._index.named(name).tolist() if (name == text and known) or name != text else []
                    )
                    if entities:
                        quality = self._quality(question, words, first, last)
                        if quality:
                            found.append(self._mention(first, last, entities, quality, name=name))
                        break
                if not known:
                    break
        return found

    def _singular(self, text: str) -> tuple[str, ...]:
        before, space, last = text.rpartition(" ")
        one = base_form(last)
        return (f"{before}{space}{one}",) if one != last and len(last) > 3 else ()

    def _quality(self, question: str, words: Sequence[Word], first: int, last: int) -> float:
        own = words[first:last]
        if all(word.is_empty or word.folded in COMMON for word in own):
            capital = first > 0 and question[own[0].start].isupper()
            return _COMMON_WORD if capital or last - first > 1 else 0.0
        if last - first > 1:
            return _WHOLE
        capital = first > 0 and question[own[0].start].isupper()
        if not capital and (own[0].folded.isdigit() or self._relations.knows(own[0].root)):
            return _COMMON_WORD
        return _WHOLE * 0.95

    def _mention(
        self,
        first: int,
        last: int,
        entities: Sequence[int],
        quality: float,
        most: int = _HOMONYMS,
        name: str = "",
    ) -> EntityMention:
        """A mention with its entities in the order of how often the name is used for them, where the graph
        says so, and of how much the graph says about them.
        """
        if len(entities) > 1:
            hops, mentions = self._names.neighbourhood.hops, self._names.mentions
            entities = sorted(entities, key=lambda one: (-mentions(name, one), -len(hops(one)), one))
        return EntityMention(first, last, tuple(entities[:most]), quality)

    def _adjectives(self, words: Sequence[Word]) -> list[EntityMention]:
        """Lands by their adjectives: French films."""
        found = []
        for place, word in enumerate(words):
            land = land_of(word.folded.capitalize())
            entities = self._index.named(fold(land)).tolist() if land else []
            if entities:
                found.append(self._mention(place, place + 1, entities, _ADJECTIVE))
        return found

    # -- parts of names, and misspelt ones -----------------------------------------------------------

    def _partial(self, question: str, words: Sequence[Word], covered: Sequence[bool]) -> list[EntityMention]:
        found: list[EntityMention] = []
        done: set[int] = set()
        for length in range(_PART_WORDS, 0, -1):
            for first in range(len(words) - length + 1):
                places = range(first, first + length)
                own = [words[place] for place in places]
                if own[0].is_empty or own[-1].is_empty or done & set(places):
                    continue
                if all(covered[place] for place in places) or not self._may_be_name(question, words, places):
                    continue
                mention = self._with_words(
                    first, first + length, own, misspelt=not all(covered[place] for place in places)
                )
                if mention is not None:
                    found.append(mention)
                    done.update(places)
        return found

    def _may_be_name(self, question: str, words: Sequence[Word], places: range) -> bool:
        """Whether some word is no ordinary word of a question, or is written as a name."""
        return any(
            (place > 0 and question[words[place].start].isupper())
            or not (words[place].is_empty or self._relations.knows(words[place].root))
            for place in places
        )

    def _with_words(
        self, first: int, last: int, own: Sequence[Word], *, misspelt: bool
    ) -> EntityMention | None:
        """The names that have these words, spelt as they are or nearly so."""
        told = [word.folded for word in own if word.folded[0].isalnum() and word.folded not in COMMON]
        if not told:
            return None
        entities = self._bearers(told)
        if entities:
            return self._mention(first, last, entities, _PART + 0.05 * len(told), _PARTIAL)
        if not misspelt:
            return None
        for place, word in enumerate(told):
            if self._names.has(word) and len(told) == 1:
                continue
            for other in self._names.resembling(word):
                if entities := self._bearers([*told[:place], other, *told[place + 1 :]]):
                    return self._mention(
                        first, last, entities, _MISSPELT if len(told) > 1 else _MISSPELT * 0.8, _PARTIAL
                    )
        return None

    def _bearers(self, told: list[str]) -> list[int]:
        """The entities of the names with all these words: those with no other word first."""
        names = self._names.names_with(told)
        if not len(names):
            return []
        texts = self._index.names.take(names)
        ranked = sorted(zip((len(words_of(text)) for text in texts), names.tolist(), strict=True))
        exact = [number for length, number in ranked if length == len(told)]
        chosen = exact or [number for _, number in ranked]
        return list(dict.fromkeys(int(one) for name in chosen for one in self._index.bearers(name)))
