"""Word lists for the rules, stored as text files beside the code: one word or phrase per line."""

import re
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

_OWN = Path(__file__).with_name("words")


@cache
def word_list(name: str) -> frozenset[str]:
    """The lines of one of this package's lists."""
    return read_list(_OWN / f"{name}.txt")


@cache
def word_table(name: str) -> dict[str, str]:
    """The lines `word = what goes with it` of one of this package's lists, in alphabetical order."""
    return dict(line.split(" = ") for line in sorted(word_list(name)))


def read_list(path: Path) -> frozenset[str]:
    """The lines of a file, without comment lines, which begin with #."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


# Function words by kind, and words that carry too little meaning when they are alone. Which words carry
# no meaning depends on the task, so each rule combines the kinds it needs and adds its own words. No
# rule lists these words again.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = _words("a an the")
PREPOSITIONS = _words("of in on at by for from with to as")
"""The most common prepositions, which occur in most names and labels."""
FURTHER_PREPOSITIONS = _words("after before during into over under")
CONJUNCTIONS = _words("and or but")
PRONOUNS = _words("it its he she they his her their him them")
DEMONSTRATIVES = _words("that this these those")
RELATIVES = _words("which who whom whose where")
QUESTION_WORDS = RELATIVES | _words("what when")
FINITE_BE = _words("is was are were")
AUXILIARIES = FINITE_BE | _words("had has have did does do can could will")
COMMON = (
    ARTICLES
    | PREPOSITIONS
    | FURTHER_PREPOSITIONS
    | CONJUNCTIONS
    | PRONOUNS
    | DEMONSTRATIVES
    | QUESTION_WORDS
    | AUXILIARIES
    | _words("be been would not also one two first last new name all some both")
)
"""Words that carry too little meaning when they are alone."""


# The form in which words are compared: without case, possessive and plural ending. Faster and less exact
# than `text.nouns.singular`, since it is called for every word of a text.

_POSSESSIVE = re.compile(r"['’]s?$")
_IRREGULAR = {
    "men": "man", "women": "woman", "people": "person", "persons": "person", "children": "child",
    "alumni": "alumnus", "alumnae": "alumna", "feet": "foot", "series": "series", "species": "species",
    "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf", "wolves": "wolf",
}  # fmt: skip
NOUNS_IN_IE = _words(
    "birdie brownie budgie calorie collie cookie foodie genie hippie hoodie indie junkie lingerie menagerie"
    " movie newbie pixie prairie rookie selfie smoothie sortie talkie zombie"
)
"""Nouns whose plurals end in `ies` and that do not end in `y`."""


@lru_cache(1 << 16)
def base_form(word: str) -> str:
    """A word without case, possessive and plural ending."""
    word = _POSSESSIVE.sub("", word.casefold())
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word[:-1] in NOUNS_IN_IE else word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word.removesuffix("s")


# Folding of names: the form under which labels and aliases are looked up regardless of case. The scorers
# have their own rules for normalising names, because those are part of published measures.

_LONGEST = 10_000
"""In characters. Longer names are not normalised, since ordering their combining marks may take very long."""


def fold(name: str) -> str:
    """Case-folded NFC text with single spaces; two names with equal folds are found together."""
    if name.isascii():
        folded = name.lower()
    elif len(name) > _LONGEST:
        folded = name.casefold()
    else:
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
    return " ".join(folded.split())


def without_accents(name: str, decomposed: Literal["NFD", "NFKD"] = "NFKD") -> str:
    """A name without its diacritics, decomposed: `Kovařík` as `Kovarik`; with `NFKD` also `E²` as `E2`."""
    if name.isascii():
        return name
    return "".join(
        sign for sign in unicodedata.normalize(decomposed, name) if not unicodedata.combining(sign)
    )


# Finds words of a text that are another form of a word, or a narrower one: directed for director,
# novelist for writer.

_SAME = 5
"""The number of first letters that the words of a family share."""
_ENDING = 3
"""The most last letters in which a name differs from a word derived from it."""


_NARROWER: dict[str, set[str]] = {}
for _line in word_list("narrower_nouns"):
    _noun, _kinds = _line.split(" > ")
    _NARROWER[_noun] = set(_kinds.split(" "))


def kindred(words: Collection[str], among: Collection[str], names: Collection[str] = ()) -> list[set[str]]:
    """For each word, the words of a text that are equal to it or belong to its family.

    Words are in their base form. Names may differ in up to three last letters (German, Germany). Other long
    words belong to one family if they begin in the same way (directed, director). A noun is also met by one
    for a kind of it (writer by novelist).
    """
    by_beginning: dict[str, list[str]] = {}
    for word in among:
        by_beginning.setdefault(word[:_SAME], []).append(word)
    matches = []
    for word in words:
        alike = by_beginning.get(word[:_SAME], ()) if len(word) >= _SAME else ()
        if word in names:
            alike = [other for other in alike if _is_derived(other, word)]
        elif len(word) == _SAME:
            alike = ()
        met = {*alike, *_NARROWER.get(word, set()).intersection(among)}
        matches.append(met | {word} if word in among else met)
    return matches


def _is_derived(word: str, name: str) -> bool:
    return abs(len(word) - len(name)) <= _ENDING and (word.startswith(name) or name.startswith(word))


# The months: their names in order, and the number of each name and abbreviation.

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ABBREVIATIONS = {"sept": 9} | {month[:3].lower(): number for number, month in enumerate(MONTHS, 1)}
MONTH_NUMBERS = {month.lower(): number for number, month in enumerate(MONTHS, 1)} | _ABBREVIATIONS
"""The number of each month (1 for January), by name or abbreviation in lower case, without a full stop."""
SHORT_MONTHS = tuple(name.title() for name in _ABBREVIATIONS)
ANY_MONTH = "|".join(MONTHS)
"""The names as alternatives of a regular expression."""
