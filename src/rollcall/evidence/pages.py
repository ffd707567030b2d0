"""The pages of a block as texts to search: sentences made plain and joined, with links at their places.

Places are computed for the whole block at once; a page is then a slice of each list.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.blocks import page_runs
from rollcall.evidence.names import plain
from rollcall.evidence.page import END, Link, Page

Span = tuple[int, int]


class BlockPages:
    """The pages of a block of sentences and links, both sorted by page and number.

    `starts` are the places of the sentences in the plain texts of their pages.
    """

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        self.texts: list[str] = values(sentences["text"])
        self.spans = spans(sentences["page"])
        lengths = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        places = np.concatenate([[0], np.cumsum(lengths + 1)])
        firsts = np.array([first for first, _last in self.spans.values()], np.int64)
        starts = places[:-1] - np.repeat(places[firsts], np.diff([*firsts, len(lengths)]))
        self._text = plain(END.join(self.texts))
        self._places, self._ends = places.tolist(), (starts + lengths).tolist()
        self.starts: list[int] = starts.tolist()
        self._read_links(links, firsts, starts - sentences["start"].to_numpy())

    def _read_links(self, links: pa.Table, firsts: np.ndarray, shift: np.ndarray) -> None:
        """Links at their places: `shift` leads from the page's own text to the plain one."""
        pages = pa.array(list(self.spans), pa.string())
        links = links.append_column("at", pc.index_in(links["page"], value_set=pages))
        for name in ("at", "sentence", "start"):
            links = links.filter(pc.is_valid(links[name]))
        numbers = links["sentence"].to_numpy()
        shifts = shift[firsts[links["at"].to_numpy()] + numbers]
        edges = ((links[name].to_numpy() + shifts).tolist() for name in ("start", "end"))
        places = zip(*edges, values(links["entity"]), strict=True)
        self._links: list[tuple[int, Link]] = list(zip(numbers.tolist(), places, strict=True))
        self._link_spans = spans(links["page"])

    def page(self, name: str) -> Page:
        """One of the pages that `spans` has."""
        first, last = self.spans[name]
        start, end = self._link_spans.get(name, (0, 0))
        text = self._text[self._places[first] : self._places[last] - 1]
        return Page(text, self.starts[first:last], self._ends[first:last], self._links[start:end])


def spans(pages: Any) -> dict[str, Span]:
    """The first row of each page and the one behind its last, of a column sorted by page."""
    names, ends = page_runs(pages)
    return dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True)) if names else {}


def values(column: Any) -> list[Any]:
    """A column as a list; faster than through a scalar each."""
    return list(column.to_numpy(zero_copy_only=False).tolist())
