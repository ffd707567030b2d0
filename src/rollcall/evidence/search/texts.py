"""The pages of a block as texts to search: plain sentences, joined, with links at their places.

Texts and places are computed for the whole block at once; a page is then a slice of each list.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.names.forms import END, plain
from rollcall.evidence.search.blocks import page_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

Link = tuple[int, int, str | None]
"""The place of a link in the text of its page, and the entity to which it leads, if it is known."""


class Page(NamedTuple):
    """The sentences of a page, joined by `END`; all places are places in this text."""

    text: str
    """The result of `forms.plain`."""
    original: str
    first: int
    """The row of the first sentence in the block."""
    starts: Sequence[int]
    ends: Sequence[int]
    links: Sequence[tuple[int, Link]]
    """The row of the link's sentence, and the link."""


class BlockTexts:
    """The texts of a block of sentences and links, both sorted by page and number.

    `starts` are the places of the sentences in the texts of their pages. `before` has the two sentences
    before each sentence, or fewer at the start of a page.
    """

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        names, ends = page_runs(sentences["page"])
        edges = np.array([0, *ends], np.int32)
        first = np.repeat(edges[:-1], np.diff(edges))
        texts: Any = sentences["text"].combine_chunks()
        lengths = pc.utf8_length(texts).to_numpy()
        places = np.concatenate([[0], np.cumsum(lengths + 1)])
        self.starts: NDArray[np.int64] = places[:-1] - places[first]
        self.before = _before(texts, np.arange(len(texts)) - first)
        self._rows = dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True))
        offsets: Any = pa.array(edges)
        joined: Any = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), END)
        self._texts = dict(zip(names, values(joined), strict=True))
        self._starts, self._ends = self.starts.tolist(), (self.starts + lengths).tolist()
        self._links = self._placed(links, edges, self.starts - sentences["start"].to_numpy())

    def _placed(
        self, links: pa.Table, edges: "NDArray[np.int32]", shift: "NDArray[np.int64]"
    ) -> dict[str, list[tuple[int, Link]]]:
        """Links by page; `shift` converts places in the page's own text to places in the joined text."""
        links = links.append_column("at", pc.index_in(links["page"], value_set=pa.array(list(self._rows))))
        for name in ("at", "sentence", "start"):
            if links[name].null_count:
                links = links.filter(pc.is_valid(links[name]))
        rows = edges[links["at"].to_numpy()] + links["sentence"].to_numpy()
        ends = ((links[name].to_numpy() + shift[rows]).tolist() for name in ("start", "end"))
        placed = list(zip(rows.tolist(), zip(*ends, values(links["entity"]), strict=True), strict=True))
        return {page: placed[first:last] for page, (first, last) in spans(links["page"]).items()}

    def page(self, name: str) -> Page | None:
        """A page of the block; None if it has no sentence."""
        if name not in self._rows:
            return None
        first, last = self._rows[name]
        text = self._texts[name]
        links = self._links.get(name, [])
        return Page(plain(text), text, first, self._starts[first:last], self._ends[first:last], links)


def _before(texts: Any, numbers: "NDArray[np.int64]") -> "pa.StringArray":
    """The two sentences before each sentence, joined by a space; sentences are numbered on their pages."""
    rows = np.arange(len(texts))
    one, two = (texts.take(pa.array(rows - back, mask=numbers < back)) for back in (1, 2))
    # Nulls are not skipped here, because Arrow would leave out rows in which both are null.
    lead: Any = pc.fill_null(pc.binary_join_element_wise(two, "", " "), "")
    joined: pa.StringArray = pc.binary_join_element_wise(lead, pc.fill_null(one, ""), "")
    return joined


def spans(pages: "pa.ChunkedArray[Any]") -> dict[str, tuple[int, int]]:
    """The first row of each page and the row after its last one, for a column sorted by page."""
    names, ends = page_runs(pages)
    return dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True)) if names else {}


def values(column: "pa.Array[Any] | pa.ChunkedArray[Any]") -> list[str]:
    """A column of texts as a list; faster than one scalar at a time."""
    return list(column.to_numpy(zero_copy_only=False).tolist())
