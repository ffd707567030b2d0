"""Passages: consecutive whole sentences of one page, the unit that is retrieved.

By default, sentences are packed up to a number of words and nothing is dropped: a longer sentence is a
passage by itself. The `qampari` mode reproduces the published chunker, including what it drops.
"""

import re
from collections.abc import Sequence

import msgspec

from rollcall._core.errors import RollcallError

_TOKEN = re.compile(
    r"\.\.+|--+|[^\W_]+(?=n't\b)|n't\b|'(?:s|m|d|ll|re|ve)\b|[$#&@%]|[\[\](){}<>?!;\"“”«»‘’„]"
    r"|(?:[^\s,:;?!\"'“”«»‘’„()\[\]{}<>$#&@%]|[,:](?=\d)|'(?!\s|\Z|(?:s|m|d|ll|re|ve)?\b(?!\w)))+?"
    r"(?=\.\.|--|'(?:\s|\Z)|n't\b|'(?:s|m|d|ll|re|ve)\b|\.?['\"”’)\]]{0,20}\Z|[\s;?!\"“”«»‘’„()\[\]{}<>$#&@%]|[,:](?!\d)|\Z)"
    r"|\S",
)
"""Words and punctuation, split approximately as in the Penn Treebank; the published chunker counts these.

Lookahead is bounded: otherwise a page that consists of apostrophes would take quadratic time."""
_BUDGETS = range(80, 140, 5)
_WANTED = 120

Range = tuple[int, int]


class Chunking(msgspec.Struct, frozen=True):
    """How passages are cut: `words` to pack up to a number of words, or `qampari` as published."""

    mode: str = "words"
    words: int = 100

    def check(self) -> None:
        if self.mode not in ("words", "qampari"):
            raise RollcallError(f"{self.mode!r} is not a way to cut passages; use words or qampari")
        if self.words < 1:
            raise RollcallError(f"--words {self.words}: a passage needs room for at least one word")

    def count(self, sentence: str) -> int:
        """The length of a sentence as this mode counts it."""
        return len(sentence.split()) if self.mode == "words" else len(_TOKEN.findall(sentence))

    def cut(self, lengths: Sequence[int]) -> list[Range]:
        """Passages as ranges of sentences: first, and last plus one."""
        return pack(lengths, self.words) if self.mode == "words" else qampari(lengths)


def pack(lengths: Sequence[int], most: int) -> list[Range]:
    """Join sentences while they fit; a sentence that is too long is a passage by itself."""
    ranges: list[Range] = []
    start = total = 0
    for number, length in enumerate(lengths):
        if number > start and total + length > most:
            ranges.append((start, number))
            start, total = number, 0
        total += length
    if start < len(lengths):
        ranges.append((start, len(lengths)))
    return ranges


def qampari(lengths: Sequence[int]) -> list[Range]:
    """The published boundaries: of all budgets, the one whose smallest passage is closest to 120 tokens.

    At a sentence over the budget the page ends, and the rest is dropped. If it is the first sentence, the
    whole page is one passage.
    """
    best: list[Range] = []
    distance = None
    for budget in _BUDGETS:
        ranges = _packed_until_too_long(lengths, budget)
        smallest = min((sum(lengths[first:end]) for first, end in ranges), default=0)
        if distance is None or abs(smallest - _WANTED) < distance:
            best, distance = ranges, abs(smallest - _WANTED)
    return best


def _packed_until_too_long(lengths: Sequence[int], budget: int) -> list[Range]:
    ranges: list[Range] = []
    start = total = 0
    for number, length in enumerate(lengths):
        if length > budget:
            if number == 0:
                return [(0, len(lengths))]
            return [*ranges, (start, number)] if number > start else ranges
        if total + length > budget:
            ranges.append((start, number))
            start, total = number, 0
        total += length
    return [*ranges, (start, len(lengths))] if start < len(lengths) else ranges
