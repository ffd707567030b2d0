"""The pages of a block as texts to search: sentences made plain and joined, with links at their places.

Places are computed for the whole block at once; a page is then a slice of each list.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.names import plain
from rollcall.evidence.page import END, Page

Span = tuple[int, int]


class BlockPages:
    """The pages of a block of sentences and links, both sorted by page and number."""

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        self.texts = values(sentences["text"])
        self.spans = spans(sentences["page"])
        lengths = np.fromiter(map(len, self.texts), np.int64, len(self.texts))
        self._places = np.concatenate([[0], np.cumsum(lengths + 1)])
        self._text = plain(END.join(self.texts))
        self._read_links(sentences, links)

    def _read_links(self, sentences: pa.Table, links: pa.Table) -> None:
        pages = pa.array(list(self.spans), pa.string())
        links = links.append_column("at", pc.index_in(links["page"], value_set=pages))
        for name in ("at", "sentence", "start"):
            links = links.filter(pc.is_valid(links[name]))
        firsts = np.array([first for first, _last in self.spans.values()], np.int64)[links["at"].to_numpy()]
        rows = firsts + links["sentence"].to_numpy()
        # From the page's own text to the plain one, in which one character stands between two sentences.
        shift = self._places[rows] - self._places[firsts] - sentences["start"].to_numpy()[rows]
        edges = ((links[name].to_numpy() + shift).tolist() for name in ("start", "end"))
        places = zip(*edges, values(links["entity"]), strict=True)
        self._links = list(zip((rows - firsts).tolist(), places, strict=True))
        self._link_spans = spans(links["page"])

    def page(self, name: str) -> Page:
        """One of the pages that `spans` has."""
        first, last = self.spans[name]
        places = self._places[first : last + 1]
        links = slice(*self._link_spans.get(name, (0, 0)))
        text = self._text[int(places[0]) : int(places[-1]) - 1]
        return Page(text, (places[:-1] - places[0]).tolist(), self._links[links])


def spans(pages: pa.ChunkedArray) -> dict[str, Span]:
    """The first row of each page and the one behind its last, of a column sorted by page."""
    runs = pc.run_end_encode(pages.combine_chunks())
    ends = runs.run_ends.to_pylist()
    return dict(zip(runs.values.to_pylist(), zip([0, *ends], ends, strict=False), strict=True))


def values(column: pa.ChunkedArray) -> list[Any]:
    """A column as a list; faster than through a scalar each."""
    return list(column.to_numpy(zero_copy_only=False).tolist())
