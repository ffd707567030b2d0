"""What kind of thing a question asks for: a person, a place, a date, a number, a count, or a noun of its own.

The first question word decides. A text without one ("wife of Orla Venn", "films by her") asks for any kind.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from rollcall.english.function_words import ARTICLES, AUXILIARIES, CONJUNCTIONS, RELATIVES
from rollcall.english.nouns import is_person, is_plural, singular
from rollcall.english.verb_forms import verb_form
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.systems.ask.words import Word, root
from rollcall.wording.entry import VALUE_NOUNS
from rollcall.wording.heads import kind_of

Kind: TypeAlias = Literal["any", "person", "place", "date", "number", "thing"]

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
    """What a question asks for; `names` are the words of names, which are no part of its noun."""
    for place, word in enumerate(words):
        if word.folded in ("who", "whom", "whos"):
            return AskedKind("person")
        if word.folded in ("where", "wheres"):
            return AskedKind("place")
        if word.folded in ("when", "whens"):
            return AskedKind("date")
        if word.folded == "how":
            return _how(words, place, names)
        if word.folded in _NOUN_FOLLOWS:
            return _noun_from(words, place + 1, names)
    return _noun_from(words, 0, names)


def _how(words: Sequence[Word], place: int, names: int) -> AskedKind:
    following = words[place + 1].folded if place + 1 < len(words) else ""
    if following == "many":
        return _noun_from(words, place + 2, names)._replace(counts=True)
    return AskedKind("number") if following in _QUANTITY else AskedKind()


def _noun_from(words: Sequence[Word], first: int, names: int) -> AskedKind:
    """The noun phrase at a place: "which of the old films" asks for old films."""
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
