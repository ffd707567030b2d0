"""`bm25`: finds the passages that share the question's rare words, in titles and texts.

With the parameters that are built into tantivy, tantivy is used; with any others, exact postings. Both
indexes are made when first needed and are stored beside the corpus.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.postings import Postings
from rollcall.systems.retrieve.store import PassageStore
from rollcall.systems.retrieve.tantivy_index import K1, B, Ranking, TantivyIndex


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
        rankings = self.rank([one.question for one in questions], k)
        return [self.store.passages(*ranking) for ranking in rankings]

    def _rank_one(self, question: str, k: int) -> Ranking:
        if self._tantivy is not None:
            return self._tantivy.search(question, k)
        return self._postings.search(question, k, self.k1, self.b)
