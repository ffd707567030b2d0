"""Reads the rows of CSV files, and of those with tabs or semicolons, whose first line names known columns."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.input_files.delimited import SEPARATORS, Quoting, rows_of
from rollcall.nesting import why
from rollcall.questions.formats.keys import ANSWER_KEYS, ID_KEYS

_QUESTION_COLUMNS = {"problem", "question", "query", "question_text"}
"""A first line with one of these names and commas is the head of a CSV file of questions."""
_LONGEST_HEAD = 1 << 16
_LONGEST_CELL = 1 << 17
_ID_COLUMNS = {key.lower() for key in ID_KEYS}
_ANSWER_COLUMNS = {key.lower() for key in ANSWER_KEYS}


def separator_of_head(line: bytes) -> str | None:
    """What separates the names of a first line; nothing if it does not name known columns."""
    for separator in SEPARATORS:
        names = _names(line, separator)
        if names & _ID_COLUMNS and names & _ANSWER_COLUMNS:
            return separator
    return "," if b"\t" not in line and _names(line, ",") & _QUESTION_COLUMNS else None


def _names(line: bytes, separator: str) -> set[str]:
    text = line[:_LONGEST_HEAD].decode("utf-8", "replace")
    try:
        names = next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # a field longer than any name of a column
        return set()
    return {name.strip().lower() for name in names} if len(names) > 1 else set()


def rows(path: Path, data: bytes, separator: str) -> Iterator[dict[str, str]]:
    """The rows under the names of the first line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RollcallError(f"{path}: is not a CSV file ({why(error)})") from None
    quoting, head = _quoting(text, separator), list[str]()
    for line, row, problem in rows_of(text, separator, quoting=quoting, longest=_LONGEST_CELL):
        if problem:
            raise RollcallError(f"{path}:{line}: {problem}")
        if not head:
            head = row
        elif len(row) > len(head):
            raise RollcallError(
                f"{path}:{line}: has {counted(len(row), 'cell')}, and the first line has {len(head)}"
            )
        else:
            yield dict(zip(head, [*row, *[""] * (len(head) - len(row))], strict=True))


def _quoting(text: str, separator: str) -> Quoting:
    """Whether quotation marks enclose cells: files with tabs often have them as they stand in names."""
    if separator == "\t":
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
                pass
        except csv.Error:
            return csv.QUOTE_NONE
    return csv.QUOTE_MINIMAL
