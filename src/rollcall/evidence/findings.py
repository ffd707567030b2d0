"""From what a search of some pages found to findings: one for each fact and sentence that may tell it.

Findings are columns, of row numbers and of places, from which those of the candidates are taken.
"""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rollcall.evidence.arrays import changes, matches, ranges
from rollcall.evidence.block_names import Found
from rollcall.evidence.block_wants import BlockWants
from rollcall.evidence.mentions import Mentions, PieceSearch
from rollcall.evidence.pages import Piece

MOST_SENTENCES = 20
"""Of a fact that one page seems to tell again and again, so many sentences are kept, the first ones."""


class Findings(NamedTuple):
    """Rows of wants, of sentences that may tell them, and of topics; names, and places in the sentences."""

    wants: np.ndarray
    sentences: np.ndarray
    topics: np.ndarray
    names: Any
    others: Any
    """Where the sentence names the other end, and where the topic: lists of starts and ends in turn."""
    places: Any


def findings_of(search: PieceSearch, piece: Piece, wants: BlockWants) -> Findings:
    """All that is found in a piece, in the order of topics, sentences and facts."""
    found = _first_ones(_sorted(search.mentions, wants))
    topics = wants.topics[found.keys]
    begins = changes(topics, found.sentences)
    asked = np.flatnonzero(begins)
    topic_places = search.topics.places(topics[asked], found.sentences[asked], search.overlaps)
    number = np.cumsum(begins) - 1
    clear = _clear_of(found, topic_places, number)
    found, number = found.take(clear), number[clear]
    firsts = np.flatnonzero(changes(found.keys, found.sentences))
    edges = zip(found.starts[firsts].tolist(), found.ends[firsts].tolist(), strict=True)
    names = pa.array([piece.original[start:end] for start, end in edges], pa.string())
    others = _lists(np.append(firsts, len(found.keys)), found.starts, found.ends)
    told = np.searchsorted(topic_places.sought, np.arange(len(asked) + 1))
    places = _lists(told, topic_places.starts, topic_places.ends)
    rows, which = _facts(wants, found.keys[firsts])
    firsts = firsts[which]
    sentences = found.sentences[firsts]
    shift = piece.starts[sentences - piece.sentences.start]
    return Findings(
        rows,
        sentences,
        wants.topics[rows],
        names.take(pa.array(which)),
        _shifted(others.take(pa.array(which)), shift),
        _shifted(places.take(pa.array(number[firsts])), shift),
    )


def _sorted(found: Mentions, wants: BlockWants) -> Mentions:
    order = np.lexsort((found.ends, found.starts, found.keys, found.sentences, wants.topics[found.keys]))
    return found.take(order)


def _first_ones(found: Mentions) -> Mentions:
    """Those in the first sentences that mention each key."""
    begins = changes(found.keys, found.sentences)
    keys = found.keys[begins]
    order = np.argsort(keys, kind="stable")
    earlier = np.empty(len(keys), np.int64)
    earlier[order] = np.arange(len(keys)) - np.searchsorted(keys[order], keys[order])
    return found.take((earlier < MOST_SENTENCES)[np.cumsum(begins) - 1])


def _clear_of(found: Mentions, topics: Found, number: np.ndarray) -> np.ndarray:
    """The places of the other end, each once, that the topic's name does not overlap, if there are any."""
    kept = np.ones(len(number), np.bool_)
    begins = np.append(np.flatnonzero(changes(found.keys, found.sentences)), len(number))
    several = np.flatnonzero(np.diff(begins) > 1)
    first, last = begins[several], begins[several + 1]
    topic, count = matches(topics.sought, number[first])
    columns = (column.tolist() for column in (first, last, topic, topic + count))
    named = list(zip(topics.starts.tolist(), topics.ends.tolist(), strict=True))
    for begin, end, told, stop in zip(*columns, strict=True):
        places = list(zip(found.starts[begin:end].tolist(), found.ends[begin:end].tolist(), strict=True))
        clear = set(places)
        for start, behind in named[told:stop]:
            clear = {place for place in clear if behind <= place[0] or place[1] <= start}
        clear = clear or set(places)
        before = [None, *places]
        kept[begin:end] = [place in clear and place != before[row] for row, place in enumerate(places)]
    return kept


def _facts(wants: BlockWants, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all facts that want these keys, and which key each is of."""
    order = np.argsort(wants.keys, kind="stable")
    first, counts = matches(wants.keys[order], keys)
    return order[ranges(first, counts)], np.repeat(np.arange(len(keys)), counts)


def _lists(offsets: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> Any:
    """Lists of starts and ends in turn."""
    edges = np.stack([starts, ends], axis=1).ravel()
    return pa.ListArray.from_arrays(pa.array(2 * offsets, pa.int32()), pa.array(edges, pa.int64()))


def _shifted(lists: Any, shift: np.ndarray) -> Any:
    """The lists of places counted from the beginnings of their sentences."""
    offsets = lists.offsets.to_numpy()
    edges = lists.flatten().to_numpy() - np.repeat(shift, np.diff(offsets))
    return pa.ListArray.from_arrays(pa.array(offsets - offsets[0]), pa.array(edges.astype(np.int32)))
