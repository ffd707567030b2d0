"""The normaliser the published scorers share, as they have it, with the two word boundaries they use.

Lower case, ASCII punctuation deleted, the words a, an and the blanked out, white space squeezed. Scorers
built on Python's `re` and on the `regex` library disagree on where a word ends beside combining marks,
superscripts and joiners; a profile names the one its scorer uses.
"""

import re
import string
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

Boundary = Literal["re", "regex"]

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = r"\b(a|an|the)\b"
_ARTICLE_WORDS = frozenset(("a", "an", "the"))


def normalise(text: str, boundary: Boundary = "re") -> str:
    """A string as the published scorers compare it.

    >>> normalise("The  Lighthouse, at the end!")
    'lighthouse at end'
    """
    return _normalise_re(text) if boundary == "re" else _normalise_regex(text)


@lru_cache(maxsize=1 << 17)
def _normalise_re(text: str) -> str:
    return _normalise(text, "re")


@lru_cache(maxsize=1 << 17)
def _normalise_regex(text: str) -> str:
    return _normalise(text, "regex")


def _normalise(text: str, boundary: Boundary) -> str:
    bare = text.lower().translate(_PUNCTUATION)
    if bare.isascii() and bare.isprintable():  # only letters, digits and spaces are left
        return " ".join([word for word in bare.split() if word not in _ARTICLE_WORDS])
    return " ".join(_blank_articles(boundary)(bare).split())


@cache
def _blank_articles(boundary: Boundary) -> Callable[[str], str]:
    if boundary == "re":
        stdlib = re.compile(_ARTICLES)
        return lambda text: stdlib.sub(" ", text)
    import regex

    third_party = regex.compile(_ARTICLES)
    return lambda text: str(third_party.sub(" ", text))
