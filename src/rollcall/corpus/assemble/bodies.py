"""The large tables in their final order: sentences, passages, links, tables and cells."""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.corpus.assemble.inputs import shard_table
from rollcall.corpus.assemble.occurrences import tables_by_page, without_dropped
from rollcall.corpus.assemble.ties import meaning_table


def sentences_in_order() -> ir.Table:
    return without_dropped(shard_table("sentences")).order_by("page", "number")


def passages_in_order() -> ir.Table:
    return without_dropped(shard_table("passages")).order_by("page", "number")


def links() -> ir.Table:
    """Links, each with the entity it refers to."""
    rows, meanings = without_dropped(shard_table("links")), meaning_table()
    joined = rows.left_join(meanings, rows.target == meanings.title)
    return joined.select(*rows.columns, "entity")


def kept_links() -> ir.Table:
    columns = {"page": "string", "number": "int32", "sentence": "int32", "start": "int64", "end": "int64",
               "anchor": "string", "target": "string", "entity": "string"}  # fmt: skip
    return ibis.table(columns, name="links")


def links_in_order() -> ir.Table:
    return kept_links().order_by("page", "number")


def tables_in_order() -> ir.Table:
    rows = shard_table("tables").join(tables_by_page(), ["order", "number"])
    return rows.select(
        "page", "table", "section", "caption", "header", "rows", "columns"
    ).order_by("page", "table").rename(number="table")  # fmt: skip


def cell_links() -> ir.Table:
    """Each link of each cell with the entity it refers to."""
    rows = shard_table("cells").rename(number="table").filter(_.links.length() > 0)
    rows = rows.select("order", "number", "row", "column", "links").unnest("links", offset="place")
    rows = rows.join(tables_by_page(), ["order", "number"])
    meanings = meaning_table()
    joined = rows.left_join(meanings, rows.links == meanings.title)
    return joined.select("page", "table", "row", "column", "place", "entity", target="links")


def kept_cell_links() -> ir.Table:
    columns = {"page": "string", "table": "int32", "row": "int32", "column": "int32", "place": "int64",
               "entity": "string", "target": "string"}  # fmt: skip
    return ibis.table(columns, name="cell_links")


def cells_in_order() -> ir.Table:
    found = kept_cell_links()
    keys = ["page", "table", "row", "column"]
    entities = found.group_by(keys).agg(
        entities=found.entity.collect(order_by=found.place, include_null=True)
    )
    rows = shard_table("cells").rename(number="table").join(tables_by_page(), ["order", "number"])
    rows = rows.select("page", "table", "row", "column", "header", "text", "links")
    joined = rows.left_join(entities, keys)
    joined = joined.select(*rows.columns, "entities")
    return joined.order_by(*keys)
