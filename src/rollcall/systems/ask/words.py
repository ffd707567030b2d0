"""The words of a question, each with its position and its root: "wrote" and "writing" have the same one.

Questions are typed in any case and with any punctuation, so nothing here depends on capitals. The root joins
the forms of a verb and a noun with its agent (`directed`, `director`); what is further apart, such as
`author` and `write`, is joined by the families of `related_words`.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from rollcall.text.name_lookup import WORD_OR_MARK
from rollcall.text.nouns import is_person, is_plural, singular
from rollcall.text.verbs import is_participle, verb_form
from rollcall.text.words import (
    ARTICLES,
    AUXILIARIES,
    COMMON,
    CONJUNCTIONS,
    RELATIVES,
    base_form,
    fold,
    without_accents,
    word_list,
    word_table,
)
from rollcall.wording.entry import VALUE_NOUNS
from rollcall.wording.nouns import kind_of

if TYPE_CHECKING:
    from tantivy import TextAnalyzer


_AGENT = re.compile(r"(?:ation|ition|ion|ment|ship|er|or|ing|al|e)$")
_COLLOQUIAL = word_table("colloquial_nouns")
_SHORTEST = 4
"""A root keeps at least this many letters, so that `order` and `ordinal` stay apart."""
_POLITE = frozenset(
    (
        "s", "t", "d", "ll", "re", "m", "please", "tell", "me", "give", "list", "show", "find", "any", "i",
        "there", "which", "how", "much", "many", "that", "been", "being", "were", "you", "we", "us", "my",
        "your", "can", "could", "would", "should", "may", "might", "just", "ever", "also", "so", "than",
        "then", "someone", "somebody", "anyone", "anybody", "something", "anything",
    )
)  # fmt: skip
_MEANINGFUL = frozenset(("name", "first", "last", "new", "before", "after", "during", "under", "over"))
EMPTY = (COMMON | word_list("prepositions") | _POLITE) - _MEANINGFUL
"""Words that say nothing about what is asked for."""


class Word(NamedTuple):
    """A word of a question: its characters, its folded form and its root."""

    start: int
    end: int
    folded: str
    root: str

    @property
    def is_empty(self) -> bool:
        return self.folded in EMPTY or not self.folded[0].isalnum()


def words_of(text: str) -> list[Word]:
    """The words and marks of a text, from left to right."""
    words = []
    for match in WORD_OR_MARK.finditer(text):
        folded = without_accents(fold(match[0]))
        if folded:
            words.append(Word(match.start(), match.end(), folded, root(folded)))
    return words


def roots_of(phrase: str, *, kinds: bool = False) -> tuple[str, ...]:
    """The roots of a phrase's words that say something; with `kinds` also of `style` in `style of music`."""
    words = words_of(phrase)
    return tuple(word.root for word in (words if kinds else without_kinds(words)) if not word.is_empty)


def without_kinds(words: Sequence[Word]) -> list[Word]:
    """The words with `of` in place of those for kinds: "what kind of government" asks for a government."""
    last = len(words) - 1
    return [
        word._replace(folded="of", root="of")
        if word.root in _kind_roots() and position < last - 1 and words[position + 1].folded == "of"
        else word
        for position, word in enumerate(words)
    ]


@cache
def _kind_roots() -> frozenset[str]:
    """The roots of words for kinds; found on first use, since not every machine has the stemmer."""
    return frozenset(map(root, ("kind", "type", "sort", "form", "style", "variety", "category")))


@lru_cache(1 << 16)
def root(word: str) -> str:
    """The root of a folded word."""
    form = verb_form(word, "past", "participle", "gerund", "present")
    base = form.base if form else base_form(word)
    base = _COLLOQUIAL.get(base, base)
    stem = _stemmer().analyze(base)
    short = stem[0] if stem else base
    cut = _AGENT.sub("", short)
    return cut if len(cut) >= _SHORTEST else short


@cache
def _stemmer() -> "TextAnalyzer":
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer("English")).build()


def mask_of(positions: Sequence[int]) -> int:
    """The set of some words as the bits of a number, so that sets are joined and compared fast."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def span_mask(first: int, last: int) -> int:
    """The words from `first` up to but not including `last`."""
    return (1 << last) - (1 << first)


def places_of(mask: int) -> list[int]:
    """The words of a set, in order."""
    positions = []
    while mask:
        lowest = mask & -mask
        positions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return positions


# Words that ask for an operation: counts, superlatives, denials and alternatives. Superlatives are
# adjectives of general English with the matter they measure; which relation of the graph measures it is
# decided by the relation's own words, and by its lexicon entry (`tallest`, `oldest`).

Extreme: TypeAlias = Literal["max", "min"]

_ADJECTIVES = {word: meaning.split() for word, meaning in word_table("superlatives").items()}
"""For each superlative `max` or `min`, and what it measures."""
SUPERLATIVES = frozenset(_ADJECTIVES)
_AFTER_MOST = ("recent", "populous", "expensive")
_LEAST_ADJECTIVE = 3
_NOUN_ENDINGS = (
    ("", "ness"),
    ("", "ity"),
    ("", "th"),
    ("e", "ity"),
    ("y", "iness"),
    ("le", "ility"),
    ("ous", "osity"),
)
"""How a noun is made of an adjective: hardness, acidity, warmth, density, heaviness, viscosity."""
_DENYING = frozenset(["not", "never", "without", "except", "excluding", "neither", "nor", "cannot"])
SIGN_WORDS = frozenset((*_ADJECTIVES, *_DENYING, "or", "same", "other", "another", "else", "both"))
"""All words that ask for an operation."""


class Superlative(NamedTuple):
    """A word that asks for the greatest or the least."""

    word: str
    mask: int
    extreme: Extreme
    roots: frozenset[str]
    """Roots of what it measures; none if the question must say."""


class Signs(NamedTuple):
    """The operations that a question asks for."""

    superlatives: tuple[Superlative, ...]
    denials: tuple[int, ...]
    """The positions of words that deny what follows."""
    alternatives: tuple[int, ...]
    """The positions of `or`."""
    sameness: int
    """The words that ask for something that two things share."""
    otherness: int
    """The words that ask for something else of the same kind."""

    def ignored(self, mask: int) -> float:
        """How many signs are not among the used words; `or` is often part of a phrase, and counts half."""
        ignored = sum(superlative.mask & ~mask != 0 for superlative in self.superlatives)
        ignored += sum(not mask >> position & 1 for position in self.denials)
        return ignored + 0.5 * sum(not mask >> position & 1 for position in self.alternatives)


def signs_in(words: Sequence[Word], measured: frozenset[str] = frozenset()) -> Signs:
    """The signs of a question.

    `measured` are the roots of what the graph has figures of: any adjective can ask for the greatest or the
    least of it, such as `densest` and `most viscous` of density and viscosity.
    """
    superlatives: list[Superlative] = []
    denials, alternatives = [], []
    for position, word in enumerate(words):
        if word.folded in _ADJECTIVES:
            direction, *matters = _ADJECTIVES[word.folded]
            extreme: Extreme = "max" if direction == "max" else "min"
            mask = 1 << position
            if word.folded in _AFTER_MOST:
                if position == 0 or words[position - 1].folded not in ("most", "least"):
                    continue
                mask |= 1 << (position - 1)
                superlatives = [superlative for superlative in superlatives if not superlative.mask & mask]
                extreme = "min" if words[position - 1].folded == "least" else extreme
            superlatives.append(Superlative(word.folded, mask, extreme, frozenset(map(root, matters))))
        elif measures := qualities(words, position) & measured:
            after = position > 0 and words[position - 1].folded in ("most", "least")
            mask = 1 << position | (after << (position - 1) if after else 0)
            superlatives = [superlative for superlative in superlatives if not superlative.mask & mask]
            extreme = "min" if after and words[position - 1].folded == "least" else "max"
            superlatives.append(Superlative(word.folded, mask, extreme, measures))
        elif word.folded in _DENYING or (
            word.folded == "t" and position and words[position - 1].folded in ("'", "’")
        ):
            denials.append(position)
        elif word.folded == "or":
            alternatives.append(position)
    same = mask_of([position for position, word in enumerate(words) if word.folded == "same"])
    other = mask_of(
        [position for position, word in enumerate(words) if word.folded in ("other", "another", "else")]
    )
    return Signs(tuple(superlatives), tuple(denials), tuple(alternatives), same, other)


def is_superlative(words: Sequence[Word], position: int) -> bool:
    """Whether a word has the form of a superlative: `shiniest`, `most reactive`."""
    return bool(_adjectives(words, position))


def _adjectives(words: Sequence[Word], position: int) -> list[str]:
    """The adjectives that a word may be a superlative of."""
    word = words[position].folded
    if position and words[position - 1].folded in ("most", "least") and not words[position].is_empty:
        return [word]
    stem = word.removesuffix("est")
    if stem == word or len(stem) < _LEAST_ADJECTIVE:
        return []
    doubled = len(stem) > _LEAST_ADJECTIVE and stem[-1] == stem[-2]
    return [
        stem,
        f"{stem}e",
        *([stem[:-1]] if doubled else []),
        *([f"{stem[:-1]}y"] if stem[-1] == "i" else []),
    ]


def qualities(words: Sequence[Word], position: int) -> frozenset[str]:
    """The roots of what a superlative may compare: of `density` for `densest`."""
    return frozenset(
        root(adjective.removesuffix(ending) + noun_ending)
        for adjective in _adjectives(words, position)
        for ending, noun_ending in _NOUN_ENDINGS
        if adjective.endswith(ending)
    )


# What kind of thing a question asks for: a person, a place, a date, a number, a count, or a noun of its
# own. The first question word decides. A text without one ("wife of Orla Venn", "films by her") asks for
# any kind.

Kind: TypeAlias = Literal["any", "person", "place", "date", "number", "thing", "no value"]
"""`no value` is asked for by "what did he die of"."""

_ENDS = (
    AUXILIARIES | RELATIVES | ARTICLES | CONJUNCTIONS | word_list("prepositions") | {"that", "than", "not"}
)
_SKIPPED = ARTICLES | {"all", "some", "other", "different", "many", "of", "those", "these", "me"}
_NOUN_FOLLOWS = frozenset(("what", "whats", "which", "list", "name", "give", "show", "find", "tell", "whose"))
_KINDS: dict[Kind, tuple[str, ...]] = {
    "date": ("date", "year", "day", "month", "time", "birthday", "century", "decade"),
    "number": (
        "number",
        "population",
        "height",
        "length",
        "duration",
        "area",
        "elevation",
        "depth",
        "weight",
    ),
    "place": ("place", "location", "city", "town", "country", "village", "state", "region"),
}
"""Nouns that say of what kind an answer is."""
_IS = frozenset(("is", "was", "are", "were", "'", "’", "s"))
_QUANTITY = frozenset(("tall", "long", "high", "old", "big", "large", "far", "deep", "heavy", "wide", "fast"))
_VALUE_KINDS: dict[str, Kind] = {"date": "date", "text": "any", "position on the globe": "place"}
_LONGEST = 4


class AskedKind(NamedTuple):
    """What is asked for."""

    kind: Kind = "any"
    noun: str = ""
    """The noun of what is asked for, in the singular: `animated film`."""
    roots: tuple[str, ...] = ()
    mask: int = 0
    """The last word of the noun, which says what is meant."""
    counts: bool = False
    """Whether the number of answers is asked for."""


def asked_kind(words: Sequence[Word], names: int = 0) -> AskedKind:
    """What a question asks for; `names` are the words of names, which are not part of its noun."""
    for index, word in enumerate(words):
        if word.folded in ("who", "whom", "whos"):
            return AskedKind("person")
        if word.folded in ("where", "wheres"):
            return AskedKind("place")
        if word.folded in ("when", "whens"):
            return AskedKind("date")
        if word.folded == "how":
            return _how(words, index, names)
        if word.folded in _NOUN_FOLLOWS:
            following = words[index + 1].folded if index + 1 < len(words) else ""
            if word.folded == "what" and following in ("do", "does", "did"):
                return AskedKind("no value")
            first, asks_what = index + 1, word.folded in ("what", "whats", "which")
            while asks_what and first < len(words) and words[first].folded in _IS:
                first += 1
            return _noun_from(words, first, names)
    return _noun_from(words, 0, names)


def _how(words: Sequence[Word], index: int, names: int) -> AskedKind:
    following = words[index + 1].folded if index + 1 < len(words) else ""
    if following == "often" or [word.folded for word in words[index + 1 : index + 3]] == ["many", "times"]:
        return AskedKind(counts=True)
    if following == "many":
        return _noun_from(words, index + 2, names)._replace(counts=True)
    return AskedKind("number") if following in _QUANTITY else AskedKind()


def _noun_from(words: Sequence[Word], first: int, names: int) -> AskedKind:
    """The noun phrase at a position: "which of the old films" asks for old films."""
    while first < len(words) and words[first].folded in _SKIPPED:
        first += 1
    last = first
    while (
        last < min(len(words), first + _LONGEST)
        and not names >> last & 1
        and not (last > first and last + 1 < len(words) and words[last + 1].folded == "than")
        and _may_be_noun(words[last].folded, words[last - 1].folded if last > first else "")
    ):
        last += 1
    if last == first:
        return AskedKind()
    phrase = " ".join(word.folded for word in words[first:last])
    roots = tuple(word.root for word in words[first:last])
    return AskedKind(_kind_of_roots(phrase, roots), singular(phrase), roots, 1 << (last - 1))


def _may_be_noun(word: str, before: str) -> bool:
    """Whether a word may be part of a noun phrase; behind a noun, a verb ends it: "cities lie"."""
    if word in _ENDS or not word[0].isalpha():
        return False
    if not before:
        return True
    if is_participle(word) or verb_form(word, "past", "participle"):
        return False
    return not (is_plural(before) and verb_form(word, "base"))


def _kind_of_roots(phrase: str, roots: tuple[str, ...]) -> Kind:
    if is_person(phrase):
        return "person"
    return _kind_of_root().get(roots[-1], "thing")


@cache
def _kind_of_root() -> dict[str, Kind]:
    """Kinds by the roots of their nouns; found on first use, since not every machine has the stemmer."""
    return {root(noun): kind for kind, nouns in _KINDS.items() for noun in nouns}


def kind_of_end(noun: str) -> Kind:
    """The kind of what stands at an end of a relation, by the lexicon's noun for it."""
    if noun in VALUE_NOUNS:
        return _VALUE_KINDS.get(noun, "number")
    if noun in ("", "thing", "person or thing"):
        return "any"
    kind = kind_of(noun)
    if kind in ("person", "place"):
        return "person" if kind == "person" else "place"
    return "place" if _kind_of_root().get(root(noun.split(" ")[-1])) == "place" else "thing"
