"""The normaliser that the published scorers share, with the two word boundaries they use.

It converts to lower case, deletes ASCII punctuation, replaces the words a, an and the by spaces, and
collapses white space. Scorers that use Python's `re` and those that use the `regex` library disagree on where
a word ends beside combining marks, superscripts and joiners; each profile names the one its scorer uses.
"""

import re
import string
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from typing import Literal

Boundary = Literal["re", "regex"]

_ARTICLES = r"\b(a|an|the)\b"
_ARTICLE_WORDS = frozenset(("a", "an", "the"))
_LINE = bytes(ord(" ") if chr(code) in "\t\v\f\r\x1c\x1d\x1e\x1f" else code for code in range(256)).lower()
_DELETED = string.punctuation.encode()
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1b\x7f]")


def normalise(text: str, boundary: Boundary = "re") -> str:
    """A string as the published scorers compare it.

    >>> normalise("The  Lighthouse, at the end!")
    'lighthouse at end'
    """
    bare = (
        text.lower().encode(errors="surrogatepass").translate(None, _DELETED).decode(errors="surrogatepass")
    )
    words = bare.split()
    if "".join(words).isalpha() or all(
        word.isalpha() or (word.isascii() and word.isalnum()) for word in words
    ):
        return " ".join([word for word in words if word not in _ARTICLE_WORDS])
    return " ".join(_blank_articles(boundary)(bare).split())


def normalise_all(names: Sequence[str], boundary: Boundary = "re") -> list[str]:
    """The same for many strings, the ASCII ones together."""
    lines = "\n".join(names)
    if lines.isascii():
        return _normalise_lines(lines, names, boundary)
    plain = [name for name in names if name.isascii()]
    known = iter(_normalise_lines("\n".join(plain), plain, boundary))
    return [next(known) if name.isascii() else normalise(name, boundary) for name in names]


def normalise_groups(groups: Sequence[Sequence[str]], boundary: Boundary = "re") -> list[set[str]]:
    """The normal forms of each group of strings, all groups at once."""
    forms = iter(normalise_all([name for group in groups for name in group], boundary))
    return [set(islice(forms, len(group))) for group in groups]


def _normalise_lines(lines: str, names: Sequence[str], boundary: Boundary) -> list[str]:
    """ASCII strings joined as lines; spaces are doubled, so that adjacent articles do not share one."""
    text = lines.encode().translate(_LINE, _DELETED)
    if text.count(b"\n") != len(names) - 1 or _CONTROL.search(text):
        return [normalise(name, boundary) for name in names]
    text = b"  " + text.replace(b" ", b"  ").replace(b"\n", b"  \n  ") + b"  "
    for article in (b" a ", b" an ", b" the "):
        text = text.replace(article, b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b" \n ", b"\n").replace(b"\n ", b"\n").decode().strip(" ").split("\n")


@cache
def _blank_articles(boundary: Boundary) -> Callable[[str], str]:
    if boundary == "re":
        stdlib = re.compile(_ARTICLES)
        return lambda text: stdlib.sub(" ", text)
    import regex

    third_party = regex.compile(_ARTICLES)
    return lambda text: str(third_party.sub(" ", text))
