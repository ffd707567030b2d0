"""Where a sentence names its page's topic: by a full name, by a part of it, by a pronoun, or not at all.

The topic of a page is understood in all its sentences, so that a part of its name is enough ("Honsaki died in
1994"); these places only serve to mask the name and to see on which side of the other one it stands.
"""

import re
from collections.abc import Iterable, Sequence

from rollcall.evidence.matcher import Mention, NameMatcher
from rollcall.evidence.names import WORD, clean, known_forms, words

_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Hh]im|[Tt]hem)\b")
_THE_NOUN = re.compile(r"\b[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    words("the of and for from with upon under over into near saint von van der den des del las los")
)


class TopicNames:
    """The names of a page's topic."""

    def __init__(self, entity: str, label: str, names: Iterable[str]) -> None:
        self.entity, self.label = entity, label
        every = [label, *names]
        self._full = {clean(name) for name in every}
        self._names, self._parts = NameMatcher(), NameMatcher()
        self._last: tuple[str, list[Mention]] = ("", [])
        self._names.add(known_forms((label, *names)), 0)
        self._names.close()
        parts = {word for word in WORD.findall(clean(label)) if _tells(word)}
        label_words = clean(label).split()
        # Of Bredd Tirynach, but not of the Battle of Tirynach.
        self._family = (
            label_words[-1] if len(label_words) > 1 and all(w[0].isupper() for w in label_words) else ""
        )
        self._parts.add(known_forms(tuple(sorted(parts))), 0)
        self._parts.close()

    def owns(self, text: str, start: int, end: int) -> bool:
        """Whether what stands here means the topic: its name, its family name, or what is inside its name."""
        name = text[start:end]
        if name in self._full or name == self._family:
            return True
        return any(found.start <= start and end <= found.end for found in self._find(text))

    def _find(self, text: str) -> list[Mention]:
        """Its full names in a sentence; the last sentence is remembered, being asked about again."""
        if self._last[0] != text:
            self._last = (text, self._names.find(text))
        return self._last[1]

    def places(self, text: str, links: Sequence[tuple[int, int, str | None]]) -> tuple[tuple[int, int], ...]:
        """Where a sentence (marks made plain) names the topic; its links to other things do not."""
        found = [(mention.start, mention.end) for mention in self._find(text)]
        found = found or [(mention.start, mention.end) for mention in self._parts.find(text)]
        found = [
            place
            for place in found
            if not any(start < place[1] and place[0] < end for start, end, _ in links)
        ]
        if not found and (pronoun := _PRONOUN.search(text)):
            found = [pronoun.span()]
        if not found and (noun := _THE_NOUN.match(text)):
            found = [noun.span()]
        return tuple(found)


def _tells(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
