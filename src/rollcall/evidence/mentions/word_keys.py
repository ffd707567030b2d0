"""A sequence of words as one number (its key), and where known sequences are in the texts of a block.

A key depends only on the words, so every process computes the same. The known keys are a sorted array in a
file, which all processes of a machine share; so memory does not grow with the number of processes, and a
block costs the same for few names as for many. Two sequences may have the same key, very rarely: what is
found here is a candidate, and the sentence is read again.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.names.forms import END, WORD, plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]
    """Keys as an array."""

_FACTOR = 0x9E3779B97F4A7C15
_MOST = (1 << 64) - 1
_WHOLE, _BEGINS = 1, 2


@lru_cache(maxsize=1 << 17)
def _of_word(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def beginnings(words: Sequence[str]) -> list[int]:
    """The keys of the first word, of the first two, and so on; the last one is the key of all words."""
    found, key = [], 0
    for word in words:
        key = (key * _FACTOR + _of_word(word)) & _MOST
        found.append(key)
    return found


def write_keys(folder: Path, whole: Iterable["Keys"], begun: Iterable["Keys"]) -> None:
    """Write the known keys, and those with which a longer known sequence begins."""
    ends, starts = (np.unique(np.concatenate([np.zeros(0, np.uint64), *parts])) for parts in (whole, begun))
    known = np.union1d(ends, starts)
    flags = np.where(np.isin(known, ends, assume_unique=True), _WHOLE, 0)
    flags |= np.where(np.isin(known, starts, assume_unique=True), _BEGINS, 0)
    np.save(folder / "known_keys.npy", known)
    np.save(folder / "known_flags.npy", flags.astype(np.uint8))


class Found(NamedTuple):
    """Known sequences in texts: the row of the text, the place in it, and the key, as arrays."""

    rows: "NDArray[np.int64]"
    places: "NDArray[np.int64]"
    keys: "Keys"


class KnownKeys:
    """The known keys, shared by all processes through the files of `write_keys`."""

    def __init__(self, folder: Path) -> None:
        self._known: Keys = np.load(folder / "known_keys.npy", mmap_mode="r")
        self._flags: NDArray[np.uint8] = np.load(folder / "known_flags.npy", mmap_mode="r")

    def find(self, texts: "pa.StringArray") -> Found:
        """The known sequences of words in each of some texts that are not inside a longer one."""
        joined = plain(END.join(texts.to_numpy(zero_copy_only=False).tolist()))
        edges = np.concatenate([[0], np.cumsum(pc.utf8_length(texts).to_numpy() + 1)])
        starts, words = _words(joined)
        rows = np.searchsorted(edges, starts, side="right") - 1
        hashes, flags = self._first(words)
        at = np.flatnonzero(flags)
        keys, flags = hashes[at], flags[at]
        found: list[tuple[NDArray[np.int64], Keys, int]] = []
        length = 1
        while len(at):
            whole = (flags & _WHOLE) > 0
            found.append((at[whole], keys[whole], length))
            more = (flags & _BEGINS) > 0
            at, keys = at[more], keys[more]
            inside = at + length < len(starts)
            at, keys = at[inside], keys[inside]
            inside = rows[at] == rows[at + length]
            at, keys = at[inside], keys[inside]
            keys = keys * np.uint64(_FACTOR) + hashes[at + length]
            flags = self._flags_of(keys)
            known = flags > 0
            at, keys, flags, length = at[known], keys[known], flags[known], length + 1
        first = np.concatenate([np.zeros(0, np.int64), *(at for at, _keys, _length in found)])
        behind = np.concatenate([np.zeros(0, np.int64), *(at + length for at, _keys, length in found)])
        every = np.concatenate([np.zeros(0, np.uint64), *(keys for _at, keys, _length in found)])
        order = _not_inside(first, behind)
        first = first[order]
        return Found(rows[first], starts[first] - edges[rows[first]], every[order])

    def contains(self, keys: "Keys") -> "NDArray[np.bool_]":
        """Whether each key is that of a whole known sequence."""
        whole: NDArray[np.bool_] = (self._flags_of(keys) & _WHOLE) > 0
        return whole

    def _first(self, words: list[str]) -> "tuple[Keys, NDArray[np.uint8]]":
        """The key of each word, and what is known of it; each different word is looked up once."""
        encoded = pa.array(words, pa.string()).dictionary_encode()
        different = encoded.dictionary.to_pylist()
        keys = np.fromiter(map(_of_word, different), np.uint64, len(different))
        codes = encoded.indices.to_numpy()
        return keys[codes], self._flags_of(keys)[codes]

    def _flags_of(self, keys: "Keys") -> "NDArray[np.uint8]":
        if not len(self._known):
            return np.zeros(len(keys), np.uint8)
        at = np.minimum(np.searchsorted(self._known, keys), len(self._known) - 1)
        flags: NDArray[np.uint8] = np.where(self._known[at] == keys, self._flags[at], 0).astype(np.uint8)
        return flags


def _not_inside(first: "NDArray[np.int64]", behind: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """The numbers of the sequences that are not inside another one, from left to right."""
    order = np.lexsort((-behind, first))
    reached = np.maximum.accumulate(np.concatenate([[0], behind[order]]))[:-1]
    return order[behind[order] > reached]


def _words(text: str) -> "tuple[NDArray[np.int64], list[str]]":
    """The words of a text, and where each starts; to ask each match for its place takes far longer."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    inside = np.concatenate([[False], _IN_WORDS[np.minimum(codes, _ASCII)]])
    if not text.isascii():
        other = np.flatnonzero(codes >= _ASCII)
        letters, which = np.unique(codes[other], return_inverse=True)
        inside[other + 1] = np.array([chr(letter).isalnum() for letter in letters.tolist()], np.bool_)[which]
    return np.flatnonzero(inside[1:] & ~inside[:-1]), WORD.findall(text)


_ASCII = 128
_IN_WORDS = np.array([chr(code).isalnum() or chr(code) == "_" for code in range(_ASCII)] + [False])
