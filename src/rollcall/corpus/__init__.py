"""Text: read dumps and files into sentences, passages, links, tables and mention statistics."""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Corpus
    from rollcall.corpus.make import make_corpus
    from rollcall.corpus.passages import Chunking

__all__ = ["Chunking", "Corpus", "make_corpus"]

_HOMES = {"Corpus": "corpus", "make_corpus": "make", "Chunking": "passages"}

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
