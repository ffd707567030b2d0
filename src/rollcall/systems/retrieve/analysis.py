"""Words as BM25 counts them: lower case, without accents, stop words and endings.

Both indexes and every query use the same analysis, which runs in tantivy.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

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
    found: list[str] = analyser().analyze(text)
    return found
