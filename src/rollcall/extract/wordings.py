"""Compares names with text: what is a name at all, and whether a text has it as whole words, in any case."""

import re
from collections.abc import Iterable

from rollcall.english.folding import fold
from rollcall.english.function_words import COMMON
from rollcall.evidence.names.forms import plain

_ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_OUTER = " \t\n\"'“”„‘’`()[]{},;:*"


def tidy(name: str) -> str:
    """A name without marks and blanks around it, an article in small letters, and a possessive ending."""
    core = " ".join(name.split()).strip(_OUTER)
    core = re.sub(r"^(?:the|a|an) (?=\S)", "", core)
    return re.sub(r"(?<=\w)['’]s$", "", core)


def key_of(name: str) -> str:
    """What two names share if they are the same but for case, marks and a leading article."""
    folded = fold(plain(tidy(name)))
    return _ARTICLE.sub("", folded, count=1) if len(folded.split()) > 1 else folded


def is_name(name: str) -> bool:
    """Whether a text is a name, and not a pronoun or a common word alone."""
    words = name.split()
    return (
        bool(words)
        and len(name) <= 200
        and any(sign.isalnum() for sign in name)
        and not all(word.casefold().strip(".,'’") in COMMON for word in words)
    )


def is_proper(name: str) -> bool:
    """Whether a name is written as one, with a capital or a digit."""
    return any(sign.isupper() or sign.isdigit() for sign in _ARTICLE.sub("", name, count=1))


class FoldedText:
    """A text in which names are looked up."""

    def __init__(self, text: str) -> None:
        self._text = fold(plain(text))

    def has(self, name: str) -> bool:
        """Whether the text has the name as whole words."""
        key = key_of(name)
        if not key:
            return False
        start = self._text.find(key)
        while start >= 0:
            end = start + len(key)
            if not self._text[start - 1 : start].isalnum() and not self._text[end : end + 1].isalnum():
                return True
            start = self._text.find(key, start + 1)
        return False

    def has_any(self, names: Iterable[str]) -> bool:
        return any(map(self.has, names))
