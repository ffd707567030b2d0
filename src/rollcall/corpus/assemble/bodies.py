"""The large tables: sentences, passages, links, tables and cells."""

import ibis
from ibis import _

from rollcall.corpus.assemble.occurrences import NumberedTables, without_dropped
from rollcall.corpus.assemble.ties import Meanings
from rollcall.tables.corpus import (
    CellOfShard,
    Cells,
    LinkRows,
    Links,
    PageTableRows,
    PageTables,
    PassageRows,
    Passages,
    SentenceRows,
    Sentences,
)
from rollcall.tables.table import Int64, Rows, String, Table, shaped, unbound


class CellLinks(Table):
    """A link of a cell."""

    page = Cells.page
    table = Cells.table
    row = Cells.row
    column = Cells.column
    place = Int64("the link's place in the cell, from 0")
    entity = String("the entity that it refers to; null if unknown")
    target = String("the title that it leads to")


_CELL = ("page", "table", "row", "column")


def sentences() -> Rows[Sentences]:
    return shaped(Sentences, without_dropped(unbound(SentenceRows)))


def passages() -> Rows[Passages]:
    return shaped(Passages, without_dropped(unbound(PassageRows)))


def links() -> Rows[Links]:
    """Links, each with the entity it refers to."""
    rows, meanings = without_dropped(unbound(LinkRows)), unbound(Meanings)
    joined = rows.left_join(meanings, rows.target == meanings.title)
    return shaped(Links, joined.select(*rows.columns, "entity"))


def page_tables() -> Rows[PageTables]:
    rows = unbound(PageTableRows).join(unbound(NumberedTables), ["order", "number"])
    return shaped(PageTables, rows.drop("number").rename(number="table"))


def cell_links() -> Rows[CellLinks]:
    """Each link of each cell with the entity it refers to."""
    rows = unbound(CellOfShard).rename(number="table").filter(_.links.length() > 0)
    rows = rows.select("order", "number", "row", "column", "links").unnest("links", offset="place")
    rows = rows.join(unbound(NumberedTables), ["order", "number"])
    meanings = unbound(Meanings)
    joined = rows.left_join(meanings, rows.links == meanings.title)
    return shaped(CellLinks, joined.rename(target="links"))


def cells() -> Rows[Cells]:
    """Cells, each with the entities of its links, in the order of the links and null where unknown."""
    found = unbound(CellLinks)
    # Not every engine collects nulls, or in an order; records with a place keep both.
    placed = ibis.struct({"place": found.place, "entity": found.entity}).collect()
    entities = found.group_by(*_CELL).agg(placed=placed)
    entities = entities.select(*_CELL, entities=_.placed.sort().map(lambda link: link.entity))
    rows = unbound(CellOfShard).rename(number="table").join(unbound(NumberedTables), ["order", "number"])
    rows = rows.select(*_CELL, "header", "text", "links")
    joined = rows.left_join(entities, list(_CELL))
    return shaped(Cells, joined.select(*rows.columns, "entities"))
