"""What the neighbours of a name say about it: whether it goes on, opens a sentence, or is part of another.

These are the rules of `NameMatcher` and `BlockNames`; both ask for them only where simple signs say that the
answer is in doubt.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from rollcall.english.function_words import ARTICLES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS
from rollcall.evidence.names.forms import WORD

_LANGUAGE = re.compile(r"[- ](?:language|speaking)\b")
_NUMBER = re.compile(
    r" \d{1,3}(?!\w|[.,]\d|[%°-]| (?:million|billion|k?m|mi|ft|miles|kilomet|met|years|people)\b)"
)
_GLOSS = re.compile(r"\(|; $")
JOINING = frozenset(" -")
_FREE = frozenset(
    word.title() for word in (ARTICLES - {"a", "an"}) | PREPOSITIONS | (CONJUNCTIONS - {"or"}) | PRONOUNS
) | {"I"}


class Neighbours:
    """A text made plain, of sentences that begin at `starts`; behind it stands `END`, twice."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text, self._starts = text, starts

    def capital_before(self, start: int) -> bool:
        """Whether the word right before a place has a capital, in whatever sentence it stands."""
        return self._text[self._text.rfind(" ", 0, start - 1) + 1].isupper()

    def opens(self, start: int) -> bool:
        """Whether nothing but marks stands before a place in its sentence."""
        before = self._text[self._sentence_start(start) : start]
        return not any(map(str.isalnum, before))

    def _sentence_start(self, place: int) -> int:
        return self._starts[bisect_right(self._starts, place) - 1]

    def is_part_of_name(self, start: int, end: int, single: bool) -> bool:
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
        if behind in JOINING and text[end + 1 : end + 2].isupper():
            following = WORD.match(text, end + 1)
            if following is not None and (
                behind == "-" or (following[0] != "I" and not _LANGUAGE.match(text, following.end()))
            ):
                return True
        if not single or text[start - 1 : start] not in JOINING or _LANGUAGE.match(text, end):
            return False
        opening = self._sentence_start(start)
        begin = text.rfind(" ", opening, start - 1) + 1
        if begin <= opening:  # the first word of the sentence, or nothing
            return False
        before = text[begin : start - 1]
        return before[:1].isupper() and before[-1].isalnum() and before not in _FREE


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def continues(name: str, behind: str) -> bool:
    """Whether the character behind a name belongs to its last word."""
    if behind > "\u02ff" and unicodedata.combining(behind):
        return True
    return is_word(behind) and is_word(name[-1])
