"""From sentences to search, on pages of neither end, to a table of candidates.

Input: a `Block` of `pair_wants`. Output: an Arrow table of `Candidates`.
"""

from itertools import groupby
from typing import Any

import pyarrow as pa

from rollcall.evidence.search.blocks import Block
from rollcall.evidence.search.columns import edges
from rollcall.evidence.search.sentence import PairFinding, SentenceSearch
from rollcall.evidence.search.texts import BlockTexts, spans, values
from rollcall.tables.evidence import Candidates
from rollcall.tables.table import schema

_AS_WANTED = ("subject", "relation", "object", "literal", "page")


def pair_candidates_of(block: Block) -> pa.Table:
    """All candidates of a block, in the order of pages, sentences and facts."""
    texts = BlockTexts(block.sentences, block.links)
    numbers: list[int] = block.wants["sentence"].to_numpy().tolist()
    literal: list[bool] = block.wants["literal"].to_numpy().tolist()
    titles, subjects, objects, of_subjects, of_objects = (
        values(block.wants[name]) for name in ("title", "subject", "object", "subject_names", "object_names")
    )
    found: list[PairFinding] = []
    for name, (first, last) in spans(block.wants["page"]).items():
        page = texts.page(name)
        if page is None:
            continue
        search = SentenceSearch(page, titles[first])
        for number, rows in groupby(range(first, last), key=numbers.__getitem__):
            wants = [
                (
                    row,
                    (subjects[row], False, of_subjects[row]),
                    (objects[row], literal[row], of_objects[row]),
                )
                for row in rows
            ]
            found += search.findings(number, wants)
    return _table(block, texts, found)


def _table(block: Block, texts: BlockTexts, found: list[PairFinding]) -> pa.Table:
    wants = block.wants.take(pa.array([one.want for one in found], pa.int64()))
    rows = pa.array([one.row for one in found], pa.int64())
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(rows)
    told = values(sentences["text"])
    names = [text[slice(*one.objects[0])] for text, one in zip(told, found, strict=True)]
    columns: dict[str, Any] = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "side": pa.array(["neither"] * len(found), pa.string()),
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": texts.before.take(rows),
        "subject_name": wants["subject_label"],
        "object_name": wants["object_label"],
        "subject_places": edges([one.subjects for one in found]),
        "object_places": edges([one.objects for one in found]),
    }
    declared = schema(Candidates)
    return pa.table([columns[field.name].cast(field.type) for field in declared], schema=declared)
