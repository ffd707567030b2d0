"""The words of a question, each with its place and its root, so that "wrote", "writes" and "writing" are one.

Questions are typed in any case and with any punctuation, so nothing here depends on capitals. The root joins
the forms of a verb and a noun with its agent (`directed`, `director`); what is further apart, such as
`author` and `write`, is joined by the families of `related_words`.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rollcall.english.base_form import base_form
from rollcall.english.folding import fold, without_accents
from rollcall.english.function_words import COMMON
from rollcall.english.verb_forms import verb_form
from rollcall.english.word_lists import word_list

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

_WORD = re.compile(r"\w+|[^\w\s]")
_AGENT = re.compile(r"(?:ation|ition|ion|ment|ship|er|or|ing|al|e)$")
_COLLOQUIAL = dict(line.split(" = ") for line in word_list("colloquial_nouns"))
_SHORTEST = 4
"""A root keeps at least so many letters, so that `order` and `ordinal` stay apart."""
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
    found = []
    for match in _WORD.finditer(text):
        folded = without_accents(fold(match[0]))
        if folded:
            found.append(Word(match.start(), match.end(), folded, root(folded)))
    return found


def roots_of(phrase: str) -> tuple[str, ...]:
    """The roots of a phrase's words that say something."""
    return tuple(word.root for word in words_of(phrase) if not word.is_empty)


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


def mask_of(places: Sequence[int]) -> int:
    """The set of some words as the bits of a number, so that sets are joined and compared fast."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


def span_mask(first: int, last: int) -> int:
    """The words from `first` up to but not including `last`."""
    return (1 << last) - (1 << first)


def places_of(mask: int) -> list[int]:
    """The words of a set, in order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found
