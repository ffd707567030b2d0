"""Lists as relations: how a page "List of X" and the columns of its table are named; titles that lists have.

An entity in the key column of a list is related to the list's page by MEMBERSHIP, and to the content of
another column of its row by that column's relation. So questions about tables are ordinary queries.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from rollcall.corpus.corpus import Cell, TableContent
from rollcall.text.nouns import is_plural

MEMBERSHIP = "on list"
LISTINGS = " listings in "
"""In the title of a list that does not begin with a word for lists: `Marl Register listings in Ostrell`."""
PLURAL = r"^[A-Z][^,:()]*s (of|in) (the )?[A-Z0-9]"
"""Begins a title that may be the plural of what its page lists: `Provinces of Norrow`."""
_PLURAL = re.compile(PLURAL)
_FIELDS = frozenset(("athletics", "economics", "mathematics", "news", "politics", "sports", "states"))
"""Plurals that name no listed things; the United States is one thing."""
_PREFIX = "list:"


class ListColumn(NamedTuple):
    """A column of a list: the list and the heading."""

    title: str
    header: str


def plural_head(title: str) -> list[str]:
    """The words for what a page lists whose title is their plural; none for any other title.

    `Old provinces` of `Old provinces of Norrow`; whether the page has a table of them, its headings tell.
    """
    if _PLURAL.match(title) is None:
        return []
    words = re.split(r" (?:of|in) ", title, maxsplit=1)[0].split(" ")
    last = words[-1].lower()
    return words if is_plural(last) and last not in _FIELDS else []


def column_relation(title: str, header: str) -> str:
    """The relation between an entity on a list and the content of its row under a heading."""
    return f"{_PREFIX}{title}#{header}"


def parse_column(relation: str) -> ListColumn | None:
    """The list and heading of a column's relation; None for any other relation."""
    if not relation.startswith(_PREFIX):
        return None
    title, separator, header = relation[len(_PREFIX) :].partition("#")  # no title has a "#"
    return ListColumn(title, header) if separator else None


def is_list_relation(relation: str) -> bool:
    """Whether a list states the facts of a relation, not the graph."""
    return relation == MEMBERSHIP or parse_column(relation) is not None


# Titles as MediaWiki compares them: underscores are spaces, and the case of the first letter is ignored.

_SPACES = re.compile(r"[\s_\u00a0\u200e\u200f]+")


def wiki_title(text: str) -> str:
    """The normal form of a wiki title: without fragment, with single spaces and a capital first letter."""
    text = text.partition("#")[0]
    if "%" in text:
        text = unquote(text)
    if "_" in text or "  " in text or not text.isprintable() or text[:1] == " " or text[-1:] == " ":
        text = _SPACES.sub(" ", text).strip()
    return text[:1].upper() + text[1:]


def without_parenthesis(title: str) -> str:
    """The title as a name: `Mercury (planet)` becomes `Mercury`; other titles are unchanged."""
    if title.endswith(")"):
        name, opened, _ = title.rpartition(" (")
        if opened and name:
            return name
    return title


# Tables as grids: row and column spans are expanded, and heading rows are separated from the others.
# Wikitext and HTML tables differ only in how cells are written; their spans are interpreted here for
# both.

WIDEST = 256
"""More columns than real tables have; wider tables are cut, so that a span of 1000 does not cost much."""
_SPAN = {
    name: re.compile(rf"{name}\s*+=\s*+[\"']?+\s*+(\d{{1,5}})", re.IGNORECASE)
    for name in ("rowspan", "colspan")
}
_EMPTY = Cell("")
_FEW_CELLS = 50_000
_TIMES_WRITTEN = 8
"""Spans and empty cells may enlarge a table by this factor: a few words must not fill the memory."""


class SpanningCell(NamedTuple):
    """A cell as written, with the number of rows and columns it covers."""

    cell: Cell
    rows: int = 1
    columns: int = 1


def span_of(attributes: str, name: str) -> int:
    """The number of rows or columns in an attribute list; a span of 0 (to the end) counts as 1."""
    match = _SPAN[name].search(attributes)
    return max(int(match[1]), 1) if match else 1


def make_table(section: str, caption: str, written: list[list[SpanningCell]]) -> TableContent | None:
    """A table from its rows as written; None if it has neither text nor links."""
    room = most_cells(sum(len(row) for row in written))
    rows = _expand(written, room)
    if not any(cell.text or cell.links for row in rows for cell in row):
        return None
    width = max(len(row) for row in rows)
    del rows[max(room // width, 1) :]
    for row in rows:
        row.extend([_EMPTY] * (width - len(row)))
    heads = 0
    while heads < len(rows) and all(cell.header or not cell.text for cell in rows[heads]):
        heads += 1
    if heads == len(rows):  # only headings: if there are several rows, the first names the columns
        heads = 1 if len(rows) > 1 else 0
    return TableContent(section, caption, _column_names(rows[:heads], width), rows[heads:])


def most_cells(written: int) -> int:
    """The most cells that a table may have, given the number of written cells."""
    return _FEW_CELLS + _TIMES_WRITTEN * written


def _expand(written: list[list[SpanningCell]], room: int) -> list[list[Cell]]:
    """Repeat every cell in all places it covers, up to the limit `room`."""
    grid: list[list[Cell]] = []
    hanging: dict[int, tuple[Cell, int]] = {}
    for cells in written:
        row: list[Cell] = []
        waiting = iter(cells)
        current = next(waiting, None)
        while current is not None or any(column >= len(row) for column in hanging):
            column = len(row)
            if column >= WIDEST:
                break
            if column in hanging:
                cell, rows_left = hanging.pop(column)
                if rows_left > 1:
                    hanging[column] = (cell, rows_left - 1)
                row.append(cell)
            elif current is None:
                row.append(_EMPTY)
            else:
                _place(current, row, hanging)
                current = next(waiting, None)
        grid.append(row)
        room -= len(row)
        if room < 0:
            break
    return [row for row in grid if row]


def _place(spanning: SpanningCell, row: list[Cell], hanging: dict[int, tuple[Cell, int]]) -> None:
    for _ in range(spanning.columns):
        column = len(row)
        if column >= WIDEST or (column in hanging and _):
            return
        row.append(spanning.cell)
        if spanning.rows > 1:
            hanging[column] = (spanning.cell, spanning.rows - 1)


def _column_names(heads: list[list[Cell]], width: int) -> list[str]:
    """The name of each column: its headings from top to bottom, each once."""
    if not heads:
        return []
    return [
        " ".join(dict.fromkeys(row[column].text for row in heads if row[column].text))
        for column in range(width)
    ]
