"""From a block of pages to a table of candidates, column by column.

Pages are searched one after another, but only row numbers and places are gathered; the columns of the
candidates are then taken from those of the block, without a record for each.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.blocks import Block
from rollcall.evidence.candidate import candidate_schema
from rollcall.evidence.names import known_forms
from rollcall.evidence.page import Finding, PageSearch, Wants
from rollcall.evidence.pages import BlockPages, spans, values
from rollcall.evidence.topic import Place, TopicOnPage

_AS_WANTED = ("subject", "relation", "object", "literal", "side", "page")


def candidates_of(block: Block) -> pa.Table:
    """All candidates of a block, in the order of pages, topics, sentences and facts."""
    pages = BlockPages(block.sentences, block.links)
    found: list[Finding] = []
    topics: list[int] = []
    for topic, search in _searches(block, pages):
        findings = search.run()
        found += findings
        topics += [topic] * len(findings)
    return _table(block, pages, found, topics)


def _searches(block: Block, pages: BlockPages) -> Iterator[tuple[int, PageSearch]]:
    """For each page and topic the row of the topic, and the search for what is wanted."""
    topics = spans(block.topics["page"])
    names, labels = values(block.topics["names"]), values(block.topics["label"])
    of_subject = pc.equal(block.wants["side"], pa.scalar("subject"))
    subjects, objects = block.wants["subject"], block.wants["object"]
    shared = len(labels) > len(topics)  # pages that several things are tied to
    topic_of = values(block.topics["topic"]) if shared else []
    of_topic = values(pc.if_else(of_subject, subjects, objects)) if shared else []
    others, literal = values(pc.if_else(of_subject, objects, subjects)), values(block.wants["literal"])
    names_wanted = values(block.wants["names"])
    forms = [
        () if value else known_forms(joined) for value, joined in zip(literal, names_wanted, strict=True)
    ]
    wants = Wants(others, literal, list(zip(others, names_wanted, strict=True)), forms)
    for name, (first, last) in spans(block.wants["page"]).items():
        if name not in pages.spans:
            continue
        page = pages.page(name)
        of_page = range(*topics[name])
        for row in of_page:
            rows: Sequence[int] = range(first, last)
            if len(of_page) > 1:
                rows = [wanted for wanted in rows if of_topic[wanted] == topic_of[row]]
            topic = TopicOnPage(labels[row], names[row], page.text, page.starts)
            yield row, PageSearch(page, topic, wants, rows)


def _table(block: Block, pages: BlockPages, found: list[Finding], topics: list[int]) -> pa.Table:
    rows, sentence_rows, names, others, places = zip(*found, strict=True) if found else ((),) * 5
    wanted, told = pa.array(rows, pa.int64()), pa.array(sentence_rows, pa.int64())
    wants = block.wants.select([*_AS_WANTED, "label"]).take(wanted)
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(told)
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    other_label, topic_label = wants["label"], block.topics["label"].take(pa.array(topics, pa.int64()))
    starts = pages.starts[told.to_numpy()]
    # The places of all topics, and behind them those of all other ends.
    ends = pa.concat_arrays([_edges(places, starts), _edges(others, starts)])
    here, there = np.arange(len(found)), np.arange(len(found)) + len(found)
    side = of_subject.to_numpy()
    columns = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": pages.before.take(told),
        "subject_name": pc.if_else(of_subject, topic_label, other_label),
        "object_name": pc.if_else(of_subject, other_label, topic_label),
        "subject_places": ends.take(pa.array(np.where(side, here, there))),
        "object_places": ends.take(pa.array(np.where(side, there, here))),
    }
    schema = candidate_schema()
    return pa.table([columns[field.name].cast(field.type) for field in schema], schema=schema)


def _edges(places: Sequence[list[Place]], starts: np.ndarray) -> Any:
    """Starts and ends in turn, within sentences that have these starts on their pages."""
    lengths = 2 * np.fromiter(map(len, places), np.int32, len(places))
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    edges = chain.from_iterable(chain.from_iterable(places))
    flat = np.fromiter(edges, np.int32, int(offsets[-1])) - np.repeat(starts.astype(np.int32), lengths)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))
