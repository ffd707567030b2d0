"""The inverted index in tantivy: fast at any size, with tantivy's built-in parameters.

Tantivy fixes k1 = 1.2 and b = 0.75 and stores lengths over 40 words in steps, as Lucene does. Passages with
equal scores are put in the order of their numbers, so the result does not depend on how the index was
written.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.progress import Progress
from rollcall.systems.retrieve.analysis import ANALYSIS, analyser, terms
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.store import PassageStore

if TYPE_CHECKING:
    import tantivy

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
        return cls(indexes.part("tantivy", parameters, lambda out: _make(store, out, progress)))

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


def _make(store: PassageStore, out: Path, progress: bool | None) -> None:
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
