"""Finds the names that are wanted of many pages in all their texts at once: `NameMatcher`'s work, by arrays.

Names and words meet by the hash of a name's first word and the page; the hash of the whole name then tells
where it stands. Only where neighbours leave a doubt are the rules of `Neighbours` asked, one place at a time.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rollcall.evidence.arrays import matches, ranges
from rollcall.evidence.characters import BLANK, COMBINING, DIGIT, UPPER, WORD, Characters
from rollcall.evidence.form_arrays import FormArrays
from rollcall.evidence.names import Form
from rollcall.evidence.neighbours import Neighbours

MOST_PAIRS = 1 << 20
_SPREAD, _PAGE = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xC2B2AE3D27D4EB4F)
_TABLE = np.uint64(18)
_HYPHEN, _COLON = ord("-"), ord(":")


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
        self._sentences = np.append(np.searchsorted(words, sentences), len(words))

    def find(self, sought: Sought, sentences: np.ndarray | None = None) -> Found:
        """Where the names stand as whole words, as no part of a longer name, and none over another.

        Only sentences of these numbers are searched, which rise, or all.
        """
        forms = FormArrays(sought.forms)
        words = None
        if sentences is not None:
            first = self._sentences[sentences]
            words = ranges(first, self._sentences[sentences + 1] - first)
        parts = [self._checked(*pairs, forms) for pairs in self._pairs(sought, forms, words)]
        rows, form, starts = (np.concatenate(part) for part in zip(*parts, strict=True))
        groups, ends = sought.groups[rows], starts + forms.lengths[form]
        first_words = starts + forms.offsets[form]
        order = np.lexsort((starts, starts - ends, first_words, groups))
        columns = (column[order] for column in (groups, starts, ends))
        kept = order[_longest(*columns)]
        return Found(rows[kept], starts[kept], ends[kept])

    def _pairs(
        self, sought: Sought, forms: FormArrays, words: np.ndarray | None
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Rows of what is sought, forms, and the places where they may begin: their first word is there."""
        rows = np.repeat(np.arange(len(sought.which)), forms.counts[sought.which])
        form = ranges(forms.firsts[sought.which], forms.counts[sought.which])
        keys = _keys(forms.words[form], sought.pages[rows])
        if words is None:
            words = np.flatnonzero(_marked(keys)[_slots(self._keys)])
        else:
            words = words[_marked(keys)[_slots(self._keys[words])]]
        likely = np.flatnonzero(_marked(self._keys[words])[_slots(keys)])
        likely = likely[np.argsort(keys[likely])]
        rows, form, keys = rows[likely], form[likely], keys[likely]
        first, counts = matches(keys, self._keys[words])
        told = np.flatnonzero(counts)
        words, first, counts = words[told], first[told], counts[told]
        # As many at a time as memory may hold: one word may begin very many names.
        cuts = np.flatnonzero(np.diff(np.cumsum(counts) // MOST_PAIRS)) + 1
        pieces = zip(*(np.split(column, cuts) for column in (words, first, counts)), strict=True)
        for word, begin, count in pieces:
            pair = ranges(begin, count)
            yield rows[pair], form[pair], np.repeat(self._text.word_starts[word], count)

    def _checked(
        self, rows: np.ndarray, form: np.ndarray, words: np.ndarray, forms: FormArrays
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
        places = zip(starts.tolist(), ends.tolist(), form.tolist(), strict=True)
        name, names = text.text, forms.names  # equal hashes are as good as always those of equal texts
        stands = np.array([name[start:end] == names[number] for start, end, number in places], np.bool_)
        single = forms.single[form]
        asked = np.flatnonzero(stands & self._asked(starts, ends, single, forms.kinds[form, 0]))
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
        blank = behind == BLANK
        asked: np.ndarray = (blank | (behind == _HYPHEN)) & ((following & UPPER) != 0)
        asked |= blank & ((following & DIGIT) != 0)
        joined = (before == BLANK) | (before == _HYPHEN)
        asked |= single & ((behind == _COLON) | (joined & self._capital_before(starts)))
        asked &= (first & (UPPER | DIGIT)) != 0
        return asked

    def _capital_before(self, starts: np.ndarray) -> np.ndarray:
        """Whether the last word that begins behind a blank before the neighbour has a capital."""
        blanks = np.append(-1, self._text.blanks)
        begin = blanks[np.searchsorted(blanks, starts - 1) - 1] + 1
        capital: np.ndarray = (self._text.kinds[begin] & UPPER) != 0
        return capital


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


def _longest(groups: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which are kept from left to right, where no other name has been found before.

    A name may be sought under several keys; they share its place.
    """
    # What reaches beyond all that stands before it competes at most with what follows.
    places = groups * np.int64(1 << 32)
    reach = np.maximum.accumulate(places + ends)
    free = np.ones(len(groups), np.bool_)
    free[1:] = places[1:] + starts[1:] >= reach[:-1]
    rows = np.flatnonzero(~free | np.append(~free[1:], False))
    begun, done = -1, 0
    columns = (column[rows].tolist() for column in (free, starts, ends))
    kept = []
    for alone, start, end in zip(*columns, strict=True):
        first = alone or start >= done
        kept.append(first or (start == begun and end == done))
        if first:
            begun, done = start, end
    free[rows] = kept
    return free
