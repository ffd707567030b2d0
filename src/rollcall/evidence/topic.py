"""Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all.

The topic of a page is understood in all its sentences, so that a part of its name is enough ("Honsaki died in
1994"); these places only serve to mask the name and to see on which side of the other one it stands.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from rollcall.evidence.matcher import NameMatcher
from rollcall.evidence.names import BETWEEN, WORD, clean, known_forms, words

_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Hh]im|[Tt]hem)\b")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near) $")
_THE_NOUN = re.compile(r"[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    words("the of and for from with upon under over into near saint von van der den des del las los")
)
Place = tuple[int, int]


class TopicOnPage:
    """The names of a page's topic in its text (see `NameMatcher`).

    `names` are all names, the label too, joined by `names.BETWEEN`; empty if there is only the label.
    """

    def __init__(self, label: str, names: str, text: str, starts: Sequence[int] = (0,)) -> None:
        self._text, self._starts = text, starts
        cleaned = clean(label)
        self._label_words = cleaned.split()
        self._own = {cleaned, *map(clean, names.split(BETWEEN))}
        self._family_name = ""
        # Of Bredd Tirynach, but not of the Battle of Tirynach, nor of Gloucester, Massachusetts.
        if (
            len(self._label_words) > 1
            and "," not in cleaned
            and all(word[0].isupper() for word in self._label_words)
        ):
            self._family_name = self._label_words[-1]
        self._full = [mention[:2] for mention in self._matcher(names or label).find()]
        self._full_starts = [start for start, _end in self._full]
        self._parts: NameMatcher | None = None

    def owns(self, start: int, end: int) -> bool:
        """Whether what stands here means the topic: its name, its family name, or what is inside its name."""
        name = self._text[start:end]
        if name in self._own or (name == self._family_name and not self._is_in_place(start)):
            return True
        before = bisect_right(self._full_starts, start) - 1
        return before >= 0 and end <= self._full[before][1]

    def _is_in_place(self, start: int) -> bool:
        """Whether the name here is a place's: the Grand Hotel Ostrell stands in Ostrell."""
        return _IN_A_PLACE.search(self._text[max(start - 6, 0) : start]) is not None

    def places(self, start: int, end: int, links: Sequence[tuple[int, int, str | None]] = ()) -> list[Place]:
        """Where the sentence between two places names the topic; its links to other things do not."""
        first = bisect_left(self._full_starts, start)
        found = self._full[first : bisect_left(self._full_starts, end, first)]
        if not found:
            if self._parts is None:
                parts = {word for word in WORD.findall(" ".join(self._label_words)) if _tells(word)}
                self._parts = self._matcher(BETWEEN.join(sorted(parts)))
            found = [mention[:2] for mention in self._parts.find(start, end)]
        for link_start, link_end, _entity in links if found else ():
            found = [place for place in found if link_end <= place[0] or place[1] <= link_start]
        if not found and (pronoun := _PRONOUN.search(self._text, start, end)):
            found = [pronoun.span()]
        if not found and (noun := _THE_NOUN.match(self._text, start, end)):
            found = [noun.span()]
        return found

    def _matcher(self, names: str) -> NameMatcher:
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(known_forms(names), 0)
        return matcher


def _tells(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
