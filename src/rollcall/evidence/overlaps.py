"""Which places in sentences overlap a link: told for many at once, and looked at closely where one may."""

from collections.abc import Iterator

import numpy as np

from rollcall.evidence.pages import Links

NOTHING, ELSEWHERE = -2, -1
"""What links lead to whose entity is not known, or is not wanted."""


class Overlaps:
    """The links of a piece, and the numbers of what they lead to."""

    def __init__(self, links: Links, entities: np.ndarray) -> None:
        self._links, self._entities = links, entities
        order = np.argsort(links.starts, kind="stable")
        self._starts = links.starts[order]
        self._reach = np.maximum.accumulate(links.ends[order]) if len(order) else links.ends

    def any(self, sentences: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Whether some link of the sentence overlaps the place."""
        told = np.zeros(len(starts), np.bool_)
        for row, start, end, links in self._near(sentences, starts, ends):
            told[row] = any(first < end and start < last for first, last, _entity in links)
        return told

    def elsewhere(
        self, sentences: np.ndarray, starts: np.ndarray, ends: np.ndarray, entities: np.ndarray
    ) -> np.ndarray:
        """Whether a link of the sentence says that the name here means something other than these."""
        told = np.zeros(len(starts), np.bool_)
        for row, start, end, links in self._near(sentences, starts, ends):
            told[row] = _is_linked_elsewhere(start, end, entities[row], links)
        return told

    def _near(
        self, sentences: np.ndarray, starts: np.ndarray, ends: np.ndarray
    ) -> Iterator[tuple[int, int, int, list[tuple[int, int, int]]]]:
        """The rows that a link may overlap, with their places and the links of their sentences."""
        if not len(self._starts):
            return
        before = np.searchsorted(self._starts, ends) - 1
        rows = np.flatnonzero((before >= 0) & (self._reach[before] > starts))
        first, last = (np.searchsorted(self._links.sentences, sentences[rows], s) for s in ("left", "right"))
        columns = (column.tolist() for column in (rows, starts[rows], ends[rows], first, last))
        links = list(
            zip(self._links.starts.tolist(), self._links.ends.tolist(), self._entities.tolist(), strict=True)
        )
        for row, start, end, begin, stop in zip(*columns, strict=True):
            yield row, start, end, links[begin:stop]


def _is_linked_elsewhere(start: int, end: int, entity: int, links: list[tuple[int, int, int]]) -> bool:
    for first, last, linked in links:
        if first < end and start < last and linked != entity:
            return linked != NOTHING or (first, last) != (start, end)
    return False
