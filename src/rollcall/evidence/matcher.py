"""Finds all names of one page's facts in a sentence at once: whole words, the longest name first.

Forms are kept by their first word, so that a sentence costs one look-up a word however many names there are.
What is found never lies inside a longer name that is known, nor in a run of capitalised words that says the
name is only a part of another one ("York" in "New York", "Paris" in "Paris Saint-Germain").
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from rollcall.evidence.names import WORD, Form, words

_OPENING = re.compile(r"[\W_]*")


class Mention(NamedTuple):
    """A name found in a sentence: its place, and the keys it was added under."""

    start: int
    end: int
    keys: tuple[int, ...]


class NameMatcher:
    """Names under integer keys; several keys may share a name."""

    def __init__(self, vocabulary: frozenset[str] | None = None) -> None:
        """With a vocabulary (the words of the page), names that begin with no word of it are passed over."""
        self._vocabulary = vocabulary
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._by_word: dict[str, list[tuple[str, int]]] = {}

    def add(self, forms: Iterable[Form], key: int) -> None:
        """Look for these forms, and report them under a key."""
        vocabulary = self._vocabulary
        for form in forms:
            if vocabulary is not None and form.word not in vocabulary:
                continue
            keys = (self._opening if form.opening else self._keys).setdefault(form.text, [])
            if key not in keys[-1:]:
                keys.append(key)
            if len(keys) == 1 and not (form.text in self._keys and form.text in self._opening):
                self._by_word.setdefault(form.word, []).append((form.text, form.text.index(form.word)))

    def close(self) -> None:
        """Put the longest names first; to be called once, after the last name was added."""
        for texts in self._by_word.values():
            texts.sort(key=lambda item: (-len(item[0]), item[0]))

    def find(self, text: str) -> list[Mention]:
        """All mentions in a text that `names.plain` has gone over, from left to right, none overlapping."""
        found: list[Mention] = []
        if self._by_word.keys().isdisjoint(WORD.findall(text)):
            return found
        done, by_word, opening = 0, self._by_word, -1
        for word in WORD.finditer(text):
            candidates = by_word.get(word[0])
            if candidates is None or word.start() < done:
                continue
            for form, offset in candidates:
                start = word.start() - offset
                if start < done or not text.startswith(form, start) or not _stands_alone(text, start, form):
                    continue
                keys = self._keys.get(form, ())
                if form in self._opening:
                    if opening < 0:
                        opening = _OPENING.match(text).end()  # type: ignore[union-attr]
                    if start <= opening:
                        keys = (*keys, *self._opening[form])
                if keys and not is_part_of_name(text, start, start + len(form)):
                    found.append(Mention(start, start + len(form), tuple(keys)))
                    done = start + len(form)
                    break
        return found


def _stands_alone(text: str, start: int, form: str) -> bool:
    """Whether a form is made of whole words here."""
    end = start + len(form)
    if start > 0 and _is_word(text[start - 1]) and _is_word(form[0]):
        return False
    return end >= len(text) or not (
        (_is_word(text[end]) and _is_word(form[-1]))
        or (text[end] > "\u02ff" and unicodedata.combining(text[end]))
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether capitalised neighbours say that this is only a part of a longer name.

    A capitalised word right behind does, and for one-word names also one right before that does not merely
    open the sentence. Names of small letters (common nouns) are parts of nothing.
    """
    if not text[start].isupper() and not text[start].isdigit():
        return False
    if end + 1 < len(text) and text[end] in " -" and text[end + 1].isupper():
        following = WORD.match(text, end + 1)
        if following is not None and (text[end] == "-" or following[0] != "I"):
            return True
    if " " in text[start:end] or start < 2 or text[start - 1] not in " -":
        return False
    before = text[: start - 1].rpartition(" ")[2]
    opens = len(before) == start - 1
    return bool(before) and before[0].isupper() and before[-1].isalnum() and not opens and before not in _FREE


_FREE = frozenset(words("I He She It They His Her Its Their The In On At By Of From To And But As For With"))
