"""Postings in memory-mapped arrays, and BM25 computed from them exactly, for any k1 and b.

The parameters are applied when a question is asked, so one index is enough for all of them. Lengths are
exact. Each question reads all postings of its terms, which takes time in proportion to the corpus; tantivy
can stop early.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollcall.graph.arrays import open_array
from rollcall.graph.strings import StringTable, StringTableWriter
from rollcall.progress import Progress
from rollcall.systems.retrieve.analysis import ANALYSIS, terms
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.store import PassageStore
from rollcall.systems.retrieve.tantivy_index import Ranking
from rollcall.tables.engine import Engine

_BLOCK = 1 << 15
"""The number of passages inverted at a time."""

Numbers = npt.NDArray[Any]


class Postings:
    """For each term, the passages that have it, and how often."""

    def __init__(self, folder: Path) -> None:
        self._terms = StringTable.open(folder, "terms")
        self._offsets = open_array(folder / "offsets.npy")
        self._passages = open_array(folder / "passages.npy")
        self._counts = open_array(folder / "counts.npy")
        self._lengths = open_array(folder / "lengths.npy").astype(np.float32)
        self._mean_length = float(self._lengths.mean() if len(self._lengths) else 0) or 1.0
        self._damping: tuple[tuple[float, float], Numbers] | None = None

    @classmethod
    def of(cls, indexes: IndexFolder, store: PassageStore, progress: bool | None = None) -> "Postings":
        """The postings of a corpus, made on first use."""
        parameters = {"format": 1, "analysis": ANALYSIS}

        def make(out: Path) -> None:
            with indexes.engine() as engine:
                _make(store, out, engine, progress)

        return cls(indexes.part("postings", parameters, make))

    def search(self, question: str, k: int, k1: float, b: float) -> Ranking:
        """The numbers and scores of the k best passages that share a term with the question."""
        damping = self._damped(k1, b)
        scores = np.zeros(len(self._lengths), dtype=np.float32)
        for term, times in Counter(terms(question)).items():
            number = self._terms.find(term)
            if number is None:
                continue
            begin, end = int(self._offsets[number]), int(self._offsets[number + 1])
            having, counts = self._passages[begin:end], self._counts[begin:end].astype(np.float32)
            weight = times * self._rarity(end - begin) * (k1 + 1.0)
            scores[having] += weight * counts / (counts + damping[having])
        return best(scores, k)

    def _rarity(self, passages: int) -> float:
        return math.log(1.0 + (len(self._lengths) - passages + 0.5) / (passages + 0.5))

    def _damped(self, k1: float, b: float) -> Numbers:
        """k1 (1 - b + b length / mean length) for every passage."""
        if self._damping is None or self._damping[0] != (k1, b):
            self._damping = (k1, b), k1 * (1.0 - b + b * self._lengths / self._mean_length)
        return self._damping[1]


def best(scores: Numbers, k: int) -> Ranking:
    """The k highest positive scores; of equal ones the lower number comes first."""
    found = np.flatnonzero(scores > 0)
    values = scores[found]
    if len(found) > k > 0:
        least = np.partition(values, len(values) - k)[len(values) - k]
        kept = values >= least
        found, values = found[kept], values[kept]
    order = np.lexsort((found, -values))[: max(k, 0)]
    return found[order].tolist(), values[order].tolist()


class Inverted(NamedTuple):
    """What a block of passages says besides its postings."""

    terms: list[str]
    """The terms of the block; its postings have their numbers."""
    lengths: Numbers
    """The number of terms of each passage."""


def _make(store: PassageStore, out: Path, engine: Engine, progress: bool | None) -> None:
    """Invert block by block, then copy each block's postings to their places in the final arrays."""
    vocabulary: dict[str, int] = {}
    lengths = [np.zeros(0, dtype=np.int32)]
    starts = range(0, len(store), _BLOCK)
    blocks = engine.map_blocks(partial(_invert, out, _BLOCK), starts, partial(_same, store))
    with Progress("bm25 postings", len(store), show=progress) as bar:
        for first, inverted in zip(starts, blocks, strict=True):
            numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in inverted.terms]
            np.save(out / f"terms-{first}.npy", np.array(numbers, dtype=np.int64))
            lengths.append(inverted.lengths)
            bar.advance(len(inverted.lengths))
    np.save(out / "lengths.npy", np.concatenate(lengths))
    ordered = sorted(vocabulary, key=str.encode)
    rank = np.empty(len(ordered), dtype=np.int64)
    rank[[vocabulary[term] for term in ordered]] = np.arange(len(ordered))
    _write_terms(ordered, out)
    _merge(out, starts, rank)


def _same(store: PassageStore) -> PassageStore:
    """It opens itself in another process."""
    return store


def _invert(out: Path, size: int, store: PassageStore, first: int) -> Inverted:
    """Write a block's rows (term, passage, count), sorted."""
    found = [terms(text) for text in store.indexed_texts(first, first + size)]
    vocabulary: dict[str, int] = {}
    numbers = [vocabulary.setdefault(term, len(vocabulary)) for one in found for term in one]
    lengths = np.array([len(one) for one in found], dtype=np.int32)
    passages = np.repeat(np.arange(first, first + len(found)), lengths)
    keys = (np.array(numbers, dtype=np.int64) << 32) | passages
    unique, counts = np.unique(keys, return_counts=True)
    np.save(out / f"block-{first}.npy", np.stack([unique >> 32, unique & 0xFFFFFFFF, counts]))
    return Inverted(list(vocabulary), lengths)


def _write_terms(ordered: list[str], out: Path) -> None:
    import pyarrow as pa

    with StringTableWriter(out, "terms") as writer:
        writer.append(pa.array(ordered, pa.string()))


def _merge(out: Path, starts: Sequence[int], rank: Numbers) -> None:
    files = [(out / f"block-{first}.npy", out / f"terms-{first}.npy") for first in starts]
    sizes = np.zeros(len(rank) + 1, dtype=np.int64)
    for rows, numbers in files:
        having = np.bincount(np.load(rows, mmap_mode="r")[0])
        sizes[1 + rank[np.load(numbers)]] += having
    offsets = np.cumsum(sizes)
    np.save(out / "offsets.npy", offsets)
    total = max(int(offsets[-1]), 1)
    passages = np.lib.format.open_memmap(out / "passages.npy", "w+", np.int32, (total,))
    counts = np.lib.format.open_memmap(out / "counts.npy", "w+", np.int32, (total,))
    free = offsets[:-1].copy()
    for rows, numbers in files:
        term, passage, count = np.load(rows)
        term = rank[np.load(numbers)[term]]
        begins = np.flatnonzero(np.diff(term, prepend=-1))
        within = np.arange(len(term)) - np.repeat(begins, np.diff(begins, append=len(term)))
        places = free[term] + within
        passages[places], counts[places] = passage, count
        free += np.bincount(term, minlength=len(rank))
        rows.unlink()
        numbers.unlink()
    passages.flush()
    counts.flush()
