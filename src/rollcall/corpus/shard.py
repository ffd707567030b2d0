"""Shards: the pages of one block, cut into sentences and passages, as small Parquet files.

Everything that concerns one page alone is done here, in the worker that read it. Duplicates, redirects and
the entities of links, which concern several pages, are resolved later, for all shards at once.
"""

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rollcall.corpus.corpus import Content, TableContent
from rollcall.corpus.passages import Chunking
from rollcall.tables.corpus import SHARD_TABLES
from rollcall.tables.table import arrow, columns
from rollcall.text.sentences import split

PAGES_PER_BLOCK = 1 << 20
BLOCKS_PER_SOURCE = 1 << 24


def order_of(place: int, block: int, number: int) -> int:
    """The number of a page among all pages read: by source, block, and position in the block."""
    return (place * BLOCKS_PER_SOURCE + block) * PAGES_PER_BLOCK + number


@dataclass(slots=True)
class PageRecord:
    """One page as it was read.

    `item` is the entity that the source itself names. A page known only `by_title` (from a file of tables) is
    the same as another page with this title, if there is one.
    """

    id: str
    title: str
    content: Content
    item: str | None = None
    by_title: bool = False


class CorpusShard:
    """The rows made from one block, by table; their values are in the order of `SHARD_TABLES`."""

    def __init__(self, first_order: int, chunking: Chunking) -> None:
        self._order = first_order
        self._chunking = chunking
        self.rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in SHARD_TABLES}
        self.dropped_sentences = 0
        """Sentences that are in no passage, because the chunking mode drops them."""

    def mark(self) -> tuple[int, int, list[int]]:
        """The current lengths of the tables, for `restore`."""
        return self._order, self.dropped_sentences, [len(rows) for rows in self.rows.values()]

    def restore(self, mark: tuple[int, int, list[int]]) -> None:
        """Remove the rows added since the mark, so that a bad page leaves nothing behind."""
        self._order, self.dropped_sentences, lengths = mark
        for rows, length in zip(self.rows.values(), lengths, strict=True):
            del rows[length:]

    def add_redirect(self, title: str, target: str) -> None:
        self.rows["redirects"].append((self._order, title, target))
        self._order += 1

    def add_page(self, page: PageRecord) -> None:
        content = page.content
        spans = split(content.text)
        row = (
            page.id,
            page.title,
            page.item,
            page.by_title,
            content.disambiguation,
            len(content.text),
            len(spans),
        )
        self.rows["pages"].append((self._order, *row))
        self._add_sentences(page, spans)
        self._add_passages(page, spans)
        self._add_links(page, spans)
        for number, table in enumerate(content.tables):
            self._add_table(number, table)
        self._order += 1

    def _add_sentences(self, page: PageRecord, spans: list[tuple[int, int]]) -> None:
        text, sections = page.content.text, page.content.sections
        starts = [section.start for section in sections]
        for number, (start, end) in enumerate(spans):
            place = bisect_right(starts, start)
            section = sections[place - 1].heading if place else ""
            next_start = spans[number + 1][0] if number + 1 < len(spans) else len(text)
            row = (page.id, number, section, text[start:end], start, end, text[end:next_start])
            self.rows["sentences"].append((self._order, *row))

    def _add_passages(self, page: PageRecord, spans: list[tuple[int, int]]) -> None:
        text, count = page.content.text, self._chunking.count
        lengths = [count(text[start:end]) for start, end in spans]
        covered = 0
        for number, (first, end) in enumerate(self._chunking.cut(lengths)):
            words = text[spans[first][0] : spans[end - 1][1]]
            row = (f"{page.id}__{number}", page.id, number, first, end - 1, sum(lengths[first:end]), words)
            self.rows["passages"].append((self._order, *row))
            covered += end - first
        self.dropped_sentences += len(spans) - covered

    def _add_links(self, page: PageRecord, spans: list[tuple[int, int]]) -> None:
        text = page.content.text
        starts = [start for start, _ in spans]
        for number, link in enumerate(page.content.links):
            if link.start < 0:
                self.rows["links"].append((self._order, page.id, number, None, None, None, None, link.target))
                continue
            sentence = bisect_right(starts, link.start) - 1
            anchor = text[link.start : link.end]
            row = (page.id, number, sentence, link.start, link.end, anchor, link.target)
            self.rows["links"].append((self._order, *row))

    def _add_table(self, number: int, table: TableContent) -> None:
        width = len(table.header) or max((len(row) for row in table.rows), default=0)
        row = (number, table.section, table.caption, table.header, len(table.rows), width)
        self.rows["tables"].append((self._order, *row))
        for at, cells in enumerate(table.rows, start=1):
            for column, cell in enumerate(cells):
                values = (number, at, column, cell.header, cell.text, list(cell.links))
                self.rows["cells"].append((self._order, *values))

    def write(self, folder: Path) -> None:
        """Write every table that has rows."""
        from rollcall.tables.files import write_scratch

        for name, rows in self.rows.items():
            if rows:
                table = SHARD_TABLES[name]
                values = dict(zip(columns(table), zip(*rows, strict=True), strict=True))
                write_scratch(arrow(table, values), folder / f"{name}.parquet")
