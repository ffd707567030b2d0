"""Pages as rows: CSV, a JSON array, Parquet and Arrow, as Hugging Face datasets have them.

Such a file cannot be cut at its lines. It is read from beginning to end, and its rows become lines of JSON,
which take the way of any other lines.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Self

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError
from rollcall.corpus.source import PageOptions, RowSource, TextSourceContext, page_layout
from rollcall.corpus.sources import TEXT_SOURCES
from rollcall.corpus.sources.json_lines import PageLines, page_width
from rollcall.input_files.arrow_file import batches, column_names
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.input_file import InputFile, Intact, Tally, without_mark
from rollcall.input_files.rows import elements, first_element, first_rows, is_array, read_rows, separator_of
from rollcall.text.nouns import counted

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
