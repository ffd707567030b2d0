"""Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all.

All sentences of a page are about its topic, so a part of its name is enough ("Honsaki died in 1994"). These
places are used only to mask the name, and to see whether it is before or after the other end.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

from rollcall.english.function_words import PRONOUNS
from rollcall.evidence.names.forms import BETWEEN, WORD, Form, clean, known_forms, word_forms, words
from rollcall.evidence.names.matcher import NameMatcher, Place

PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(PRONOUNS | {word.title() for word in PRONOUNS}))})\b")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near|from|around|outside) $")
_THE_NOUN = re.compile(r"[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    words("the of and for from with upon under over into near saint von van der den des del las los")
)


class TopicOnPage:
    """The names of a page's topic in its text, which is the text of the `NameMatcher`.

    `names` are all names including the label, joined by `forms.BETWEEN`; empty if there is only the label.
    """

    def __init__(self, label: str, names: str, text: str, starts: Sequence[int] = (0,)) -> None:
        self._label, self._names, self._text, self._starts = label, names, text, starts

    @cached_property
    def _full(self) -> list[Place]:
        """The places of full names."""
        return [(start, end) for start, end, _keys in self._matcher(known_forms(self._known)).find()]

    @cached_property
    def _parts(self) -> NameMatcher:
        """Finds the significant words of the label."""
        return self._matcher(_part_forms(self._label))

    @cached_property
    def _own(self) -> tuple[set[str], str]:
        return _own_names(self._label, self._known)

    @property
    def _known(self) -> str:
        return self._names or self._label

    def _matcher(self, sought: Iterable[Form]) -> NameMatcher:
        matcher = NameMatcher(self._text, self._starts)
        matcher.add(sought, 0)
        return matcher

    def owns(self, start: int, end: int) -> bool:
        """Whether the text here means the topic: its name, its family name, or a part of its name."""
        (own, family_name), name = self._own, self._text[start:end]
        if name in own or (name == family_name and not _is_in_place(self._text, start)):
            return True
        before = bisect_right(self._full, (start, len(self._text))) - 1
        return before >= 0 and end <= self._full[before][1]

    def places(self, start: int, end: int, links: Sequence[Place] = ()) -> list[Place]:
        """Where the sentence between two places names the topic; places of its links do not count."""
        first = bisect_left(self._full, (start, 0))
        found = self._full[first : bisect_left(self._full, (end, 0), first)]
        if not found:
            found = [mention[:2] for mention in self._parts.find(start, end)]
        if found and links:
            found = [one for one in found if not any(one[0] < to and at < one[1] for at, to in links)]
        if not found and (meant := PRONOUN.search(self._text, start, end)):
            found = [meant.span()]
        if not found and (meant := _THE_NOUN.match(self._text, start, end)):
            found = [meant.span()]
        return found


def _part_forms(label: str) -> list[Form]:
    """The forms of the significant words of a topic's label, each once."""
    parts = [word_forms(word) for word in WORD.findall(clean(label)) if _is_significant(word)]
    return list(dict.fromkeys(chain.from_iterable(parts)))


def _own_names(label: str, names: str) -> tuple[set[str], str]:
    """All names of the topic, and the family name among them, if its label has one."""
    cleaned = clean(label)
    label_words = cleaned.split()
    # For Bredd Tirynach, but not for the Battle of Tirynach, nor for Gloucester, Massachusetts.
    has_family_name = (
        len(label_words) > 1 and "," not in cleaned and all(word[0].isupper() for word in label_words)
    )
    return {cleaned, *map(clean, names.split(BETWEEN))}, label_words[-1] if has_family_name else ""


def _is_in_place(text: str, start: int) -> bool:
    """Whether the name here is that of a place: the Grand Hotel Ostrell is in Ostrell."""
    return _IN_A_PLACE.search(text[max(start - 6, 0) : start]) is not None


def _is_significant(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
