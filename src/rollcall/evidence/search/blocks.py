"""Reads pages in blocks: what some pages are searched for, with their topics, sentences and links.

Input: `wants` with `topics`, or `pair_wants`, and a corpus. Output: `Block` records. All tables are sorted by
page, so one pass over each is enough, and only one block is in memory at a time. A page with very many wants
is divided into several blocks.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from rollcall.evidence.arrow_files import read_arrow
from rollcall.tables.corpus import Links, Sentences
from rollcall.tables.evidence import PageTopics, PairWants
from rollcall.tables.reader import batches
from rollcall.tables.table import Table, empty, schema

PAGES_PER_BLOCK = 1000
WANTS_PER_BLOCK = 20_000
_SENTENCES = ["page", "number", "text", "start", "end"]
_LINKS = ["page", "sentence", "start", "end", "entity"]
_NO_TOPICS: tuple[pa.Schema, Iterator[pa.RecordBatch]] = (schema(PageTopics), iter(()))


class Block(NamedTuple):
    """Some pages: Arrow tables sorted by page."""

    number: int
    wants: pa.Table
    topics: pa.Table
    sentences: pa.Table
    links: pa.Table


def read_blocks(table: type[Table], folder: Path, corpus: Path) -> Iterator[Block]:
    """The blocks of a table of wants in a folder, in the order of their pages; `PairWants` have no topics."""
    topics = _Follower(*(_NO_TOPICS if table is PairWants else read_arrow(PageTopics, folder)))
    sentences = _Follower(*_parquet(Sentences, corpus / "sentences.parquet", _SENTENCES))
    links = _Follower(*_parquet(Links, corpus / "links.parquet", _LINKS))
    for number, wants in enumerate(_cut(*read_arrow(table, folder))):
        pages = pc.unique(wants["page"])
        parts = (follower.of_pages(pages) for follower in (topics, sentences, links))
        yield Block(number, wants, *parts)


def _parquet(
    table: type[Table], path: Path, columns: list[str]
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    chosen = empty(table).select(columns).schema
    return chosen, batches(table, path, columns, rows=1 << 15)


def _cut(schema: pa.Schema, parts: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Pieces of the wants: some whole pages, or a part of one page with too many wants."""
    pending = schema.empty_table()
    for batch in parts:
        pending = pa.concat_tables([pending, pa.Table.from_batches([batch])]).combine_chunks()
        while pending.num_rows >= WANTS_PER_BLOCK:
            length = _first_pages(pending, complete=False)
            yield pending.slice(0, length)
            pending = pending.slice(length)
    while pending.num_rows:
        length = _first_pages(pending, complete=True)
        yield pending.slice(0, length)
        pending = pending.slice(length)


def _first_pages(wants: pa.Table, complete: bool) -> int:
    """The number of rows of the next piece; the last page may continue unless the wants are complete."""
    _pages, ends = page_runs(wants["page"].slice(0, WANTS_PER_BLOCK + 1))
    if not complete or wants.num_rows > WANTS_PER_BLOCK:
        ends = ends[:-1]
    whole = ends[:PAGES_PER_BLOCK]
    return int(whole[-1]) if len(whole) else min(wants.num_rows, WANTS_PER_BLOCK)


def page_runs(pages: Any) -> tuple[list[str], list[int]]:
    """The pages of a column sorted by page, and for each the number of the row after its last one."""
    runs = pc.run_end_encode(pages.combine_chunks())  # type: ignore[attr-defined]
    return runs.values.to_pylist(), runs.run_ends.to_pylist()


class _Follower:
    """Reads a table sorted by page once, and gives the rows of pages that are requested in order."""

    def __init__(self, schema: pa.Schema, parts: Iterator[pa.RecordBatch]) -> None:
        self._batches = parts
        self._parts: list[_Part] = []
        self._empty = schema.empty_table()

    def of_pages(self, pages: Any) -> pa.Table:
        first, last = pages[0].as_py(), pages[len(pages) - 1].as_py()
        while not self._parts or self._parts[-1].pages[-1] <= last:
            batch = next(self._batches, None)
            if batch is None:
                break
            if batch.num_rows:
                self._parts.append(_part(pa.Table.from_batches([batch])))
        kept = [_between(part, first, last) for part in self._parts]
        # The last page of a block may also be the first page of the next block.
        self._parts = [part for part in self._parts if part.pages[-1] >= last]
        table = pa.concat_tables([self._empty, *kept])
        return table.filter(pc.is_in(table["page"], value_set=pages)).combine_chunks()


class _Part(NamedTuple):
    """Some rows of a table, with their pages and the first row of each page."""

    table: pa.Table
    pages: list[str]
    firsts: list[int]


def _part(table: pa.Table) -> _Part:
    pages, ends = page_runs(table["page"])
    return _Part(table, pages, [0, *ends])


def _between(part: _Part, first: str, last: str) -> pa.Table:
    start = part.firsts[bisect_left(part.pages, first)]
    return part.table.slice(start, part.firsts[bisect_right(part.pages, last)] - start)
