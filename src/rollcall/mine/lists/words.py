"""What a list is called, as words: which of them say what is on it, and in which form they may be met.

"List of Baptist churches in Iowa by city" is about churches, Baptist ones, in Iowa; "by city" is only its
order. Words are compared without case and with plural and singular as one.
"""

import re
from functools import lru_cache
from typing import NamedTuple

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

_WORDS = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_ORDER = re.compile(r"\b(?:by|sorted by|ordered by) [a-z][^()]*(?=\(|$)")
_PART = re.compile(r"\([A-Z]\)$|\b[A-Z0-9]\s?[–-]\s?[A-Z0-9]\)?$|[:,] [A-Z]$")
_ENDS_THE_HEAD = PREPOSITIONS | FURTHER_PREPOSITIONS | RELATIVES | {"since", "that", "based", "built"}
"""What is listed stands before these."""
_EMPTY = ARTICLES | CONJUNCTIONS | PRONOUNS | FINITE_BE | _ENDS_THE_HEAD - {"based", "built"}
_EMPTY |= {"be", "been", "have", "has", "had", "s"}


class ListName(NamedTuple):
    """The words of a list's name in their base form: all that say something, and those for what is listed."""

    words: tuple[str, ...]
    heads: tuple[str, ...]
    names: frozenset[str]
    """Words written with a capital: of them a derived form will do, such as Iceland for Icelandic."""


@lru_cache(4096)
def list_name(title: str, prefix: str = "List of") -> ListName | None:
    """The words of a list's name; None for a title that is no list's, or that of a part of one (A–C)."""
    if not title.startswith(prefix + " ") or _PART.search(title):
        return None
    name = _ORDER.sub("", title[len(prefix) :]).strip()
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
    return ListName(tuple(dict.fromkeys(map(base_form, significant))), tuple(map(base_form, heads)), names)


def words_of(text: str) -> list[str]:
    """The words of a text in their base form."""
    return [base_form(word) for word in _WORDS.findall(text)]
