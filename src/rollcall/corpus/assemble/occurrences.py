"""Which pages are kept, and which are repetitions of another page.

The first page with an id is kept. A page known only by its title, from a file of tables, is the page with
this title (or id) if there is one, and otherwise a separate page.
"""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.corpus.assemble.inputs import shard_table


def named_pages() -> ir.Table:
    """The first page with each id, among pages that have their own text."""
    pages = shard_table("pages").filter(~_.by_title)
    first = pages.group_by("id").agg(order=_.order.min())
    return pages.semi_join(first, "order")


def _named() -> ir.Table:
    return ibis.table(shard_table("pages").schema(), name="named_pages")


def homes() -> ir.Table:
    """For every page that was read: the id under which it is kept, and whether its text is kept."""
    named = _named()
    kept = named.select("order", page="id", with_text=ibis.literal(True))
    tabled = shard_table("pages").filter(_.by_title).select("order", "title")
    by_title = named.group_by("title").agg(home=_.id.min())
    by_id = named.select(own_id="id")
    joined = tabled.left_join(by_title, "title").drop("title_right")
    joined = joined.left_join(by_id, joined.title == by_id.own_id)
    joined = joined.mutate(page=ibis.coalesce(_.home, _.own_id, _.title))
    alone = joined.home.isnull() & joined.own_id.isnull()
    first = joined.order == joined.order.min().over(ibis.window(group_by="page"))
    return ibis.union(kept, joined.select("order", "page", with_text=alone & first))


def _homes() -> ir.Table:
    return ibis.table({"order": "int64", "page": "string", "with_text": "boolean"}, name="homes")


def dropped() -> ir.Table:
    """Pages whose text is not kept."""
    texted = _homes().filter(_.with_text)
    return shard_table("pages").anti_join(texted, "order").select("order")


def duplicate_count() -> ir.Table:
    """How many pages have the id of an earlier one."""
    dropped = ibis.table({"order": "int64"}, name="dropped")
    lost = shard_table("pages").filter(~_.by_title).semi_join(dropped, "order")
    return lost.agg(count=_.count()).select(kind=ibis.literal("duplicates"), count="count")


def without_dropped(rows: ir.Table) -> ir.Table:
    """Rows of the pages whose text is kept."""
    return rows.anti_join(ibis.table({"order": "int64"}, name="dropped"), "order").drop("order")


def numbered_tables() -> ir.Table:
    """Every table with its page and its number there, in the order of the sources."""
    rows = shard_table("tables").join(_homes(), "order")
    within = ibis.window(group_by="page", order_by=["order", "number"])
    return rows.select("order", "number", "page", table=ibis.row_number().over(within).cast("int32"))


def tables_by_page() -> ir.Table:
    return ibis.table(
        {"order": "int64", "number": "int32", "page": "string", "table": "int32"}, name="numbered_tables"
    )
