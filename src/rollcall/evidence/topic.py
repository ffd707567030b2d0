"""Where a sentence names its page's topic: by a full name, by a part of it, by a pronoun, or not at all.

The topic of a page is understood in all its sentences, so that a part of its name is enough ("Honsaki died in
1994"); these places only serve to mask the name and to see on which side of the other one it stands.
"""

import re
from collections.abc import Iterable, Sequence

from rollcall.evidence.matcher import NameMatcher
from rollcall.evidence.names import WORD, clean, forms, words

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
        self._names.add(forms(every), 0)
        self._names.close()
        parts = {word for word in WORD.findall(clean(label)) if _tells(word)}
        words = clean(label).split()
        # Of Bredd Tirynach, but not of the Battle of Tirynach.
        self._family = words[-1] if len(words) > 1 and all(word[0].isupper() for word in words) else ""
        self._parts.add(forms(sorted(parts)), 0)
        self._parts.close()

    def owns(self, text: str, start: int, end: int) -> bool:
        """Whether what stands here means the topic: its name, its family name, or what is inside its name."""
        name = text[start:end]
        if name in self._full or name == self._family:
            return True
        return any(found.start <= start and end <= found.end for found in self._names.find(text))

    def places(self, text: str, links: Sequence[tuple[int, int, str | None]]) -> tuple[tuple[int, int], ...]:
        """Where a sentence (marks made plain) names the topic; its links to other things do not."""
        found = [(mention.start, mention.end) for mention in self._names.find(text)]
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
