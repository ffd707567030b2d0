"""The classes of a graph that a question names: "animated films", "cities", "people"."""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.english.verb_forms import verb_form
from rollcall.graph import Graph
from rollcall.systems.ask.words import Word, roots_of, span_mask
from rollcall.wording.class_nouns import class_noun

_LONGEST = 5
_BY_HEAD, _FEW = 0.5, 3
"""The quality of a class by the last word of its name alone, and how many such classes may be meant."""


class ClassMention(NamedTuple):
    """Words of a question that name a class."""

    first: int
    last: int
    """The place after its last word."""
    class_: int
    quality: float = 1.0
    """Less than one if the question has only the last word of its label: groups for musical groups."""

    @property
    def mask(self) -> int:
        return span_mask(self.first, self.last)


class ClassMentions:
    """Finds the classes of one graph in questions."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self._by_roots: dict[tuple[str, ...], list[int]] = {}
        for number, label in enumerate(index.class_labels):
            id_ = index.class_ids[number]
            noun = class_noun(label or id_, id_).one
            for roots in dict.fromkeys((roots_of(label or id_), roots_of(noun))):
                if roots:
                    self._by_roots.setdefault(roots, []).append(number)
        self._by_head: dict[str, set[int]] = {}
        for roots, numbers in self._by_roots.items():
            self._by_head.setdefault(roots[-1], set()).update(numbers)
        self.people = frozenset(self._by_roots.get(roots_of("person"), ()))

    def find(self, words: Sequence[Word]) -> list[ClassMention]:
        """The mentions, the longest first; a class inside a longer name of a class is not meant."""
        found: list[ClassMention] = []
        for length in range(min(_LONGEST, len(words)), 0, -1):
            for first in range(len(words) - length + 1):
                own = words[first : first + length]
                if (
                    own[0].is_empty
                    or own[-1].is_empty
                    or verb_form(own[-1].folded, "past", "participle", "gerund")
                ):
                    continue
                if any(one.mask & span_mask(first, first + length) for one in found):
                    continue
                roots = tuple(word.root for word in own if not word.is_empty)
                found += [ClassMention(first, first + length, one) for one in self._by_roots.get(roots, ())]
        taken = {place for one in found for place in range(one.first, one.last)}
        for place, word in enumerate(words):
            named = self._by_head.get(word.root, ())
            if place not in taken and not word.is_empty and 0 < len(named) <= _FEW:
                found += [ClassMention(place, place + 1, one, _BY_HEAD) for one in sorted(named)]
        return found
