"""Reads the words of a list's name: which of them say what is on the list.

Input: a page title. Output: a `ListName`. "List of Baptist churches in Iowa by city" is about churches:
Baptist ones, in Iowa; "by city" is only the order. Words are compared without case, and plural and singular
are equal.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from rollcall.corpus.lists import LISTINGS, plural_head
from rollcall.english.base_form import base_form
from rollcall.english.function_words import (
    ARTICLES,
    CONJUNCTIONS,
    FINITE_BE,
    FURTHER_PREPOSITIONS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
)
from rollcall.english.nouns import is_plural

_WORDS = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_ORDER = re.compile(r"\b(?:by|sorted by|ordered by) [a-z][^()]*(?=\(|$)")
_PART = re.compile(r"\([A-Z]\)$|\b[A-Z0-9]\s?[–-]\s?[A-Z0-9]\)?$|[:,] [A-Z]$")
_ENDS_THE_HEAD = PREPOSITIONS | FURTHER_PREPOSITIONS | RELATIVES | {"since", "that", "based", "built"}
"""The words for the listed things end before one of these words."""
_EMPTY = ARTICLES | CONJUNCTIONS | PRONOUNS | FINITE_BE | _ENDS_THE_HEAD - {"based", "built"}
_EMPTY |= {"be", "been", "have", "has", "had", "s"}
_ALTERNATIVES = re.compile(r"((?:[\w-]+, )*[\w-]+),? (?:and|or) ([\w-]+)$")
_KINDS = ("species", "genera", "breeds")
"""A list of lemur species has lemurs: their pages need not call them species."""


class ListName(NamedTuple):
    """The content words of a list's name in their base form, and those for the listed things."""

    words: tuple[str, ...]
    heads: tuple[str, ...]
    names: frozenset[str]
    """Words with a capital; text may use a derived form of them, such as Iceland for Icelandic."""
    either: frozenset[str] = frozenset()
    """Words for the listed things of which one is enough: what is on a list of colleges and universities is
    a college or a university."""


@lru_cache(4096)
def list_name(title: str, prefix: str = "List of") -> ListName | None:
    """The words of a list's name; None if the title is not a list's, or is that of a part of a list (A–C).

    That it has listings says only that it is a list. A plural may be the title of a list: `Lakes of Norrow`.
    """
    begins = title.startswith(prefix + " ")
    if not (begins or LISTINGS in title or plural_head(title)) or _PART.search(title):
        return None
    name = _ORDER.sub("", title[len(prefix) :] if begins else title.replace(LISTINGS, " in ")).strip()
    found = _WORDS.findall(name)
    significant = [word for word in found if word.lower() not in _EMPTY]
    if not significant:
        return None
    before: list[str] = []
    for word in found:
        if word.lower() in _ENDS_THE_HEAD and before:
            break
        before.append(word)
    heads = [
        word
        for word, after in zip(before, [*before[1:], "and"], strict=True)
        if after.lower() in ("and", "or")
    ]
    heads = [word for word in heads if word.lower() not in _EMPTY] or significant[:1]
    names = frozenset(base_form(word) for word in significant if word[0].isupper())
    if len(before) > 1 and before[-1] in _KINDS:
        significant.remove(before[-1])
    return ListName(
        tuple(dict.fromkeys(map(base_form, significant))),
        tuple(map(base_form, heads)),
        names,
        _either(name, before[-1]),
    )


def _either(name: str, last: str) -> frozenset[str]:
    """The nouns that a list's name joins with `and` or `or`, up to the last word for the listed things."""
    found = _ALTERNATIVES.search(name[: name.index(last) + len(last)])
    words = [*found[1].split(", "), found[2]] if found else []
    return frozenset(map(base_form, words if all(map(is_plural, words)) else ()))


def words_of(text: str) -> list[str]:
    """The words of a text in their base form."""
    return [base_form(word) for word in _WORDS.findall(text)]
