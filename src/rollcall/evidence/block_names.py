"""Finds the names that are wanted of many pages in all their texts at once: what `NameMatcher` does, by arrays.

Names and words meet by the hash of a name's first word and the page; the hash of the whole name then tells
where it stands. Only where neighbours leave a doubt are the rules of `Neighbours` asked, one place at a time.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.evidence.characters import COMBINING, DIGIT, UPPER, WORD, Characters
from rollcall.evidence.names import END, Form
from rollcall.evidence.neighbours import Neighbours

_MOST_PAIRS = 1 << 20
_SPREAD, _PAGE = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xC2B2AE3D27D4EB4F)
_TABLE = np.uint64(18)
_BLANK, _HYPHEN, _COLON = ord(" "), ord("-"), ord(":")


class Found(NamedTuple):
    """Names found: which of those sought, and where; by groups and places."""

    sought: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


class Sought(NamedTuple):
    """The names to look for: forms, and which of them are sought on which page.

    Those of one group compete for their places, and the longest one wins.
    """

    forms: Sequence[Sequence[Form]]
    which: np.ndarray
    pages: np.ndarray
    groups: np.ndarray


class BlockNames:
    """The texts of some pages, made plain and joined, each with `END` twice behind it.

    `pages` are the places where their texts begin, `sentences` those where their sentences do.
    """

    def __init__(self, text: Characters, pages: np.ndarray, sentences: Sequence[int]) -> None:
        self._text = text
        self._neighbours = Neighbours(text.text, sentences)
        words = text.word_starts
        edges = np.append(np.searchsorted(words, pages), len(words))
        page_of_word = np.repeat(np.arange(len(pages)), np.diff(edges))
        self._keys = _keys(text.hashes(words, text.word_ends), page_of_word)

    def find(self, sought: Sought) -> Found:
        """Where the names stand as whole words, as no part of a longer name, and none over another."""
        forms = _Forms(sought.forms)
        parts = [self._checked(*pairs, forms) for pairs in self._pairs(sought, forms)]
        rows, form, starts = (np.concatenate(part) for part in zip(*parts, strict=True))
        groups, ends = sought.groups[rows], starts + forms.lengths[form]
        first_words = starts + forms.offsets[form]
        order = np.lexsort((starts, starts - ends, first_words, groups))
        columns = (column[order] for column in (groups, first_words, starts, ends))
        kept = order[_longest(*columns)]
        return Found(rows[kept], starts[kept], ends[kept])

    def _pairs(self, sought: Sought, forms: "_Forms") -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Rows of what is sought, forms, and the places where they may begin: their first word is there."""
        rows = np.repeat(np.arange(len(sought.which)), forms.counts[sought.which])
        form = ranges(forms.firsts[sought.which], forms.counts[sought.which])
        keys = _keys(forms.words[form], sought.pages[rows])
        words = np.flatnonzero(_marked(keys)[_slots(self._keys)])
        likely = np.flatnonzero(_marked(self._keys[words])[_slots(keys)])
        likely = likely[np.argsort(keys[likely])]
        rows, form, keys = rows[likely], form[likely], keys[likely]
        first, last = (np.searchsorted(keys, self._keys[words], side) for side in ("left", "right"))
        told = np.flatnonzero(last > first)
        words, first, counts = words[told], first[told], (last - first)[told]
        # As many at a time as memory may hold: one word may begin very many names.
        cuts = np.flatnonzero(np.diff(np.cumsum(counts) // _MOST_PAIRS)) + 1
        pieces = zip(*(np.split(column, cuts) for column in (words, first, counts)), strict=True)
        pairs = []
        for word, begin, count in pieces:
            pair = ranges(begin, count)
            pairs.append((rows[pair], form[pair], np.repeat(self._text.word_starts[word], count)))
        return pairs

    def _checked(
        self, rows: np.ndarray, form: np.ndarray, words: np.ndarray, forms: "_Forms"
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those pairs where the whole form stands as a name of its own."""
        text = self._text
        starts = words - forms.offsets[form]
        ends = starts + forms.lengths[form]
        inside = np.flatnonzero((starts >= 0) & (ends < len(text.codes)))
        same = inside[text.hashes(starts[inside], ends[inside]) == forms.hashes[form[inside]]]
        behind = text.kinds[ends[same]]
        goes_on = (behind & COMBINING) | (behind & WORD & forms.kinds[form[same], 1])
        same = same[goes_on == 0]
        rows, form, starts, ends = rows[same], form[same], starts[same], ends[same]
        stands = np.ones(len(rows), np.bool_)
        single = forms.single[form]
        asked = np.flatnonzero(self._asked(starts, ends, single, forms.kinds[form, 0]))
        part = self._neighbours.is_part_of_name
        columns = (column[asked].tolist() for column in (starts, ends, single))
        stands[asked] = [not part(*place) for place in zip(*columns, strict=True)]
        opening = np.flatnonzero(forms.opening[form] & stands)
        stands[opening] = [self._neighbours.opens(start) for start in starts[opening].tolist()]
        return rows[stands], form[stands], starts[stands]

    def _asked(
        self, starts: np.ndarray, ends: np.ndarray, single: np.ndarray, first: np.ndarray
    ) -> np.ndarray:
        """Whether a neighbour could make a name a part of a longer one; most names have none."""
        codes, kinds = self._text.codes, self._text.kinds
        behind, following, before = codes[ends], kinds[ends + 1 - len(kinds)], codes[starts - 1]
        blank = behind == _BLANK
        asked = (blank | (behind == _HYPHEN)) & ((following & UPPER) != 0)
        asked |= blank & ((following & DIGIT) != 0)
        joined = (before == _BLANK) | (before == _HYPHEN)
        asked |= single & ((behind == _COLON) | (joined & self._capital_before(starts)))
        return asked & ((first & (UPPER | DIGIT)) != 0)

    def _capital_before(self, starts: np.ndarray) -> np.ndarray:
        """Whether the last word that begins behind a blank before the neighbour has a capital."""
        blanks = np.flatnonzero(self._text.codes == _BLANK)
        last = np.searchsorted(blanks, starts - 1) - 1
        begin = np.where(last >= 0, blanks[last] + 1 if len(blanks) else 0, 0)
        return (self._text.kinds[begin] & UPPER) != 0


class _Forms:
    """The forms of names by arrays: where each name's begin and how many they are; and of each form its

    length, its hash, that of its first word and where that begins, and the kinds of its outer characters.
    """

    def __init__(self, forms: Sequence[Sequence[Form]]) -> None:
        flat = [form for of_name in forms for form in of_name]
        self.counts = np.fromiter(map(len, forms), np.int64, len(forms))
        self.firsts = np.cumsum(self.counts) - self.counts
        self.opening = np.fromiter((form[1] for form in flat), np.bool_, len(flat))
        names = [form[0] for form in flat]
        text = Characters(END.join([*names, ""]))
        self.lengths = np.fromiter(map(len, names), np.int64, len(flat))
        ends = np.cumsum(self.lengths + 1) - 1
        starts = ends - self.lengths
        word = np.searchsorted(text.word_starts, starts)
        self.offsets = text.word_starts[word] - starts
        self.hashes = text.hashes(starts, ends)
        self.words = text.hashes(text.word_starts[word], text.word_ends[word])
        self.kinds = np.stack([text.kinds[starts], text.kinds[ends - 1]], axis=1)
        blanks = np.append(np.flatnonzero(text.codes == _BLANK), len(text.codes))
        self.single = blanks[np.searchsorted(blanks, starts)] >= ends


def _keys(hashes: np.ndarray, pages: np.ndarray) -> np.ndarray:
    keys: np.ndarray = (hashes + pages.astype(np.uint64) * _PAGE) * _SPREAD
    return keys


def _slots(keys: np.ndarray) -> np.ndarray:
    slots: np.ndarray = keys >> (np.uint64(64) - _TABLE)
    return slots


def _marked(keys: np.ndarray) -> np.ndarray:
    """A table of all slots that tells those of some keys: what is not there need not be sorted."""
    table = np.zeros(1 << int(_TABLE), np.bool_)
    table[_slots(keys)] = True
    return table


def ranges(firsts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The numbers from each first one on, as many as counted."""
    shift = firsts - (np.cumsum(counts) - counts)
    return np.repeat(shift, counts) + np.arange(counts.sum())


def _longest(groups: np.ndarray, words: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> list[int]:
    """Which are kept from left to right, where no other name has been found before.

    A name may be sought under several keys; they share its place.
    """
    kept: list[int] = []
    group, begun, done = -1, -1, 0
    columns = (column.tolist() for column in (groups, words, starts, ends))
    for row, (of_group, word, start, end) in enumerate(zip(*columns, strict=True)):
        if of_group != group:
            group, begun, done = of_group, -1, 0
        if (word >= done and start >= done) or (start == begun and end == done):
            begun, done = start, end
            kept.append(row)
    return kept
