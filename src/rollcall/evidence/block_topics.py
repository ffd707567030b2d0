"""Where the pages of a block name their topics, for many sentences at once, and what is the topic's own name.

Full names are sought only in sentences that name something wanted, and their parts where no full one is.
"""

from collections.abc import Sequence

import numpy as np

from rollcall.evidence.arrays import missing, ranges
from rollcall.evidence.block_names import Found, Sought
from rollcall.evidence.names import known_forms
from rollcall.evidence.overlaps import Overlaps
from rollcall.evidence.pages import Piece
from rollcall.evidence.topic import is_in_place, own_names, part_forms, understood

_PLACES = np.int64(1 << 32)


class BlockTopics:
    """Some topics of a piece, known by their rows, which rise, and the pages they are the topics of.

    They are found in these sentences. `labels` and `names` are those of all topics of the block.
    """

    def __init__(
        self,
        piece: Piece,
        rows: np.ndarray,
        pages: np.ndarray,
        sentences: np.ndarray,
        labels: Sequence[str],
        names: Sequence[str],
    ) -> None:
        self._piece, self._rows, self._pages, self._labels, self._names = piece, rows, pages, labels, names
        everything = np.arange(len(rows))
        forms = [known_forms(names[row] or labels[row]) for row in rows.tolist()]
        sought = Sought(forms, everything, pages, everything)
        self._full = piece.names.find(sought, np.unique(sentences - piece.sentences.start))

    def owns(self, topics: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Whether what stands here means the topic: its name, its family name, or what is inside its name."""
        at, full = np.searchsorted(self._rows, topics), self._full
        before = np.searchsorted(_ordered(full.sought, full.starts), _ordered(at, starts), side="right") - 1
        owned = np.zeros(len(topics), np.bool_)
        if len(full.starts):
            owned = (before >= 0) & (full.sought[before] == at) & (ends <= full.ends[before])
        others = np.flatnonzero(~owned)
        text, known, own, family_name = self._piece.text.text, -1, set[str](), ""
        columns = (column[others].tolist() for column in (topics, starts, ends))
        by_name = []
        for topic, start, end in zip(*columns, strict=True):
            if topic != known:
                known = topic
                own, family_name = own_names(self._labels[topic], self._names[topic])
            name = text[start:end]
            by_name.append(name in own or (name == family_name and not is_in_place(text, start)))
        owned[others] = by_name
        return owned

    def places(self, topics: np.ndarray, sentences: np.ndarray, links: Overlaps) -> Found:
        """Where sentences name their topics; links to other things do not. What is sought is numbered so."""
        piece = self._piece
        at, rows = np.searchsorted(self._rows, topics), sentences - piece.sentences.start
        full = _within(self._full, at, piece.starts[rows], piece.ends[rows])
        left = missing(full.sought, len(topics))
        parts = _within(
            self._parts(at[left], rows[left]), at[left], piece.starts[rows[left]], piece.ends[rows[left]]
        )
        parts = parts._replace(sought=left[parts.sought])
        told = Found(*map(np.concatenate, zip(full, parts, strict=True)))
        linked = links.any(sentences[told.sought], told.starts, told.ends)
        told = Found(*(column[~linked] for column in told))
        text = piece.text.text
        untold = missing(told.sought, len(topics))
        columns = (
            column.tolist() for column in (untold, piece.starts[rows[untold]], piece.ends[rows[untold]])
        )
        meant = [
            (number, *place)
            for number, start, end in zip(*columns, strict=True)
            for place in understood(text, start, end)
        ]
        if meant:
            more = np.array(meant, np.int64).T
            told = Found(*map(np.concatenate, zip(told, more, strict=True)))
        order = np.argsort(told.sought, kind="stable")
        return Found(*(column[order] for column in told))

    def _parts(self, at: np.ndarray, sentences: np.ndarray) -> Found:
        """Where the telling words of these topics' labels stand in sentences."""
        distinct = np.unique(at)
        forms = [part_forms(self._labels[row]) for row in self._rows[distinct].tolist()]
        sought = Sought(forms, np.arange(len(distinct)), self._pages[distinct], distinct)
        found = self._piece.names.find(sought, np.unique(sentences))
        return found._replace(sought=distinct[found.sought])


def _ordered(topics: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Places on the pages of topics as numbers that rise with both."""
    numbers: np.ndarray = topics * _PLACES + places
    return numbers


def _within(found: Found, topics: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Found:
    """What is found for topics between two places each, by the number of the topic and its places."""
    places = _ordered(found.sought, found.starts)
    first, last = (np.searchsorted(places, _ordered(topics, edges)) for edges in (starts, ends))
    rows = ranges(first, last - first)
    return Found(np.repeat(np.arange(len(topics)), last - first), found.starts[rows], found.ends[rows])
