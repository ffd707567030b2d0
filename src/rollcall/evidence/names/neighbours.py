"""What the text around a name says about it: whether it continues, opens a sentence, or is part of another.

These are the rules of `NameMatcher`, which applies them only if simple tests do not decide.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from rollcall.english.demonyms import demonyms
from rollcall.english.function_words import ARTICLES, CONJUNCTIONS, PREPOSITIONS, PRONOUNS
from rollcall.english.word_lists import word_list
from rollcall.evidence.names.forms import WORD

_LANGUAGE = re.compile(r" ?[- ](?:language|speaking)\b")
_NUMBER = re.compile(
    r" \d{1,3}(?!\w|[.,]\d|[%°-]| (?:million|billion|k?m|mi|ft|miles|kilomet|met|years|people)\b)"
)
_GLOSS = re.compile(r"\(|; $")
JOINING = frozenset(" -")
_ADJECTIVES = frozenset(one for words in demonyms().values() for one in words) | word_list("faith_adjectives")
"""Adjectives of lands and faiths; one may qualify what follows, so that a capital behind it says nothing."""
_ORIGIN = ("-born", "-based", "-raised")
_QUALIFIERS = word_list("capitalised_qualifiers")
"""Words with a capital that qualify a noun, and make no name with the adjective before them."""
_PARTS_OF_PLACES = word_list("parts_of_places")
_ARTICLE = re.compile(r"\b[Aa]n? (?:[a-z-]+ )?$")
_FREE = frozenset(
    word.title() for word in (ARTICLES - {"a", "an"}) | PREPOSITIONS | (CONJUNCTIONS - {"or"}) | PRONOUNS
) | {"I"}


class Neighbours:
    """A plain text of sentences that begin at `starts`; it ends with `END`, twice."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text, self._starts = text, starts

    def capital_before(self, start: int) -> bool:
        """Whether the word directly before a place has a capital, even in another sentence."""
        return self._text[self._text.rfind(" ", 0, start - 1) + 1].isupper()

    def opens(self, start: int) -> bool:
        """Whether only punctuation is before a place in its sentence."""
        before = self._text[self._sentence_start(start) : start]
        return not any(map(str.isalnum, before))

    def _sentence_start(self, place: int) -> int:
        return self._starts[bisect_right(self._starts, place) - 1]

    def is_part_of_name(self, start: int, end: int, single: bool) -> bool:
        """Whether capitalised neighbours show that this is only a part of a longer name.

        This is so if a capitalised word follows directly, or a number that is not a year ("Nintendo 64"); for
        one-word names also if a capitalised word is directly before that does not merely open the sentence.
        Names in lower case (common nouns) are not parts of a name, nor are names of languages in "an Indian
        Tamil-language channel", nor adjectives of lands before another, behind a hyphen or before initials:
        "a French Breton poet", "a Polish-American judge", "a Danish DJ". Nor is a name before what qualifies
        a noun ("a Danish Olympic sailor", "a Texas Republican politician"), one behind a possessive
        ("Ostrell's Marl"), or a place whose part is named ("in Northern Marl"). A word that only says the
        language of the next word ("(Bulgarian: …)") names nothing.
        """
        text, behind = self._text, self._text[end : end + 1]
        if behind == ":" and _GLOSS.search(text, max(start - 2, 0), start):
            return True
        if behind == " " and _NUMBER.match(text, end):
            return True
        if behind in JOINING and text[end + 1 : end + 2].isupper():
            following = WORD.match(text, end + 1)
            if following is not None and self._goes_on(start, text[start:end], behind, following):
                return True
        if not single or text[start - 1 : start] not in JOINING or _LANGUAGE.match(text, end):
            return False
        opening = self._sentence_start(start)
        begin = text.rfind(" ", opening, start - 1) + 1
        if begin <= opening:  # the first word of the sentence, or nothing
            return False
        before = text[begin : start - 1]
        is_joined = text[start - 1] == "-" and before in _ADJECTIVES
        name = text[start:end]
        if name in _ADJECTIVES and (is_joined or before.endswith(_ORIGIN)):
            return False
        if before.endswith("'s") or (before in _PARTS_OF_PLACES and f"{before} {name}" not in demonyms()):
            return False
        if name in _QUALIFIERS and self._is_described(begin):
            return False
        return before[:1].isupper() and before[-1].isalnum() and before not in _FREE

    def _goes_on(self, start: int, name: str, behind: str, following: re.Match[str]) -> bool:
        """Whether a capitalised word behind a name belongs to it."""
        word = following[0]
        if word in _QUALIFIERS and behind == " " and self._is_described(start):
            return False
        if name in _ADJECTIVES and (word in _ADJECTIVES or (word.isupper() and len(word) > 1)):
            return False
        return behind == "-" or (word != "I" and not _LANGUAGE.match(self._text, following.end()))

    def _is_described(self, start: int) -> bool:
        """Whether the phrase that begins here follows `a` or `an`, so that it describes and is no name."""
        return _ARTICLE.search(self._text, max(start - 24, 0), start) is not None


def is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def continues(name: str, behind: str) -> bool:
    """Whether the character after a name belongs to its last word."""
    if behind > "\u02ff" and unicodedata.category(behind).startswith("M"):  # vowels of Indic scripts, too
        return True
    return is_word(behind) and is_word(name[-1])
