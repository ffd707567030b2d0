"""From a block of pages to a table of candidates, column by column.

Input: a `Block`. Output: an Arrow table of `Candidates`. Pages are searched one after
another, but only row numbers and places are collected. The columns of the candidates are then taken from
those of the block, without a Python record for each candidate.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.names.forms import BETWEEN, known_forms
from rollcall.evidence.names.matcher import Place
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.search.blocks import Block
from rollcall.evidence.search.page import Finding, PageSearch, Wants
from rollcall.evidence.search.texts import BlockTexts, spans, values
from rollcall.tables.evidence import Candidates
from rollcall.tables.table import schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

_AS_WANTED = ("subject", "relation", "object", "literal", "side", "page")


def candidates_of(block: Block) -> pa.Table:
    """All candidates of a block, in the order of pages, topics, sentences and facts."""
    texts = BlockTexts(block.sentences, block.links)
    found: list[Finding] = []
    topics: list[int] = []
    for topic, search in _searches(block, texts):
        found += search.findings()
        topics += [topic] * (len(found) - len(topics))
    return _table(block, texts, found, topics)


def _searches(block: Block, texts: BlockTexts) -> Iterator[tuple[int, PageSearch]]:
    """For each page and topic, the row of the topic and the search for its wants."""
    wants, of_topic = _wants(block)
    topic_rows = spans(block.topics["page"])
    topics, names, labels = (values(block.topics[name]) for name in ("topic", "names", "label"))
    for name, (first, last) in spans(block.wants["page"]).items():
        page = texts.page(name)
        if page is None:
            continue
        of_page = range(*topic_rows[name])
        for row in of_page:
            rows: Sequence[int] = range(first, last)
            if len(of_page) > 1:  # several entities are tied to this page
                rows = [wanted for wanted in rows if of_topic[wanted] == topics[row]]
            yield (
                row,
                PageSearch(page, TopicOnPage(labels[row], names[row], page.text, page.starts), wants, rows),
            )


def _wants(block: Block) -> tuple[Wants, list[str]]:
    """The wants of a block, and the topics of their pages."""
    of_subject = pc.equal(block.wants["side"], pa.scalar("subject"))
    subjects, objects = block.wants["subject"], block.wants["object"]
    others, topics = pc.if_else(of_subject, objects, subjects), pc.if_else(of_subject, subjects, objects)
    literal: list[Any] = block.wants["literal"].to_pylist()
    names = values(block.wants["names"])
    # A value is not one of its own names: how it may be written depends on its kind.
    further = [
        joined.partition(BETWEEN)[2] if value else joined
        for value, joined in zip(literal, names, strict=True)
    ]
    forms = [known_forms(joined) if joined else () for joined in further]
    return Wants(values(others), literal, names, forms), values(topics)


def _table(block: Block, texts: BlockTexts, found: list[Finding], topics: list[int]) -> pa.Table:
    wanted, told, names, others, places = zip(*found, strict=True) if found else ((),) * 5
    want_rows, sentence_rows = pa.array(wanted, pa.int64()), pa.array(told, pa.int64())
    wants = block.wants.select([*_AS_WANTED, "label"]).take(want_rows)
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(sentence_rows)
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    other_label, topic_label = wants["label"], block.topics["label"].take(pa.array(topics, pa.int64()))
    starts = texts.starts[sentence_rows.to_numpy()]
    # The places of all topics, followed by those of all other ends.
    ends: Any = pa.concat_arrays([edges(places, starts), edges(others, starts)])
    here, there = np.arange(len(found)), np.arange(len(found)) + len(found)
    side = of_subject.to_numpy()
    columns = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": texts.before.take(sentence_rows),
        "subject_name": pc.if_else(of_subject, topic_label, other_label),
        "object_name": pc.if_else(of_subject, other_label, topic_label),
        "subject_places": ends.take(pa.array(np.where(side, here, there))),
        "object_places": ends.take(pa.array(np.where(side, there, here))),
    }
    declared = schema(Candidates)
    return pa.table([columns[field.name].cast(field.type) for field in declared], schema=declared)


def edges(places: Sequence[list[Place]], starts: "NDArray[np.int64] | None" = None) -> "pa.ListArray[Any]":
    """Starts and ends in turn, relative to the sentences if these have `starts` on their pages."""
    lengths = 2 * np.fromiter(map(len, places), np.int32, len(places))
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(places)), np.int32, int(offsets[-1]))
    if starts is not None:
        flat -= np.repeat(starts.astype(np.int32), lengths)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))
