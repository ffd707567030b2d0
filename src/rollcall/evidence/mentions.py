"""Searches some pages for everything that is wanted of them: their texts are read once for all facts.

Links decide first: a link to the other end is a mention whatever its words, and a name inside a link to
something else is none, nor is a name that this page's links use for something else, nor the topic's own name.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.evidence.arrays import among, matches, ranges
from rollcall.evidence.block_names import Sought
from rollcall.evidence.block_topics import BlockTopics
from rollcall.evidence.block_wants import BlockWants
from rollcall.evidence.literals import LiteralMatcher, text_forms, wanted_value
from rollcall.evidence.names import Form, known_forms
from rollcall.evidence.overlaps import NOTHING, Overlaps
from rollcall.evidence.pages import Piece
from rollcall.query.values import Text

_USED = np.uint64(0xA24BAED4963EE407)


class Mentions(NamedTuple):
    """What is wanted, known by its key, and the sentences and places that name it."""

    keys: np.ndarray
    sentences: np.ndarray
    starts: np.ndarray
    ends: np.ndarray

    def take(self, rows: np.ndarray) -> "Mentions":
        """Some of the rows, by number or by a mask."""
        return Mentions(*(column[rows] for column in self))


class PieceSearch:
    """The search of a piece for a block's wants; `linked` are the numbers of what its links lead to."""

    def __init__(
        self, piece: Piece, wants: BlockWants, linked: np.ndarray, labels: Sequence[str], names: Sequence[str]
    ) -> None:
        self._piece, self._wants, self._linked = piece, wants, linked
        self.overlaps = Overlaps(piece.links, linked)
        keys = wants.key_rows
        here = (wants.pages[keys] >= piece.pages.start) & (wants.pages[keys] < piece.pages.stop)
        self._keys = keys[here]
        parts = [self._links(), *self._values_and_names()]
        named = parts.pop()
        named = named.take(self._is_meant(named))
        found = Mentions(*map(np.concatenate, zip(*parts, named, strict=True)))
        topics = np.unique(wants.topics[found.keys])
        pages = np.zeros(len(labels), np.int64)
        pages[wants.topics[self._keys]] = wants.pages[self._keys] - piece.pages.start
        self.topics = BlockTopics(piece, topics, pages[topics], found.sentences, labels, names)
        things = np.flatnonzero(~wants.literal[named.keys])
        owned = np.zeros(len(named.keys), np.bool_)
        owned[things] = self.topics.owns(
            wants.topics[named.keys[things]], named.starts[things], named.ends[things]
        )
        parts.append(named.take(~owned))
        self.mentions = Mentions(*map(np.concatenate, zip(*parts, strict=True)))

    def _links(self) -> Mentions:
        """Links to what is wanted of their pages."""
        wants, links, size = self._wants, self._piece.links, len(self._wants.ids)
        things = self._keys[~wants.literal[self._keys]]
        wanted = wants.pages[things] * size + wants.others[things]
        order = np.argsort(wanted, kind="stable")
        things, wanted = things[order], wanted[order]
        rows = np.flatnonzero(self._linked >= 0)
        asked = self._page_of(links.sentences[rows]) * size + self._linked[rows]
        first, counts = matches(wanted, asked)
        keys, rows = things[ranges(first, counts)], np.repeat(rows, counts)
        return Mentions(keys, links.sentences[rows], links.starts[rows], links.ends[rows])

    def _page_of(self, sentences: np.ndarray) -> np.ndarray:
        pages: np.ndarray = self._piece.page_of[sentences - self._piece.sentences.start]
        return pages + self._piece.pages.start

    def _values_and_names(self) -> tuple[Mentions, Mentions]:
        """Where values and names that are wanted stand; whether names are meant is not yet asked."""
        wants, piece, rows = self._wants, self._piece, self._keys
        values: dict[int, LiteralMatcher] = {}
        forms: list[Sequence[Form]] = []
        texts = []
        literal = rows[wants.literal[rows]]
        wanted = wants.ids.take(wants.others[literal]).to_pylist()
        for row, topic, text in zip(literal.tolist(), wants.topics[literal].tolist(), wanted, strict=True):
            value = wanted_value(text)
            if isinstance(value, Text):
                texts.append(row)
                forms.append(text_forms(value))
            elif value is not None:
                # Of a page with several topics each is searched for what is wanted of it.
                values.setdefault(topic, LiteralMatcher()).add(value, row)
        things = rows[~wants.literal[rows]]
        distinct, which = np.unique(wants.names[things], return_inverse=True)
        which = np.concatenate([np.arange(len(texts)), which + len(texts)])
        forms += [known_forms(wants.name_texts[number]) for number in distinct.tolist()]
        rows = np.concatenate([np.array(texts, np.int64), things])
        pages = wants.pages[rows] - piece.pages.start
        found = piece.names.find(Sought(forms, which, pages, wants.topics[rows]))
        sentences = np.searchsorted(piece.starts, found.starts, side="right") - 1 + piece.sentences.start
        return self._values(values), Mentions(rows[found.sought], sentences, found.starts, found.ends)

    def _values(self, matchers: dict[int, LiteralMatcher]) -> Mentions:
        """Where sentences state values."""
        piece, text = self._piece, self._piece.text.text
        found = []
        pages = np.zeros(int(self._wants.topics.max()) + 1, np.int64)
        pages[self._wants.topics[self._keys]] = self._wants.pages[self._keys] - piece.pages.start
        for topic, matcher in matchers.items():
            first, last = np.searchsorted(piece.page_of, (pages[topic], pages[topic] + 1)).tolist()
            places = zip(piece.starts[first:last].tolist(), piece.ends[first:last].tolist(), strict=True)
            for row, (start, end) in enumerate(places, piece.sentences.start + first):
                for value in matcher.find(text[start:end]):
                    found.append((value.key, row, start + value.start, start + value.end))
        return Mentions(*np.array(found, np.int64).reshape(-1, 4).T)

    def _is_meant(self, named: Mentions) -> np.ndarray:
        """Whether the page's links let the names mean what is wanted, and do not say so already."""
        wants, links, size = self._wants, self._piece.links, len(self._wants.ids) + 2
        entities = np.where(wants.literal[named.keys], NOTHING, wants.others[named.keys])
        things = entities != NOTHING
        known = np.unique(_places(links.starts, links.ends))
        places, linked = (_places(column.starts, column.ends) for column in (named, links))
        by_link = things & among(places, known)
        # Exact: places are numbered before they are joined with what is linked there.
        places, linked = (np.searchsorted(known, column) * size for column in (places, linked))
        by_link &= among(places + entities, linked + self._linked)
        telling = self._linked != NOTHING
        uses = self._texts(links.sentences[telling], links.starts[telling], links.ends[telling])
        texts = self._texts(named.sentences, named.starts, named.ends)
        used = among(texts, uses)
        used[used] = ~among(_of(texts[used], entities[used]), _of(uses, self._linked[telling]))
        meant: np.ndarray = ~by_link & ~(used & things)
        rows = np.flatnonzero(meant)
        meant[rows] = ~self.overlaps.elsewhere(
            named.sentences[rows], named.starts[rows], named.ends[rows], entities[rows]
        )
        return meant

    def _texts(self, sentences: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """Numbers for the texts that stand on pages between these places."""
        hashes = self._piece.text.hashes(starts, np.minimum(ends, len(self._piece.text.codes)))
        return _of(hashes, self._page_of(sentences))


def _of(hashes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    together: np.ndarray = (hashes ^ (hashes >> np.uint64(29))) * _USED + numbers.astype(np.uint64)
    return together


def _places(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    numbers: np.ndarray = (starts << 32) + ends
    return numbers
