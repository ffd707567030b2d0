"""The entities that a question may name: by a whole name, a part of one, a misspelt one, or an adjective.

Every reading is kept with its quality, because the graph around an entity decides better than its name which
one is meant. Homonyms come in the order of how much the graph says about them.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from rollcall.graph import Graph
from rollcall.systems.ask.name_index import NameIndex, initials_word
from rollcall.systems.ask.words import SUPERLATIVES, Word, mask_of, root, roots_of, span_mask, words_of
from rollcall.text.name_lookup import FoldedWords, NameFinder
from rollcall.text.nouns import land_of
from rollcall.text.verbs import is_participle, verb_form
from rollcall.text.words import COMMON, base_form, read_list, word_list
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import Entry
from rollcall.wording.generic import Ends
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.nouns import class_noun

# The classes of a graph that a question names: "animated films", "cities", "people".

_LONGEST_CLASS = 5
_BY_HEAD, _FEW = 0.5, 3
"""The quality of a class by the last word of its name alone, and how many such classes may be meant."""


class ClassMention(NamedTuple):
    """Words of a question that name a class."""

    first: int
    last: int
    """The place after its last word."""
    class_: int
    quality: float = 1.0
    """Less than one if the question has only the last word of its label: groups for musical groups."""

    @property
    def mask(self) -> int:
        return span_mask(self.first, self.last)


class ClassMentions:
    """Finds the classes of one graph in questions."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self._by_roots: dict[tuple[str, ...], list[int]] = {}
        for number, label in enumerate(index.class_labels):
            id_ = index.class_ids[number]
            noun = class_noun(label or id_, id_).one
            for roots in dict.fromkeys((roots_of(label or id_), roots_of(noun))):
                if roots:
                    self._by_roots.setdefault(roots, []).append(number)
        self._by_head: dict[str, set[int]] = {}
        for roots, numbers in self._by_roots.items():
            self._by_head.setdefault(roots[-1], set()).update(numbers)
        self.people = frozenset(self._by_roots.get(roots_of("person"), ()))

    def find(self, words: Sequence[Word]) -> list[ClassMention]:
        """The mentions, the longest first; a class inside a longer name of a class is not meant."""
        mentions: list[ClassMention] = []
        for length in range(min(_LONGEST_CLASS, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                own = words[first : first + length]
                if (
                    own[0].is_empty
                    or own[-1].is_empty
                    or (length > 1 and own[0].folded in SUPERLATIVES)
                    or verb_form(own[-1].folded, "past", "participle", "gerund")
                ):
                    continue
                if any(mention.mask & span_mask(first, first + length) for mention in mentions):
                    continue
                roots = tuple(word.root for word in own if not word.is_empty)
                mentions += [
                    ClassMention(first, first + length, class_) for class_ in self._by_roots.get(roots, ())
                ]
        taken = {position for mention in mentions for position in range(mention.first, mention.last)}
        for position, word in enumerate(words):
            named = self._by_head.get(word.root, ())
            if position not in taken and not word.is_empty and 0 < len(named) <= _FEW:
                mentions += [
                    ClassMention(position, position + 1, class_, _BY_HEAD) for class_ in sorted(named)
                ]
        return mentions


# The phrases by which people ask for a relation, derived from its lexicon entry, its label and its
# aliases. A phrase has the roots of its words and a voice, which says on which side of it each end of
# the relation stands: in "directed by Orla" she is the object, in "directed Dune" the film is the
# subject. Nothing is listed for single relations here; what the lexicon does not know comes from labels
# by the rules of `wording.generic`.

Voice: TypeAlias = Literal["noun", "active", "passive", "inverse"]
"""`noun`: names the object (director). `active`: the object follows (born in). `passive`: the object follows
`by`, the subject follows without it (directed). `inverse`: the subject follows (educated)."""

_RELATION_PHRASES_PREPOSITIONS = word_list("prepositions")
_BE = ("was", "is", "were", "are")
_CHOICE = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_MARK = re.compile(r"\{[^}]*\}")
_ALIAS, _CUE, _END = 0.9, 0.8, 0.45
"""The weights of the graph's own aliases, of words that hint at a relation, and of the nouns of its ends."""


class Phrase(NamedTuple):
    """A phrase for a relation."""

    relation: int
    roots: tuple[str, ...]
    voice: Voice
    weight: float = 1.0
    preposition: str = ""
    """The preposition at its end, as in `died of`."""


@cache
def property_names() -> dict[str, tuple[str, tuple[str, ...]]]:
    """For the id of each property of Wikidata its label and other names that people use for it."""
    lines = read_list(Path(__file__).with_name("property_names.tsv"))
    rows = [line.split("\t") for line in sorted(lines)]
    return {id_: (label, tuple(names.split("; "))) for id_, label, names in rows}


class RelationPhrases:
    """The phrases of all relations of a graph."""

    def __init__(self, graph: Graph, lexicon: Lexicon | None = None) -> None:
        self._index = graph.index
        self._lexicon = lexicon or Lexicon.load()
        self._ends = EndNouns(graph)
        ids, labels = self._index.relation_ids, self._index.relation_labels
        self.entries = [self._entry(ids[number], labels[number] or None) for number in range(len(ids))]
        self.labels = [labels[number] or entry.label for number, entry in enumerate(self.entries)]

    def _entry(self, id_: str, label: str | None) -> Entry:
        return self._lexicon.entry(id_, label, None if id_ in self._lexicon else self._ends.of(id_))

    def aliases(self, relation: int) -> tuple[str, ...]:
        """Other names of a relation: the graph's, and what people call it if it is a property of Wikidata."""
        label, names = property_names().get(self._index.relation_ids[relation], ("", ()))
        own = self._index.relation_labels[relation]
        is_property = not own or bool(set(roots_of(own)) & set(roots_of(label)))
        return (*self._index.relation_aliases[relation], *(names if is_property else ()))

    def ends(self, relation: int) -> Ends:
        """The nouns of a relation's ends."""
        entry = self.entries[relation]
        return Ends(entry.subjects, entry.objects)

    @cached_property
    def measures(self) -> list[int]:
        """The relations whose values can be compared."""
        return [
            relation
            for relation in range(len(self.entries))
            if self._index.value_dimension(relation) is not None
        ]

    @cached_property
    def measured(self) -> frozenset[str]:
        """The roots of the words of their labels."""
        return frozenset(word for relation in self.measures for word in roots_of(self.labels[relation]))

    @cached_property
    def all(self) -> list[Phrase]:
        """All phrases, each once for its relation and voice, with its greatest weight."""
        phrases: dict[tuple[int, frozenset[str], Voice, str], Phrase] = {}
        for relation in range(len(self.entries)):
            for phrase in self._phrases(relation):
                key = (relation, frozenset(phrase.roots), phrase.voice, phrase.preposition)
                if phrase.roots and (key not in phrases or phrases[key].weight < phrase.weight):
                    phrases[key] = phrase
        return list(phrases.values())

    def _phrases(self, relation: int) -> Iterator[Phrase]:
        entry = self.entries[relation]
        for text in (self.labels[relation], entry.label, entry.noun):
            yield _phrase(relation, text, voice_of(text), kinds=False)
        for text in entry.aliases:
            yield _phrase(relation, text, voice_of(text))
        for alias in self.aliases(relation):
            yield _phrase(relation, alias, voice_of(alias), _ALIAS)
        for clause in (entry.forward, entry.people):
            if clause:
                text = without_marks(clause)
                yield _phrase(relation, text, _voice_of_clause(text))
        if entry.backward:
            yield _phrase(relation, without_marks(entry.backward), "inverse")
        for cue in entry.given_cues:
            yield _phrase(relation, cue, voice_of(cue), _CUE)
        if not entry.is_literal:
            yield _phrase(relation, entry.objects, "noun", _END)


def _phrase(relation: int, text: str, voice: Voice, weight: float = 1.0, *, kinds: bool = True) -> Phrase:
    last = text.lower().rpartition(" ")[2]
    return Phrase(
        relation,
        roots_of(text, kinds=kinds),
        voice,
        weight,
        last if last in _RELATION_PHRASES_PREPOSITIONS else "",
    )


def without_marks(clause: str) -> str:
    """A clause without its marks: `is [a citizen|citizens] of {object}` as `is a citizen of`."""
    return " ".join(_MARK.sub(" ", _CHOICE.sub(r"\1", clause)).split())


def _voice_of_clause(text: str) -> Voice:
    """The voice of a subject's clause."""
    return "passive" if text.endswith(" by") and text.startswith(_BE) else "active"


def voice_of(text: str) -> Voice:
    """The voice of a phrase that stands alone: a label, an alias, a word that hints at the relation."""
    words = text.lower().split()
    if len(words) > 1 and words[-1] == "by":
        return "passive"
    if len(words) > 1 and words[-1] in _RELATION_PHRASES_PREPOSITIONS:
        return "active"
    if len(words) == 1 and (is_participle(words[0]) or verb_form(words[0], "past", "participle")):
        return "passive"
    return "noun"


# Where a question speaks of a relation: its phrases found among the question's roots and related words.
# Words of one family (`rollcall/english/words/related_words.txt`) stand for each other at a lower
# quality. Words that many relations have in common, such as `place`, count little.

_RELATED = 0.6
_LEAST_MATCH = 0.35
_WINDOW = 7
"""Words of one phrase are not further apart than this."""
_PER_RELATION = 6
_OTHER_PREPOSITION, _NO_PREPOSITION = 0.85, 0.95
"""What a match is worth if question and phrase have different prepositions, or only one has any."""
_PREPOSITIONS = word_list("prepositions") | {"as"}


class RelationMention(NamedTuple):
    """Words of a question that speak of a relation."""

    relation: int
    mask: int
    first: int
    last: int
    voice: Voice
    match: float
    """How much of the phrase is there, from 0 to 1."""


@cache
def families() -> dict[str, frozenset[str]]:
    """For each root the roots of related words."""
    related: dict[str, set[str]] = {}
    for line in word_list("related_words"):
        roots = {root(word) for word in line.split()}
        for member in roots:
            related.setdefault(member, set()).update(roots - {member})
    return {member: frozenset(others) for member, others in related.items()}


class RelationMentions:
    """Finds mentions of the relations of one graph."""

    def __init__(self, phrases: RelationPhrases) -> None:
        self._phrases = phrases.all
        self._by_root: dict[str, list[int]] = {}
        relations: dict[str, set[int]] = {}
        for number, phrase in enumerate(self._phrases):
            for word_root in set(phrase.roots):
                self._by_root.setdefault(word_root, []).append(number)
                relations.setdefault(word_root, set()).add(phrase.relation)
        count = len(phrases.entries) + 1
        self._rarity = {
            word_root: max(0.2, math.log(count / len(with_root)) / math.log(count)) if count > 2 else 1.0
            for word_root, with_root in relations.items()
        }

    def rarity(self, word_root: str) -> float:
        """How few relations have a root in their phrases, from 0 to 1."""
        return self._rarity.get(word_root, 1.0)

    def knows(self, word_root: str) -> bool:
        """Whether a root, or a related one, occurs in a phrase of some relation."""
        return word_root in self._by_root or any(
            other in self._by_root for other in families().get(word_root, ())
        )

    def find(self, words: Sequence[Word]) -> list[RelationMention]:
        """The mentions in a question, those of each relation best first."""
        positions = self._positions(words)
        hit = {number for word_root in positions for number in self._by_root.get(word_root, ())}
        mentions: dict[int, dict[tuple[int, Voice], RelationMention]] = {}
        for number in sorted(hit):
            phrase = self._phrases[number]
            for mention in self._matches(phrase, positions, words):
                own = mentions.setdefault(phrase.relation, {})
                key = (mention.mask, mention.voice)
                if key not in own or own[key].match < mention.match:
                    own[key] = mention
        return [
            mention
            for own in mentions.values()
            for mention in sorted(own.values(), key=lambda mention: (-mention.match, mention.first))[
                :_PER_RELATION
            ]
        ]

    def _positions(self, words: Sequence[Word]) -> dict[str, list[tuple[int, float]]]:
        """The positions of each root in the question, with the quality of the match."""
        positions: dict[str, list[tuple[int, float]]] = {}
        for position, word in enumerate(words):
            if word.is_empty:
                continue
            positions.setdefault(word.root, []).append((position, 1.0))
            for other in families().get(word.root, ()):
                if other in self._by_root:
                    positions.setdefault(other, []).append((position, _RELATED))
        return positions

    def _matches(
        self, phrase: Phrase, positions: dict[str, list[tuple[int, float]]], words: Sequence[Word]
    ) -> list[RelationMention]:
        """The mentions of one phrase, one for each position of its rarest root in the question."""
        present = [word_root for word_root in dict.fromkeys(phrase.roots) if word_root in positions]
        rarest = max(present, key=lambda word_root: self._rarity[word_root])
        whole = sum(self._rarity[word_root] for word_root in dict.fromkeys(phrase.roots))
        mentions = []
        for position, quality in positions[rarest]:
            used, mass = set[int](), 0.0
            for word_root in present:
                near = [
                    pair
                    for pair in positions[word_root]
                    if abs(pair[0] - position) <= _WINDOW and pair[0] not in used
                ]
                chosen = _together(near, position)
                if quality == 1.0:
                    chosen = [(position, quality)] if word_root == rarest else chosen[:1]
                used |= {chosen_position for chosen_position, _ in chosen}
                mass += (
                    1.0 - math.prod(1.0 - single_quality for _, single_quality in chosen)
                ) * self._rarity[word_root]
            match = phrase.weight * mass / whole * math.sqrt(self._rarity[rarest])
            ordered = sorted(used)
            match *= _preposition_fit(words, phrase.preposition, ordered[-1])
            if match >= _LEAST_MATCH:
                mentions.append(
                    RelationMention(
                        phrase.relation, mask_of(ordered), ordered[0], ordered[-1], phrase.voice, match
                    )
                )
        return mentions


def _together(near: list[tuple[int, float]], position: int) -> list[tuple[int, float]]:
    """The nearest of the positions of a root itself, or else all its related words, which add up."""
    exact = [pair for pair in near if pair[1] == 1.0]
    if exact:
        return [min(exact, key=lambda pair: abs(pair[0] - position))]
    return sorted(near, key=lambda pair: abs(pair[0] - position))


def _preposition_fit(words: Sequence[Word], preposition: str, last: int) -> float:
    """Whether the preposition of a phrase is behind its last word, or at an end of the question.

    "What did he die of" and "of what did he die" ask for another relation than "where did he die".
    """
    listed = [word.folded for word in words if word.folded[0].isalnum()]
    prepositions = {
        listed[0],
        listed[-1],
        words[last + 1].folded if last + 1 < len(words) else "",
    } & _PREPOSITIONS
    if preposition in prepositions or (not preposition and not prepositions):
        return 1.0
    return _OTHER_PREPOSITION if preposition and prepositions else _NO_PREPOSITION


_WHOLE, _ADJECTIVE, _PART, _MISSPELT = 1.0, 0.7, 0.55, 0.6
_COMMON_WORD = 0.6
"""The quality of a name that is also a word for relations, such as "Author"."""
_INSIDE = 0.6
"""A name inside a longer one is seldom meant."""
_HOMONYMS, _PARTIAL = 8, 24
_PART_WORDS = 5
_FAR_MORE, _LONGER = 2, 2
"""Longer names count beside a whole name from twice its relations on, and at most two of them."""


class EntityMention(NamedTuple):
    """Words of a question that may name an entity."""

    first: int
    last: int
    """The place after its last word."""
    entities: tuple[int, ...]
    quality: float
    whole: bool = False
    """Whether they are a whole name as the graph has it."""

    @property
    def mask(self) -> int:
        return span_mask(self.first, self.last)


class EntityMentions:
    """Finds names of one graph's entities in questions."""

    def __init__(self, graph: Graph, names: NameIndex, relations: RelationMentions) -> None:
        self._index, self._names, self._relations = graph.index, names, relations
        self._finder = NameFinder(graph.index)

    def find(self, question: str, words: Sequence[Word]) -> list[EntityMention]:
        """The mentions in a question, best first."""
        whole = self._whole(question, words)
        covered = [False] * len(words)
        for mention in whole:
            if mention.last - mention.first > 1 or mention.quality > _COMMON_WORD:
                covered[mention.first : mention.last] = [True] * (mention.last - mention.first)
        mentions = [*whole, *self._partial(question, words, covered), *self._adjectives(words)]
        longest: dict[tuple[int, int], EntityMention] = {}
        for mention in mentions:
            key = (mention.first, mention.last)
            if key not in longest or longest[key].quality < mention.quality:
                longest[key] = mention
            elif longest[key].quality == mention.quality:
                both = dict.fromkeys((*longest[key].entities, *mention.entities))
                longest[key] = longest[key]._replace(entities=tuple(both))
        listed = [self._within(mention, list(longest.values())) for mention in longest.values()]
        return sorted(
            listed,
            key=lambda mention: (
                -mention.quality * (mention.last - mention.first + 1),
                mention.first,
                mention.last,
            ),
        )

    def _within(self, mention: EntityMention, others: Sequence[EntityMention]) -> EntityMention:
        inside = any(
            other.first <= mention.first
            and mention.last <= other.last
            and other is not mention
            and other.quality >= 0.9
            for other in others
        )
        return mention._replace(quality=mention.quality * _INSIDE) if inside else mention

    def _whole(self, question: str, words: Sequence[Word]) -> list[EntityMention]:
        """Names in the question exactly as the graph has them, in any case."""
        folded_words = FoldedWords(question, [(word.start, word.end) for word in words])
        mentions = []
        for first in range(len(words)):
            for last, name, entities in self._finder.names_from(folded_words, first, _singular):
                quality = self._quality(question, words, first, last)
                if quality:
                    mention = self._mention(first, last, entities, quality, name=name)
                    if last == first + 1 and quality > _COMMON_WORD:
                        mention = self._with_longer(mention, words[first].folded)
                    mentions.append(mention._replace(whole=True))
        return mentions

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
            entities = sorted(
                entities, key=lambda entity: (-mentions(name, entity), -len(hops(entity)), entity)
            )
        return EntityMention(first, last, tuple(entities[:most]), quality)

    def _with_longer(self, mention: EntityMention, word: str) -> EntityMention:
        """A mention with those, too, whose longer names have its word or these initials, if the graph says
        far more of them: Johann Wolfgang von Goethe for Goethe.
        """
        hops = self._names.neighbourhood.hops
        least = _FAR_MORE * max(len(hops(entity)) for entity in mention.entities)
        longer = [
            (count, -entity)
            for entity in {*self._bearers([word], whole=False), *self._bearers([initials_word(word)])}
            if entity not in mention.entities and (count := len(hops(entity))) >= least
        ]
        best = [-number for _, number in sorted(longer, reverse=True)[:_LONGER]]
        return mention._replace(entities=(*mention.entities[: _HOMONYMS - len(best)], *best))

    def _adjectives(self, words: Sequence[Word]) -> list[EntityMention]:
        """Lands by their adjectives: French films."""
        mentions = []
        for position, word in enumerate(words):
            land = land_of(word.folded.capitalize())
            entities = self._finder.entities(land) if land else ()
            if entities:
                mentions.append(self._mention(position, position + 1, entities, _ADJECTIVE))
        return mentions

    # -- parts of names, and misspelt ones -----------------------------------------------------------

    def _partial(self, question: str, words: Sequence[Word], covered: Sequence[bool]) -> list[EntityMention]:
        mentions: list[EntityMention] = []
        used: set[int] = set()
        for length in range(_PART_WORDS, 0, -1):
            for first in range(len(words) - length + 1):
                positions = range(first, first + length)
                own = [words[position] for position in positions]
                if own[0].is_empty or own[-1].is_empty or used & set(positions):
                    continue
                if all(covered[position] for position in positions) or not self._may_be_name(
                    question, words, positions
                ):
                    continue
                mention = self._with_words(
                    first, first + length, own, misspelt=not all(covered[position] for position in positions)
                )
                if mention is not None:
                    mentions.append(mention)
                    used.update(positions)
        return mentions

    def _may_be_name(self, question: str, words: Sequence[Word], positions: range) -> bool:
        """Whether some word is not an ordinary word of a question, or is written as a name."""
        return any(
            (position > 0 and question[words[position].start].isupper())
            or not (words[position].is_empty or self._relations.knows(words[position].root))
            for position in positions
        )

    def _with_words(
        self, first: int, last: int, own: Sequence[Word], *, misspelt: bool
    ) -> EntityMention | None:
        """The names that have these words, spelt as they are or nearly so."""
        parts = [word.folded for word in own if word.folded[0].isalnum() and word.folded not in COMMON]
        if not parts:
            return None
        entities = self._bearers(parts)
        if entities:
            return self._mention(first, last, entities, _PART + 0.05 * len(parts), _PARTIAL)
        if len(own) == 1 and (entities := self._bearers([initials_word(parts[0])])):
            return self._mention(first, last, entities, _PART, _HOMONYMS)
        if not misspelt:
            return None
        for index, word in enumerate(parts):
            if self._names.has(word) and len(parts) == 1:
                continue
            for other in self._names.resembling(word):
                if entities := self._bearers([*parts[:index], other, *parts[index + 1 :]]):
                    return self._mention(
                        first, last, entities, _MISSPELT if len(parts) > 1 else _MISSPELT * 0.8, _PARTIAL
                    )
        return None

    def _bearers(self, parts: list[str], *, whole: bool = True) -> list[int]:
        """The entities of the names with all these words: if possible with no other word, if these are
        asked for.
        """
        names = self._names.names_with(parts)
        if not len(names):
            return []
        texts = self._index.names.take(names)
        ranked = sorted(zip((len(words_of(text)) for text in texts), names.tolist(), strict=True))
        exact = [number for length, number in ranked if length == len(parts)]
        chosen = (whole and exact) or [number for _, number in ranked]
        return list(dict.fromkeys(int(bearer) for name in chosen for bearer in self._index.bearers(name)))


def _singular(folded: str) -> tuple[str, ...]:
    """Folded words with the last one in its base form, if that differs: plurals and possessives."""
    before, space, last = folded.rpartition(" ")
    base = base_form(last)
    return (f"{before}{space}{base}",) if base != last and len(last) > 3 else ()
