"""Tables as CSV, whose texts no spreadsheet takes for a formula.

A spreadsheet computes a cell that begins like a formula, and what it computes may send data elsewhere. Every
CSV file that Rollcall writes is written by `csv_lines`, which puts an apostrophe before such a text; numbers
stay numbers. What Rollcall reads again is read by `text_of_cell`, which takes the apostrophe away.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rollcall.report.values import Cell, Measured, Table

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a text begins that a spreadsheet may compute, also after spaces and apostrophes."""
_NUMBER = re.compile(r"[+-](\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def table_csv(table: Table) -> str:
    """A table with all digits of its values; an estimate has columns for the ends of its interval."""
    heads: list[object] = []
    for heading in table.headings:
        ends = (f"{heading.name}_low", f"{heading.name}_high") if heading.kind == "estimate" else ()
        heads += [heading.name, *ends]
    rows = (
        [
            value
            for cell, heading in zip(row, table.headings, strict=True)
            for value in _values(cell, heading.kind)
        ]
        for row in table.rows
        if row
    )
    return "".join(csv_lines(chain([heads], rows)))


def _values(cell: Cell, kind: str) -> list[object]:
    """A cell as one value, or as three."""
    if not isinstance(cell, Measured):
        return ["" if cell is None else cell, *([""] * 2 if kind == "estimate" else [])]
    value = "" if cell.value is None else cell.value
    return [value, *(cell.interval or ("", ""))] if kind == "estimate" else [value]


def csv_lines(rows: Iterable[Sequence[object]], end: str = "\n") -> Iterator[str]:
    """Rows as lines of CSV, in which no spreadsheet takes a text for a formula."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator=end)
    quoting = csv.writer(buffer, lineterminator=end, quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = [_escaped(cell) if isinstance(cell, str) else cell for cell in row]
        # The library does not quote the other sign of a line's end.
        lone = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        (quoting if lone else writer).writerow(cells)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def text_of_cell(cell: str) -> str:
    """The text of a cell that `csv_lines` wrote; earlier versions put a space before a formula."""
    is_marked = _is_formula(cell[1:]) if cell.startswith("'") else cell.startswith(" ") and _is_formula(cell)
    return cell[1:] if is_marked else cell


def _escaped(text: str) -> str:
    return f"'{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    return text.lstrip(" '").startswith(_FORMULA) and _NUMBER.fullmatch(text) is None
