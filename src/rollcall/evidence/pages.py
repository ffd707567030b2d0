"""The pages of a block as texts to search: sentences made plain and joined, with links at their places.

Texts and places are computed for many pages at once: a piece has as many pages of a block as make arrays of a
handy size, or one very long page.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.block_names import BlockNames
from rollcall.evidence.blocks import page_runs
from rollcall.evidence.characters import Characters
from rollcall.evidence.names import END, plain

CHARACTERS_PER_PIECE = 1 << 20
_APART = END + END
"""Behind every page: no rule about the neighbours of a name looks further back than this."""


class Links(NamedTuple):
    """Links by the rows of their sentences: their places in the text of a piece, and their entities' rows."""

    sentences: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    rows: np.ndarray


class Piece(NamedTuple):
    """Some pages of a block, in one text; places are those in this text, rows those in the block."""

    pages: range
    sentences: range
    text: Characters
    original: str
    starts: np.ndarray
    """Where sentences begin, and where they end."""
    ends: np.ndarray
    page_of: np.ndarray
    """Which of the piece's pages each sentence is of."""
    names: BlockNames
    links: Links


class BlockPages:
    """The pages of a block of sentences and links, both sorted by page and number.

    `before` are the two sentences that stand before each sentence, as far as the page has them.
    """

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        names, ends = page_runs(sentences["page"])
        self.names = pa.array(names, pa.string())
        self._edges = np.array([0, *ends], np.int32)
        texts: Any = sentences["text"].combine_chunks()
        self._lengths = pc.utf8_length(texts).to_numpy()
        self._page_of = page_of = np.repeat(np.arange(len(names)), np.diff(self._edges))
        # As if all pages stood in one text, sentences one character apart and pages two.
        self._places = np.cumsum(self._lengths + 1) - self._lengths - 1 + page_of
        self._texts = values(pc.binary_join(_lists(self._edges, texts), END))
        self.before = _before(texts, np.arange(len(texts)) - self._edges[page_of])
        self._links = self._placed(links, self._places - sentences["start"].to_numpy())

    def _placed(self, links: pa.Table, shift: np.ndarray) -> Links:
        """Links at their places: `shift` leads from the page's own text to the joined one."""
        links = links.append_column("at", pc.index_in(links["page"], value_set=self.names))
        links = links.append_column("row", pa.array(np.arange(links.num_rows)))
        for name in ("at", "sentence", "start"):
            if links[name].null_count:
                links = links.filter(pc.is_valid(links[name]))
        at, sentence, row, start, end = (
            links[name].to_numpy() for name in ("at", "sentence", "row", "start", "end")
        )
        of = self._edges[at] + sentence
        order = np.argsort(of, kind="stable")
        return Links(*(column[order] for column in (of, start + shift[of], end + shift[of], row)))

    def pieces(self) -> Iterator[Piece]:
        """All pages, some at a time."""
        ends = (self._places + self._lengths)[self._edges[1:] - 1]
        first, done = 0, 0
        while first < len(ends):
            last = max(first + 1, int(np.searchsorted(ends, done + CHARACTERS_PER_PIECE)))
            yield self._piece(range(first, last))
            first, done = last, ends[last - 1]

    def _piece(self, pages: range) -> Piece:
        rows = range(int(self._edges[pages.start]), int(self._edges[pages.stop]))
        shift = self._places[rows.start]
        starts = self._places[rows.start : rows.stop] - shift
        original = _APART.join([*self._texts[pages.start : pages.stop], ""])
        text = Characters(plain(original))
        first_ones = starts[self._edges[pages.start : pages.stop] - rows.start]
        names = BlockNames(text, first_ones, starts.tolist())
        sentences, begin, end, link_rows = self._links
        here = slice(*np.searchsorted(sentences, (rows.start, rows.stop)))
        links = Links(sentences[here], begin[here] - shift, end[here] - shift, link_rows[here])
        ends = starts + self._lengths[rows.start : rows.stop]
        page_of = self._page_of[rows.start : rows.stop] - pages.start
        return Piece(pages, rows, text, original, starts, ends, page_of, names, links)


def _lists(edges: np.ndarray, items: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array(edges), items)


def _before(texts: Any, numbers: np.ndarray) -> Any:
    """The two sentences before each of these that are numbered on their pages, joined by a blank."""
    rows = np.arange(len(texts))
    one, two = (texts.take(pa.array(rows - back, mask=numbers < back)) for back in (1, 2))
    # Not by skipping what is null: Arrow would leave out rows where both are.
    lead = pc.fill_null(pc.binary_join_element_wise(two, "", " "), "")
    return pc.binary_join_element_wise(lead, pc.fill_null(one, ""), "")


def values(column: Any) -> list[Any]:
    """A column as a list; faster than through a scalar each."""
    return list(column.to_numpy(zero_copy_only=False).tolist())
