"""Finds all names of one page's facts in its text at once: whole words, the longest name first.

A name that a page does not contain costs one search for a substring, which is fast, or, where very many names
are wanted, one look-up of its first word. What is found never lies inside a longer name that is known, nor in
a run of capitalised words that says the name is only a part of another one ("York" in "New York", "Paris" in
"Paris Saint-Germain").
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from rollcall.evidence.names import END, WORD, Form, words

MANY_NAMES = 60
_ONE_SENTENCE = (0,)
_LANGUAGE = re.compile(r"[- ](?:language|speaking)\b")
_NUMBER = re.compile(
    r" \d{1,3}(?!\w|[.,]\d|[%°-]| (?:million|billion|k?m|mi|ft|miles|kilomet|met|years|people)\b)"
)
_GLOSS = re.compile(r"\(|; $")
_JOINING = frozenset(" -")
_BEHIND = frozenset(" .,;:'-)" + END)
"""What most often stands behind a name."""
Mention = tuple[int, int, Sequence[int]]
"""A name found in a text: its start, its end, and the keys it was added under."""


class NameMatcher:
    """The names that one text is searched for, under integer keys; several keys may share a name.

    The text has gone through `names.plain`. It may be many sentences that begin at `starts`, each behind a
    character that is part of no name.
    """

    def __init__(self, text: str, starts: Sequence[int] = _ONE_SENTENCE, many: bool = False) -> None:
        # Behind the last place, and by Python's counting also before the first one, stands no word.
        self._text, self._starts = text + END + END, starts
        self._vocabulary = frozenset(WORD.findall(text)) if many else None
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._offsets: dict[str, int] = {}

    def add(self, forms: Iterable[Form], key: int) -> None:
        """Look for these forms, and report them under a key."""
        self.add_all((key,), {key: forms})

    def add_all(
        self, keys: Iterable[int], forms: Mapping[int, Iterable[Form]] | Sequence[Iterable[Form]]
    ) -> None:
        """Look for the forms of all these keys."""
        text, vocabulary = self._text, self._vocabulary
        if vocabulary is None:
            known = [(key, form) for key in keys for form in forms[key] if form[0] in text]
        else:
            known = [
                (key, form)
                for key in keys
                for form in forms[key]
                if form.word in vocabulary and form[0] in text
            ]
        for key, (name, opening, _word, offset) in known:
            table = self._opening if opening else self._keys
            if name not in table:
                table[name] = [key]
                self._offsets[name] = offset
            elif table[name][-1] != key:
                table[name].append(key)

    def find(self, start: int = 0, end: int | None = None) -> list[Mention]:
        """All mentions, or those between two places, from left to right, none overlapping."""
        found: list[Mention] = []
        done, keys_of, opening = 0, self._keys, self._opening
        for word, _length, name, place in self._occurrences(start, len(self._text) if end is None else end):
            if word < done or place < done:
                continue
            keys = keys_of.get(name)
            if opening and name in opening and self._opens(place):
                keys = [*(keys or ()), *opening[name]]
            if keys:
                done = place + len(name)
                found.append((place, done, keys))
        return found

    def _occurrences(self, first: int, last: int) -> list[tuple[int, int, str, int]]:
        """Where names stand as whole words and as no part of a longer name.

        They come by the places of their first words, the longest first.
        """
        text = self._text
        find = text.find
        places = []
        for name, offset in self._offsets.items():
            start = find(name, first, last)
            length, single = len(name), " " not in name
            capital = name[0].isupper() or name[0].isdigit()
            while start >= 0:
                before, behind = text[start - 1], text[start + length]
                if (before in _JOINING or offset or not _is_word(before)) and (
                    behind in _BEHIND or not _continues(name, behind)
                ):
                    # Most names have no neighbour that could make them a part of a longer one.
                    asked = capital and (
                        (behind in _JOINING and text[start + length + 1].isupper())
                        or (behind == " " and text[start + length + 1].isdigit())
                        or (
                            single and (behind == ":" or (before in _JOINING and self._capital_before(start)))
                        )
                    )
                    if not asked or not self._is_part_of_name(start, start + length, single):
                        places.append((start + offset, -length, name, start))
                start = find(name, start + 1, last)
        if len(places) > 1:
            places.sort()
        return places

    def _capital_before(self, start: int) -> bool:
        """Whether the word right before a place has a capital, in whatever sentence it stands."""
        return self._text[self._text.rfind(" ", 0, start - 1) + 1].isupper()

    def _sentence_start(self, place: int) -> int:
        return self._starts[bisect_right(self._starts, place) - 1]

    def _opens(self, start: int) -> bool:
        """Whether nothing but marks stands before a place in its sentence."""
        before = self._text[self._sentence_start(start) : start]
        return not any(map(str.isalnum, before))

    def _is_part_of_name(self, start: int, end: int, single: bool) -> bool:
        """Whether capitalised neighbours say that this is only a part of a longer name.

        A capitalised word right behind does, or a number that is no year ("Nintendo 64"), and for one-word
        names also a capitalised word right before that does not merely open the sentence. Names of small
        letters (common nouns) are parts of nothing, nor are those of languages in "an Indian Tamil-language
        channel". What only says of which language the next word is ("(Bulgarian: …)") names nothing.
        """
        text, behind = self._text, self._text[end : end + 1]
        if behind == ":" and _GLOSS.search(text, max(start - 2, 0), start):
            return True
        if behind == " " and _NUMBER.match(text, end):
            return True
        if behind in _JOINING and text[end + 1 : end + 2].isupper():
            following = WORD.match(text, end + 1)
            if following is not None and (
                behind == "-" or (following[0] != "I" and not _LANGUAGE.match(text, following.end()))
            ):
                return True
        if not single or text[start - 1 : start] not in _JOINING or _LANGUAGE.match(text, end):
            return False
        opening = self._sentence_start(start)
        begin = text.rfind(" ", opening, start - 1) + 1
        if begin <= opening:  # the first word of the sentence, or nothing
            return False
        before = text[begin : start - 1]
        return before[:1].isupper() and before[-1].isalnum() and before not in _FREE


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _continues(name: str, behind: str) -> bool:
    """Whether the character behind a name belongs to its last word."""
    if behind > "\u02ff" and unicodedata.combining(behind):
        return True
    return _is_word(behind) and _is_word(name[-1])


_FREE = frozenset(words("I He She It They His Her Its Their The In On At By Of From To And But As For With"))
