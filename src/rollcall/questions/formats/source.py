"""A file of questions or predictions before its format is known: its bytes, its shape, its first record.

The published sets come as JSON lines, one JSON array, one JSON object or a table with tabs, in any
compression; what a reader needs to recognise its own format is the first record.
"""

import io
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.nesting import UNREADABLE, why

Shape = Literal["lines", "array", "object", "table"]
Record = TypeVar("Record")

WRAPPERS = ("data", "Data", "questions")
"""Keys under which some published files keep their list of records."""


class Source(NamedTuple):
    """A file's content with its shape; `first` is its first record, or the whole of a single object."""

    path: Path
    data: bytes
    shape: Shape
    first: Any

    def records(self, kind: type[Record]) -> Iterator[Record]:
        """All records as the given type; an error names the line or the place in the array."""
        if self.shape == "lines":
            return self._lines(msgspec.json.Decoder(kind))
        try:
            return iter(msgspec.json.decode(self.data, type=list[kind]))  # type: ignore[valid-type]
        except UNREADABLE as error:
            raise RollcallError(f"{self.path}: {why(error)}") from error

    def _lines(self, decoder: msgspec.json.Decoder[Record]) -> Iterator[Record]:
        for number, line in enumerate(io.BytesIO(self.data), 1):
            try:
                if not line.isspace():
                    yield decoder.decode(line)
            except UNREADABLE as error:
                raise RollcallError(f"{self.path}:{number}: {why(error)}") from error


def load(path: Path) -> Source:
    """Read a file and find its shape."""
    data = _read(path)
    opening = data[:1] if not data[:1].isspace() else data.lstrip()[:1]
    if opening == b"[":
        return _array(path, data)
    if opening == b"{":
        return _object_or_lines(path, data)
    line = data.lstrip(b"\r\n").split(b"\n", 1)[0]
    if b"\t" in line:
        return Source(path, data, "table", line.decode("utf-8", "replace"))
    raise RollcallError(
        f"{path}: neither JSON, JSON lines nor a table with tabs (it begins with {line[:40]!r})"
    )


def _read(path: Path) -> bytes:
    try:
        with open_compressed(path) as stream:
            data = stream.read()
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise RollcallError(f"{path}: cannot be decompressed ({error})") from error
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
    return Source(path, data, "array", first)


def _object_or_lines(path: Path, data: bytes) -> Source:
    line = next(line for line in io.BytesIO(data) if not line.isspace())
    try:
        first = msgspec.json.decode(line)
    except UNREADABLE as error:
        return _object(path, data, why(error))
    end = data.index(line) + len(line)
    if _has_more(data, end) or {"id", "qid", "question", "question_text"} & first.keys():
        return Source(path, data, "lines", first)
    return Source(path, data, "object", first)


def _has_more(data: bytes, end: int) -> bool:
    """Whether anything but white space stands after `end`; looks no further than it must."""
    return bool(data[end : end + 4096].strip()) or bool(data[end + 4096 :].strip())


def _object(path: Path, data: bytes, first_line_error: str) -> Source:
    try:
        return unwrapped(Source(path, data, "object", msgspec.json.decode(data)))
    except UNREADABLE:
        raise RollcallError(f"{path}:1: not JSON ({first_line_error})") from None


def unwrapped(source: Source) -> Source:
    """The list inside an object such as `{"data": […]}` as a source of its own."""
    if source.shape == "object":
        for key in WRAPPERS:
            inside = source.first.get(key)
            if isinstance(inside, list) and inside and isinstance(inside[0], dict):
                return Source(source.path, msgspec.json.encode(inside), "array", inside[0])
    return source
