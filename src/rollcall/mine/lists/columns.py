"""Reads what a column of a list says about the listed things: entities, categories, numbers or dates.

Input: the heading and the cells of a column. Output: a `ListColumn`, or None. The kind is decided for the
whole column. Wikipedia links only the first mention of a thing, so the same words in other cells of the
column count as the same link. Columns of prose and of record keeping are ignored. Words and links are also
ignored under a heading that asks for a name or a time ("Spanish" under "Long name", "Malaysia" under
"Reign"), because the link is then not what the heading asks for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ibis import _

from rollcall.corpus.lists import LISTINGS, PLURAL, plural_head
from rollcall.graph.ingest.cells import bare_integer, clean, first_year, read_cell, unit_in_name
from rollcall.mine.relations import BOOKKEEPING, promises_no_things
from rollcall.query import Date, Number, Text, Value
from rollcall.tables.corpus import Cells, Pages, PageTables
from rollcall.tables.engine import Engine
from rollcall.tables.table import Rows, file_name, shaped, unbound
from rollcall.text.nouns import is_plural
from rollcall.text.words import (
    ARTICLES,
    CONJUNCTIONS,
    FINITE_BE,
    FURTHER_PREPOSITIONS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    base_form,
    kindred,
)

# Reads the tables of list pages from a corpus, in the order of pages. Input: a corpus folder. Output:
# `ListTable` records, which consist of rows of `ListCell`.


class ListCells(Cells):
    """A cell of a list page, with what its page and its table say."""

    title = Pages.title
    section = PageTables.section
    headings = PageTables.header


class ListCell(NamedTuple):
    """A cell: its words without footnotes, the entities it links to, and whether it is a row heading."""

    text: str
    entities: tuple[str, ...] = ()
    heads_row: bool = False


class ListTable(NamedTuple):
    """A table of a list page."""

    title: str
    number: int
    section: str
    header: tuple[str, ...]
    rows: tuple[tuple[ListCell, ...], ...]

    def column(self, index: int) -> list[ListCell]:
        return [row[index] for row in self.rows]


def list_tables(
    corpus: Path, prefix: str, least_rows: int, engine: Engine, scratch: Path
) -> Iterator[ListTable]:
    """The tables with enough rows on all pages whose title begins with the prefix, has listings, or may be a
    plural of what is listed.

    Data that does not fit in memory is written to the folder `scratch`.
    """
    with engine.workbench(scratch) as bench:
        for table in (Pages, PageTables, Cells):
            bench.read(table, corpus / file_name(table))
        batches = bench.stream(lambda: _list_cells(prefix, least_rows), rows=1 << 15)
        cells = (row for batch in batches for row in batch.to_pylist())
        for _table_key, group in groupby(cells, key=lambda row: (row["title"], row["page"], row["table"])):
            list_table = _table(list(group))
            if len(list_table.rows) >= least_rows:
                yield list_table


def _list_cells(prefix: str, least_rows: int) -> Rows[ListCells]:
    is_list = _.title.startswith(prefix + " ") | _.title.contains(LISTINGS) | _.title.re_search(PLURAL)
    pages = unbound(Pages).filter(is_list).select("title", page="id")
    tables = unbound(PageTables).filter(_.rows >= least_rows)
    tables = tables.select("page", "section", table="number", headings="header").join(pages, "page")
    cells = shaped(ListCells, unbound(Cells).join(tables, ["page", "table"]))
    return cells.order_by(["title", "page", "table", "row", "column"])


def _table(cells: list[dict[str, Any]]) -> ListTable:
    first = cells[0]
    header = tuple(first["headings"])
    rows = [
        tuple(
            ListCell(
                clean(cell["text"] or ""),
                tuple(dict.fromkeys(entity for entity in cell["entities"] or () if entity)),
                bool(cell["header"]),
            )
            for cell in row
        )
        for _number, row in groupby(cells, key=lambda cell: cell["row"])
    ]
    complete = tuple(row for row in rows if len(row) == len(header) and not _is_divider(row))
    return ListTable(first["title"], first["table"], first["section"] or "", header, complete)


def _is_divider(row: tuple[ListCell, ...]) -> bool:
    """Whether a row is not an entry: one text across the whole table (a heading between rows), or a row of
    totals.
    """
    texts = {cell.text for cell in row}
    return (len(row) > 1 and len(texts) == 1) or row[0].text.casefold() in ("total", "totals")


# Reads the words of a list's name: which of them say what is on the list. Input: a page title. Output: a
# `ListName`. "List of Baptist churches in Iowa by city" is about churches: Baptist ones, in Iowa; "by
# city" is only the order. Words are compared without case, and plural and singular are equal.

_WORDS = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_ORDER = re.compile(r"\b(?:by|sorted by|ordered by) [a-z][^()]*(?=\(|$)")
_PART = re.compile(r"\([A-Z]\)$|\b[A-Z0-9]\s?[–-]\s?[A-Z0-9]\)?$|[:,] [A-Z]$")
_ENDS_THE_HEAD = PREPOSITIONS | FURTHER_PREPOSITIONS | RELATIVES | {"since", "that", "based", "built"}
"""The words for the listed things end before one of these words."""
_EMPTY = ARTICLES | CONJUNCTIONS | PRONOUNS | FINITE_BE | _ENDS_THE_HEAD - {"based", "built"}
_EMPTY |= {"be", "been", "have", "has", "had", "s"}
_ALTERNATIVES = re.compile(r"((?:[\w-]+, )*[\w-]+),? (?:and|or) ([\w-]+)$")
_KINDS = ("species", "genera", "breeds")
"""A list of lemur species has lemurs: their pages need not call them species."""


class ListName(NamedTuple):
    """The content words of a list's name in their base form, and those for the listed things."""

    words: tuple[str, ...]
    heads: tuple[str, ...]
    names: frozenset[str]
    """Words with a capital; text may use a derived form of them, such as Iceland for Icelandic."""
    either: frozenset[str] = frozenset()
    """Words for the listed things of which one is enough: what is on a list of colleges and universities is
    a college or a university."""


@lru_cache(4096)
def list_name(title: str, prefix: str = "List of") -> ListName | None:
    """The words of a list's name; None if the title is not a list's, or is that of a part of a list (A–C).

    That it has listings says only that it is a list. A plural may be the title of a list: `Lakes of Norrow`.
    """
    begins = title.startswith(prefix + " ")
    if not (begins or LISTINGS in title or plural_head(title)) or _PART.search(title):
        return None
    name = _ORDER.sub("", title[len(prefix) :] if begins else title.replace(LISTINGS, " in ")).strip()
    words = _WORDS.findall(name)
    significant = [word for word in words if word.lower() not in _EMPTY]
    if not significant:
        return None
    head: list[str] = []
    for word in words:
        if word.lower() in _ENDS_THE_HEAD and head:
            break
        head.append(word)
    heads = [
        word
        for word, following in zip(head, [*head[1:], "and"], strict=True)
        if following.lower() in ("and", "or")
    ]
    heads = [word for word in heads if word.lower() not in _EMPTY] or significant[:1]
    names = frozenset(base_form(word) for word in significant if word[0].isupper())
    if len(head) > 1 and head[-1] in _KINDS:
        significant.remove(head[-1])
    return ListName(
        tuple(dict.fromkeys(map(base_form, significant))),
        tuple(map(base_form, heads)),
        names,
        _either(name, head[-1]),
    )


def _either(name: str, last: str) -> frozenset[str]:
    """The nouns that a list's name joins with `and` or `or`, up to the last word for the listed things."""
    match = _ALTERNATIVES.search(name[: name.index(last) + len(last)])
    words = [*match[1].split(", "), match[2]] if match else []
    return frozenset(map(base_form, words if all(map(is_plural, words)) else ()))


def words_of(text: str) -> list[str]:
    """The words of a text in their base form."""
    return [base_form(word) for word in _WORDS.findall(text)]


# Finds the column of a list that names the listed things (the key column). Input: a `ListTable` and the
# words of the list's name. Output: the number of the column, or None. Columns of numbers, dates, prose
# and record keeping are excluded. So are columns with less than half as many different cells as the
# column with the most: an attribute such as the country repeats itself. Of the remaining columns, the
# first of these rules that applies decides: the heading says what the list is of ("Airport" in a list of
# airports); the cells are row headings; the heading is a word for names; the column has the most
# different cells. The leftmost of equal columns wins. If that column links nothing, another column of
# names that has links is preferred: the original title of a film to its translation.
# `benchmarks/bench_key_column.py` measures the rule on a world.

_ROWS = 100
"""How many rows are examined."""
_NAMES = frozenset({"name", "title", "designation"})
_SECOND_NAMES = frozenset({"original", "scientific", "native", "local", "former", "alternative", "other"})
_PROSE = 12
"""A cell with more words than this is prose."""


def key_column(table: ListTable, name: ListName | None) -> int | None:
    """The number of the column with the listed things; None if no column looks like it."""
    columns = {index: table.column(index)[:_ROWS] for index in range(len(table.header))}
    able = {
        index: len({cell.text.casefold() for cell in cells if cell.text})
        for index, cells in columns.items()
        if _may_name_things(table.header[index], cells)
    }
    most = max(able.values(), default=0)
    able = {index: cells for index, cells in able.items() if cells * 2 >= most}

    def order(index: int) -> tuple[bool, bool, bool, int, int]:
        words = header_words(table.header[index])
        of_list = name is not None and not words.isdisjoint(name.heads)
        of_names = not words.isdisjoint(_NAMES) and words.isdisjoint(_SECOND_NAMES)
        heads_rows = sum(cell.heads_row for cell in columns[index]) * 2 > len(columns[index])
        return of_list, heads_rows, of_names, able[index], -index

    best = max(able, key=order, default=None)
    if best is None or any(cell.entities for cell in columns[best]):
        return best
    linked = [
        index
        for index in able
        if says_what_is_listed(table.header[index], name) and _are_linked(columns[index])
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
    return (cell.text[:1].isdigit() and not cell.entities) or not isinstance(
        _key_column_value(cell.text), Text
    )


@lru_cache(1 << 16)
def _key_column_value(text: str) -> Value:
    return read_cell(text)


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


class MinedColumn(NamedTuple):
    """One column: its heading, its kind (`entity`, `text`, `number`, `date`), and what each row says."""

    header: str
    kind: str
    facts: tuple[tuple[CellFact, ...], ...]


def tidy_header(header: str) -> str:
    """A heading without footnotes, the "(s)" or "/s" of plurals, and blanks before marks."""
    plain = _PLURAL_MARK.sub("", clean(header))
    return _SCAR.sub(lambda match: match[1] or match[2] or "", plain).strip()


def read_column(header: str, cells: Sequence[ListCell]) -> MinedColumn | None:
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
        ordered_values = {
            text: value
            for text, value in values.items()
            if value.bounds and value.bounds.dimension == dimension
        }
        return _column(header, "date" if dimension == "date" else "number", cells, _literals(ordered_values))
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
    meanings: dict[str, set[tuple[str, ...]]] = {}
    for cell in cells:
        if cell.entities:
            meanings.setdefault(cell.text, set()).add(cell.entities)
    return {
        text: tuple(CellFact(entity, False, text if len(entities) == 1 else "") for entity in entities)
        for text, links in meanings.items()
        if len(links) == 1
        for entities in links
    }


def _values(header: str, cells: Sequence[ListCell]) -> dict[str, Value]:
    integers = [year for cell in cells if (year := bare_integer(cell.text)) is not None]
    since, unit = first_year(header, len(integers), sum(integers)), unit_in_name(header)
    return {cell.text: _value(cell.text, since, unit) for cell in cells}


def _value(text: str, since: int | None, unit: str | None) -> Value:
    value = read_cell(text, first_year=since, unit=unit)
    # A point or a text has no order, and neither has a number that is too large for a double.
    return value if isinstance(value, Number | Date) else Text(clean(text))


def _literals(values: Mapping[str, Value]) -> dict[str, tuple[CellFact, ...]]:
    return {text: (CellFact(value.text, True, text),) for text, value in values.items()}


def _column(
    header: str, kind: str, cells: Sequence[ListCell], facts_by_text: Mapping[str, tuple[CellFact, ...]]
) -> MinedColumn:
    return MinedColumn(header, kind, tuple(facts_by_text.get(cell.text, ()) for cell in cells))


# Makes one list from the tables of a list page: its entries, and what their rows say. Input: `ListTable`
# records, page by page. Output: `ListPage` records. A page may have several tables: parts of the list in
# different sections, or something else, such as statistics. The tables are grouped by the heading of
# their key column; the group with the most rows is the list.


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
            keyed = [(table, key) for table, key in keyed if says_what_is_listed(table.header[key], name)]
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
        row_entities = _entries(table, key)
        entries += row_entities
        repeated = {header for header, count in Counter(map(tidy_header, table.header)).items() if count > 1}
        for index, header in enumerate(table.header):
            if index == key or tidy_header(header) in repeated:
                continue
            column = read_column(header, table.column(index))
            if column is not None:
                facts = [
                    (entity, fact)
                    for entity, several in zip(row_entities, column.facts, strict=True)
                    if entity is not None
                    for fact in several
                    if fact.object != entity
                ]
                columns.setdefault(column.header, []).append((column.kind, facts))
    return ListPage(title, tuple(entries), {header: _merged(parts) for header, parts in columns.items()})


def _entries(table: ListTable, key: int) -> list[str | None]:
    """The entity of each row: the first link of its key cell, or the link of the same words elsewhere."""
    cells = table.column(key)
    facts_by_text = linked_words(cells)
    entities = []
    for cell in cells:
        facts = facts_by_text.get(cell.text, ())
        entities.append(cell.entities[0] if cell.entities else facts[0].object if len(facts) == 1 else None)
    return entities


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
