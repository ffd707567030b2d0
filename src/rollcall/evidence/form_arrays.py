"""The written forms of names as arrays, to be joined with the words of texts."""

from collections.abc import Sequence

import numpy as np

from rollcall.evidence.characters import Characters
from rollcall.evidence.names import END, Form


class FormArrays:
    """The forms of many names, one behind another: those of a name begin at `firsts` and are `counts`.

    Of each form there are the length, the hash, that of its first word and where this begins, the kinds of
    its first and its last character, whether it is a single word, and whether it must open a sentence.
    """

    def __init__(self, forms: Sequence[Sequence[Form]]) -> None:
        flat = [form for of_name in forms for form in of_name]
        self.counts = np.fromiter(map(len, forms), np.int64, len(forms))
        self.firsts = np.cumsum(self.counts) - self.counts
        self.opening = np.fromiter((form[1] for form in flat), np.bool_, len(flat))
        self.names = [form[0] for form in flat]
        text = Characters(END.join([*self.names, ""]))
        self.lengths = np.fromiter(map(len, self.names), np.int64, len(flat))
        ends = np.cumsum(self.lengths + 1) - 1
        starts = ends - self.lengths
        word = np.searchsorted(text.word_starts, starts)
        self.offsets = text.word_starts[word] - starts
        self.hashes = text.hashes(starts, ends)
        self.words = text.hashes(text.word_starts[word], text.word_ends[word])
        self.kinds = np.stack([text.kinds[starts], text.kinds[ends - 1]], axis=1)
        blanks = np.append(text.blanks, len(text.codes))
        self.single = blanks[np.searchsorted(blanks, starts)] >= ends
