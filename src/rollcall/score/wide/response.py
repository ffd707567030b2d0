"""The table in a response: the first block marked as Markdown, or else what stands between the first and last
pipe.

Lines are cut at their pipes and read as pandas reads CSV with pipes: a first row that is longer than the head
shifts the columns, a shorter row is filled up, and a longer row later makes the table unreadable.
"""

import csv
import io
import re
from typing import NamedTuple

from rollcall.questions.formats.widesearch import column_name

_BLOCK = re.compile(r"```markdown(.*?)```", re.DOTALL)
_LINES = re.compile(r"((?:\|.*\n?)+)")
_RULE = frozenset("|- :")
_LEAST_PIPES = 4
_END = "\x00end"


class UnreadableTableError(ValueError):
    """A response whose table the published scorer cannot read either."""


class Table(NamedTuple):
    """A table as strings; no cell is read as a number yet."""

    columns: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def response_table(response: str) -> Table | None:
    """The table in a response; None if there is none."""
    blocks = _BLOCK.findall(response) or _LINES.findall(_between_pipes(response))
    if not blocks:
        return None
    lines = blocks[0].strip().split("\n")
    lines[0] = lines[0].replace(" ", "").lower()
    cut = [
        "|".join(cell.strip() for cell in line.strip().split("|"))
        for line in lines
        if "|" in line and not set(line.strip()) <= _RULE
    ]
    return _parsed("\n".join(cut))


def _between_pipes(response: str) -> str:
    first, last = response.find("|"), response.rfind("|")
    if response.count("|") < _LEAST_PIPES:
        return ""
    start, end = response.rfind("\n", 0, first), response.find("\n", last)
    return response[max(start, 0) : len(response) if end == -1 else end]


def _parsed(text: str) -> Table:
    rows = [row for row in _rows(text) if row]
    if not rows:
        raise UnreadableTableError("its table has no line with a pipe")
    head, body = _named(rows[0]), rows[1:]
    width = max(len(head), len(body[0]) if body else 0)
    if any(len(row) > width for row in body[1:]):
        raise UnreadableTableError("a row of its table has more cells than the rows before")
    shift = width - len(head)
    padded = [[*row, *[""] * (width - len(row))][shift:] for row in body]
    kept = [place for place, name in enumerate(head) if not name.startswith("Unnamed")]
    return Table(
        [column_name(head[place]) for place in kept], [[row[place] for place in kept] for row in padded]
    )


def _rows(text: str) -> list[list[str]]:
    """The rows of pipe-separated lines; quotes that are never closed make them unreadable."""
    try:
        rows = list(csv.reader(io.StringIO(f"{text}\n{_END}\n", newline=""), delimiter="|"))
    except csv.Error as error:
        raise UnreadableTableError(f"its table cannot be read ({error})") from None
    if rows[-1] != [_END]:
        raise UnreadableTableError("a quote in its table is never closed")
    return rows[:-1]


def _named(head: list[str]) -> list[str]:
    """The names of columns, as pandas makes them: none is empty, and none comes twice."""
    names: list[str] = []
    seen: dict[str, int] = {}
    for place, name in enumerate(head):
        name = name or f"Unnamed: {place}"
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.append(f"{name}.{count}" if count else name)
    return names
