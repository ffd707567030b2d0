"""Files whose records are rows or objects: JSON lines, a JSON array, CSV and Parquet tables.

- `is_wikidata`, `is_lines`, `array_record`: which kind of records a JSON file has, by its first ones.
- `JsonLines`, `JsonArray`, `ParquetTable`, `Tsv`, `CsvSource`: the sources.
"""

from abc import abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar, Self

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import DamagedFileError
from rollcall.graph.ingest.layouts import (
    CsvOptions,
    Layout,
    RowOptions,
    layout_of,
    opened_layout,
    optional_keys,
)
from rollcall.graph.ingest.records import KNOWN_COLUMNS, Record, RecordReader, column_names, is_neo4j_record
from rollcall.graph.rows import GraphShard
from rollcall.graph.source import GraphSourceContext, LineSource, WholeFileSource, lines_of
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.arrow_file import PARQUET, batches
from rollcall.input_files.arrow_file import column_names as parquet_rows_column_names
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import NOT_UTF8, InputFile, Tally, explain, open_intact, without_mark
from rollcall.input_files.rows import (
    JsonMember,
    elements,
    first_element,
    first_rows,
    is_array,
    json_document,
    read_rows,
    separator_of,
)
from rollcall.text.nouns import counted

# Recognises a JSON file by its first records: entities of Wikidata's dump, or rows, as lines or in an array.
#
# All these files have the same suffixes, so the first record that can be read as one of these kinds decides.

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
NEO4J_JSON = "neo4j-json"
"""The shape of nodes and relationships as JSON objects."""
_SHOWN = 12
_WIKIDATA_KEYS = {"labels", "claims", "sitelinks", "redirect", "descriptions"}


def is_wikidata(head: FileHead) -> bool:
    """Whether the lines are entities of Wikidata."""
    if is_array(head.content):
        return array_record(head) is None
    lines = _lines(head)
    record = _known_record(lines)
    # The first line may be longer than the part that was read; only Wikidata's lines are.
    if record is None and len(lines) == 1 and listed(head) is None:
        return any(b'"%s"' % key.encode() in lines[0] for key in _WIKIDATA_KEYS)
    return record is not None and _is_entity(record)


def listed(head: FileHead) -> JsonMember | None:
    """The only list of objects in a file that is one object, if that is not a row or an entity itself."""
    document = json_document(head.content)
    if document is None or len(document.lists) != 1 or _is_known(dict.fromkeys(document.keys)):
        return None
    return document.lists[0]


def is_lines(head: FileHead) -> bool:
    """Whether the file has rows of any keys, one a line."""
    document = json_document(head.content)
    if document is not None and not document.one_line:
        return False
    if document is not None and document.lists and not _is_known(dict.fromkeys(document.keys)):
        return False
    return line_record(head) is not None


def keys_seen(head: FileHead) -> str:
    """What a file of JSON holds that cannot be read, and what to do."""
    document = json_document(head.content)
    if document is None:
        return "no JSON array, and no JSON objects one a line"
    several = [member.key for member in document.lists]
    if several[1:]:
        shown = ", ".join(several[:_SHOWN])
        return f"has several lists of objects, under {shown}; write each into a file of its own"
    shown = ", ".join(key[:40] for key in document.keys[:_SHOWN])
    return f"is one object with the keys {shown}, and none holds a list of objects to read as rows"


def line_record(head: FileHead) -> Record | None:
    """The first record, if the lines are rows: the first with known keys, else the first of whatever keys."""
    lines = _lines(head)
    if is_array(head.content):
        return None
    record = _known_record(lines)
    if record is None:
        record = next((decoded for line in lines if (decoded := _record(line))), None)
    return None if record is None or _is_entity(record) else record


def array_record(head: FileHead) -> Record | None:
    """The first element, if the file is an array of rows, or an object that holds one."""
    if (member := listed(head)) is not None:
        head = head._replace(content=head.content[member.start :])
    if not is_array(head.content) or head.content.lstrip()[:2] == b"[]":
        return None
    first = first_element(head.content)
    return first if isinstance(first, dict) and first and not _is_entity(first) else None


def first_records(content: bytes, first: Record) -> list[Record]:
    """The records in the beginning of a file of lines; of an array the first one alone."""
    lines = (line.strip(b" \t\r,\xef\xbb\xbf") for line in content.split(b"\n"))
    records = [record for line in lines if line.startswith(b"{") and (record := _record(line))]
    return records or [first]


def _is_entity(record: Record) -> bool:
    return bool(record.keys() & _WIKIDATA_KEYS) and not is_neo4j_record(record)


def _lines(head: FileHead) -> list[bytes]:
    if head.content.lstrip()[:1] not in (b"{", b"[") and head.suffix not in JSON_SUFFIXES:
        return [b""]
    return [line.strip(b" \t\r,\xef\xbb\xbf") for line in head.content.split(b"\n")]


def _known_record(lines: list[bytes]) -> Record | None:
    for line in lines[:-1] or lines:
        record = _record(line)
        if not record:
            continue
        if _is_known(record):
            return record
    return None


def _is_known(record: Record) -> bool:
    if record.keys() & _WIKIDATA_KEYS or is_neo4j_record(record):
        return True
    return not isinstance(layout_of(list(record)), RollcallError)


def _record(line: bytes) -> Record:
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:
        return {}
    return decoded if isinstance(decoded, dict) else {}


_ROWS_PER_PART = 200_000
_SAMPLED_ROWS = 1000
"""So many rows of a Parquet table show whether commas separate names."""


def _reader(layout: Layout) -> RecordReader:
    return RecordReader(layout.shape, layout.shared, layout.copies, layout.comma_columns)


class _JsonRows(FileSource):
    """JSON objects with the names of columns as keys; those of the first one determine their content."""

    Options = RowOptions
    suffixes: ClassVar[tuple[str, ...]] = JSON_SUFFIXES

    def __init__(self, file: InputFile, first: Record | None, options: RowOptions, content: bytes) -> None:
        """`content` is the beginning of the rows."""
        if first is None:
            raise RollcallError(f"{file}: does not hold {self.expects}")
        self.neo4j = is_neo4j_record(first)
        keys = [*first, *optional_keys(file.name, options.columns, list(first), content)]
        records = [first] if self.neo4j else first_records(content, first)
        self.layout = (
            Layout((), NEO4J_JSON) if self.neo4j else opened_layout(file, keys, options, records=records)
        )
        layout = self.layout
        self.remark = layout.remark
        self._records = _reader(layout)
        self.renamed = tuple(zip((name.strip().lower() for name in keys), layout.columns, strict=False))
        self._names = dict(self.renamed)

    def known_columns(self, record: Record) -> Record:
        """A record with our names for its keys; a key that the first record lacks keeps its own."""
        if self.neo4j:
            return record
        names = [self._names.get(name.strip().lower()) or column_names([name])[0] for name in record]
        return dict(zip(names, record.values(), strict=True))


@GRAPH_SOURCES.register("jsonl")
class JsonLines(_JsonRows, LineSource):
    """Rows with named columns, one JSON object a line; also Neo4j's, as APOC exports them."""

    expects = f"lines with the keys {KNOWN_COLUMNS}"

    def __init__(self, file: InputFile, first: Record | None, options: RowOptions, content: bytes) -> None:
        super().__init__(file, first, options, content)
        # A float would keep only 17 digits of a number and read 1e400 as infinity.
        self._decode = msgspec.json.Decoder(dict[str, object], float_hook=Decimal).decode

    @classmethod
    def open(cls, options: RowOptions, context: GraphSourceContext) -> Self:
        return cls(context.head.file, line_record(context.head), options, context.head.content)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return is_lines(head)

    def read(self, block: bytes, shard: GraphShard, tally: Tally, first: bool) -> None:
        for number, line in lines_of(block, tally):
            text = line.strip(b" \t\r,\xef\xbb\xbf")
            if text in (b"", b"[", b"]"):
                continue
            try:
                columns = self.known_columns(self._decode(text))
            except Exception as error:  # any error in one line affects only that line
                tally.entries += 1
                tally.add_bad(number, "malformed", explain(error))
                continue
            self._records.read(number, columns, shard, tally)


@GRAPH_SOURCES.register("json")
class JsonArray(_JsonRows, WholeFileSource):
    """Rows with named columns as the elements of one JSON array, alone or under a key: {"loans": […]}."""

    expects = f"a JSON array of objects with the keys {KNOWN_COLUMNS}"
    start: int = 0
    """Where the array begins in the file."""

    @classmethod
    def open(cls, options: RowOptions, context: GraphSourceContext) -> Self:
        opened = cls(context.head.file, array_record(context.head), options, context.head.content)
        if (member := listed(context.head)) is not None:
            opened.start = member.start
            remark = f"read the list under {member.key}"
            opened.remark = f"{remark}; {opened.remark}" if opened.remark else remark
        return opened

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return array_record(head) is not None

    @classmethod
    def mistaken(cls, head: FileHead) -> str:
        return keys_seen(head) if head.suffix in JSON_SUFFIXES else ""

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[GraphShard, Tally]]:
        shard, tally = GraphShard(rank), Tally()
        with open_intact(path) as stream:
            for line, value, problem in elements(without_mark(stream), self.start):
                if problem or not isinstance(value, dict):
                    tally.entries += 1
                    tally.add_bad(line, "malformed", problem or "an element that is no object")
                else:
                    self._records.read(line, self.known_columns(value), shard, tally)
                if tally.entries >= _ROWS_PER_PART:
                    yield shard, tally
                    shard, tally = GraphShard(rank), Tally()
            stream.report(tally)
        yield shard, tally


# Rows of a Parquet table with named columns.


@GRAPH_SOURCES.register("parquet")
class ParquetTable(WholeFileSource):
    """A Parquet table with named columns."""

    Options = RowOptions
    suffixes = (".parquet",)
    expects = "the same as .parquet"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.columns = layout.columns
        self.remark = layout.remark
        self._records = _reader(layout)

    @classmethod
    def open(cls, options: RowOptions, context: GraphSourceContext) -> Self:
        head = context.head
        if head.is_compressed:
            raise RollcallError(f"{head.file}: a Parquet file is compressed inside; decompress it first")
        names = parquet_rows_column_names(head.file.path, head.file)
        first = next(batches(head.file.path, head.file, _SAMPLED_ROWS), None)
        records = [] if first is None else first.to_pylist()
        return cls(opened_layout(head.file, names, options, records=records))

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.content.startswith(PARQUET)

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[GraphShard, Tally]]:
        row = 0
        parts = batches(path, path, _ROWS_PER_PART)
        while True:
            shard, tally = GraphShard(rank), Tally()
            try:
                batch = next(parts)
            except StopIteration:
                break
            except DamagedFileError as error:
                tally.add_bad(0, "damaged", f"{error.reason}; what came before it was read")
                yield shard, tally
                break
            columns = dict(zip(self.columns, (column.to_pylist() for column in batch.columns), strict=True))
            for position in range(batch.num_rows):
                row += 1
                record = {name: column[position] for name, column in columns.items()}
                self._records.read(row, record, shard, tally)
            yield shard, tally


# Rows with separators: TSV by blocks of lines, CSV as whole files.

_OTHER_FORMATS = (b"<", b"_:", b"{", b"[", b"@", b"PREFIX", b"BASE", b"PAR1")
"""How files begin that are not rows with separators."""
_TEXT_SUFFIXES = (".txt", ".md", ".rst", ".html", ".htm", ".docx", ".pdf")


class _Delimited(FileSource):
    """Rows with separators; the first line, or the rows themselves, determine their content."""

    Options = RowOptions
    quoting: ClassVar[bool]

    def __init__(self, layout: Layout, separator: str) -> None:
        self.layout = layout
        self.columns = layout.columns
        self.header = layout.header
        self.separator = separator
        self.remark = layout.remark
        self._records = _reader(layout)

    @classmethod
    def open(cls, options: RowOptions, context: GraphSourceContext) -> Self:
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
        is_known = width > 1 and not isinstance(layout_of(rows[0], "", rows), RollcallError)
        return is_known or (width > 2 and len(rows) > 1 and all(len(row) == width for row in rows))

    @classmethod
    def mistaken(cls, head: FileHead) -> str:
        if head.suffix not in _TEXT_SUFFIXES:
            return ""
        return "is text, not a table or graph file; rollcall corpus reads text"

    def read(self, block: bytes, shard: GraphShard, tally: Tally, first: bool) -> None:
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
class CsvSource(_Delimited, WholeFileSource):
    """Rows separated by commas, semicolons, tabs or bars, with named columns and quoting."""

    Options = CsvOptions
    suffixes = (".csv", *Tsv.suffixes)
    expects = "the same as .csv"
    quoting = True

    @classmethod
    def open(cls, options: RowOptions, context: GraphSourceContext) -> Self:
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

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[GraphShard, Tally]]:
        shard, tally, last = GraphShard(rank), Tally(), Tally()
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
                    shard, tally = GraphShard(rank), Tally()
        tally.add(last)
        yield shard, tally
