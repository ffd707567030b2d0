"""Rows of text with separators: which separator a file has, found by looking, and its rows.

Semicolons and tabs are as common as commas. The separator is the one by which the first lines have the same
number of fields; a file's suffix does not help, because spreadsheets write semicolons into `.csv`.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Literal, NamedTuple, TextIO, TypeAlias

from rollcall.input_files.input_file import NOT_UTF8, Intact, Tally

SEPARATORS = (",", ";", "\t", "|")
LONGEST_FIELD = 8 << 20
_SAMPLE = 50
Quoting: TypeAlias = Literal[0, 3]
"""Whether quotes enclose fields: `csv.QUOTE_MINIMAL` or `csv.QUOTE_NONE`."""
_UNDECODED = re.compile("[\udc80-\udcff]")


def first_rows(content: bytes, separator: str, quoting: bool = True) -> list[list[str]]:
    """The rows in the beginning of a file; the last line is left out if others are there: it may be cut."""
    text = content.decode("utf-8", "replace").lstrip("\ufeff")
    lines = text.splitlines(keepends=True)
    if len(lines) > 1 and not text.endswith("\n"):
        lines.pop()
    if not quoting:
        return [line.rstrip("\r\n").split(separator) for line in lines[:_SAMPLE] if line.strip()]
    try:
        return [row for row in csv.reader(lines[:_SAMPLE], delimiter=separator) if row]
    except csv.Error:  # a field that is longer than the library allows
        return [next(iter(lines), "").rstrip("\r\n").split(separator)]


def separator_of(content: bytes) -> str:
    """The separator of a file: most lines have as many fields as the first one; a comma if none is found."""
    best, separator_found = (0.0, 0), ","
    for separator in SEPARATORS:
        rows = first_rows(content, separator)
        width = len(rows[0]) if rows else 0
        if width > 1:
            score = sum(len(row) == width for row in rows) / len(rows), width
            if score > best:
                best, separator_found = score, separator
    return separator_found


class TextRow(NamedTuple):
    """A row of a file with the number of its line, or what is wrong with it."""

    line: int
    fields: list[str]
    problem: str | None = None


class _BoundedLines:
    """The lines of a text; a line that is too long to be a row is skipped without being held in memory."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self.number = 0
        """The number of the last line read."""
        self.row: list[str] = []
        """The lines read since this was last emptied."""
        self.overlong: list[int] = []
        """The numbers of the skipped lines."""
        self.ended = False
        """Whether a line was wanted after the last one."""

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_FIELD):
            self.number += 1
            if len(line) < LONGEST_FIELD or line.endswith("\n"):
                self.row.append(line)
                yield line
                continue
            self.overlong.append(self.number)
            while line and not line.endswith("\n"):
                line = self._text.readline(LONGEST_FIELD)
        self.ended = True

    def bad_lines(self) -> Iterator[TextRow]:
        """The skipped lines, as rows that cannot be read."""
        for number in self.overlong:
            yield TextRow(number, [], f"a line of more than {LONGEST_FIELD:,} characters")


def _unclosed(last: int, fields: list[str]) -> TextRow:
    """The row at the end of a file whose last field began with a quote that is never closed."""
    lines = fields[-1].removesuffix("\n").count("\n") if fields else 0
    first = last - lines
    return TextRow(
        first, fields, f"a quote that opens in line {first} is not closed, so the rest is one field"
    )


def _rows(lines: _BoundedLines, separator: str, quoting: Quoting) -> Iterator[TextRow]:
    rows = csv.reader(lines, delimiter=separator, quoting=quoting)
    while True:
        first = lines.number + 1
        lines.row.clear()
        try:
            fields = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            if lines.number == first:
                yield TextRow(first, [], str(error))
            else:
                yield TextRow(first, [], f"a quote that opens in line {first} is not closed ({error})")
            continue
        if lines.ended:  # only an incomplete row continues after the last line
            yield _unclosed(lines.number, fields)
            return
        if len(lines.row) > 1 and not _is_strict(lines.row, separator):
            problem = f"a quote that opens in line {first} is not closed, or one inside is not doubled"
            yield TextRow(first, fields, f"{problem} (lines {first} to {lines.number})")
            continue
        undecoded = any(not field.isascii() and _UNDECODED.search(field) for field in fields)
        yield TextRow(lines.number, fields, NOT_UTF8 if undecoded else None)


def _is_strict(lines: list[str], separator: str) -> bool:
    """Whether every quote that opens a field of a row closes it too."""
    try:
        return len(list(csv.reader(lines, delimiter=separator, strict=True))) == 1
    except csv.Error:
        return False


def read_rows(stream: Intact, separator: str, tally: Tally) -> Iterator[TextRow]:
    """The rows of a file with quoting; at its end, damage and overlong lines are added to the tally."""
    csv.field_size_limit(LONGEST_FIELD)  # the field after an unclosed quote must end somewhere
    text = io.TextIOWrapper(
        io.BufferedReader(stream), encoding="utf-8-sig", errors="surrogateescape", newline=""
    )
    lines = _BoundedLines(text)
    yield from _rows(lines, separator, csv.QUOTE_MINIMAL)
    stream.report(tally)
    for number, _, problem in lines.bad_lines():
        tally.add_bad(number, "overlong", str(problem))


def rows_of(
    text: str, separator: str, *, quoting: Quoting = csv.QUOTE_MINIMAL, longest: int = LONGEST_FIELD
) -> Iterator[TextRow]:
    """The rows of a text but the empty ones; lines that are too long come last."""
    csv.field_size_limit(longest)
    lines = _BoundedLines(io.StringIO(text, newline=""))
    yield from (row for row in _rows(lines, separator, quoting) if row.fields or row.problem)
    yield from lines.bad_lines()


# The elements of a JSON array, one after the other, however it is laid out over lines. Only one element
# at a time is in memory, so that an array may be larger than memory, as a dump is.

_CHUNK = 1 << 16
_LONGEST = 64 << 20
_SPACE = " \t\r\n"
_NEXT_LIST = re.compile(r":\s*\[\s*\{")


class Element(NamedTuple):
    """An element of an array with the line where it begins; or what is wrong, after which nothing is read."""

    line: int
    value: object
    problem: str | None = None


def is_array(content: bytes) -> bool:
    """Whether a file begins as a JSON array."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def first_element(content: bytes) -> object:
    """The first element of the array at the beginning of a file; None if it is not whole there."""
    return next((element.value for element in elements(io.BytesIO(content)) if element.problem is None), None)


def elements(stream: IO[bytes], start: int = 0) -> Iterator[Element]:
    """The elements of the array in a stream of UTF-8; numbers with a point are decimals.

    `start` is where the array begins if it is a member of an object.
    """
    before = stream.read(start)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    decode = json.JSONDecoder(parse_float=Decimal).raw_decode
    buffer, line, size = "", 1 + before.count(b"\n"), _CHUNK
    has_begun = ended = False
    while True:
        stripped = buffer.lstrip(_SPACE if not has_begun else _SPACE + ",")
        line += buffer.count("\n", 0, len(buffer) - len(stripped))
        buffer = stripped
        if buffer and not has_begun:
            if buffer[0] != "[":
                yield Element(line, None, "not a JSON array")
                return
            buffer, has_begun = buffer[1:], True
            continue
        if buffer.startswith("]"):
            if start and _NEXT_LIST.search(buffer + text.read(_CHUNK)):
                yield Element(line, None, "another list of objects, which is left out")
            return
        if buffer:
            try:
                value, end = decode(buffer)
            except (ValueError, RecursionError) as error:
                if ended or isinstance(error, RecursionError) or len(buffer) > _LONGEST:
                    yield Element(line, None, _why(error))
                    return
            else:
                if end < len(buffer) or ended:  # a number at the end of the buffer may go on
                    yield Element(line, value)
                    line += buffer.count("\n", 0, end)
                    buffer, size = buffer[end:], _CHUNK
                    continue
        if ended:
            yield Element(line, None, "the array does not end")
            return
        chunk = text.read(size)
        size *= 2  # a long element is decoded again and again: the more of it is read, the less often
        buffer, ended = buffer + chunk, not chunk


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).partition(":")[0]


# The keys of a file that is one JSON object, as many programs export their lists: `{"loans": [{…}, …]}`.
# Only the beginning of a file is looked at, which may end anywhere.

_SPACE_BYTES = " \t\r\n"


class JsonMember(NamedTuple):
    """A key of the object, where its content begins in the file, and whether that is a list of objects."""

    key: str
    start: int
    is_list: bool


class JsonDocument(NamedTuple):
    """A file that is one JSON object."""

    members: tuple[JsonMember, ...]
    """Those in the beginning of the file."""
    one_line: bool
    """Whether it may be a line of many, as it is all in one."""

    @property
    def keys(self) -> list[str]:
        return [member.key for member in self.members]

    @property
    def lists(self) -> list[JsonMember]:
        return [member for member in self.members if member.is_list]


def json_document(content: bytes) -> JsonDocument | None:
    """The object that the beginning of a file shows; None if it shows something else, or several objects."""
    text = content.decode("utf-8", "surrogateescape")
    position = _after_space(text, 0)
    if text[position : position + 1] != "{":
        return None
    decode = json.JSONDecoder().raw_decode
    members = list[JsonMember]()
    position = _after_space(text, position + 1)
    try:
        while text[position] != "}":
            key, position = decode(text, position)
            colon = _after_space(text, position)
            if not isinstance(key, str) or text[colon] != ":":
                return None
            start = _after_space(text, colon + 1)
            offset = len(text[:start].encode("utf-8", "surrogateescape"))
            try:
                value, position = decode(text, start)
            except (ValueError, RecursionError):  # the rest is not in the beginning, or is no JSON
                first = _after_space(text, start + 1)
                members.append(JsonMember(key, offset, text[start] == "[" and text[first : first + 1] == "{"))
                break
            whole = isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
            members.append(JsonMember(key, offset, whole))
            position = _after_space(text, position)
            if text[position] == ",":
                position = _after_space(text, position + 1)
        else:
            if text[position + 1 :].strip(_SPACE_BYTES):
                return None
    except (ValueError, IndexError, RecursionError):  # it is cut between two members, or is no JSON
        pass
    return JsonDocument(tuple(members), "\n" not in text.strip(_SPACE_BYTES)) if members else None


def _after_space(text: str, position: int) -> int:
    while text[position : position + 1] and text[position] in _SPACE_BYTES:
        position += 1
    return position
