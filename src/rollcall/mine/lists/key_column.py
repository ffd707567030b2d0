"""Finds the column of a list that names the listed things (the key column).

Input: a `ListTable` and the words of the list's name. Output: the number of the column, or None. Columns of
numbers, dates, prose and record keeping are excluded. So are columns with less than half as many different
cells as the column with the most: an attribute such as the country repeats itself. Of the remaining columns,
the first of these rules that applies decides: the heading says what the list is of ("Airport" in a list of
airports); the cells are row headings; the heading is a word for names; the column has the most different
cells. The leftmost of equal columns wins. If that column links nothing, another column of names that has
links is preferred: the original title of a film to its translation. `benchmarks/bench_key_column.py` measures
the rule on a world.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from rollcall.english.word_families import kindred
from rollcall.graph.ingest.cells import read_cell
from rollcall.mine.lists.cells import ListCell, ListTable
from rollcall.mine.lists.words import ListName, words_of
from rollcall.mine.record_keeping import BOOKKEEPING
from rollcall.query import Text, Value

_ROWS = 100
"""How many rows are examined."""
_NAMES = frozenset({"name", "title", "designation"})
_SECOND_NAMES = frozenset({"original", "scientific", "native", "local", "former", "alternative", "other"})
_PROSE = 12
"""A cell with more words than this is prose."""


def key_column(table: ListTable, name: ListName | None) -> int | None:
    """The number of the column with the listed things; None if no column looks like it."""
    columns = {place: table.column(place)[:_ROWS] for place in range(len(table.header))}
    able = {
        place: len({cell.text.casefold() for cell in cells if cell.text})
        for place, cells in columns.items()
        if _may_name_things(table.header[place], cells)
    }
    most = max(able.values(), default=0)
    able = {place: cells for place, cells in able.items() if cells * 2 >= most}

    def order(place: int) -> tuple[bool, bool, bool, int, int]:
        words = header_words(table.header[place])
        of_list = name is not None and not words.isdisjoint(name.heads)
        of_names = not words.isdisjoint(_NAMES) and words.isdisjoint(_SECOND_NAMES)
        heads_rows = sum(cell.heads_row for cell in columns[place]) * 2 > len(columns[place])
        return of_list, heads_rows, of_names, able[place], -place

    best = max(able, key=order, default=None)
    if best is None or any(cell.entities for cell in columns[best]):
        return best
    linked = [
        place
        for place in able
        if says_what_is_listed(table.header[place], name) and _are_linked(columns[place])
    ]
    return max(linked, key=order, default=best)


def says_what_is_listed(header: str, name: ListName | None) -> bool:
    """Whether a heading is a word for names, or for the listed things or a kind of them."""
    words = header_words(header)
    if not words.isdisjoint(_NAMES):
        return True
    return name is not None and any(kindred(name.heads, words))


def _are_linked(cells: Sequence[ListCell]) -> bool:
    return sum(bool(cell.entities) for cell in cells) * 2 > len(cells)


def _may_name_things(header: str, cells: Sequence[ListCell]) -> bool:
    """Whether a column can contain names."""
    filled = [cell for cell in cells if cell.text]
    if is_bookkeeping(header) and header_words(header).isdisjoint(_NAMES):
        return False
    if len(filled) * 2 < len(cells) or not filled or _mostly_values(filled):
        return False
    return sum(len(cell.text.split()) > _PROSE for cell in filled) * 2 <= len(filled)


def header_words(header: str) -> frozenset[str]:
    """The words of a heading in their base form."""
    return frozenset(words_of(header))


@cache
def is_bookkeeping(header: str) -> bool:
    """Whether a heading is empty or belongs to record keeping: ranks, notes, references, pictures."""
    plain = re.sub(r"[^\w#. ]+", " ", header).strip().casefold()
    words = plain.split()
    return (
        not re.search(r"[^\W\d_]{2}", plain)
        or plain in BOOKKEEPING
        or all(word.strip(".") in BOOKKEEPING for word in words)
    )


def _mostly_values(cells: Sequence[ListCell]) -> bool:
    """Whether most cells are numbers or dates, or begin with a number and link nothing ("41-12", "3 × 4")."""
    return sum(_is_value(cell) for cell in cells) * 2 > len(cells)


def _is_value(cell: ListCell) -> bool:
    return (cell.text[:1].isdigit() and not cell.entities) or not isinstance(_value(cell.text), Text)


@lru_cache(1 << 16)
def _value(text: str) -> Value:
    return read_cell(text)
