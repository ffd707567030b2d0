"""Search over a corpus for those who look for further answers: BM25, as the baseline systems search.

Passages come with their sentences, so that a person can choose the one that states an answer without a
mouse.
"""

from collections.abc import Iterable
from threading import Lock

from rollcall.corpus import Corpus
from rollcall.english.sentences import split
from rollcall.questions.run import Passage
from rollcall.shared_types import complete_types
from rollcall.studio.tasks.material import Search
from rollcall.systems.interfaces import Asked, Retriever

RESULTS = 10


def corpus_search(corpus: Corpus) -> Search:
    """Search over the passages of a corpus; the index is opened, or made, at the first search."""

    opened: list[Retriever] = []
    opening = Lock()

    def retriever() -> Retriever:
        with opening:
            if not opened:
                from rollcall.systems.context import Context
                from rollcall.systems.opening import open_retriever

                complete_types()
                opened.append(open_retriever("bm25", Context(corpus=corpus, progress=False)))
        return opened[0]

    def search(text: str, most: int = RESULTS) -> list[Passage]:
        if not text.strip():
            return []
        return retriever().retrieve([Asked("", text)], most)[0]

    return search


def result_cards(passages: Iterable[Passage]) -> list[dict[str, object]]:
    """Found passages as a page shows them, with their sentences to choose from."""
    return [
        {
            "passage": one.id,
            "title": one.title,
            "text": one.text,
            "sentences": [one.text[start:end] for start, end in split(one.text)],
        }
        for one in passages
    ]
