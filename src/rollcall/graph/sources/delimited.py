"""Rows with separators: TSV by blocks of lines, CSV as whole files."""

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Self

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.graph.ingest.layouts import Layout, layout_of
from rollcall.graph.ingest.lines import lines_of
from rollcall.graph.ingest.records import KNOWN_COLUMNS, RecordReader
from rollcall.graph.ingest.row_options import CsvOptions, RowOptions, opened_layout
from rollcall.graph.shards import Shard
from rollcall.graph.source import LineSource, SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.delimited import first_rows, read_rows, separator_of
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.intact import open_intact
from rollcall.input_files.tally import NOT_UTF8, Tally

_ROWS_PER_PART = 200_000
_OTHER_FORMATS = (b"<", b"_:", b"{", b"[", b"@", b"PREFIX", b"BASE", b"PAR1")
"""How files begin that are no rows with separators."""
_TEXT_SUFFIXES = (".txt", ".md", ".rst", ".html", ".htm", ".docx", ".pdf")


class _Delimited(FileSource):
    """Rows with separators; the first line, or the rows themselves, determine their content."""

    Options = RowOptions
    quoting: ClassVar[bool]

    def __init__(self, layout: Layout, separator: str) -> None:
        self.columns = layout.columns
        self.header = layout.header
        self.separator = separator
        self.remark = layout.remark
        self.shared = layout.shared
        self._records = RecordReader(layout.shape, layout.shared)

    @classmethod
    def open(cls, options: RowOptions, context: SourceContext) -> Self:
        separator = cls._separator(context.head)
        rows = first_rows(context.head.content, separator, cls.quoting)
        return cls(opened_layout(context.head.file, rows[0] if rows else [], options, rows), separator)

    @classmethod
    @abstractmethod
    def _separator(cls, head: FileHead) -> str:
        """The separator of a file."""

    def _problem(self, fields: list[str]) -> str | None:
        if len(fields) != len(self.columns):
            return f"{counted(len(fields), 'column')}, not {len(self.columns)}"
        return None


@GRAPH_SOURCES.register("tsv")
class Tsv(_Delimited, LineSource):
    """Tab-separated rows with named columns, without quoting."""

    suffixes = (".tsv", ".tab")
    expects = f"rows of a .tsv with the columns {KNOWN_COLUMNS}"
    quoting = False

    @classmethod
    def _separator(cls, head: FileHead) -> str:
        return "\t"

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        if head.suffix in cls.suffixes:
            return b"\t" in head.first_line or separator_of(head.content).encode() not in head.first_line
        if head.content.startswith(_OTHER_FORMATS):
            return False
        rows = first_rows(head.content, "\t", quoting=False)
        width = len(rows[0]) if rows else 0
        known = width > 1 and not isinstance(layout_of(rows[0], "", rows), RollcallError)
        return known or (width > 2 and len(rows) > 1 and all(len(row) == width for row in rows))

    @classmethod
    def mistaken(cls, head: FileHead) -> str:
        if head.suffix not in _TEXT_SUFFIXES:
            return ""
        return "is text, not a table or graph file; rollcall corpus reads text"

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
        for number, line in lines_of(block, tally):
            if (first and self.header and number == 1) or not line.strip():
                continue
            try:
                fields = line.decode().rstrip("\r").split("\t")
            except UnicodeDecodeError:
                problem: str | None = NOT_UTF8
            else:
                problem = self._problem(fields)
            if problem:
                tally.entries += 1
                tally.add_bad(number, "malformed", problem)
                continue
            self._records.read(number, dict(zip(self.columns, fields, strict=True)), shard, tally)


@GRAPH_SOURCES.register("csv")
class Csv(_Delimited, WholeFileSource):
    """Rows separated by commas, semicolons, tabs or bars, with named columns and quoting."""

    Options = CsvOptions
    suffixes = (".csv", *Tsv.suffixes)
    expects = "the same as .csv"
    quoting = True

    @classmethod
    def open(cls, options: RowOptions, context: SourceContext) -> Self:
        opened = super().open(options, context)
        decimal = options.decimal if isinstance(options, CsvOptions) else "auto"
        # Spreadsheets separate cells by semicolons where commas are for decimals.
        opened._records.may_have_commas = decimal == "comma" or (decimal, opened.separator) == ("auto", ";")
        return opened

    @classmethod
    def _separator(cls, head: FileHead) -> str:
        return separator_of(head.content)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        if head.suffix in Tsv.suffixes:
            return not Tsv.recognises(head)
        separator = cls._separator(head)
        if separator == "\t" or head.content.startswith(_OTHER_FORMATS):
            return False
        rows = first_rows(head.content, separator)
        return bool(rows and len(rows[0]) > 1) and not isinstance(layout_of(rows[0], "", rows), RollcallError)

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        shard, tally, last = Shard(rank), Tally(), Tally()
        with open_intact(path) as stream:
            rows = read_rows(stream, self.separator, last)
            if self.header:
                next(rows, None)
            for line, fields, unreadable in rows:
                problem = unreadable or self._problem(fields)
                if problem:
                    tally.entries += 1
                    tally.add_bad(line, "malformed", problem)
                else:
                    self._records.read(line, dict(zip(self.columns, fields, strict=True)), shard, tally)
                if tally.entries >= _ROWS_PER_PART:
                    yield shard, tally
                    shard, tally = Shard(rank), Tally()
        tally.add(last)
        yield shard, tally
