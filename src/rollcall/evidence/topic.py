"""Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all.

The topic of a page is understood in all its sentences, so that a part of its name is enough ("Honsaki died in
1994"); these places only serve to mask the name and to see on which side of the other one it stands.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

from rollcall.evidence.matcher import NameMatcher
from rollcall.evidence.names import BETWEEN, WORD, Form, clean, known_forms, word_forms, words

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
        self._label, self._names, self._text, self._starts = label, names, text, starts

    @cached_property
    def _full(self) -> list[Place]:
        """Where a full name stands."""
        matcher = self._matcher(known_forms(self._names or self._label))
        return [(start, end) for start, end, _keys in matcher.find()]

    @cached_property
    def _parts(self) -> NameMatcher:
        """Finds the telling words of the label."""
        parts = [word_forms(word) for word in WORD.findall(clean(self._label)) if _tells(word)]
        return self._matcher(chain.from_iterable(parts))

    @cached_property
    def _own(self) -> tuple[set[str], str]:
        return _own_names(self._label, self._names)

    def owns(self, start: int, end: int) -> bool:
        """Whether what stands here means the topic: its name, its family name, or what is inside its name."""
        (own, family_name), name = self._own, self._text[start:end]
        if name in own or (name == family_name and not self._is_in_place(start)):
            return True
        before = bisect_right(self._full, (start, len(self._text))) - 1
        return before >= 0 and end <= self._full[before][1]

    def _is_in_place(self, start: int) -> bool:
        """Whether the name here is a place's: the Grand Hotel Ostrell stands in Ostrell."""
        return _IN_A_PLACE.search(self._text[max(start - 6, 0) : start]) is not None

    def places(self, start: int, end: int, links: Sequence[tuple[int, int, str | None]] = ()) -> list[Place]:
        """Where the sentence between two places names the topic; its links to other things do not."""
        first = bisect_left(self._full, (start, 0))
        found = self._full[first : bisect_left(self._full, (end, 0), first)]
        if not found:
            found = [mention[:2] for mention in self._parts.find(start, end)]
        if found and links:
            found = _unlinked(found, links)
        if not found and (pronoun := _PRONOUN.search(self._text, start, end)):
            found = [pronoun.span()]
        if not found and (noun := _THE_NOUN.match(self._text, start, end)):
            found = [noun.span()]
        return found

    def _matcher(self, sought: Iterable[Form]) -> NameMatcher:
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(sought, 0)
        return matcher


def _own_names(label: str, names: str) -> tuple[set[str], str]:
    """All names of the topic, and the family name among them, if its label has one."""
    cleaned = clean(label)
    label_words = cleaned.split()
    # Of Bredd Tirynach, but not of the Battle of Tirynach, nor of Gloucester, Massachusetts.
    has_family_name = (
        len(label_words) > 1 and "," not in cleaned and all(word[0].isupper() for word in label_words)
    )
    return {cleaned, *map(clean, names.split(BETWEEN))}, label_words[-1] if has_family_name else ""


def _unlinked(places: list[Place], links: Sequence[tuple[int, int, str | None]]) -> list[Place]:
    for start, end, _entity in links:
        for place in places:
            if start < place[1] and place[0] < end:  # seldom
                places = [other for other in places if end <= other[0] or other[1] <= start]
                break
    return places


def _tells(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
