"""The pages of a block as texts to search: sentences made plain and joined, with links at their places.

Texts and places are computed for the whole block at once; a page is then a slice of each list.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.blocks import page_runs
from rollcall.evidence.names import END, plain
from rollcall.evidence.page import Link, Page

Span = tuple[int, int]


class BlockPages:
    """The pages of a block of sentences and links, both sorted by page and number.

    `starts` are the places of the sentences in the texts of their pages, `before` the two sentences that
    stand before each of them, as far as the page has them.
    """

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        names, ends = page_runs(sentences["page"])
        edges = np.array([0, *ends], np.int32)
        texts: Any = sentences["text"].combine_chunks()
        lengths = pc.utf8_length(texts).to_numpy()
        places = np.concatenate([[0], np.cumsum(lengths + 1)])
        self.starts = places[:-1] - np.repeat(places[edges[:-1]], np.diff(edges))
        self.spans = dict(zip(names, zip(edges[:-1].tolist(), ends, strict=True), strict=True))
        self._texts = dict(zip(names, values(pc.binary_join(_lists(edges, texts), END)), strict=True))
        self._starts, self._ends = self.starts.tolist(), (self.starts + lengths).tolist()
        self._read_links(links, edges, self.starts - sentences["start"].to_numpy())
        self.before = _before(texts, np.arange(len(texts)) - np.repeat(edges[:-1], np.diff(edges)))

    def _read_links(self, links: pa.Table, edges: np.ndarray, shift: np.ndarray) -> None:
        """Links at their places: `shift` leads from the page's own text to the joined one."""
        pages = pa.array(list(self.spans), pa.string())
        links = links.append_column("at", pc.index_in(links["page"], value_set=pages))
        for name in ("at", "sentence", "start"):
            links = links.filter(pc.is_valid(links[name]))
        rows = edges[links["at"].to_numpy()] + links["sentence"].to_numpy()
        ends = ((links[name].to_numpy() + shift[rows]).tolist() for name in ("start", "end"))
        places = zip(*ends, values(links["entity"]), strict=True)
        self._links: list[tuple[int, Link]] = list(zip(rows.tolist(), places, strict=True))
        self._link_spans = spans(links["page"])

    def page(self, name: str) -> Page:
        """One of the pages that `spans` has."""
        first, last = self.spans[name]
        start, end = self._link_spans.get(name, (0, 0))
        text = self._texts[name]
        return Page(
            plain(text), text, first, self._starts[first:last], self._ends[first:last], self._links[start:end]
        )


def _lists(edges: np.ndarray, items: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array(edges), items)


def _before(texts: Any, numbers: np.ndarray) -> Any:
    """The two sentences before each of these that are numbered on their pages, joined by a blank."""
    rows = np.arange(len(texts))
    one, two = (texts.take(pa.array(rows - back, mask=numbers < back)) for back in (1, 2))
    # Not by skipping what is null: Arrow would leave out rows where both are.
    lead = pc.fill_null(pc.binary_join_element_wise(two, "", " "), "")
    return pc.binary_join_element_wise(lead, pc.fill_null(one, ""), "")


def spans(pages: Any) -> dict[str, Span]:
    """The first row of each page and the one behind its last, of a column sorted by page."""
    names, ends = page_runs(pages)
    return dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True)) if names else {}


def values(column: Any) -> list[Any]:
    """A column as a list; faster than through a scalar each."""
    return list(column.to_numpy(zero_copy_only=False).tolist())
