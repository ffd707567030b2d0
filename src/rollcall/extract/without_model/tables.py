"""Reads facts out of tables: a row is about the thing in its key column, and each other column is a relation.

A cell is a thing if it links to one, or if its words are a page's title; else a number, a date or a text.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rollcall.corpus import Corpus
from rollcall.corpus.corpus import PageCell, PageTable
from rollcall.corpus.lists import without_parenthesis
from rollcall.extract.records import LinkTargets
from rollcall.graph.ingest.cells import clean
from rollcall.mine.lists.columns import (
    ListCell,
    ListTable,
    is_bookkeeping,
    key_column,
    list_name,
    read_column,
    tidy_header,
)
from rollcall.mine.relations import promises_no_things
from rollcall.query import parse_value
from rollcall.query.values import Date, Number
from rollcall.text.nouns import singular

_PREFIX = "List of"
_THING = "thing"


class RowFact(NamedTuple):
    """What a row says: names or titles of its ends, or a value, with the words of the row."""

    subject: str
    relation: str
    object: str
    kind: str
    """`thing`, `date`, `number` or `text`."""
    class_: str
    """What the rows of the table are."""
    object_class: str
    text: str


def table_facts(
    corpus: Corpus, page: str, title: str, titles: Mapping[str, str], targets: LinkTargets
) -> Iterator[RowFact]:
    """What the tables of a page say; `titles` gives the page's title for words that are one."""
    name = list_name(title, _PREFIX)
    for table in corpus.page_tables(page):
        listed = _list_table(title, table, titles, targets)
        key = key_column(listed, name) if listed.header and listed.rows else None
        if key is None:
            continue
        heads = name.heads if name is not None else ()
        class_ = heads[-1] if heads else _class_of(listed.header[key])
        for index, header in enumerate(listed.header):
            column = read_column(header, listed.column(index)) if index != key else None
            if column is None or not column.header:
                continue
            for row, facts in zip(listed.rows, column.facts, strict=True):
                subject = row[key].entities[0] if row[key].entities else row[key].text
                for fact in facts:
                    if not subject or fact.object == subject:
                        continue
                    kind, object_ = _kind(fact.object, fact.literal, fact.text)
                    text = "; ".join(
                        f"{tidy_header(head)}: {cell.text}"
                        for head, cell in zip(listed.header, row, strict=True)
                        if cell.text
                    )
                    relation = column.header.lower()
                    yield RowFact(subject, relation, object_, kind, class_, singular(relation), text)


def _class_of(header: str) -> str:
    """What the things under a heading are, unless it only asks for their name."""
    words = tidy_header(header).lower()
    return _THING if not words or is_bookkeeping(words) or promises_no_things(words) else singular(words)


def _kind(object_: str, literal: bool, text: str) -> tuple[str, str]:
    if not literal:
        return _THING, object_
    value = parse_value(object_)
    return ("date" if isinstance(value, Date) else "number" if isinstance(value, Number) else "text"), text


def _list_table(title: str, table: PageTable, titles: Mapping[str, str], targets: LinkTargets) -> ListTable:
    rows = tuple(
        tuple(_cell(cell, titles, targets) for cell in row)
        for row in table.rows
        if len(row) == len(table.header)
    )
    return ListTable(title, table.number, table.section, table.header, rows)


def _cell(cell: PageCell, titles: Mapping[str, str], targets: LinkTargets) -> ListCell:
    text = clean(cell.text)
    meant = tuple(map(targets.title, cell.links)) or ((titles[text],) if text in titles else ())
    return ListCell(text, meant, cell.header)


def titles_by_words(titles: list[str]) -> dict[str, str]:
    """Titles by their words without parentheses; words of several titles are left out."""
    by_words: dict[str, str] = {}
    doubtful = set()
    for title in titles:
        words = without_parenthesis(title)
        if words in by_words:
            doubtful.add(words)
        by_words[words] = title
    return {words: title for words, title in by_words.items() if words not in doubtful}
