"""From facts to candidates: what is searched for where, and the search in worker processes or in this one.

Files of candidates are numbered by block, and their candidates are in the order of pages, sentences and
facts. So the result is the same for any number of processes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rollcall._core.workers import collection_paused
from rollcall.evidence.names import (
    SharedNames,
    keep_names,
    name_inputs,
    named_ends,
    shared_names,
    sought,
)
from rollcall.evidence.search.page import (
    BlockTexts,
    Finding,
    PageBlock,
    PageSearch,
    PairFinding,
    SentenceSearch,
    Wants,
    read_blocks,
    spans,
    values,
    without_page,
    write_wants,
)
from rollcall.tables.build import Candidates, NameKeys, NamePlaces, PageKeys, PageWants, PairWants
from rollcall.tables.table import declaration, schema
from rollcall.text.name_forms import BETWEEN, known_forms
from rollcall.text.names import Place, TopicOnPage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.tables.engine import Engine, Workbench
    from rollcall.tables.table import DeclaredTable


WORTHWHILE = 4_000
"""For fewer wants or candidates, starting a second process takes longer than it saves."""
Where = Literal["anywhere", "own-pages-first", "own-pages", "subject-pages"]
"""Which sentences are searched for a fact: all on the pages about an end, and all others that name both ends;
the others only if no page is about an end; no others, as in the QAMPARI paper; or only the pages about
subjects.
"""


class SearchCounts(NamedTuple):
    """The number of facts, of those with text to search, and of the candidates."""

    facts: int
    searchable: int
    candidates: int
    shared: SharedNames = SharedNames()


def find_candidates(
    folder: Path,
    graph: Path,
    corpus: Path,
    facts: Path,
    engine: "Engine",
    *,
    where: Where = "anywhere",
    further_names: Path | None = None,
    name: str = "finding evidence",
) -> SearchCounts:
    """Search for a table of facts, and write the candidates to `folder/candidates`.

    `further_names` is a file of `RelationNames`.
    """
    from rollcall.evidence.mentions.places import write_pair_wants

    (folder / "candidates").mkdir(exist_ok=True)
    with engine.workbench(folder / "spill") as bench:
        name_inputs(bench, graph, corpus, facts, further_names)
        keep_names(bench)
        shared = shared_names(bench)
        fact_count, searchable = write_wants(bench, folder, objects_pages=where != "subject-pages")
        elsewhere = where == "anywhere" or (where == "own-pages-first" and searchable < fact_count)
        if elsewhere:
            searchable = fact_count
            keep_mentions(bench, folder, graph, corpus, engine)
            write_pair_wants(bench, folder, sought if where == "anywhere" else without_page)
    candidate_count = _search_all(PageWants, _search_pages, folder, corpus, engine, name)
    if elsewhere:
        candidate_count += _search_all(
            PairWants, _search_sentences, folder, corpus, engine, f"{name} elsewhere"
        )
    return SearchCounts(fact_count, searchable, candidate_count, shared)


def keep_mentions(bench: "Workbench", folder: Path, graph: Path, corpus: Path, engine: "Engine") -> None:
    """Keep the index of mentions: who is named where; the names must be kept already."""
    from rollcall.evidence.mentions.homonyms import keep_mentioned
    from rollcall.evidence.mentions.places import find_places, write_name_keys
    from rollcall.tables.corpus import MentionCounts
    from rollcall.tables.graph import Facts

    write_name_keys(folder, bench.stream(named_ends), engine)
    find_places(folder, corpus, engine)
    for table in (NameKeys, NamePlaces, PageKeys):
        bench.read(table, sorted((folder / declaration(table).name).glob("*.parquet")))
    bench.read_folder("graph", graph, Facts)
    bench.read_folder("corpus", corpus, MentionCounts)
    keep_mentioned(bench)


def _search_all(
    table: "type[DeclaredTable]",
    search: "Callable[[Path, PageBlock], tuple[int, int]]",
    folder: Path,
    corpus: Path,
    engine: "Engine",
    name: str,
) -> int:
    """Search for all wants of a folder and write the candidates there; returns their number."""
    from pyarrow.dataset import dataset

    from rollcall._core.console import Progress
    from rollcall.evidence.candidate import arrow_file
    from rollcall.tables.engine import map_here

    wants = arrow_file(table, folder)
    total = dataset(wants.absolute(), format="ipc").count_rows() if wants.exists() else 0
    candidate_count = 0
    run = engine.map_blocks if total >= WORTHWHILE else map_here
    with collection_paused(), Progress(name, total) as progress:
        results = run(search, read_blocks(table, folder, corpus), partial(Path, folder, "candidates"))
        for searched, candidates in results:
            candidate_count += candidates
            progress.advance(searched, f"{candidate_count:,} candidates")
    return candidate_count


def _search_pages(folder: Path, block: "PageBlock") -> tuple[int, int]:
    """Search a block of pages and write its candidates; returns the number of wants and of candidates."""
    return _write(folder / f"{block.number:06d}.parquet", block, candidates_of)


def _search_sentences(folder: Path, block: "PageBlock") -> tuple[int, int]:
    """The same for sentences on pages of neither end."""
    return _write(folder / f"elsewhere-{block.number:06d}.parquet", block, pair_candidates_of)


def _write(path: Path, block: "PageBlock", search: "Callable[[PageBlock], pa.Table]") -> tuple[int, int]:
    from rollcall.tables.files import write_scratch

    with collection_paused():
        candidates = search(block)
    if candidates.num_rows:
        write_scratch(candidates, path)
    return block.wants.num_rows, candidates.num_rows


# From a block of pages to a table of candidates, column by column. Input: a `PageBlock`. Output: an Arrow
# table of `Candidates`. Pages are searched one after another, but only row numbers and places are
# collected. The columns of the candidates are then taken from those of the block, without a Python
# record for each candidate.

_AS_WANTED = ("subject", "relation", "object", "literal", "side", "page")


def candidates_of(block: PageBlock) -> pa.Table:
    """All candidates of a block, in the order of pages, topics, sentences and facts."""
    texts = BlockTexts(block.sentences, block.links)
    findings: list[Finding] = []
    topics: list[int] = []
    for topic, search in _searches(block, texts):
        findings += search.findings()
        topics += [topic] * (len(findings) - len(topics))
    return _table(block, texts, findings, topics)


def _searches(block: PageBlock, texts: BlockTexts) -> Iterator[tuple[int, PageSearch]]:
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
                rows = [want for want in rows if of_topic[want] == topics[row]]
            yield (
                row,
                PageSearch(page, TopicOnPage(labels[row], names[row], page.text, page.starts), wants, rows),
            )


def _wants(block: PageBlock) -> tuple[Wants, list[str]]:
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


def _table(block: PageBlock, texts: BlockTexts, findings: list[Finding], topics: list[int]) -> pa.Table:
    want_numbers, sentence_numbers, names, other_places, topic_places = (
        zip(*findings, strict=True) if findings else ((),) * 5
    )
    want_rows, sentence_rows = pa.array(want_numbers, pa.int64()), pa.array(sentence_numbers, pa.int64())
    wants = block.wants.select([*_AS_WANTED, "label"]).take(want_rows)
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(sentence_rows)
    of_subject = pc.equal(wants["side"], pa.scalar("subject"))
    other_label, topic_label = wants["label"], block.topics["label"].take(pa.array(topics, pa.int64()))
    starts = texts.starts[sentence_rows.to_numpy()]
    # The places of all topics, followed by those of all other ends.
    ends: Any = pa.concat_arrays([edges(topic_places, starts), edges(other_places, starts)])
    topic_index, other_index = np.arange(len(findings)), np.arange(len(findings)) + len(findings)
    side = of_subject.to_numpy()
    columns = {
        **{name: wants[name] for name in _AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": texts.before.take(sentence_rows),
        "subject_name": pc.if_else(of_subject, topic_label, other_label),
        "object_name": pc.if_else(of_subject, other_label, topic_label),
        "subject_places": ends.take(pa.array(np.where(side, topic_index, other_index))),
        "object_places": ends.take(pa.array(np.where(side, other_index, topic_index))),
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


# From sentences to search, on pages of neither end, to a table of candidates. Input: a `PageBlock` of
# `pair_wants`. Output: an Arrow table of `Candidates`.

_PAIR_COLUMNS_AS_WANTED = ("subject", "relation", "object", "literal", "page")


def pair_candidates_of(block: PageBlock) -> pa.Table:
    """All candidates of a block, in the order of pages, sentences and facts."""
    texts = BlockTexts(block.sentences, block.links)
    numbers: list[int] = block.wants["sentence"].to_numpy().tolist()
    literal: list[bool] = block.wants["literal"].to_numpy().tolist()
    titles, subjects, objects, of_subjects, of_objects = (
        values(block.wants[name]) for name in ("title", "subject", "object", "subject_names", "object_names")
    )
    findings: list[PairFinding] = []
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
            findings += search.findings(number, wants)
    return _pair_columns_table(block, texts, findings)


def _pair_columns_table(block: PageBlock, texts: BlockTexts, findings: list[PairFinding]) -> pa.Table:
    wants = block.wants.take(pa.array([finding.want for finding in findings], pa.int64()))
    rows = pa.array([finding.row for finding in findings], pa.int64())
    sentences = block.sentences.select(["number", "start", "end", "text"]).take(rows)
    sentence_texts = values(sentences["text"])
    names = [text[slice(*finding.objects[0])] for text, finding in zip(sentence_texts, findings, strict=True)]
    columns: dict[str, Any] = {
        **{name: wants[name] for name in _PAIR_COLUMNS_AS_WANTED},
        **{name: sentences[name] for name in ("start", "end", "text")},
        "side": pa.array(["neither"] * len(findings), pa.string()),
        "sentence": sentences["number"],
        "name": pa.array(names, pa.string()),
        "before": texts.before.take(rows),
        "subject_name": wants["subject_label"],
        "object_name": wants["object_label"],
        "subject_places": edges([finding.subjects for finding in findings]),
        "object_places": edges([finding.objects for finding in findings]),
    }
    declared = schema(Candidates)
    return pa.table([columns[field.name].cast(field.type) for field in declared], schema=declared)
