"""The files that records come in: TSV and JSON lines by blocks, CSV and Parquet as whole files."""

import csv
import io
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from rollcall.graph.read.records import RecordReader, column_names
from rollcall.graph.shards import Shard
from rollcall.reading.intact import open_intact
from rollcall.reading.tally import Tally, explain

_ROWS_PER_PART = 200_000
_LONGEST_FIELD = 8 << 20
_UNDECODED = re.compile("[\udc80-\udcff]")


class TsvReader:
    """Tab-separated lines without quoting: a quotation mark is a character like any other."""

    def __init__(self, shape: str, columns: tuple[str, ...]) -> None:
        self._records = RecordReader(shape)
        self._columns = columns

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
            if len(fields) != len(self._columns):
                tally.entries += 1
                tally.add_bad(number, "malformed", f"{len(fields)} columns, not {len(self._columns)}")
                continue
            self._records.read(number, dict(zip(self._columns, fields, strict=True)), shard, tally)


class JsonLinesReader:
    """One JSON object a line."""

    def __init__(self, shape: str) -> None:
        self._records = RecordReader(shape)
        # A float would keep 17 digits of a number and read 1e400 as infinite.
        self._decode = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
        for number, line in lines_of(block, tally):
            text = line.strip(b" \t\r,\xef\xbb\xbf")
            if text in (b"", b"[", b"]"):
                continue
            try:
                record = self._decode(text)
                columns = known_columns(record)
            except Exception as error:  # whatever is wrong with one line costs only that line
                tally.entries += 1
                tally.add_bad(number, "malformed", explain(error))
                continue
            self._records.read(number, columns, shard, tally)


def known_columns(record: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(column_names(record), record.values(), strict=True))


def lines_of(block: bytes, tally: Tally) -> Iterator[tuple[int, bytes]]:
    """The lines of a block with their numbers from 1, counted as they are given."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    yield from enumerate(lines, 1)
    tally.lines += len(lines)


class _BoundedLines:
    """The lines of a text; one that is too long to be a row is passed over without being held."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self.number = 0
        """The number of the line that was read last."""
        self.overlong: list[int] = []
        """The numbers of the lines that were passed over."""

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(_LONGEST_FIELD):
            self.number += 1
            if len(line) < _LONGEST_FIELD or line.endswith("\n"):
                yield line
                continue
            self.overlong.append(self.number)
            while line and not line.endswith("\n"):
                line = self._text.readline(_LONGEST_FIELD)


class CsvReader:
    """Comma-separated values, with quoting and line breaks inside quotes."""

    def __init__(self, shape: str, columns: tuple[str, ...]) -> None:
        self._records = RecordReader(shape)
        self._columns = columns

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        shard, tally = Shard(rank), Tally()
        csv.field_size_limit(_LONGEST_FIELD)  # an opening quote that is never closed must end somewhere
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
                    record = dict(zip(self._columns, fields, strict=True))
                    self._records.read(lines.number, record, shard, tally)
                if tally.entries >= _ROWS_PER_PART:
                    yield shard, tally
                    shard, tally = Shard(rank), Tally()
            stream.report(tally)
            for number in lines.overlong:
                tally.add_bad(number, "overlong", f"a line of more than {_LONGEST_FIELD:,} characters")
        yield shard, tally

    def _problem(self, fields: list[str]) -> str | None:
        if len(fields) != len(self._columns):
            return f"{len(fields)} columns, not {len(self._columns)}"
        if any(not field.isascii() and _UNDECODED.search(field) for field in fields):
            return "not UTF-8"
        return None


class ParquetReader:
    """A Parquet table, batch by batch."""

    def __init__(self, shape: str) -> None:
        self._records = RecordReader(shape)

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        row = 0
        batches = pq.ParquetFile(path).iter_batches(_ROWS_PER_PART)
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
