"""Cuts pages into blocks of whole sentences, each read in one request."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rollcall.corpus import Corpus
from rollcall.corpus.titles import without_parenthesis


class Block(NamedTuple):
    """Some consecutive sentences of a page; `first` is the number of the first one, `opening` that of the
    page's first sentence if the block does not have it.
    """

    page: str
    title: str
    first: int
    sentences: tuple[str, ...]
    opening: str = ""

    @property
    def halves(self) -> "tuple[Block, Block]":
        """The block as two, for a reply that was too long."""
        middle = len(self.sentences) // 2
        opening = self.opening or self.sentences[0]
        return self._replace(sentences=self.sentences[:middle]), self._replace(
            first=self.first + middle, sentences=self.sentences[middle:], opening=opening
        )

    @property
    def text(self) -> str:
        """Everything that a name may be taken from."""
        return "\n".join((without_parenthesis(self.title), self.opening, *self.sentences))


def blocks_of(corpus: Corpus, pages: Iterable[tuple[str, str]], words: int) -> Iterator[Block]:
    """The blocks of pages, given by id and title, with at most so many words where sentences allow it."""
    for page, title in pages:
        sentences = [" ".join(sentence.text.split()) for sentence in corpus.sentences(page)]
        start, size = 0, 0
        for number, sentence in enumerate(sentences):
            length = len(sentence.split())
            if number > start and size + length > words:
                yield _block(page, title, sentences, start, number)
                start, size = number, 0
            size += length
        if start < len(sentences):
            yield _block(page, title, sentences, start, len(sentences))


def _block(page: str, title: str, sentences: list[str], start: int, end: int) -> Block:
    return Block(page, title, start, tuple(sentences[start:end]), sentences[0] if start else "")
