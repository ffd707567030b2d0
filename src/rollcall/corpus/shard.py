"""Shards: the pages of one block, cut into sentences and passages, as small Parquet files.

Everything that concerns one page alone is done here, in the worker that read it. Duplicates, redirects and
the entities of links, which concern several pages, are resolved later, for all shards at once.

- `Chunking`: how sentences are cut into passages, the unit that is retrieved.
- `CorpusShard`: the rows of one block.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.corpus.corpus import Content, TableContent
from rollcall.tables.corpus import SHARD_TABLES
from rollcall.tables.table import arrow, columns
from rollcall.text.sentences import split

# Passages: consecutive whole sentences of one page, the unit that is retrieved.
#
# By default, sentences are packed up to a number of words and nothing is dropped: a longer sentence is a
# passage by itself. The `qampari` mode reproduces the published chunker, including what it drops.

_TOKEN = re.compile(
    r"\.\.+|--+|[^\W_]+(?=n't\b)|n't\b|'(?:s|m|d|ll|re|ve)\b|[$#&@%]|[\[\](){}<>?!;\"“”«»‘’„]"
    r"|(?:[^\s,:;?!\"'“”«»‘’„()\[\]{}<>$#&@%]|[,:](?=\d)|'(?!\s|\Z|(?:s|m|d|ll|re|ve)?\b(?!\w)))+?"
    r"(?=\.\.|--|'(?:\s|\Z)|n't\b|'(?:s|m|d|ll|re|ve)\b|\.?['\"”’)\]]{0,20}\Z|[\s;?!\"“”«»‘’„()\[\]{}<>$#&@%]|[,:](?!\d)|\Z)"
    r"|\S",
)
"""Words and punctuation, split approximately as in the Penn Treebank; the published chunker counts these.

Lookahead is bounded: otherwise a page that consists of apostrophes would take quadratic time."""
_BUDGETS = range(80, 140, 5)
_WANTED = 120

Range = tuple[int, int]


class Chunking(msgspec.Struct, frozen=True):
    """How passages are cut: `words` to pack up to a number of words, or `qampari` as published."""

    mode: str = "words"
    words: int = 100

    def check(self) -> None:
        if self.mode not in ("words", "qampari"):
            raise RollcallError(f"{self.mode!r} is not a way to cut passages; use words or qampari")
        if self.words < 1:
            raise RollcallError(f"--words {self.words}: a passage needs room for at least one word")

    def count(self, sentence: str) -> int:
        """The length of a sentence as this mode counts it."""
        return len(sentence.split()) if self.mode == "words" else len(_TOKEN.findall(sentence))

    def cut(self, lengths: Sequence[int]) -> list[Range]:
        """Passages as ranges of sentences: first, and last plus one."""
        return pack(lengths, self.words) if self.mode == "words" else qampari(lengths)


def pack(lengths: Sequence[int], most: int) -> list[Range]:
    """Join sentences while they fit; a sentence that is too long is a passage by itself."""
    ranges: list[Range] = []
    start = total = 0
    for number, length in enumerate(lengths):
        if number > start and total + length > most:
            ranges.append((start, number))
            start, total = number, 0
        total += length
    if start < len(lengths):
        ranges.append((start, len(lengths)))
    return ranges


def qampari(lengths: Sequence[int]) -> list[Range]:
    """The published boundaries: of all budgets, the one whose smallest passage is closest to 120 tokens.

    At a sentence over the budget the page ends, and the rest is dropped. If it is the first sentence, the
    whole page is one passage.
    """
    best: list[Range] = []
    distance = None
    for budget in _BUDGETS:
        ranges = _packed_until_too_long(lengths, budget)
        smallest = min((sum(lengths[first:end]) for first, end in ranges), default=0)
        if distance is None or abs(smallest - _WANTED) < distance:
            best, distance = ranges, abs(smallest - _WANTED)
    return best


def _packed_until_too_long(lengths: Sequence[int], budget: int) -> list[Range]:
    ranges: list[Range] = []
    start = total = 0
    for number, length in enumerate(lengths):
        if length > budget:
            if number == 0:
                return [(0, len(lengths))]
            return [*ranges, (start, number)] if number > start else ranges
        if total + length > budget:
            ranges.append((start, number))
            start, total = number, 0
        total += length
    return [*ranges, (start, len(lengths))] if start < len(lengths) else ranges


PAGES_PER_BLOCK = 1 << 20
BLOCKS_PER_SOURCE = 1 << 24


def order_of(source_number: int, block: int, number: int) -> int:
    """The number of a page among all pages read: by source, block, and position in the block."""
    return (source_number * BLOCKS_PER_SOURCE + block) * PAGES_PER_BLOCK + number


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
            section_number = bisect_right(starts, start)
            section = sections[section_number - 1].heading if section_number else ""
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
