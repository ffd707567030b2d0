"""What is wanted of a block's pages, by arrays: which topic's page is searched, and for which other end.

Facts that want the same thing of the same topic's page share a key, the row of the first of them.
"""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.blocks import Block
from rollcall.evidence.pages import BlockPages, values


class BlockWants(NamedTuple):
    """The wants of a block by row; -1 stands for none."""

    pages: np.ndarray
    """The pages they are wanted of, as the block's pages are numbered."""
    topics: np.ndarray
    """The rows of the topics whose pages these are."""
    others: np.ndarray
    """The numbers of the other ends among `ids`."""
    literal: np.ndarray
    names: np.ndarray
    """The numbers of their names, as these are handed on in one text."""
    keys: np.ndarray
    """The first rows with the same topic, other end and names."""
    ids: Any
    """The other ends themselves, by their numbers, in an Arrow array; and names in a list."""
    name_texts: list[str]

    @property
    def key_rows(self) -> np.ndarray:
        """The rows that are the first ones of their keys, in order."""
        rows = np.arange(len(self.keys))
        return np.flatnonzero((self.keys == rows) & (self.pages >= 0) & (self.topics >= 0))


def wants_of(block: Block, pages: BlockPages) -> BlockWants:
    """What is wanted of a block's pages that have sentences."""
    wants = block.wants
    at = _numbers(pc.index_in(wants["page"], value_set=pages.names))
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    subjects, objects = wants["subject"], wants["object"]
    topics = _topics(block, pc.if_else(of_subject, subjects, objects))
    others, ids = _coded(pc.if_else(of_subject, objects, subjects))
    names, name_texts = _coded(wants["names"])
    literal = wants["literal"].to_numpy()
    names = np.where(literal, -1, names)
    same = (topics * (len(ids) + 1) + others) * (len(name_texts) + 1) + names + 1
    _distinct, firsts, inverse = np.unique(same, return_index=True, return_inverse=True)
    return BlockWants(at, topics, others, literal, names, firsts[inverse], ids, values(name_texts))


def _topics(block: Block, topics: Any) -> np.ndarray:
    """The row of each want's topic: there may be several on one page."""
    at = _numbers(pc.index_in(block.wants["page"], value_set=block.topics["page"].combine_chunks()))
    shared = {page.as_py() for page in _repeated(block.topics["page"])}
    if shared:
        pairs = zip(values(block.topics["page"]), values(block.topics["topic"]), strict=True)
        rows = {pair: row for row, pair in enumerate(pairs)}
        wanted = zip(values(block.wants["page"]), values(topics), strict=True)
        for row, pair in enumerate(wanted):
            if pair[0] in shared:
                at[row] = rows.get(pair, -1)
    return at


def _repeated(pages: Any) -> Any:
    counts = pc.value_counts(pages)
    return counts.filter(pc.greater(counts.field("counts"), pa.scalar(1))).field("values")


def _numbers(indices: Any) -> np.ndarray:
    numbers: np.ndarray = pc.fill_null(indices, -1).to_numpy().astype(np.int64)
    return numbers


def _coded(column: Any) -> tuple[np.ndarray, Any]:
    """A column as numbers of its distinct values, and these."""
    coded = column.combine_chunks().dictionary_encode()
    return _numbers(coded.indices), coded.dictionary
