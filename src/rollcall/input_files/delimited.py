"""Rows of text with separators: which separator a file has, found by looking, and its rows.

Semicolons and tabs are as common as commas. The separator is the one by which the first lines have the same
number of fields; a file's suffix is no help, since spreadsheets write semicolons into `.csv`.
"""

import csv
import io
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, TextIO, TypeAlias

from rollcall.input_files.intact import Intact
from rollcall.input_files.tally import NOT_UTF8, Tally

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
    best, found = (0.0, 0), ","
    for separator in SEPARATORS:
        rows = first_rows(content, separator)
        width = len(rows[0]) if rows else 0
        if width > 1:
            score = sum(len(row) == width for row in rows) / len(rows), width
            if score > best:
                best, found = score, separator
    return found


class Row(NamedTuple):
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

    def bad_lines(self) -> Iterator[Row]:
        """The skipped lines, as rows that cannot be read."""
        for number in self.overlong:
            yield Row(number, [], f"a line of more than {LONGEST_FIELD:,} characters")


def _unclosed(last: int, fields: list[str]) -> Row:
    """The row at the end of a file whose last field began with a quote that is never closed."""
    lines = fields[-1].removesuffix("\n").count("\n") if fields else 0
    first = last - lines
    return Row(first, fields, f"a quote that opens in line {first} is not closed, so the rest is one field")


def _rows(lines: _BoundedLines, separator: str, quoting: Quoting) -> Iterator[Row]:
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
                yield Row(first, [], str(error))
            else:
                yield Row(first, [], f"a quote that opens in line {first} is not closed ({error})")
            continue
        if lines.ended:  # only a row that is not complete goes on after the last line
            yield _unclosed(lines.number, fields)
            return
        if len(lines.row) > 1 and not _is_strict(lines.row, separator):
            told = f"a quote that opens in line {first} is not closed, or one inside is not doubled"
            yield Row(first, fields, f"{told} (lines {first} to {lines.number})")
            continue
        undecoded = any(not field.isascii() and _UNDECODED.search(field) for field in fields)
        yield Row(lines.number, fields, NOT_UTF8 if undecoded else None)


def _is_strict(lines: list[str], separator: str) -> bool:
    """Whether every quote that opens a field of a row closes it too."""
    try:
        return len(list(csv.reader(lines, delimiter=separator, strict=True))) == 1
    except csv.Error:
        return False


def read_rows(stream: Intact, separator: str, tally: Tally) -> Iterator[Row]:
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
) -> Iterator[Row]:
    """The rows of a text but the empty ones; lines that are too long come last."""
    csv.field_size_limit(longest)
    lines = _BoundedLines(io.StringIO(text, newline=""))
    yield from (row for row in _rows(lines, separator, quoting) if row.fields or row.problem)
    yield from lines.bad_lines()
