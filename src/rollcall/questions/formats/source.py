"""Questions or predictions before their format is known: their content, shape and first record.

The published sets are JSON lines, one JSON array, one JSON object, a table with tabs, CSV or Parquet, in any
compression. A format recognises its own files by the first record. Rows given by a script are handled in the
same way, so a list of dicts and a file of them mean the same.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.input_files.arrow_file import PARQUET, parquet_rows
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.formats.delimited import rows, separator_of_head

Shape = Literal["lines", "array", "object", "table"]
Record = TypeVar("Record")

WRAPPERS = ("data", "Data", "questions", "results")
"""Keys of the list of records in some published files."""
_RECORD_KEYS = {"id", "qid", "question", "question_text", "instance_id", "query", "problem"}
"""Keys by which an object is one record of a file of lines."""

_TREC_COLUMNS = (4, 6)
"""How many words the lines of TREC's judgments and runs have, which may be separated by spaces."""
_TREC_SECOND = (b"Q0", b"0")
"""The second word of these lines, which TREC's tools ignore."""


class Source(NamedTuple):
    """Content with its shape; `first` is its first record, or the whole of a single object."""

    where: str
    """The file, or a name for data given by a script; messages begin with it."""
    data: bytes
    shape: Shape
    first: object
    of_cells: bool = False
    """Whether it is a text file with named columns, so that a list may be written as one text."""

    @property
    def record(self) -> dict[str, object]:
        """The first record; empty if the first value is not a record."""
        return self.first if isinstance(self.first, dict) and self.shape in ("lines", "array") else {}

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """All records as the given type; an error names the line or the record."""
        if self.shape == "lines":
            return self._lines(msgspec.json.Decoder(kind))
        try:
            return iter(msgspec.json.decode(self.data, type=list[kind]))  # type: ignore[valid-type]
        except UNREADABLE as error:
            raise RollcallError(self._first_bad(msgspec.json.Decoder(kind), why(error))) from error

    def _lines(self, decoder: msgspec.json.Decoder[Record]) -> Iterator[Record]:
        for number, line in enumerate(io.BytesIO(self.data), 1):
            try:
                if not line.isspace():
                    yield decoder.decode(line)
            except UNREADABLE as error:
                raise RollcallError(f"{self.where}:{number}: {why(error)}") from error

    def _first_bad(self, decoder: msgspec.json.Decoder[Record], otherwise: str) -> str:
        """The number of the record in an array that is not valid."""
        try:
            for number, one in enumerate(msgspec.json.decode(self.data, type=list[msgspec.Raw]), 1):
                try:
                    decoder.decode(one)
                except UNREADABLE as error:
                    return f"{self.where}: record {number}: {why(error)}"
        except UNREADABLE:
            pass
        return f"{self.where}: {otherwise}"


def load(path: Path) -> Source:
    """Read a file and find its shape; a list inside an object is taken out of it."""
    data = _read(path)
    opening = data[:1] if not data[:1].isspace() else data.lstrip()[:1]
    if data.startswith(PARQUET):
        return rows_source(parquet_rows(data, path), str(path))
    if opening == b"[":
        return _array(path, data)
    if opening == b"{":
        return unwrapped(_object_or_lines(path, data))
    line = data.lstrip(b"\r\n").split(b"\n", 1)[0]
    if (separator := separator_of_head(line)) is not None:
        return rows_source(rows(path, data, separator), str(path))._replace(of_cells=True)
    if b"\t" in line:
        return Source(str(path), data, "table", line.decode("utf-8", "replace"))
    if len(line.split()) in _TREC_COLUMNS and line.split()[1].upper() in _TREC_SECOND:
        return Source(str(path), data, "table", line.decode("utf-8", "replace"))
    begins = line[:40].decode("utf-8", "replace")
    raise RollcallError(
        f"{path}: neither JSON, JSON lines, Parquet, CSV nor a table with tabs (it begins with {begins!r}); "
        "the first line of a CSV file names its columns, such as id,answers or id,question,answers"
    )


def rows_source(given: Iterable[object], where: str) -> Source:
    """Rows of Python values, such as those of a data frame, as a source.

    Tables have every column in every row, so a missing value counts as a missing key.
    """
    plain: list[object] = []
    first: object = None
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    for number, row in enumerate(given, 1):
        if not isinstance(row, Mapping):
            raise RollcallError(f"{where}: record {number} is a {type(row).__name__}, not a dict")
        try:
            built = msgspec.json.decode(encoder.encode({str(key): value for key, value in row.items()}))
        except (TypeError, ValueError, RecursionError, OverflowError) as error:
            raise RollcallError(f"{where}: record {number}: {why(error)}") from None
        first = built if number == 1 else first
        kept = _without_missing(built)
        if isinstance(kept, dict) and isinstance(kept.get("id"), int):
            kept["id"] = str(kept["id"])  # a column of numbers gives numbers
        plain.append(kept)
    return Source(where, msgspec.json.encode(plain), "array", first)


def _plain(value: object) -> object:
    """Convert a value that JSON does not have to one that it has: arrays of other libraries, any iterable."""
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return {str(key): one for key, one in value.items()}
    listed = getattr(value, "tolist", None)
    if callable(listed):
        return listed()
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a value of the type {type(value).__name__} has no form in JSON")


def _without_missing(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_missing(one) for key, one in value.items() if one is not None}
    return [_without_missing(one) for one in value] if isinstance(value, list) else value


def _read(path: Path) -> bytes:
    with open_compressed(path) as stream:
        data = stream.read()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if not data or data.isspace():
        raise RollcallError(f"{path}: is empty")
    return data


def _array(path: Path, data: bytes) -> Source:
    try:
        raw = msgspec.json.decode(data, type=list[msgspec.Raw])
        first = msgspec.json.decode(raw[0]) if raw else None
    except UNREADABLE as error:
        raise RollcallError(f"{path}: not JSON ({why(error)})") from error
    return Source(str(path), data, "array", first)


def _object_or_lines(path: Path, data: bytes) -> Source:
    line = next(line for line in io.BytesIO(data) if not line.isspace())
    try:
        first = msgspec.json.decode(line)
    except UNREADABLE as error:
        return _object(path, data, why(error))
    end = data.index(line) + len(line)
    if _has_more(data, end) or _RECORD_KEYS & first.keys():
        return Source(str(path), data, "lines", first)
    return Source(str(path), data, "object", first)


def _has_more(data: bytes, end: int) -> bool:
    """Whether anything but white space follows `end`; reads no further than necessary."""
    return bool(data[end : end + 4096].strip()) or bool(data[end + 4096 :].strip())


def _object(path: Path, data: bytes, first_line_error: str) -> Source:
    try:
        return Source(str(path), data, "object", msgspec.json.decode(data))
    except UNREADABLE:
        raise RollcallError(f"{path}:1: not JSON ({first_line_error})") from None


def unwrapped(source: Source) -> Source:
    """The list inside an object such as `{"data": […]}`, as a source of its own."""
    if source.shape == "object" and isinstance(source.first, dict):
        for key in WRAPPERS:
            inside = source.first.get(key)
            if isinstance(inside, list) and inside and isinstance(inside[0], dict):
                return Source(source.where, msgspec.json.encode(inside), "array", inside[0])
    return source
