"""Finds names that are too many for memory: all names of a graph, or all that a corpus is searched for.

- `NameFinder` looks up the words of a text among the sorted names of a graph, in any case. Readers take the
  longest name at each word (`mentions`); `ask` weighs all of them (`names_from`).
- `KnownKeys` finds very many names in blocks of sentences at once, by hashes of their words. The places are
  candidates, which `rollcall.text.names` examines.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rollcall.text.name_forms import END, WORD, plain
from rollcall.text.names import Place
from rollcall.text.words import COMMON, fold

if TYPE_CHECKING:
    import pyarrow as pa


# From each word on, words are added as long as some name of the graph begins with them. The graph's names
# are memory-mapped and sorted, so each step is a bisection. Results are cached.

WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
_LONGEST = 24
"""The most words and marks of a name."""


class FoldedNames(Protocol):
    """All names of a graph in their folded form; its index is one."""

    def named(self, folded: str) -> NDArray[Any]: ...

    def has_name_beginning(self, folded: str) -> bool: ...


class Mention(NamedTuple):
    """A name in a text: its position, and the numbers of the entities it may mean."""

    start: int
    end: int
    text: str
    entities: tuple[int, ...]


class NameOfWords(NamedTuple):
    """Some words of a text that are a name."""

    end: int
    """The number of the word after its last one."""
    name: str
    """The folded name."""
    entities: tuple[int, ...]


class FoldedWords:
    """A text with the positions of its words and marks."""

    def __init__(self, text: str, positions: Sequence[Place] | None = None) -> None:
        self.text, self._folded = text, _folded_in_place(text)
        self.positions = positions or [match.span() for match in WORD_OR_MARK.finditer(text)]

    def folded(self, first: int, end: int) -> str:
        """The words from `first` up to but not including `end`, folded."""
        start, stop = self.positions[first][0], self.positions[end - 1][1]
        return self._folded[start:stop] if self._folded is not None else fold(self.text[start:stop])


class NameFinder:
    """Finds the names of one graph."""

    def __init__(self, names: FoldedNames) -> None:
        self._named = lru_cache(maxsize=1 << 17)(
            lambda name: tuple(int(number) for number in names.named(name))
        )
        self._begins = lru_cache(maxsize=1 << 18)(names.has_name_beginning)

    def entities(self, name: str) -> tuple[int, ...]:
        """The numbers of all entities with a name."""
        return self._named(fold(name))

    def mentions(self, text: str) -> list[Mention]:
        """The names in a text from left to right; none is inside another, and none is a common word."""
        words = FoldedWords(text)
        mentions: list[Mention] = []
        first = 0
        while first < len(words.positions):
            longest = None
            for longer in self.names_from(words, first):
                longest = longest if longer.name in COMMON else longer
            if longest is not None:
                start, end = words.positions[first][0], words.positions[longest.end - 1][1]
                mentions.append(Mention(start, end, text[start:end], longest.entities))
            first = longest.end if longest is not None else first + 1
        return mentions

    def names_from(
        self, words: FoldedWords, first: int, other_forms: Callable[[str], Iterable[str]] | None = None
    ) -> Iterator[NameOfWords]:
        """All names that begin at a word, the shortest first.

        `other_forms` gives further forms of folded words, such as the singular, which are looked up if the
        words themselves are not a name.
        """
        for end in range(first + 1, min(first + _LONGEST, len(words.positions)) + 1):
            folded = words.folded(first, end)
            begins = self._begins(folded)
            names = [folded] if begins else []
            for name in (*names, *other_forms(folded)) if other_forms else names:
                if entities := self._named(name):
                    yield NameOfWords(end, name, entities)
                    break
            if not begins:
                return


def _folded_in_place(text: str) -> str | None:
    """The folded text, if folding keeps the position of every part, which is true of most texts."""
    folded = fold(text)
    same = len(folded) == len(text) == len(text.casefold()) and unicodedata.is_normalized("NFC", text)
    return folded if same else None


# A sequence of words as one number (its key), and where known sequences are in the texts of a block. A
# key depends only on the words, so every process computes the same. The known keys are a sorted array in
# a file, which all processes of a machine share; so memory does not grow with the number of processes,
# and a block costs the same for few names as for many. Two sequences may have the same key, very rarely:
# what is found here is a candidate, and the sentence is read again.

Keys: TypeAlias = NDArray[np.uint64]

_FACTOR = 0x9E3779B97F4A7C15
_MOST = (1 << 64) - 1
_WHOLE, _BEGINS = 1, 2


@lru_cache(maxsize=1 << 17)
def _of_word(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def beginnings(words: Sequence[str]) -> list[int]:
    """The keys of the first word, of the first two, and so on; the last one is the key of all words."""
    keys, key = [], 0
    for word in words:
        key = (key * _FACTOR + _of_word(word)) & _MOST
        keys.append(key)
    return keys


def write_keys(folder: Path, whole: Iterable[Keys], begun: Iterable[Keys]) -> None:
    """Write the known keys, and those with which a longer known sequence begins."""
    ends, starts = (np.unique(np.concatenate([np.zeros(0, np.uint64), *parts])) for parts in (whole, begun))
    known_keys = np.union1d(ends, starts)
    flags = np.where(np.isin(known_keys, ends, assume_unique=True), _WHOLE, 0)
    flags |= np.where(np.isin(known_keys, starts, assume_unique=True), _BEGINS, 0)
    np.save(folder / "known_keys.npy", known_keys)
    np.save(folder / "known_flags.npy", flags.astype(np.uint8))


class KeyMatches(NamedTuple):
    """Known sequences in texts: the row of the text, the place in it, and the key, as arrays."""

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    keys: Keys


class KnownKeys:
    """The known keys, shared by all processes through the files of `write_keys`."""

    def __init__(self, folder: Path) -> None:
        self._known: Keys = np.load(folder / "known_keys.npy", mmap_mode="r")
        self._flags: NDArray[np.uint8] = np.load(folder / "known_flags.npy", mmap_mode="r")

    def find(self, texts: "pa.StringArray") -> KeyMatches:
        """The known sequences of words in each of some texts that are not inside a longer one."""
        listed = texts.to_numpy(zero_copy_only=False).tolist()
        joined = plain(END.join(listed))
        edges = np.concatenate([[0], np.cumsum([len(text) + 1 for text in listed], dtype=np.int64)])
        starts, words = _words(joined)
        rows = np.searchsorted(edges, starts, side="right") - 1
        hashes, flags = self._first(words)
        at = np.flatnonzero(flags)
        keys, flags = hashes[at], flags[at]
        matches: list[tuple[NDArray[np.int64], Keys, int]] = []
        length = 1
        while len(at):
            is_whole = (flags & _WHOLE) > 0
            matches.append((at[is_whole], keys[is_whole], length))
            more = (flags & _BEGINS) > 0
            at, keys = at[more], keys[more]
            inside = at + length < len(starts)
            at, keys = at[inside], keys[inside]
            inside = rows[at] == rows[at + length]
            at, keys = at[inside], keys[inside]
            keys = keys * np.uint64(_FACTOR) + hashes[at + length]
            flags = self._flags_of(keys)
            is_known = flags > 0
            at, keys, flags, length = at[is_known], keys[is_known], flags[is_known], length + 1
        first = np.concatenate([np.zeros(0, np.int64), *(at for at, _keys, _length in matches)])
        behind = np.concatenate([np.zeros(0, np.int64), *(at + length for at, _keys, length in matches)])
        all_keys = np.concatenate([np.zeros(0, np.uint64), *(keys for _at, keys, _length in matches)])
        order = _not_inside(first, behind)
        first = first[order]
        return KeyMatches(rows[first], starts[first] - edges[rows[first]], all_keys[order])

    def contains(self, keys: Keys) -> NDArray[np.bool_]:
        """Whether each key is that of a whole known sequence."""
        is_whole: NDArray[np.bool_] = (self._flags_of(keys) & _WHOLE) > 0
        return is_whole

    def _first(self, words: list[str]) -> tuple[Keys, NDArray[np.uint8]]:
        """The key of each word, and what is known of it; each different word is looked up once."""
        import pyarrow as pa

        encoded = pa.array(words, pa.string()).dictionary_encode()
        different = encoded.dictionary.to_pylist()
        keys = np.fromiter(map(_of_word, different), np.uint64, len(different))
        codes = encoded.indices.to_numpy()
        return keys[codes], self._flags_of(keys)[codes]

    def _flags_of(self, keys: Keys) -> "NDArray[np.uint8]":
        if not len(self._known):
            return np.zeros(len(keys), np.uint8)
        at = np.minimum(np.searchsorted(self._known, keys), len(self._known) - 1)
        flags: NDArray[np.uint8] = np.where(self._known[at] == keys, self._flags[at], 0).astype(np.uint8)
        return flags


def _not_inside(first: NDArray[np.int64], behind: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the sequences that are not inside another one, from left to right."""
    order = np.lexsort((-behind, first))
    reached = np.maximum.accumulate(np.concatenate([[0], behind[order]]))[:-1]
    return order[behind[order] > reached]


def _words(text: str) -> tuple[NDArray[np.int64], list[str]]:
    """The words of a text, and where each starts; to ask each match for its place takes far longer."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    inside = np.concatenate([[False], _IN_WORDS[np.minimum(codes, _ASCII)]])
    if not text.isascii():
        other = np.flatnonzero(codes >= _ASCII)
        letters, letter_index = np.unique(codes[other], return_inverse=True)
        inside[other + 1] = np.array([chr(letter).isalnum() for letter in letters.tolist()], np.bool_)[
            letter_index
        ]
    return np.flatnonzero(inside[1:] & ~inside[:-1]), WORD.findall(text)


_ASCII = 128
_IN_WORDS = np.array([chr(code).isalnum() or chr(code) == "_" for code in range(_ASCII)] + [False])
