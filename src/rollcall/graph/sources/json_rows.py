"""Rows as JSON objects: one a line, or the elements of an array, which may stand under a key."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar, Self

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph.ingest.json_keys import (
    JSON_SUFFIXES,
    NEO4J_JSON,
    array_record,
    is_lines,
    keys_seen,
    line_record,
    listed,
)
from rollcall.graph.ingest.layouts import Layout
from rollcall.graph.ingest.lines import lines_of
from rollcall.graph.ingest.neo4j import is_neo4j_record
from rollcall.graph.ingest.records import KNOWN_COLUMNS, Record, RecordReader, column_names
from rollcall.graph.ingest.row_options import RowOptions, opened_layout, optional_keys
from rollcall.graph.shards import Shard
from rollcall.graph.source import LineSource, SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.file_source import FileHead, FileSource
from rollcall.input_files.input_file import InputFile
from rollcall.input_files.intact import open_intact, without_mark
from rollcall.input_files.json_array import elements
from rollcall.input_files.tally import Tally, explain

_ROWS_PER_PART = 200_000


class _JsonRows(FileSource):
    """JSON objects with the names of columns as keys; those of the first one determine their content."""

    Options = RowOptions
    suffixes: ClassVar[tuple[str, ...]] = JSON_SUFFIXES

    def __init__(self, file: InputFile, first: Record | None, options: RowOptions) -> None:
        if first is None:
            raise RollcallError(f"{file}: does not hold {self.expects}")
        self.neo4j = is_neo4j_record(first)
        keys = [*first, *optional_keys(file.name, options.columns, list(first))]
        layout = Layout((), NEO4J_JSON) if self.neo4j else opened_layout(file, keys, options)
        self.shape = layout.shape
        self.remark = layout.remark
        self.shared = layout.shared
        self._records = RecordReader(layout.shape, layout.shared)
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

    def __init__(self, file: InputFile, first: Record | None, options: RowOptions) -> None:
        super().__init__(file, first, options)
        # A float would keep only 17 digits of a number and read 1e400 as infinity.
        self._decode = msgspec.json.Decoder(dict[str, object], float_hook=Decimal).decode

    @classmethod
    def open(cls, options: RowOptions, context: SourceContext) -> Self:
        return cls(context.head.file, line_record(context.head), options)

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return is_lines(head)

    def read(self, block: bytes, shard: Shard, tally: Tally, first: bool) -> None:
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
    def open(cls, options: RowOptions, context: SourceContext) -> Self:
        opened = cls(context.head.file, array_record(context.head), options)
        if (member := listed(context.head)) is not None:
            opened.start = member.start
            told = f"read the list under {member.key}"
            opened.remark = f"{told}; {opened.remark}" if opened.remark else told
        return opened

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return array_record(head) is not None

    @classmethod
    def mistaken(cls, head: FileHead) -> str:
        return keys_seen(head) if head.suffix in JSON_SUFFIXES else ""

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        shard, tally = Shard(rank), Tally()
        with open_intact(path) as stream:
            for line, value, problem in elements(without_mark(stream), self.start):
                if problem or not isinstance(value, dict):
                    tally.entries += 1
                    tally.add_bad(line, "malformed", problem or "an element that is no object")
                else:
                    self._records.read(line, self.known_columns(value), shard, tally)
                if tally.entries >= _ROWS_PER_PART:
                    yield shard, tally
                    shard, tally = Shard(rank), Tally()
            stream.report(tally)
        yield shard, tally
