"""Text: read dumps and files into sentences, passages, links, tables and mention statistics."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollcall.corpus.corpus import Corpus
    from rollcall.corpus.make import make_corpus
    from rollcall.corpus.passages import Chunking

__all__ = ["Chunking", "Corpus", "make_corpus"]

_HOMES = {"Corpus": "corpus", "make_corpus": "make", "Chunking": "passages"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
