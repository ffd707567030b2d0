"""Reads what a column of a list says about the listed things: entities, categories, numbers or dates.

Input: the heading and the cells of a column. Output: a `ListColumn`, or None. The kind is decided for the
whole column. Wikipedia links only the first mention of a thing, so the same words in other cells of the
column count as the same link. Columns of prose and of record keeping are ignored. Words and links are also
ignored under a heading that asks for a name or a time ("Spanish" under "Long name", "Malaysia" under
"Reign"), because the link is then not what the heading asks for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rollcall.graph.ingest.cells import bare_integer, clean, read_cell
from rollcall.graph.ingest.columns import first_year, unit_in_name
from rollcall.mine.lists.cells import ListCell
from rollcall.mine.lists.key_column import is_bookkeeping
from rollcall.mine.record_keeping import promises_no_things
from rollcall.query import Date, Number, Text, Value

LINKED = 0.6
"""The least share of linked cells in a column of entities."""
ALIKE = 0.8
"""The least share of numbers (or dates) of one dimension in a column of numbers (or dates)."""
_LONGEST = 6
"""The most words of a category."""
_LONGEST_PROSE = 10
"""In a column of entities, half of the cells must have at most this number of words for each link."""
_PLURAL_MARK = re.compile(r"\s?\(\s?e?s\s?\)|\s?/\s?s\b")
_WORD = re.compile(r"[^\W\d_]+")
_SCAR = re.compile(r"\s+([,.;:)’])|([(])\s+|\s+(?='s\b)")


class CellFact(NamedTuple):
    """What one cell says: an entity's id or a value's canonical text, and the words of the cell."""

    object: str
    literal: bool
    text: str


class ListColumn(NamedTuple):
    """One column: its heading, its kind (`entity`, `text`, `number`, `date`), and what each row says."""

    header: str
    kind: str
    facts: tuple[tuple[CellFact, ...], ...]


def tidy_header(header: str) -> str:
    """A heading without footnotes, the "(s)" or "/s" of plurals, and blanks before marks."""
    plain = _PLURAL_MARK.sub("", clean(header))
    return _SCAR.sub(lambda found: found[1] or found[2] or "", plain).strip()


def read_column(header: str, cells: Sequence[ListCell]) -> ListColumn | None:
    """The column as facts about its rows; None if it says nothing that can be asked about."""
    header = tidy_header(header)
    if is_bookkeeping(header) and not is_of_time(header):
        return None
    filled = [cell for cell in cells if cell.text]
    if len(filled) * 2 < len(cells) or not filled:
        return None
    values = _values(header, filled)
    ordered = Counter(value.bounds.dimension for value in values.values() if value.bounds is not None)
    dimension, most = ordered.most_common(1)[0] if ordered else ("", 0)
    if most >= ALIKE * len(values):
        kept = {
            text: value
            for text, value in values.items()
            if value.bounds and value.bounds.dimension == dimension
        }
        return _column(header, "date" if dimension == "date" else "number", cells, _literals(kept))
    if promises_no_things(header):
        return None
    entities = linked_words(filled)
    if _is_prose(filled):
        return None
    if sum(cell.text in entities for cell in filled) >= LINKED * len(filled):
        return _column(header, "entity", cells, entities)
    if all(len(cell.text.split()) <= _LONGEST for cell in filled):
        texts = {cell.text: Text(cell.text) for cell in filled}
        return _column(header, "text", cells, _literals(texts))
    return None


def is_of_time(header: str) -> bool:
    """Whether a heading is only a word for time: not a name, but it can be asked about."""
    return header.casefold() in ("year", "date", "years", "dates")


def _is_prose(cells: Sequence[ListCell]) -> bool:
    """Whether most cells contain much more than the names of what they link to."""
    linked = [cell for cell in cells if cell.entities]
    long = sum(len(cell.text.split()) > _LONGEST_PROSE * len(cell.entities) for cell in linked)
    return long * 2 > len(linked)


def linked_words(cells: Iterable[ListCell]) -> dict[str, tuple[CellFact, ...]]:
    """The entity that each text in a column's cells means, if some cell links that text."""
    meant: dict[str, set[tuple[str, ...]]] = {}
    for cell in cells:
        if cell.entities:
            meant.setdefault(cell.text, set()).add(cell.entities)
    return {
        text: tuple(CellFact(entity, False, text if len(entities) == 1 else "") for entity in entities)
        for text, found in meant.items()
        if len(found) == 1
        for entities in found
    }


def _values(header: str, cells: Sequence[ListCell]) -> dict[str, Value]:
    whole = [year for cell in cells if (year := bare_integer(cell.text)) is not None]
    since, unit = first_year(header, len(whole), sum(whole)), unit_in_name(header)
    return {cell.text: _value(cell.text, since, unit) for cell in cells}


def _value(text: str, since: int | None, unit: str | None) -> Value:
    value = read_cell(text, first_year=since, unit=unit)
    # A point or a text has no order, and neither has a number that is too large for a double.
    return value if isinstance(value, Number | Date) else Text(clean(text))


def _literals(values: Mapping[str, Value]) -> dict[str, tuple[CellFact, ...]]:
    return {text: (CellFact(value.text, True, text),) for text, value in values.items()}


def _column(
    header: str, kind: str, cells: Sequence[ListCell], meant: Mapping[str, tuple[CellFact, ...]]
) -> ListColumn:
    return ListColumn(header, kind, tuple(meant.get(cell.text, ()) for cell in cells))
