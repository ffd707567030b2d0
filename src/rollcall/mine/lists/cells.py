"""Reads the tables of list pages from a corpus, in the order of pages.

Input: a corpus folder. Output: `ListTable` records, which consist of rows of `ListCell`.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ibis import _

from rollcall.corpus.lists import LISTINGS, PLURAL
from rollcall.graph.ingest.cells import clean
from rollcall.tables.corpus import Cells, Pages, PageTables
from rollcall.tables.engine import Engine
from rollcall.tables.table import Rows, file_name, shaped, unbound


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

    def column(self, place: int) -> list[ListCell]:
        return [row[place] for row in self.rows]


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
        for _place, group in groupby(cells, key=lambda row: (row["title"], row["page"], row["table"])):
            found = _table(list(group))
            if len(found.rows) >= least_rows:
                yield found


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
    kept = tuple(row for row in rows if len(row) == len(header) and not _is_divider(row))
    return ListTable(first["title"], first["table"], first["section"] or "", header, kept)


def _is_divider(row: tuple[ListCell, ...]) -> bool:
    """Whether a row is no entry: one text across the whole table (a heading between rows), or a row of
    totals.
    """
    texts = {cell.text for cell in row}
    return (len(row) > 1 and len(texts) == 1) or row[0].text.casefold() in ("total", "totals")
