"""From a block of pages to a table of candidates, column by column.

Pages are searched one after another, but only row numbers and places are gathered; the columns of the
candidates are then taken from those of the block, without a record for each.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.blocks import Block
from rollcall.evidence.candidate import candidate_schema
from rollcall.evidence.page import PageSearch
from rollcall.evidence.pages import BlockPages, spans, values
from rollcall.evidence.topic import Place, TopicOnPage

_AS_WANTED = ("subject", "relation", "object", "literal", "side", "page")


class _Rows(NamedTuple):
    """The candidates of a block: rows of its tables, and the places of both ends in the sentence."""

    wants: Sequence[int] = ()
    topics: Sequence[int] = ()
    sentences: Sequence[int] = ()
    others: Sequence[list[Place]] = ()
    places: Sequence[list[Place]] = ()


def candidates_of(block: Block) -> pa.Table:
    """All candidates of a block, in the order of pages, topics, sentences and facts."""
    pages = BlockPages(block.sentences, block.links)
    found: list[tuple[int, int, int, list[Place], list[Place]]] = []
    for first, topic, numbers, search in _searches(block, pages):
        found += [
            (numbers[want], topic, first + sentence, other, places)
            for want, sentence, other, places in search.run()
        ]
    rows = _Rows(*zip(*found, strict=True))
    return _table(block, pages, rows)


def _searches(block: Block, pages: BlockPages) -> Iterator[tuple[int, int, Sequence[int], PageSearch]]:
    """For each page and topic its first sentence, the rows of the topic and of what is wanted, the search."""
    topics = spans(block.topics["page"])
    names, labels = values(block.topics["names"]), values(block.topics["label"])
    of_subject = pc.equal(block.wants["side"], pa.scalar("subject"))
    subjects, objects = block.wants["subject"], block.wants["object"]
    topic_of, of_topic = values(block.topics["topic"]), values(pc.if_else(of_subject, subjects, objects))
    others = values(pc.if_else(of_subject, objects, subjects))
    wanted = list(zip(others, values(block.wants["literal"]), values(block.wants["names"]), strict=True))
    for name, (first, last) in spans(block.wants["page"]).items():
        if name not in pages.spans:
            continue
        page = pages.page(name)
        rows = range(*topics[name])
        for row in rows:
            numbers: Sequence[int] = range(first, last)
            if len(rows) > 1:
                numbers = [number for number in numbers if of_topic[number] == topic_of[row]]
            topic = TopicOnPage(labels[row], names[row], page.text, page.starts)
            search = PageSearch(
                page, topic, wanted[first:last] if len(rows) == 1 else [wanted[n] for n in numbers]
            )
            yield pages.spans[name][0], row, numbers, search


def _table(block: Block, pages: BlockPages, rows: _Rows) -> pa.Table:
    wants = block.wants.take(pa.array(rows.wants, pa.int64()))
    sentences = block.sentences.take(pa.array(rows.sentences, pa.int64()))
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    other_label, topic_label = wants["label"], block.topics["label"].take(pa.array(rows.topics, pa.int64()))
    texts, starts = pages.texts, [pages.starts[row] for row in rows.sentences]
    first = [(row, *places[0]) for row, places in zip(rows.sentences, rows.others, strict=True)]
    names = [texts[row][start - at : end - at] for (row, start, end), at in zip(first, starts, strict=True)]
    columns = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": _before(block.sentences, pages, rows.sentences),
        "subject_name": pc.if_else(of_subject, topic_label, other_label),
        "object_name": pc.if_else(of_subject, other_label, topic_label),
    }
    sides = of_subject.to_numpy().tolist()
    both = list(zip(sides, rows.others, rows.places, strict=True))
    columns["subject_places"] = _edges([topic if side else other for side, other, topic in both], starts)
    columns["object_places"] = _edges([other if side else topic for side, other, topic in both], starts)
    schema = candidate_schema()
    return pa.table([columns[field.name].cast(field.type) for field in schema], schema=schema)


def _before(sentences: pa.Table, pages: BlockPages, rows: Sequence[int]) -> Any:
    """The two sentences before each of these, as far as the page has them."""
    numbers = values(sentences["number"])
    texts, joined = pages.texts, dict.fromkeys(rows, "")
    for row in joined:
        joined[row] = " ".join(texts[max(row - 2, row - numbers[row]) : row])
    return pa.array([joined[row] for row in rows], pa.string())


def _edges(places: list[list[Place]], starts: list[int]) -> Any:
    """Starts and ends in turn, within sentences that have these starts on their pages."""
    lengths = 2 * np.fromiter(map(len, places), np.int32, len(places))
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    edges = chain.from_iterable(chain.from_iterable(places))
    flat = np.fromiter(edges, np.int32, int(offsets[-1])) - np.repeat(np.array(starts, np.int32), lengths)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat))
