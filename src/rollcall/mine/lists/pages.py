"""Makes one list from the tables of a list page: its entries, and what their rows say.

Input: `ListTable` records, page by page. Output: `ListPage` records. A page may have several tables: parts of
the list in different sections, or something else, such as statistics. The tables are grouped by the heading
of their key column; the group with the most rows is the list.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from rollcall.corpus.lists import plural_head
from rollcall.mine.lists.cells import ListTable
from rollcall.mine.lists.columns import CellFact, linked_words, read_column, tidy_header
from rollcall.mine.lists.key_column import key_column, says_what_is_listed
from rollcall.mine.lists.words import list_name


class ListPage(NamedTuple):
    """A list: its title, its entries (an entity, or None if the row links none), and its columns.

    A column has a kind and, for every entry with a value, the entity and what its row says.
    """

    title: str
    entries: tuple[str | None, ...]
    columns: dict[str, tuple[str, tuple[tuple[str, CellFact], ...]]]

    @property
    def members(self) -> list[str]:
        return sorted({entity for entity in self.entries if entity is not None})

    @property
    def linked(self) -> float:
        """The share of rows whose entry is an entity."""
        return sum(entity is not None for entity in self.entries) / max(len(self.entries), 1)


def list_pages(tables: Iterable[ListTable], prefix: str) -> Iterator[ListPage]:
    """The lists among tables that arrive page by page."""
    for title, group in groupby(tables, key=lambda table: table.title):
        name = list_name(title, prefix)
        if name is None:
            continue
        keyed = [(table, key) for table in group if (key := key_column(table, name)) is not None]
        if not title.startswith(prefix) and plural_head(title):  # such a page may have any table
            keyed = [one for one in keyed if says_what_is_listed(one[0].header[one[1]], name)]
        page = _list_page(title, keyed) if keyed else None
        if page is not None:
            yield page


def _list_page(title: str, keyed: list[tuple[ListTable, int]]) -> ListPage:
    rows: Counter[str] = Counter()
    for table, key in keyed:
        rows[tidy_header(table.header[key])] += len(table.rows)
    main = max(rows, key=lambda header: (rows[header], header))
    entries: list[str | None] = []
    columns: dict[str, list[tuple[str, list[tuple[str, CellFact]]]]] = {}
    for table, key in keyed:
        if tidy_header(table.header[key]) != main:
            continue
        named = _entries(table, key)
        entries += named
        repeated = {header for header, count in Counter(map(tidy_header, table.header)).items() if count > 1}
        for place, header in enumerate(table.header):
            if place == key or tidy_header(header) in repeated:
                continue
            column = read_column(header, table.column(place))
            if column is not None:
                facts = [
                    (entity, one)
                    for entity, several in zip(named, column.facts, strict=True)
                    if entity is not None
                    for one in several
                    if one.object != entity
                ]
                columns.setdefault(column.header, []).append((column.kind, facts))
    return ListPage(title, tuple(entries), {header: _merged(parts) for header, parts in columns.items()})


def _entries(table: ListTable, key: int) -> list[str | None]:
    """The entity of each row: the first link of its key cell, or the link of the same words elsewhere."""
    cells = table.column(key)
    meant = linked_words(cells)
    found = []
    for cell in cells:
        facts = meant.get(cell.text, ())
        found.append(cell.entities[0] if cell.entities else facts[0].object if len(facts) == 1 else None)
    return found


def _merged(
    parts: list[tuple[str, list[tuple[str, CellFact]]]],
) -> tuple[str, tuple[tuple[str, CellFact], ...]]:
    """A column of several tables, with the kind of most of its cells; cells of other kinds are dropped."""
    sizes: Counter[str] = Counter()
    for kind, facts in parts:
        sizes[kind] += len(facts)
    main = max(sizes, key=lambda kind: (sizes[kind], kind))
    rows = {row: None for kind, facts in parts if kind == main for row in facts}
    return main, tuple(rows)
