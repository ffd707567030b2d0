"""Which pages are kept, and which are repetitions of another page.

The first page with an id is kept. A page known only by its title, from a file of tables, is the page with
this title (or id) if there is one, and otherwise a separate page.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.tables.corpus import PageRows, PageTableRows
from rollcall.tables.table import Boolean, Int32, Int64, Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class NamedPages(PageRows, name="named_pages"):
    """The first page with its id, among pages that have their own text."""


class Homes(Table):
    """A page that was read, and the page of the corpus that it becomes."""

    order = PageRows.order
    page = String("the id under which it is kept")
    with_text = Boolean("whether its text is kept")


class Dropped(Table):
    """A page whose text is not kept."""

    order = PageRows.order


class NumberedTables(Table):
    """A table as it was read, and its place on the page that it is kept on."""

    order = PageTableRows.order
    number = PageTableRows.number
    page = Homes.page
    table = Int32("its number on the page, in the order of the sources")


class Duplicates(Table):
    """How many pages were not kept."""

    kind = String("always `duplicates`")
    count = Int64("how many pages have the id of an earlier one")


def named_pages() -> Rows[NamedPages]:
    """The first page with each id, among pages that have their own text."""
    pages = unbound(PageRows).filter(~_.by_title)
    first = pages.group_by("id").agg(order=_.order.min())
    return shaped(NamedPages, pages.semi_join(first, "order"))


def homes() -> Rows[Homes]:
    """For every page that was read: the id under which it is kept, and whether its text is kept."""
    named = unbound(NamedPages)
    kept = named.select("order", page="id", with_text=ibis.literal(True))
    tabled = unbound(PageRows).filter(_.by_title).select("order", "title")
    by_title = named.group_by("title").agg(home=_.id.min())
    by_id = named.select(own_id="id")
    joined = tabled.left_join(by_title, "title").drop("title_right")
    joined = joined.left_join(by_id, joined.title == by_id.own_id)
    joined = joined.mutate(page=ibis.coalesce(_.home, _.own_id, _.title))
    alone = joined.home.isnull() & joined.own_id.isnull()
    first = joined.order == joined.order.min().over(ibis.window(group_by="page"))
    return shaped(Homes, ibis.union(kept, joined.select("order", "page", with_text=alone & first)))


def dropped() -> Rows[Dropped]:
    """Pages whose text is not kept."""
    texted = unbound(Homes).filter(_.with_text)
    return shaped(Dropped, unbound(PageRows).anti_join(texted, "order"))


def duplicate_count() -> Rows[Duplicates]:
    """How many pages have the id of an earlier one."""
    lost = unbound(PageRows).filter(~_.by_title).semi_join(unbound(Dropped), "order")
    counted = lost.agg(count=_.count()).select(kind=ibis.literal("duplicates"), count="count")
    return shaped(Duplicates, counted)


def without_dropped(rows: "ir.Table") -> "ir.Table":
    """Rows of the pages whose text is kept."""
    return rows.anti_join(unbound(Dropped), "order").drop("order")


def numbered_tables() -> Rows[NumberedTables]:
    """Every table with its page and its number there, in the order of the sources."""
    rows = unbound(PageTableRows).join(unbound(Homes), "order")
    within = ibis.window(group_by="page", order_by=["order", "number"])
    numbered = rows.select("order", "number", "page", table=ibis.row_number().over(within))
    return shaped(NumberedTables, numbered)
