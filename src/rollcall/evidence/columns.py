"""From a block of pages to a table of candidates, column by column.

Pages are searched many at a time, and only row numbers and places are gathered; the columns of the candidates
are then taken from those of the block, without a record for each.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.block_wants import wants_of
from rollcall.evidence.blocks import Block
from rollcall.evidence.candidate import candidate_schema
from rollcall.evidence.findings import Findings, findings_of
from rollcall.evidence.mentions import PieceSearch
from rollcall.evidence.overlaps import ELSEWHERE, NOTHING
from rollcall.evidence.pages import BlockPages, values

_AS_WANTED = ("subject", "relation", "object", "literal", "side", "page")


def candidates_of(block: Block) -> pa.Table:
    """All candidates of a block, in the order of pages, topics, sentences and facts."""
    pages = BlockPages(block.sentences, block.links)
    wants = wants_of(block, pages)
    names, labels = values(block.topics["names"]), values(block.topics["label"])
    linked = _linked(block.links["entity"], wants.ids)
    found = []
    for piece in pages.pieces():
        search = PieceSearch(piece, wants, linked[piece.links.rows], labels, names)
        if len(search.mentions.keys):
            found.append(findings_of(search, piece, wants))
    if not found:
        empty: pa.Table = candidate_schema().empty_table()
        return empty
    return _table(block, pages, found)


def _linked(entities: Any, ids: Any) -> np.ndarray:
    """What links lead to, by its number among those that are wanted."""
    numbers = pc.fill_null(pc.index_in(entities, value_set=ids), ELSEWHERE)
    linked: np.ndarray = pc.if_else(pc.is_valid(entities), numbers, NOTHING).to_numpy().astype(np.int64)
    return linked


def _table(block: Block, pages: BlockPages, found: list[Findings]) -> pa.Table:
    parts = list(zip(*found, strict=True))
    rows, sentence_rows, topics = (pa.array(np.concatenate(column)) for column in parts[:3])
    names, others, places = (pa.concat_arrays(column) for column in parts[3:])
    wants = block.wants.select([*_AS_WANTED, "label"]).take(rows)
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(sentence_rows)
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    other_label, topic_label = wants["label"], block.topics["label"].take(topics)
    # The places of all topics, and behind them those of all other ends.
    ends = pa.concat_arrays([places, others])
    here, there = np.arange(len(rows)), np.arange(len(rows)) + len(rows)
    side = of_subject.to_numpy()
    columns = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "sentence": sentences["number"],
        "name": names,
        "before": pages.before.take(sentence_rows),
        "subject_name": pc.if_else(of_subject, topic_label, other_label),
        "object_name": pc.if_else(of_subject, other_label, topic_label),
        "subject_places": ends.take(pa.array(np.where(side, here, there))),
        "object_places": ends.take(pa.array(np.where(side, there, here))),
    }
    schema = candidate_schema()
    return pa.table([columns[field.name].cast(field.type) for field in schema], schema=schema)
