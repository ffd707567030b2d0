"""Finds the names of a graph's entities in any text, without a dictionary in memory.

From each word on, words are added as long as some name of the graph begins with them; the longest complete
name counts. The graph's names are memory-mapped and sorted, so each step is a bisection. Results are cached.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.folding import fold
from rollcall.english.function_words import COMMON
from rollcall.graph.graph import Graph

_WORD = re.compile(r"\w+|[^\w\s]")
_LONGEST = 24


class Mention(NamedTuple):
    """A name in a text: its place, and the numbers of the entities it may mean."""

    start: int
    end: int
    text: str
    entities: tuple[int, ...]


class NameFinder:
    """Finds the names of one graph."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self._named = lru_cache(maxsize=1 << 17)(lambda name: tuple(int(one) for one in index.named(name)))
        self._begins = lru_cache(maxsize=1 << 18)(index.has_name_beginning)

    def mentions(self, text: str) -> list[Mention]:
        """The names in a text from left to right; none is inside another."""
        words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        folded = _folded_in_place(text)
        found: list[Mention] = []
        place = 0
        while place < len(words):
            mention, used = self._longest(text, folded, words, place)
            if mention is not None:
                found.append(mention)
            place += used
        return found

    def entities(self, name: str) -> tuple[int, ...]:
        """The numbers of all entities with a name."""
        return self._named(fold(name))

    def _longest(
        self, text: str, whole: str | None, words: list[tuple[int, int]], place: int
    ) -> tuple[Mention | None, int]:
        """The longest name that begins at a word, and the number of words to move on."""
        start = words[place][0]
        longest, used = None, 1
        for last in range(place, min(place + _LONGEST, len(words))):
            end = words[last][1]
            folded = whole[start:end] if whole is not None else fold(text[start:end])
            if not self._begins(folded):
                break
            if folded not in COMMON and (entities := self._named(folded)):
                longest, used = Mention(start, end, text[start:end], entities), last - place + 1
        return longest, used


def _folded_in_place(text: str) -> str | None:
    """The folded text, if every part of it lies where the part lies in the text; most texts are such."""
    folded = fold(text)
    same = len(folded) == len(text) == len(text.casefold()) and unicodedata.is_normalized("NFC", text)
    return folded if same else None
