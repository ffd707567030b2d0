"""Mention statistics: how often entities are mentioned, by which names, and which facts share a page.

A mention is a link, in the text or in a table. The share of a name is the fraction of its uses that refer to
an entity; the name is an alias of the entity only if the share is not below a limit.
"""

import ibis
from ibis import _

from rollcall.corpus.assemble.bodies import CellLinks
from rollcall.corpus.assemble.ties import Meanings, TiedPages
from rollcall.tables.corpus import Forms, Links, Mentions, Redirects, RelationMentions, TextAliases
from rollcall.tables.graph import Facts
from rollcall.tables.table import Float64, Rows, String, Table, shaped, unbound


class MentionsOnPages(Table):
    """A link to an entity, in text or in a table."""

    page = Links.page
    entity = String("the entity that is mentioned")


class Votes(Table):
    """A name in use."""

    text = String("the name")
    entity = String("the entity that it refers to; null if unknown")
    other = String("the title that it leads to")
    source = Forms.source
    count = Forms.count


class AliasShare(Table):
    """The one row that gives the limit for aliases."""

    least = Float64("the least share of a name's uses that must refer to the entity")


def mentions_on_pages() -> Rows[MentionsOnPages]:
    """Every mention: page and entity."""
    in_text = unbound(Links).filter(_.entity.notnull()).select("page", "entity")
    in_tables = unbound(CellLinks).filter(_.entity.notnull()).select("page", "entity")
    return shaped(MentionsOnPages, ibis.union(in_text, in_tables))


def mentions() -> Rows[Mentions]:
    """n(e): how often each entity is mentioned, and on how many pages."""
    rows = unbound(MentionsOnPages)
    return shaped(Mentions, rows.group_by("entity").agg(mentions=_.count(), pages=rows.page.nunique()))


def votes() -> Rows[Votes]:
    """Each name in use: its text, its entity (or the target title if that has no entity), and its count."""
    anchors = unbound(Links).filter(_.anchor.notnull())
    anchors = anchors.group_by("anchor", "entity", "target").agg(count=_.count())
    anchors = anchors.select(
        text="anchor", entity="entity", other="target", source=ibis.literal("anchor"), count="count"
    )
    redirects = unbound(Redirects)
    through = unbound(Links).group_by(through="target").agg(count=_.count())
    redirected = redirects.join(unbound(Meanings), "title").left_join(through, _.title == through.through)
    redirected = redirected.select(
        text=_.title,
        entity=_.entity,
        other=_.target,
        source=ibis.literal("redirect"),
        count=_["count"].fill_null(0),
    )
    pages = unbound(TiedPages).filter(_.entity.notnull() & ~_.disambiguation)
    name = ibis.ifelse(
        pages.title.re_search(r"^.+ \([^()]+\)\z"), pages.title.re_replace(r" \([^()]+\)\z", ""), pages.title
    )
    titled = pages.select(
        text=name,
        entity="entity",
        other="title",
        source=ibis.literal("title"),
        count=ibis.literal(0, "int64"),
    )
    return shaped(Votes, ibis.union(anchors, redirected, titled))


def forms() -> Rows[Forms]:
    """The names of each entity by source, with their counts, and the share of their uses that refer to it.

    A redirect and a title count as one use each, so that a name without links has a share too.
    """
    rows = unbound(Votes)
    uses = rows.mutate(uses=ibis.ifelse(rows.source == "anchor", rows["count"], 1))
    meant = uses.filter(_.entity.notnull()).group_by("text", "entity").agg(meant=_.uses.sum())
    all_uses = uses.group_by("text").agg(every=_.uses.sum())
    named = rows.filter(_.entity.notnull()).group_by("entity", "text", "source").agg(count=_["count"].sum())
    joined = named.join(meant, ["text", "entity"]).join(all_uses, "text")
    return shaped(Forms, joined.mutate(share=_.meant.cast("float64") / _.every))


def aliases() -> Rows[TextAliases]:
    """The names whose share reaches the limit, which is given as a table of one row."""
    return shaped(TextAliases, unbound(Forms).cross_join(unbound(AliasShare)).filter(_.share >= _.least))


def relations() -> Rows[RelationMentions]:
    """n(r): how often both ends of a relation's facts are on one page, and the number of such facts."""
    own = unbound(TiedPages).filter(_.entity.notnull()).select(page="id", entity="entity")
    present = ibis.union(unbound(MentionsOnPages), own).distinct()
    facts = unbound(Facts)
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
    counts = joined.mutate(together=_.together.fill_null(0), cooccurrences=_.cooccurrences.fill_null(0))
    return shaped(RelationMentions, counts)
