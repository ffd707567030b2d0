"""Pages and tables as records: lines of JSON, a JSON array, CSV, and Parquet or Arrow as dataset libraries
have.

A page has `title` and `text`, a table `page`, `header` and `rows`. Lines of JSON are read in blocks. The
other files cannot be cut at their lines: they are read from beginning to end, and their rows become lines of
JSON.
"""

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from textwrap import shorten
from typing import Any, ClassVar, Self

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import DamagedFileError
from rollcall.corpus.corpus import Cell, Content, Link, TableContent
from rollcall.corpus.documents import unwrapped, width_of
from rollcall.corpus.lists import most_cells
from rollcall.corpus.shard import CorpusShard, PageRecord
from rollcall.corpus.source import (
    PageLayout,
    PageOptions,
    RowSource,
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
from rollcall.input_files.arrow_file import batches, column_names
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.input_file import InputFile, Intact, Tally, without_mark
from rollcall.input_files.rows import elements, first_element, first_rows, is_array, read_rows, separator_of
from rollcall.text.nouns import counted

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


# Pages as rows: CSV, a JSON array, Parquet and Arrow, as Hugging Face datasets have them.
#
# Such a file cannot be cut at its lines. It is read from beginning to end, and its rows become lines of JSON,
# which take the way of any other lines.

_ROWS = 1000
_DATASET_FILES = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


class _PageRows(PageLines, RowSource):
    """Rows whose columns hold a page."""

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return False

    @classmethod
    def open(cls, options: PageOptions, context: TextSourceContext) -> Self:
        head = context.head
        layout = page_layout(cls._keys(head), options.columns)
        if isinstance(layout, RollcallError):
            raise RollcallError(f"{head.file}: {layout}")
        return cls(layout, page_width(layout, options.unwrap, cls._first_rows(head)))

    @classmethod
    @abstractmethod
    def _first_rows(cls, head: FileHead) -> Iterable[Mapping[str, object]]:
        """Rows in the beginning of the file."""

    @classmethod
    @abstractmethod
    def _keys(cls, head: FileHead) -> list[str]:
        """The names of the columns."""

    def _line(self, row: Mapping[str, object]) -> bytes:
        return msgspec.json.encode(row) + b"\n"


@TEXT_SOURCES.register("csv")
class CsvPages(_PageRows):
    """Pages as rows with separators, which are found by looking, with columns for title and text."""

    suffixes = (".csv", ".tsv", ".tab")
    expects = "rows of a .csv with a column for the text"

    @classmethod
    def _keys(cls, head: FileHead) -> list[str]:
        rows = first_rows(head.content, separator_of(head.content))
        return rows[0] if rows else []

    @classmethod
    def _first_rows(cls, head: FileHead) -> Iterable[Mapping[str, object]]:
        header, *rows = first_rows(head.content, separator_of(head.content)) or [[]]
        names = [name.strip().strip("\ufeff") for name in header]
        return [dict(zip(names, row, strict=False)) for row in rows]

    @classmethod
    def open(cls, options: PageOptions, context: TextSourceContext) -> Self:
        opened = super().open(options, context)
        opened.separator = separator_of(context.head.content)
        return opened

    separator: str

    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        rows = read_rows(stream, self.separator, tally)
        header = next(rows, None)
        names = [name.strip().strip("\ufeff") for name in header.fields] if header else []
        for line, fields, unreadable in rows:
            if not fields and not unreadable:
                continue
            problem = unreadable
            if problem is None and len(fields) != len(names):
                problem = f"{counted(len(fields), 'column')}, not {len(names)}"
            if problem:
                tally.entries += 1
                tally.add_bad(line, "unreadable row", problem)
            else:
                yield self._line(dict(zip(names, fields, strict=True)))


@TEXT_SOURCES.register("json")
class JsonPages(_PageRows):
    """Pages as the elements of one JSON array."""

    expects = "a JSON array of objects with title and text"

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return is_array(head.content)

    @classmethod
    def _keys(cls, head: FileHead) -> list[str]:
        first = first_element(head.content)
        if not isinstance(first, dict):
            raise RollcallError(f"{head.file}: is not {cls.expects}")
        return list(first)

    @classmethod
    def _first_rows(cls, head: FileHead) -> Iterable[Mapping[str, object]]:
        first = first_element(head.content)
        return [first] if isinstance(first, dict) else []

    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        for line, value, problem in elements(without_mark(stream)):
            if problem or not isinstance(value, dict):
                tally.entries += 1
                tally.add_bad(line, "unreadable element", problem or "no object")
            else:
                yield self._line(value)
        stream.report(tally)


@TEXT_SOURCES.register("dataset")
class DatasetPages(_PageRows):
    """Pages as rows of Parquet or Arrow, such as the files of a Hugging Face dataset."""

    suffixes = (".parquet", ".arrow")
    expects = "a Parquet or Arrow file with a column for the text"
    needs_path = True

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.content.startswith(_DATASET_FILES)

    @classmethod
    def _keys(cls, head: FileHead) -> list[str]:
        if head.is_compressed:
            raise RollcallError(f"{head.file}: is compressed inside; decompress it first")
        return column_names(head.file.path, head.file)

    @classmethod
    def _first_rows(cls, head: FileHead) -> Iterable[Mapping[str, object]]:
        first = next(batches(head.file.path, head.file, _ROWS), None)
        return [] if first is None else first.to_pylist()

    def lines(self, stream: Intact, file: InputFile, tally: Tally) -> Iterator[bytes]:
        read_keys = {theirs for _, theirs in self.keys} | {"entity", "links", "tables"}
        try:
            for batch in batches(file.path, file, _ROWS):
                columns = [name for name in batch.schema.names if name in read_keys]
                for row in batch.select(columns).to_pylist():
                    yield self._line(row)
        except DamagedFileError as error:
            tally.add_bad(0, "damaged", f"{error.reason}; what came before it was read")
