"""`bm25`: finds the passages that share the question's rare words, in titles and texts.

With the parameters that are built into tantivy, tantivy is used; with any others, exact postings. Both
indexes are made when first needed and are stored beside the corpus.
"""

import math
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph.index import StringTable, StringTableWriter, open_array
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.store import IndexFolder, PassageStore
from rollcall.tables.engine import Engine

if TYPE_CHECKING:
    import tantivy
    from tantivy import TextAnalyzer


# Words as BM25 counts them: lower case, without accents, stop words and endings. Both indexes and every
# query use the same analysis, which runs in tantivy.

ANALYSIS = "simple, at most 60 bytes, lower case, ascii, English stop words, English stems"
"""Its description, which is stored with an index."""


@cache
def analyser() -> "TextAnalyzer":
    """The analyser, with a method `analyze(text)` that gives the terms in order."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(60))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
        .filter(Filter.stopword("English"))
        .filter(Filter.stemmer("English"))
        .build()
    )


def terms(text: str) -> list[str]:
    """The terms of a text."""
    analysed: list[str] = analyser().analyze(text)
    return analysed


# The inverted index in tantivy: fast at any size, with tantivy's built-in parameters. Tantivy fixes k1 =
# 1.2 and b = 0.75 and stores lengths over 40 words in steps, as Lucene does. Passages with equal scores
# are put in the order of their numbers, so the result does not depend on how the index was written.

K1, B = 1.2, 0.75
_HEAP = 256 << 20
_SPARE = 24
"""The number of additional passages fetched, to see where passages of equal score end."""

Ranking = tuple[list[int], list[float]]


def _schema() -> "tantivy.Schema":
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="rollcall", index_option="freq")
    builder.add_integer_field("number", fast=True)
    return builder.build()


class TantivyIndex:
    """An opened index; other threads can run during a search."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._tantivy = tantivy
        self._schema = _schema()
        self._index = tantivy.Index.open(str(folder))
        self._index.register_tokenizer("rollcall", analyser())
        self._searcher = self._index.searcher()

    @classmethod
    def of(cls, indexes: IndexFolder, store: PassageStore, progress: bool | None = None) -> "TantivyIndex":
        """The index of a corpus, made on first use."""
        parameters = {"format": 1, "analysis": ANALYSIS}
        return cls(indexes.part("tantivy", parameters, lambda out: _make_index(store, out, progress)))

    def search(self, question: str, k: int) -> Ranking:
        """The numbers and scores of the k best passages."""
        query = self._query(question)
        if query is None or k < 1:
            return [], []
        limit = k + _SPARE
        while True:
            hits = self._searcher.search(query, limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[k - 1][0]:
                break
            limit *= 4
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        ranked = sorted((-score, int(number or 0)) for (score, _), number in zip(hits, numbers, strict=True))[
            :k
        ]
        return [number for _, number in ranked], [-score for score, _ in ranked]

    def _query(self, question: str) -> "tantivy.Query | None":
        query, should = self._tantivy.Query, self._tantivy.Occur.Should
        wanted = [query.term_query(self._schema, "text", term) for term in terms(question)]
        return query.boolean_query([(should, term) for term in wanted]) if wanted else None


def _make_index(store: PassageStore, out: Path, progress: bool | None) -> None:
    import tantivy

    index = tantivy.Index(_schema(), path=str(out))
    index.register_tokenizer("rollcall", analyser())
    writer = index.writer(_HEAP)
    with Progress("bm25 index", len(store), show=progress) as bar:
        for number, text in enumerate(store.indexed_texts()):
            writer.add_document(tantivy.Document(text=text, number=number))
            if not number & 0xFFF:
                bar.advance(0x1000)
        writer.commit()
        writer.wait_merging_threads()


# Postings in memory-mapped arrays, and BM25 computed from them exactly, for any k1 and b. The parameters
# are applied when a question is asked, so one index is enough for all of them. Lengths are exact. Each
# question reads all postings of its terms, which takes time in proportion to the corpus; tantivy can
# stop early.

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
    """The k highest positive scores; ties are ordered by number."""
    numbers = np.flatnonzero(scores > 0)
    values = scores[numbers]
    if len(numbers) > k > 0:
        least = np.partition(values, len(values) - k)[len(values) - k]
        kept = values >= least
        numbers, values = numbers[kept], values[kept]
    order = np.lexsort((numbers, -values))[: max(k, 0)]
    return numbers[order].tolist(), values[order].tolist()


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
    term_lists = [terms(text) for text in store.indexed_texts(first, first + size)]
    vocabulary: dict[str, int] = {}
    numbers = [
        vocabulary.setdefault(term, len(vocabulary)) for passage_terms in term_lists for term in passage_terms
    ]
    lengths = np.array([len(passage_terms) for passage_terms in term_lists], dtype=np.int32)
    passages = np.repeat(np.arange(first, first + len(term_lists)), lengths)
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
        positions = free[term] + within
        passages[positions], counts[positions] = passage, count
        free += np.bincount(term, minlength=len(rank))
        rows.unlink()
        numbers.unlink()
    passages.flush()
    counts.flush()


class Bm25Options(msgspec.Struct, frozen=True):
    """The parameters of BM25; values other than the defaults use exact postings."""

    k1: float = K1
    """How soon repeats of a word stop counting."""
    b: float = B
    """Length normalisation, from 0 (none) to 1 (full)."""


@RETRIEVERS.register("bm25")
class Bm25(Retriever):
    """Ranks by Okapi BM25 over title and text, with Lucene's inverse document frequency."""

    Options = Bm25Options
    needs = ("corpus",)

    def __init__(
        self,
        indexes: IndexFolder,
        *,
        k1: float = K1,
        b: float = B,
        jobs: int | None = None,
        progress: bool | None = None,
    ) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise RollcallError(
                f"bm25 with k1 {k1:g} and b {b:g}: k1 must not be negative, and b lies between 0 and 1"
            )
        self.name = "bm25" if (k1, b) == (K1, B) else f"bm25(k1={k1:g},b={b:g})"
        self.k1, self.b, self.corpus_hash = k1, b, indexes.corpus_hash
        self.store = PassageStore.of(indexes, progress)
        self._jobs = jobs or os.cpu_count() or 1
        if (k1, b) == (K1, B):
            self._tantivy: TantivyIndex | None = TantivyIndex.of(indexes, self.store, progress)
        else:
            self._tantivy = None
            self._postings = Postings.of(indexes, self.store, progress)

    @classmethod
    def open(cls, options: Bm25Options, context: Context) -> "Bm25":
        return cls(context.indexes, k1=options.k1, b=options.b, progress=context.progress)

    def rank(self, questions: Sequence[str], k: int) -> list[Ranking]:
        """Numbers and scores of the k best passages for each wording, computed on all cores."""
        k = min(k, len(self.store))
        if len(questions) < 2 or self._jobs == 1:
            return [self._rank_one(question, k) for question in questions]
        with ThreadPoolExecutor(self._jobs) as pool:
            return list(pool.map(lambda question: self._rank_one(question, k), questions))

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        rankings = self.rank([question.question for question in questions], k)
        return [self.store.passages(*ranking) for ranking in rankings]

    def _rank_one(self, question: str, k: int) -> Ranking:
        if self._tantivy is not None:
            return self._tantivy.search(question, k)
        return self._postings.search(question, k, self.k1, self.b)
