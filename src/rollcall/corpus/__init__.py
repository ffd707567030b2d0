"""Text: read dumps and files into sentences, passages, links, tables and mention statistics."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Corpus
    from rollcall.corpus.make import make_corpus
    from rollcall.corpus.passages import Chunking

__all__ = ["Chunking", "Corpus", "make_corpus"]

_HOMES = {"Corpus": "corpus", "make_corpus": "make", "Chunking": "passages"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found
