"""Links pages to entities: by sitelink, by the item that the source names, or by title, in that order.

A title is used only if exactly one entity has it as its id or label, and never for a disambiguation page.
"""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.corpus.assemble.inputs import graph_entities, shard_table


def tied_pages() -> ir.Table:
    """Every kept page with its entity and how the entity was found, or the reason why it has none."""
    homes = ibis.table({"order": "int64", "page": "string", "with_text": "boolean"}, name="homes")
    pages = shard_table("pages").join(homes.filter(_.with_text), "order")
    entities = graph_entities()
    sitelinks = entities.filter(_.title.notnull()).group_by("title").agg(by_sitelink=_.id.min())
    items = entities.select(by_item="id")
    labels = (
        entities.filter(_.label.notnull())
        .group_by(named="label")
        .agg(by_label=_.id.min(), namesakes=_.count())
    )
    ids = entities.select(by_id="id")
    tied = pages.left_join(sitelinks, "title").drop("title_right")
    tied = tied.left_join(items, tied.item == items.by_item)
    tied = tied.left_join(ids, tied.title == ids.by_id)
    tied = tied.left_join(labels, tied.title == labels.named)
    usable = ~tied.disambiguation
    unique = ibis.ifelse(tied.namesakes == 1, tied.by_label, ibis.null("string"))
    by_title = ibis.ifelse(usable, ibis.coalesce(tied.by_id, unique), ibis.null("string"))
    tied = tied.mutate(by_title_alone=by_title)
    return tied.select(
        "order",
        "title",
        "disambiguation",
        "characters",
        "sentences",
        id="page",
        entity=ibis.coalesce(tied.by_sitelink, tied.by_item, tied.by_title_alone),
        tie=ibis.cases(
            (tied.by_sitelink.notnull(), "sitelink"),
            (tied.by_item.notnull(), "item"),
            (tied.by_title_alone.notnull(), "title"),
            else_=ibis.null("string"),
        ),
        untied=ibis.cases(
            (ibis.coalesce(tied.by_sitelink, tied.by_item, tied.by_title_alone).notnull(), ""),
            (tied.disambiguation, "disambiguation"),
            (tied.namesakes > 1, "several entities have the title"),
            (tied.item.notnull(), "the item is not in the graph"),
            else_="no entity has the title",
        ),
    )


def _tied() -> ir.Table:
    columns = {
        "order": "int64", "title": "string", "disambiguation": "boolean", "characters": "int64",
        "sentences": "int32", "id": "string", "entity": "string", "tie": "string", "untied": "string",
    }  # fmt: skip
    return ibis.table(columns, name="tied_pages")


def kept_pages() -> ir.Table:
    """The kept pages as a named table, for joins."""
    return _tied()


def pages_in_order() -> ir.Table:
    tables = ibis.table(
        {"order": "int64", "number": "int32", "page": "string", "table": "int32"}, name="numbered_tables"
    )
    counts = tables.group_by("page").agg(tables=_.count().cast("int32"))
    pages = _tied()
    joined = pages.left_join(counts, pages.id == counts.page)
    return joined.select(
        "id", "title", "entity", "tie", "disambiguation", "characters", "sentences",
        tables=_.tables.fill_null(0).cast("int32"),
    ).order_by("id")  # fmt: skip


def ties_in_order() -> ir.Table:
    return _tied().filter(_.entity.notnull()).select("entity", "tie", page="id").select(
        "entity", "page", "tie"
    ).order_by("entity", "page")  # fmt: skip


def untied_counts() -> ir.Table:
    return _tied().group_by("untied").agg(count=_.count()).order_by("untied")


def tie_counts() -> ir.Table:
    return _tied().filter(_.tie.notnull()).group_by("tie").agg(count=_.count()).order_by("tie")


# -- from the target title of a link to its entity --------------------------------------------------------


def redirects() -> ir.Table:
    """Redirects with their final target: two steps are followed; the title of a page is never a redirect."""
    pages = _tied().select(page_title="title")
    rows = shard_table("redirects")
    first = rows.group_by("title").agg(target=rows.target.argmin(rows.order))
    first = first.anti_join(pages, first.title == pages.page_title)
    second = first.view().select(through="title", final="target")
    joined = first.left_join(second, first.target == second.through)
    return joined.select("title", target=ibis.coalesce(_.final, _.target)).filter(_.title != _.target)


def _redirects() -> ir.Table:
    return ibis.table({"title": "string", "target": "string"}, name="redirects")


def redirects_in_order() -> ir.Table:
    return _redirects().order_by("title")


def meanings() -> ir.Table:
    """The entity of each title: that of its page, of the page it redirects to, or by sitelink or id."""
    pages = _tied().filter(_.entity.notnull())
    named = pages.group_by("title").agg(entity=pages.entity.min())
    sitelinks = graph_entities().filter(_.title.notnull()).group_by("title").agg(entity=_.id.min())
    ids = graph_entities().select(title="id", entity="id")
    own_ids = pages.select(title="id", entity="entity")
    direct = _ranked([named, sitelinks, own_ids, ids])
    moved = _redirects().join(direct, _redirects().target == direct.title)
    moved = moved.select("title", "entity")
    return _ranked([direct, moved])


def _ranked(sources: list[ir.Table]) -> ir.Table:
    """One entity per title; earlier sources have priority."""
    rows = [
        source.select("title", "entity").mutate(rank=ibis.literal(rank).cast("int32"))
        for rank, source in enumerate(sources)
    ]
    every = ibis.union(*rows)
    return every.group_by("title").agg(entity=every.entity.argmin(every["rank"]))


def meaning_table() -> ir.Table:
    return ibis.table({"title": "string", "entity": "string"}, name="meanings")
