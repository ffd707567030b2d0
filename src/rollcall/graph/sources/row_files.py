"""Rows with named columns: TSV and JSON lines by blocks of lines, CSV and Parquet as whole files."""

import csv
import io
import re
from abc import abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar, Self

import msgspec

from rollcall.configurable import NoOptions
from rollcall.errors import RollcallError
from rollcall.graph.ingest.json_keys import JSON_SUFFIXES, row_shape
from rollcall.graph.ingest.lines import lines_of
from rollcall.graph.ingest.records import KNOWN_COLUMNS, Record, RecordReader, column_names, shape_of
from rollcall.graph.shards import Shard
from rollcall.graph.source import LineSource, SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import open_intact
from rollcall.input_files.tally import Tally, explain

_ROWS_PER_PART = 200_000
_LONGEST_FIELD = 8 << 20
_UNDECODED = re.compile("[\udc80-\udcff]")


class _Table(FileSource):
    """Rows below a header, which determines their content."""

    def __init__(self, file: InputFile, header: list[str]) -> None:
        self.columns = column_names(header)
        shape = shape_of(self.columns)
        if shape is None:
            found = ", ".join(name[:40] for name in self.columns[:12])
            raise RollcallError(f"{file}: has the columns {found}; known are {KNOWN_COLUMNS}")
        self._records = RecordReader(shape)

    @classmethod
    def open(cls, options: NoOptions, context: SourceContext) -> Self:
        return cls(context.head.file, cls.header(context.head))

    @classmethod
    @abstractmethod
    def header(cls, head: FileHead) -> list[str]:
        """The names of the columns as in the file."""


@GRAPH_SOURCES.register("tsv")
class Tsv(_Table, LineSource):
    """Tab-separated rows with named columns, without quoting."""

    suffixes = (".tsv",)
    expects = f"rows of a .tsv with the columns {KNOWN_COLUMNS}"

    @classmethod
    def header(cls, head: FileHead) -> list[str]:
        return _first_fields(head, "\t")

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        header = cls.header(head)
        return len(header) > 1 and shape_of(column_names(header)) is not None

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
        for number, line in lines_of(block, tally):
            if (first and number == 1) or not line.strip():
                continue
            try:
                fields = line.decode().rstrip("\r").split("\t")
            except UnicodeDecodeError as error:
                tally.entries += 1
                tally.add_bad(number, "malformed", str(error))
                continue
            if len(fields) != len(self.columns):
                tally.entries += 1
                tally.add_bad(number, "malformed", f"{len(fields)} columns, not {len(self.columns)}")
                continue
            self._records.read(number, dict(zip(self.columns, fields, strict=True)), shard, tally)


@GRAPH_SOURCES.register("jsonl")
class JsonLines(LineSource):
    """Rows with named columns, one JSON object a line."""

    suffixes: ClassVar[tuple[str, ...]] = JSON_SUFFIXES
    expects = f"lines with the keys {KNOWN_COLUMNS}"

    def __init__(self, shape: str) -> None:
        self.shape = shape
        self._records = RecordReader(shape)
        # A float would keep only 17 digits of a number and read 1e400 as infinity.
        self._decode = msgspec.json.Decoder(dict[str, object], float_hook=Decimal).decode

    @classmethod
    def open(cls, options: NoOptions, context: SourceContext) -> "JsonLines":
        shape = row_shape(context.head)
        if shape is None:
            raise RollcallError(f"{context.head.file}: no {cls.expects}")
        return cls(shape)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return row_shape(head) is not None

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
        for number, line in lines_of(block, tally):
            text = line.strip(b" \t\r,\xef\xbb\xbf")
            if text in (b"", b"[", b"]"):
                continue
            try:
                record = self._decode(text)
                columns = known_columns(record)
            except Exception as error:  # any error in one line affects only that line
                tally.entries += 1
                tally.add_bad(number, "malformed", explain(error))
                continue
            self._records.read(number, columns, shard, tally)


def known_columns(record: Record) -> Record:
    return dict(zip(column_names(record), record.values(), strict=True))


class _BoundedLines:
    """The lines of a text; a line that is too long to be a row is skipped without being held in memory."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self.number = 0
        """The number of the last line read."""
        self.overlong: list[int] = []
        """The numbers of the skipped lines."""

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(_LONGEST_FIELD):
            self.number += 1
            if len(line) < _LONGEST_FIELD or line.endswith("\n"):
                yield line
                continue
            self.overlong.append(self.number)
            while line and not line.endswith("\n"):
                line = self._text.readline(_LONGEST_FIELD)


@GRAPH_SOURCES.register("csv")
class Csv(_Table, WholeFileSource):
    """Comma-separated rows with named columns, with quoting."""

    suffixes = (".csv",)
    expects = "the same as .csv"

    @classmethod
    def header(cls, head: FileHead) -> list[str]:
        return _first_fields(head, ",")

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        shard, tally = Shard(rank), Tally()
        csv.field_size_limit(_LONGEST_FIELD)  # the field after an unclosed quote must end somewhere
        with open_intact(path) as stream:
            text = io.TextIOWrapper(
                io.BufferedReader(stream), encoding="utf-8-sig", errors="surrogateescape", newline=""
            )
            lines = _BoundedLines(text)
            rows = csv.reader(lines)
            next(rows, None)
            while True:
                try:
                    fields = next(rows)
                except StopIteration:
                    break
                except csv.Error as error:
                    problem: str | None = str(error)
                else:
                    problem = self._problem(fields)
                if problem:
                    tally.entries += 1
                    tally.add_bad(lines.number, "malformed", problem)
                else:
                    record = dict(zip(self.columns, fields, strict=True))
                    self._records.read(lines.number, record, shard, tally)
                if tally.entries >= _ROWS_PER_PART:
                    yield shard, tally
                    shard, tally = Shard(rank), Tally()
            stream.report(tally)
            for number in lines.overlong:
                tally.add_bad(number, "overlong", f"a line of more than {_LONGEST_FIELD:,} characters")
        yield shard, tally

    def _problem(self, fields: list[str]) -> str | None:
        if len(fields) != len(self.columns):
            return f"{len(fields)} columns, not {len(self.columns)}"
        if any(not field.isascii() and _UNDECODED.search(field) for field in fields):
            return "not UTF-8"
        return None


@GRAPH_SOURCES.register("parquet")
class ParquetTable(_Table, WholeFileSource):
    """A Parquet table with named columns."""

    suffixes = (".parquet",)
    expects = "the same as .parquet"

    @classmethod
    def header(cls, head: FileHead) -> list[str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if head.is_compressed:
            raise RollcallError(f"{head.file}: a Parquet file is compressed inside; decompress it first")
        try:
            return list(pq.read_schema(head.file.path).names)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise RollcallError(f"{head.file}: is not a readable Parquet file: {error}") from None

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.content.startswith(b"PAR1")

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        row = 0
        batches = pq.ParquetFile(path.absolute()).iter_batches(_ROWS_PER_PART)
        while True:
            shard, tally = Shard(rank), Tally()
            try:
                batch = next(batches)
            except StopIteration:
                break
            except (pa.ArrowException, OSError) as error:
                tally.add_bad(0, "damaged", f"{error}; what came before it was read")
                yield shard, tally
                break
            columns = dict(
                zip(column_names(batch.schema.names), (c.to_pylist() for c in batch.columns), strict=True)
            )
            for place in range(batch.num_rows):
                row += 1
                record = {name: column[place] for name, column in columns.items()}
                self._records.read(row, record, shard, tally)
            yield shard, tally


def _first_fields(head: FileHead, separator: str) -> list[str]:
    line = head.content.partition(b"\n")[0].decode("utf-8", "replace").rstrip("\r")
    return line.split(separator)
