"""Lines of JSON: pages with `title` and `text`, tables with `page`, `header` and `rows`."""

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from textwrap import shorten
from typing import Any, ClassVar, Self

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall.corpus.corpus import Cell, Content, Link, TableContent
from rollcall.corpus.documents import unwrapped, width_of
from rollcall.corpus.lists import most_cells
from rollcall.corpus.shard import CorpusShard, PageRecord
from rollcall.corpus.source import (
    PageLayout,
    PageOptions,
    SourceFindings,
    TextSource,
    TextSourceContext,
    Unwrap,
    first_keys,
    note_problems,
    page_layout,
)
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.corpus.wikitext.finish import without_control_characters
from rollcall.input_files.file_source import FileHead

Item = str | int | None
Words = str | int | float | None
_FIRST_WORDS = 60


class CellLine(msgspec.Struct):
    text: Words = ""
    links: list[str] = []


class TableLine(msgspec.Struct):
    """A table; a cell may also be given as text only."""

    rows: list[list[CellLine | Words]]
    page: str = ""
    section: str | None = None
    caption: str | None = None
    intro: str | None = None
    header: list[Words] = []


class LinkLine(msgspec.Struct):
    """A link: its target and, if known, its anchor or the position of the anchor."""

    target: str
    anchor: str | None = None
    start: int = -1
    end: int = -1


class PageLine(msgspec.Struct):
    text: str
    title: str | None = None
    id: str | int | None = None
    entity: Item = None
    links: list[LinkLine | str] = []
    tables: list[TableLine] = []


class JsonEntries(TextSource):
    """One JSON record per line."""

    decoder: ClassVar[msgspec.json.Decoder[Any]]

    def read_entry(self, entry: bytes, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        self.read_record(self.decoder.decode(entry), shard, findings, line)

    @abstractmethod
    def read_record(self, record: Any, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        """Add the page of a record of the decoder's type."""


@TEXT_SOURCES.register("pages")
class PageLines(JsonEntries):
    """Pages of any origin as lines of JSON, with title and text; also those of Pyserini and BEIR."""

    Options = PageOptions
    expects = "lines of JSON with title and text, or Pyserini's or BEIR's"

    decoder = msgspec.json.Decoder(PageLine)

    def __init__(self, layout: PageLayout, width: int) -> None:
        """`width` is that at which lines are broken; 0 if they are not, or stay as they are."""
        self.keys = layout.keys
        self.remark = layout.remark
        self.width = width
        self._layout = layout

    @classmethod
    def open(cls, options: PageOptions, context: TextSourceContext) -> Self:
        keys = first_keys(context.head)
        layout = page_layout(sorted(keys), options.columns)
        if isinstance(layout, RollcallError):
            raise RollcallError(f"{context.head.file}: {layout}")
        return cls(layout, page_width(layout, options.unwrap, _first_records(context.head)))

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        keys = first_keys(head)
        has_text = bool(keys) and not isinstance(page_layout(sorted(keys)), RollcallError)
        return has_text and "article_body" not in keys and not _is_table(keys)

    def read_entry(self, entry: bytes, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        if self._layout.is_plain:
            record = self.decoder.decode(entry)
        else:
            page = self._layout.page(msgspec.json.decode(entry, type=dict[str, object]))
            record = msgspec.convert(page, PageLine, strict=False)
        self.read_record(record, shard, findings, line)

    def read_record(self, record: PageLine, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        title = _one_line(record.title)
        id_ = _one_line(record.id) or title
        text, shift = _text(record.text)
        if not id_ and text and not {"id", "title"} & dict(self.keys).keys():
            id_, title = _made_id(text), _beginning(text)
        if not id_:
            raise RollcallError("a page without title and id")
        if self.width and "\n" in text:
            joined = unwrapped(text, self.width, in_place=bool(record.links))
            findings.unwrapped += joined != text
            text = joined
        content = Content(text=text, links=list(_links(record.links, text, shift)))
        content.tables = [_table(table) for table in record.tables]
        item = _one_line(record.entity) or None
        shard.add_page(PageRecord(id_, title or id_, content, item))
        note_problems(findings, content, line, title)


_USUAL_WIDTH = 80
"""Lines are taken to be broken here where the user says that they are and they do not show the width."""


def _first_records(head: FileHead) -> Iterator[Mapping[str, object]]:
    """The records in the beginning of a file."""
    for line in head.content.split(b"\n"):
        with suppress(*UNREADABLE):
            record = msgspec.json.decode(line)
            if isinstance(record, dict):
                yield record


def page_width(layout: PageLayout, unwrap: Unwrap, records: Iterable[Mapping[str, object]]) -> int:
    """The width at which the lines of some pages are broken; 0 if they are not, or are to stay."""
    if unwrap == "no":
        return 0
    width = width_of(str(layout.page(record).get("text", "")) for record in records)
    return width or (_USUAL_WIDTH if unwrap == "yes" else 0)


@TEXT_SOURCES.register("tables")
class TableLines(JsonEntries):
    """Tables alone as lines of JSON, with page, header and rows."""

    expects = "lines of JSON with page, header and rows"

    decoder = msgspec.json.Decoder(TableLine)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return _is_table(first_keys(head))

    def read_record(self, record: TableLine, shard: CorpusShard, findings: SourceFindings, line: int) -> None:
        title = _one_line(record.page)
        if not title:
            raise RollcallError("a table without the title of its page")
        content = Content(text=_text(record.intro or "")[0], tables=[_table(record)])
        shard.add_page(PageRecord(title, title, content, by_title=True))


def _is_table(keys: set[str]) -> bool:
    return {"page", "rows"} <= keys and "article_body" not in keys


def _table(line: TableLine) -> TableContent:
    header = [_one_line(name) for name in line.header]
    width = max([len(header), *(len(row) for row in line.rows)])
    if width * len(line.rows) > most_cells(sum(len(row) for row in line.rows)):
        raise RollcallError(f"a table of {len(line.rows):,} rows and {width:,} columns that is nearly empty")
    if header:
        header += [""] * (width - len(header))
    rows = [[_cell(cell) for cell in row] + [Cell("")] * (width - len(row)) for row in line.rows]
    return TableContent(_one_line(line.section), _one_line(line.caption), header, rows)


def _cell(cell: CellLine | Words) -> Cell:
    if isinstance(cell, CellLine):
        return Cell(_one_line(cell.text), tuple(dict.fromkeys(filter(None, map(_one_line, cell.links)))))
    return Cell(_one_line(cell))


def _one_line(value: Words | Item) -> str:
    return "" if value is None else " ".join(without_control_characters(str(value)).split())


def _made_id(text: str) -> str:
    """An id for a text that has neither id nor title, from its content."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _beginning(text: str) -> str:
    """The first words of a text, as its title."""
    return shorten(text, _FIRST_WORDS, placeholder=" …")


def _text(text: str) -> tuple[str, int]:
    """The stripped text of a page, and the shift of its positions; -1 if control characters were removed."""
    clean = without_control_characters(text)
    stripped = clean.strip()
    return stripped, (len(clean) - len(clean.lstrip()) if clean == text else -1)


def _links(links: list[LinkLine | str], text: str, shift: int) -> Iterator[Link]:
    """Links with the position of their anchor: as given, else its next occurrence, else none."""
    position = 0
    for link in links:
        if isinstance(link, str):
            link = LinkLine(link)
        target = _one_line(link.target)
        if not target:
            continue
        start, end = link.start - shift, link.end - shift
        if shift < 0 or link.start < 0 or not 0 <= start < end <= len(text):
            start = text.find(link.anchor, position) if link.anchor else -1
            end = start + len(link.anchor or "")
        if start < 0:
            yield Link(-1, -1, target)
            continue
        position = end
        yield Link(start, end, target)
