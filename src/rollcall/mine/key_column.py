"""Which column of a list names the things that are on it: a scored rule over what can be seen of a column.

Numbers, dates and record keeping are out. Of the rest the best is linked, different in every row, far left,
and headed by what the list is of ("Airport" in a list of airports) or by a word for names. The weights were
set by hand on thirty labelled tables; `benchmarks/bench_key_column.py` measures the rule on a world.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rollcall.graph.read.cells import read_cell
from rollcall.mine.bookkeeping import BOOKKEEPING
from rollcall.mine.list_names import ListName, words_of
from rollcall.mine.list_tables import ListCell, ListTable
from rollcall.query import Text, Value

_ROWS = 100
"""How many rows are looked at."""
_NAMES = frozenset({"name", "title", "designation"})
_SECOND_NAMES = frozenset({"original", "scientific", "native", "local", "former", "alternative", "other"})
_ATTRIBUTES = frozenset(
    {
        "artist", "author", "city", "club", "code", "coordinate", "country", "county", "developer",
        "director", "district", "event", "format", "game", "genre", "language", "location",
        "municipality", "nation", "nationality", "network", "note", "operator", "opponent", "owner",
        "position", "province", "publisher", "reference", "region", "result", "season", "sport", "state",
        "status", "town", "type", "year",
    }
)  # fmt: skip
_LEAST = 2.0
"""A column that scores less is no key."""


class Weights(NamedTuple):
    """How much each feature counts."""

    linked: float = 2.0
    distinct: float = 2.5
    head: float = 3.0
    mentioned: float = 1.0
    named: float = 1.5
    second_name: float = -1.0
    attribute: float = -1.0
    heads_rows: float = 1.0
    place: float = -0.4
    wordy: float = -1.5


WEIGHTS = Weights()


def key_column(table: ListTable, name: ListName | None) -> int | None:
    """The place of the column with the listed things; None if no column looks like it."""
    best, best_score, place = None, _LEAST, 0
    for number, header in enumerate(table.header):
        score = column_score(header, table.column(number)[:_ROWS], name)
        if score is None:
            continue
        score += WEIGHTS.place * place
        place += 1
        if score > best_score:
            best, best_score = number, score
    return best


def column_score(header: str, cells: Sequence[ListCell], name: ListName | None) -> float | None:
    """How much a column looks like the names of things; None if it cannot be them."""
    filled = [cell for cell in cells if cell.text]
    if is_bookkeeping(header) and not header_words(header) & _NAMES:
        return None
    if len(filled) * 2 < len(cells) or not filled or _mostly_values(filled):
        return None
    share = 1 / len(filled)
    score = WEIGHTS.linked * share * sum(bool(cell.entities) for cell in filled)
    score += WEIGHTS.distinct * share * len({cell.text.casefold() for cell in filled})
    score += WEIGHTS.heads_rows * share * sum(cell.heads_row for cell in filled)
    score += WEIGHTS.wordy * share * sum(len(cell.text.split()) > 12 for cell in filled)
    return score + _header_score(header, name)


def _header_score(header: str, name: ListName | None) -> float:
    words = header_words(header)
    score = 0.0
    if name is not None and words & set(name.heads):
        score += WEIGHTS.head
    elif words & _ATTRIBUTES:
        score += WEIGHTS.attribute
    elif name is not None and words & set(name.words):
        score += WEIGHTS.mentioned
    if words & _NAMES:
        score += WEIGHTS.second_name if words & _SECOND_NAMES else WEIGHTS.named
    return score


def header_words(header: str) -> frozenset[str]:
    """The words of a heading in their base form."""
    return frozenset(words_of(header))


@cache
def is_bookkeeping(header: str) -> bool:
    """Whether a heading is of record keeping: ranks, notes, references, pictures, or nothing at all."""
    plain = re.sub(r"[^\w#. ]+", " ", header).strip().casefold()
    words = plain.split()
    return (
        not re.search(r"[^\W\d_]{2}", plain)
        or plain in BOOKKEEPING
        or all(word.strip(".") in BOOKKEEPING for word in words)
    )


def _mostly_values(cells: Sequence[ListCell]) -> bool:
    """Whether most cells are numbers or dates."""
    return sum(not isinstance(_value(cell.text), Text) for cell in cells) > len(cells) * 0.6


@lru_cache(1 << 16)
def _value(text: str) -> Value:
    return read_cell(text)
