"""Cells of CSV files: several answers in one cell, and texts that no spreadsheet takes for a formula.

A spreadsheet computes a cell that begins like a formula, and what it computes may send data elsewhere. Every
CSV file that Rollcall writes is written by `csv_lines`, which puts an apostrophe before such a text; numbers
stay numbers. What Rollcall reads again is read by `cell_text`, which takes the apostrophe away.

Answers are separated by semicolons. A list that this would not give back as it was (a name has a semicolon,
or two answers have the same name) is written as a JSON list, and both are read.
"""

import ast
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from rollcall.english.folding import fold
from rollcall.nesting import UNREADABLE
from rollcall.questions.record import Answer

BETWEEN = "; "
_SEPARATOR = ";"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a text begins that a spreadsheet may compute, also after spaces and apostrophes."""
_NUMBER = re.compile(r"[+-](\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def csv_lines(rows: Iterable[Sequence[object]], end: str = "\n") -> Iterator[str]:
    """Rows as lines of CSV, in which no spreadsheet takes a text for a formula."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator=end)
    quoting = csv.writer(buffer, lineterminator=end, quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = [_text_cell(cell) if isinstance(cell, str) else cell for cell in row]
        # The library does not quote the other sign of a line's end.
        lone = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        (quoting if lone else writer).writerow(cells)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def cell_text(cell: str) -> str:
    """The text of a cell that `csv_lines` wrote; earlier versions put a space before a formula."""
    is_marked = _is_formula(cell[1:]) if cell.startswith("'") else cell.startswith(" ") and _is_formula(cell)
    return cell[1:] if is_marked else cell


def _text_cell(text: str) -> str:
    return f"'{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    return text.lstrip(" '").startswith(_FORMULA) and _NUMBER.fullmatch(text) is None


def answers_cell(answers: Sequence[Answer]) -> str:
    """The labels of answers as one cell; ids are needed only where two answers have one name."""
    labels = [answer.label for answer in answers]
    names = [fold(label) for label in labels]
    given: list[object] = [
        {"id": answer.id, "label": answer.label}
        if answer.id is not None and (names.count(name) > 1 or not name)
        else answer.label
        for answer, name in zip(answers, names, strict=True)
    ]
    cell = BETWEEN.join(labels)
    return cell if answers_of(cell) == given else msgspec.json.encode(given).decode()


def answers_of(cell: str) -> list[object]:
    """The answers of one cell: a list as JSON or Python writes it, or names between semicolons."""
    if cell.lstrip().startswith("["):
        for read in (msgspec.json.decode, ast.literal_eval):
            try:
                listed = read(cell.strip())
            except (*UNREADABLE, ValueError, SyntaxError, TypeError, MemoryError):
                continue
            if isinstance(listed, list):
                return listed
    return [name for part in cell.split(_SEPARATOR) if (name := part.strip())]
