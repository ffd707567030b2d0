"""An index of the words in a graph's names, for names that are given in part or misspelt.

The graph's own index finds whole names. This one, made once and kept beside the graph, finds the names that
have a word, and the words that resemble one. A word resembles another if both have nearly the same letters
and pairs of letters, which two numbers per word show in one pass over all of them; only the few that remain
are compared letter by letter.
"""

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall.graph import Graph
from rollcall.graph.index import (
    MANIFEST,
    ArrayWriter,
    Numbers,
    OffsetsWriter,
    StringTable,
    StringTableWriter,
    open_array,
)
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.retrieve.store import made_part
from rollcall.text.words import fold

# What is computed once for each graph: kept beside the graph, or else for this process alone.

_TEMPORARY: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process; they are removed when it ends."""


def kept_part(graph: Graph, name: str, version: str, make: Callable[[Path], None]) -> Path:
    """The folder of a part, made by `make(folder)` unless it was made of this graph and in this version."""
    part_folder = graph.folder.with_name(f"{graph.folder.resolve().name}.index") / name
    graph_hash = hashlib.sha256((graph.folder / MANIFEST).read_bytes()).hexdigest()
    try:
        return made_part(part_folder, {"graph": graph_hash, "version": version}, graph.folder, make)
    except OSError:
        _TEMPORARY.append(tempfile.TemporaryDirectory())
        folder = Path(_TEMPORARY[-1].name)
        make(folder)
        return folder


_VERSION = "4"
_MOST_NAMES = 400
"""A word of more names than this says too little."""
_SHORTEST_MISSPELT = 4
_INITIALS, _LEAST_INITIALS, _MOST_INITIALS = "·", 2, 5
"""A sign before the initials of a name, and how many letters they may have."""
_LETTERS, _PAIRS = 3, 6
"""How many letters, and pairs of letters, two words may have that are not in the other."""


class NameIndex:
    """The words of a graph's names, and the relations of every entity."""

    def __init__(self, graph: Graph, folder: Path) -> None:
        self._graph = graph
        self._words = StringTable.open(folder, "words")
        self._offsets = open_array(folder / "word_offsets.npy")
        self._names = open_array(folder / "word_names.npy")
        self._letters, self._pairs = open_array(folder / "letters.npy"), open_array(folder / "pairs.npy")
        self.neighbourhood = Neighbourhood(graph.index, (), keys=open_array(folder / "hops.npy"))
        self._counted, self._counts = open_array(folder / "counted.npy"), open_array(folder / "counts.npy")
        self.resembling = lru_cache(maxsize=4096)(self._resembling)

    @classmethod
    def of(cls, graph: Graph) -> "NameIndex":
        """The index of a graph, made on first use."""
        return cls(graph, kept_part(graph, "asking", _VERSION, lambda folder: _make(graph, folder)))

    def has(self, word: str) -> bool:
        """Whether some name has this word."""
        return self._words.find(word) is not None

    def names_with(self, words: list[str]) -> Numbers:
        """The numbers of the names that have all these words; none if they are too many."""
        names: Numbers | None = None
        for word in sorted(set(words), key=lambda word: (-len(word), word)):
            number = self._words.find(word)
            if number is None:
                return self._names[:0]
            start, end = self._offsets[number : number + 2].tolist()
            if names is None:
                names = self._names[start:end]
            else:
                names = np.intersect1d(names, self._names[start:end], assume_unique=True)
        return self._names[:0] if names is None or len(names) > _MOST_NAMES else names

    def mentions(self, name: str, entity: int) -> int:
        """How often a folded name is used for an entity, if a source of the graph says so; otherwise 0."""
        number = self._graph.index.names.find(name) if len(self._counted) else None
        if number is None:
            return 0
        key = number * self._graph.index.entity_count + entity
        index = int(self._counted.searchsorted(key))
        return int(self._counts[index]) if self._counted[index : index + 1].tolist() == [key] else 0

    def _resembling(self, word: str) -> tuple[str, ...]:
        """The words of names that differ by one letter, or by two if they are long; nearest first."""
        if len(word) < _SHORTEST_MISSPELT or word.isdigit():
            return ()
        letters, pairs = _masks(word)
        near = np.flatnonzero(
            (np.bitwise_count(self._letters ^ letters) <= _LETTERS)
            & (np.bitwise_count(self._pairs ^ pairs) <= _PAIRS)
        )
        allowed = 1 if len(word) < 8 else 2
        scored = [
            (distance, other)
            for other in self._words.take(near)
            if other != word
            and other[0] != _INITIALS
            and (distance := edits(word, other, allowed)) <= allowed
        ]
        return tuple(other for _, other in sorted(scored)[:8])


def edits(word: str, other: str, most: int) -> int:
    """The number of letters to change, add, leave out or swap with their neighbour; `most + 1` if more."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(word, 1):
        older, before, row = before, row, [index]
        for column, sign in enumerate(other, 1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != sign))
            if index > 1 and column > 1 and letter == other[column - 2] and word[index - 2] == sign:
                cost = min(cost, older[column - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _masks(word: str) -> tuple[np.uint64, np.uint64]:
    """The letters of a word, and its pairs of letters, as bits."""
    letters = pairs = 0
    for sign in word:
        letters |= 1 << (ord(sign) % 61)
    for first, second in pairwise(word):
        pairs |= 1 << ((ord(first) * 31 + ord(second)) % 64)
    return np.uint64(letters), np.uint64(pairs)


def _make(graph: Graph, folder: Path) -> None:
    """Write the index of a graph into an empty folder."""
    words, numbers = _words_of_names(graph)
    vocabulary = words.unique().sort()
    with StringTableWriter(folder, "words") as table:
        table.append(vocabulary)
    rank = _ranks(words, vocabulary)
    order = np.lexsort((numbers, rank))
    kept = np.ones(len(order), dtype=np.bool_)
    kept[1:] = (rank[order][1:] != rank[order][:-1]) | (numbers[order][1:] != numbers[order][:-1])
    order = order[kept]
    with OffsetsWriter(folder / "word_offsets.npy", len(vocabulary)) as offsets:
        offsets.append(rank[order])
    _write(folder / "word_names.npy", numbers[order].astype(np.int64))
    masks = [_masks(word) for word in vocabulary.to_pylist()]
    _write(folder / "letters.npy", np.array([letters for letters, _ in masks], dtype=np.uint64))
    _write(folder / "pairs.npy", np.array([pairs for _, pairs in masks], dtype=np.uint64))
    _write_counts(graph, folder)
    hops = Neighbourhood(graph.index, range(len(graph.index.relation_ids)))
    _write(folder / "hops.npy", hops.keys)


def _write_counts(graph: Graph, folder: Path) -> None:
    """Write how often names are used for entities, as far as the graph has counts."""
    table = graph.tables.aliases
    rows = table.filter(table["count"].notnull()).select("entity", "text", "count").to_pyarrow().to_pylist()
    counts: Counter[int] = Counter()
    for row in rows:
        name = graph.index.names.find(fold(row["text"]))
        entity = graph.index.entity_number(row["entity"])
        if name is not None and entity is not None:
            counts[name * graph.index.entity_count + entity] += row["count"]
    ordered = sorted(counts.items())
    _write(folder / "counted.npy", np.array([key for key, _ in ordered], dtype=np.int64))
    _write(folder / "counts.npy", np.array([times for _, times in ordered], dtype=np.int64))


def _words_of_names(graph: Graph) -> tuple[Any, npt.NDArray[np.int64]]:
    """Every word of every name without accents, and the number of its name."""
    import pyarrow as pa
    import pyarrow.compute

    pc: Any = pyarrow.compute  # the library's own types do not have all of its functions
    names = graph.index.names.arrow()
    plain = pc.replace_substring_regex(pc.utf8_normalize(names, form="NFKD"), r"\p{Mn}", "")
    lists = pc.split_pattern_regex(plain, pattern=r"[^\p{L}\p{N}]+")
    words, numbers = pc.list_flatten(lists), pc.list_parent_indices(lists)
    meaningful = pc.replace_substring_regex(plain, r"\b(?:of|the|and|for|in)\b", "")
    first_letters = r"[^\p{L}\p{N}]*([\p{L}\p{N}])[\p{L}\p{N}]*[^\p{L}\p{N}]*"
    initials = pc.replace_substring_regex(meaningful, first_letters, r"\1")
    several = pc.and_(
        pc.greater_equal(pc.utf8_length(initials), _LEAST_INITIALS),
        pc.less_equal(pc.utf8_length(initials), _MOST_INITIALS),
    )
    short = pc.replace_substring_regex(pc.filter(initials, several), "^", _INITIALS)
    own = pc.indices_nonzero(several).cast(numbers.type)
    words = pa.concat_arrays([_flat(words), _flat(short).cast(_flat(words).type)])
    numbers = pa.concat_arrays([_flat(numbers), _flat(own)])
    nonempty = pc.not_equal(words, "")
    return pc.filter(words, nonempty).cast(pa.large_string()), pc.filter(numbers, nonempty).to_numpy().astype(
        np.int64
    )


def initials_word(word: str) -> str:
    """The word of the index for initials: names such as John F. Kennedy have that of `jfk`."""
    return f"{_INITIALS}{word}"


def _flat(values: Any) -> Any:
    """An array, also of chunks."""
    return values.combine_chunks() if hasattr(values, "combine_chunks") else values


def _ranks(words: Any, vocabulary: Any) -> npt.NDArray[np.int64]:
    import pyarrow.compute as pc

    ranks: npt.NDArray[np.int64] = pc.index_in(words, value_set=vocabulary).to_numpy().astype(np.int64)
    return ranks


def _write(path: Path, values: npt.NDArray[Any]) -> None:
    with ArrayWriter(path, values.dtype) as writer:
        writer.append(values)
