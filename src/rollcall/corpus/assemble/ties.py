"""Links pages to entities: by sitelink, by the item that the source names, or by title, in that order.

A title is used only if exactly one entity has it as its id or label, and never for a disambiguation page.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.corpus.assemble.occurrences import Homes, NumberedTables
from rollcall.tables.corpus import PageRows, Pages, RedirectRows, Redirects, Ties
from rollcall.tables.graph import Entities
from rollcall.tables.table import Int64, Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class TiedPages(Table):
    """A page that is kept, with its entity."""

    order = PageRows.order
    id = Pages.id
    title = Pages.title
    disambiguation = Pages.disambiguation
    characters = Pages.characters
    sentences = Pages.sentences
    entity = Pages.entity
    tie = Pages.tie
    untied = String("why the entity is unknown; empty if it is known")


class Meanings(Table):
    """The entity that a title refers to."""

    title = String("the title")
    entity = String("the entity's id")


class TieCounts(Table):
    """How many pages have their entity in one way."""

    tie = Pages.tie
    count = Int64("how many pages")


class UntiedCounts(Table):
    """How many pages have no entity, for one reason."""

    untied = TiedPages.untied
    count = TieCounts.count


def tied_pages() -> Rows[TiedPages]:
    """Every kept page with its entity and how the entity was found, or the reason why it has none."""
    pages = unbound(PageRows).join(unbound(Homes).filter(_.with_text), "order")
    entities = unbound(Entities)
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
    rows = tied.select(
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
    return shaped(TiedPages, rows)


def pages() -> Rows[Pages]:
    """Every kept page, with the number of its tables."""
    counts = unbound(NumberedTables).group_by("page").agg(tables=_.count())
    pages = unbound(TiedPages)
    joined = pages.left_join(counts, pages.id == counts.page)
    return shaped(Pages, joined.mutate(tables=_.tables.fill_null(0)))


def ties() -> Rows[Ties]:
    """Every entity with a page about it."""
    return shaped(Ties, unbound(TiedPages).filter(_.entity.notnull()).select("entity", "tie", page="id"))


def tie_counts() -> "ir.Table":
    counted = unbound(TiedPages).filter(_.tie.notnull()).group_by("tie").agg(count=_.count())
    return shaped(TieCounts, counted).order_by("tie")


def untied_counts() -> "ir.Table":
    counted = unbound(TiedPages).filter(_.entity.isnull()).group_by("untied").agg(count=_.count())
    return shaped(UntiedCounts, counted).order_by("untied")


# -- from the target title of a link to its entity --------------------------------------------------------


def redirects() -> Rows[Redirects]:
    """Redirects with their final target: two steps are followed; the title of a page is never a redirect."""
    pages = unbound(TiedPages).select(page_title="title")
    rows = unbound(RedirectRows)
    first = rows.group_by("title").agg(target=rows.target.argmin(rows.order))
    first = first.anti_join(pages, first.title == pages.page_title)
    second = first.view().select(through="title", final="target")
    joined = first.left_join(second, first.target == second.through)
    followed = joined.select("title", target=ibis.coalesce(_.final, _.target))
    return shaped(Redirects, followed.filter(_.title != _.target))


def meanings() -> Rows[Meanings]:
    """The entity of each title: that of its page, of the page it redirects to, or by sitelink or id."""
    pages = unbound(TiedPages).filter(_.entity.notnull())
    named = pages.group_by("title").agg(entity=pages.entity.min())
    sitelinks = unbound(Entities).filter(_.title.notnull()).group_by("title").agg(entity=_.id.min())
    ids = unbound(Entities).select(title="id", entity="id")
    own_ids = pages.select(title="id", entity="entity")
    direct = _ranked([named, sitelinks, own_ids, ids])
    redirects = unbound(Redirects)
    moved = redirects.join(direct, redirects.target == direct.title).select("title", "entity")
    return _ranked([direct, moved])


def _ranked(sources: "list[ir.Table]") -> Rows[Meanings]:
    """One entity per title; earlier sources have priority."""
    rows = [
        source.select("title", "entity").mutate(rank=ibis.literal(rank).cast("int32"))
        for rank, source in enumerate(sources)
    ]
    every = ibis.union(*rows)
    return shaped(Meanings, every.group_by("title").agg(entity=every.entity.argmin(every["rank"])))
