"""Mention statistics: how often entities are mentioned, by which names, and which facts share a page.

A mention is a link, in the text or in a table. The share of a name is the fraction of its uses that refer to
an entity; the name is an alias of the entity only if the share is not below a limit.
"""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.corpus.assemble.bodies import kept_cell_links, kept_links
from rollcall.corpus.assemble.inputs import graph_facts
from rollcall.corpus.assemble.ties import kept_pages, meaning_table


def mentions() -> ir.Table:
    """Every mention: page and entity."""
    in_text = kept_links().filter(_.entity.notnull()).select("page", "entity")
    in_tables = kept_cell_links().filter(_.entity.notnull()).select("page", "entity")
    return ibis.union(in_text, in_tables)


def _mentions() -> ir.Table:
    return ibis.table({"page": "string", "entity": "string"}, name="mentions")


def mentions_in_order() -> ir.Table:
    """n(e): how often each entity is mentioned, and on how many pages."""
    rows = _mentions()
    return rows.group_by("entity").agg(mentions=_.count(), pages=rows.page.nunique()).order_by("entity")


def votes() -> ir.Table:
    """Each name in use: its text, its entity (or the target title if that has no entity), and its count."""
    anchors = kept_links().filter(_.anchor.notnull())
    anchors = anchors.group_by("anchor", "entity", "target").agg(count=_.count())
    anchors = anchors.select(
        text="anchor", entity="entity", other="target", source=ibis.literal("anchor"), count="count"
    )
    redirects = ibis.table({"title": "string", "target": "string"}, name="redirects")
    through = kept_links().group_by(through="target").agg(count=_.count())
    redirected = redirects.join(meaning_table(), "title").left_join(through, _.title == through.through)
    redirected = redirected.select(
        text=_.title,
        entity=_.entity,
        other=_.target,
        source=ibis.literal("redirect"),
        count=_["count"].fill_null(0),
    )
    pages = kept_pages().filter(_.entity.notnull() & ~_.disambiguation)
    name = ibis.ifelse(
        pages.title.re_search(r"^.+ \([^()]+\)$"), pages.title.re_replace(r" \([^()]+\)$", ""), pages.title
    )
    titled = pages.select(
        text=name,
        entity="entity",
        other="title",
        source=ibis.literal("title"),
        count=ibis.literal(0, "int64"),
    )
    return ibis.union(anchors, redirected, titled)


def _votes() -> ir.Table:
    columns = {"text": "string", "entity": "string", "other": "string", "source": "string", "count": "int64"}
    return ibis.table(columns, name="votes")


def forms() -> ir.Table:
    """The names of each entity by source, with their counts, and the share of their uses that refer to it.

    A redirect and a title count as one use each, so that a name without links has a share too.
    """
    rows = _votes()
    uses = rows.mutate(uses=ibis.ifelse(rows.source == "anchor", rows["count"], 1))
    meant = uses.filter(_.entity.notnull()).group_by("text", "entity").agg(meant=_.uses.sum())
    all_uses = uses.group_by("text").agg(every=_.uses.sum())
    named = rows.filter(_.entity.notnull()).group_by("entity", "text", "source").agg(count=_["count"].sum())
    joined = named.join(meant, ["text", "entity"]).join(all_uses, "text")
    return joined.select(
        "entity", "text", "source", count=_["count"].cast("int64"), share=_.meant.cast("float64") / _.every
    )


def _forms() -> ir.Table:
    columns = {"entity": "string", "text": "string", "source": "string", "count": "int64", "share": "float64"}
    return ibis.table(columns, name="forms")


def forms_in_order() -> ir.Table:
    return _forms().order_by("entity", "text", "source")


def aliases_in_order() -> ir.Table:
    """The names whose share reaches the limit, which is given as a table of one row."""
    limit = ibis.table({"least": "float64"}, name="alias_share")
    kept = _forms().cross_join(limit).filter(_.share >= _.least)
    return kept.select("entity", "text", "source", "count").order_by("entity", "text", "source")


def relations_in_order() -> ir.Table:
    """n(r): how often both ends of a relation's facts are on one page, and the number of such facts."""
    own = kept_pages().filter(_.entity.notnull()).select(page="id", entity="entity")
    present = ibis.union(_mentions(), own).distinct()
    facts = graph_facts()
    with_subject = facts.join(present, facts.subject == present.entity).select(
        "subject", "relation", "object", "page"
    )
    others = present.view()
    shared = with_subject.join(
        others, [with_subject.page == others.page, with_subject.object == others.entity]
    ).select("subject", "relation", "object", "page")
    per_fact = shared.group_by("subject", "relation", "object").agg(pages=_.count())
    counted = per_fact.group_by("relation").agg(together=_.count(), cooccurrences=_.pages.sum())
    every = facts.group_by("relation").agg(facts=_.count())
    joined = every.left_join(counted, "relation")
    return joined.select(
        "relation",
        "facts",
        together=_.together.fill_null(0).cast("int64"),
        cooccurrences=_.cooccurrences.fill_null(0).cast("int64"),
    ).order_by("relation")
