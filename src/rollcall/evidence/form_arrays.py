"""The written forms of names as arrays, to be joined with the words of texts."""

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter

import numpy as np

from rollcall.evidence.characters import Characters
from rollcall.evidence.names import END, Form

_TEXT, _OPENING = itemgetter(0), itemgetter(1)


class FormArrays:
    """The forms of many names, one behind another: those of a name begin at `firsts` and are `counts`.

    Of each form there are the length, the hash, that of its first word and where this begins, the kinds of
    its first and its last character, whether it is a single word, and whether it must open a sentence.
    """

    def __init__(self, forms: Sequence[Sequence[Form]]) -> None:
        flat = list(chain.from_iterable(forms))
        self.counts = np.fromiter(map(len, forms), np.int64, len(forms))
        self.firsts = np.cumsum(self.counts) - self.counts
        self.opening = np.fromiter(map(_OPENING, flat), np.bool_, len(flat))
        self.names = list(map(_TEXT, flat))
        text = Characters(END.join([*self.names, ""]))
        self.lengths = np.fromiter(map(len, self.names), np.int64, len(flat))
        ends = np.cumsum(self.lengths + 1) - 1
        starts = ends - self.lengths
        self.hashes = text.hashes(starts, ends)
        word = np.searchsorted(text.word_starts, starts)
        begins, behind = (np.append(of, len(text.codes))[word] for of in (text.word_starts, text.word_ends))
        self.offsets = begins - starts
        # A form without a word has the hash of none, and is found nowhere.
        self.words = np.where(begins < ends, text.hashes(begins, behind), np.uint64(0))
        self.kinds = np.stack([text.kinds[starts], text.kinds[ends - 1]], axis=1)
        blanks = np.append(text.blanks, len(text.codes))
        self.single = blanks[np.searchsorted(blanks, starts)] >= ends
