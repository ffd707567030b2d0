"""From shards to a corpus: entities of pages, targets of links, mention counts, and the sorted tables."""

from pathlib import Path
from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall._core.console import Progress
from rollcall._core.files import remove
from rollcall.corpus.corpus import CORPUS_FOLDER
from rollcall.input_files.ingestion import PARTIAL, Manifest
from rollcall.tables import corpus
from rollcall.tables.corpus import (
    SHARD_TABLES,
    CellOfShard,
    Cells,
    Forms,
    LinkRows,
    Links,
    MentionCounts,
    PageRows,
    Pages,
    PageTableRows,
    PageTables,
    PassageRows,
    Passages,
    RedirectRows,
    Redirects,
    RelationMentionCounts,
    SentenceRows,
    Sentences,
    TextAliases,
    Ties,
)
from rollcall.tables.engine import Engine, Query, Workbench
from rollcall.tables.graph import Entities, Facts
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Float64,
    Int32,
    Int64,
    Rows,
    String,
    arrow,
    declaration,
    file_name,
    shaped,
    unbound,
)

if TYPE_CHECKING:
    import ibis.expr.types as ir


# The named inputs of assembly: shards, and the tables of the graph.


def name_inputs(bench: Workbench, shards: Path, graph: Path | None) -> None:
    """Name the shards and the graph's tables in the engine; without a graph, its tables are empty."""
    for name, table in SHARD_TABLES.items():
        bench.read(table, sorted(shards.glob(f"*/*/*/{name}.parquet")))
    for table in (Entities, Facts):
        bench.read(table, [] if graph is None else graph / file_name(table))


# Which pages are kept, and which are repetitions of another page. The first page with an id is kept. A
# page known only by its title, from a file of tables, is the page with this title (or id) if there is
# one, and otherwise a separate page.


class NamedPages(PageRows, name="named_pages"):
    """The first page with its id, among pages that have their own text."""


class Homes(DeclaredTable):
    """A page that was read, and the page of the corpus that it becomes."""

    order = PageRows.order
    page = String("the id under which it is kept")
    with_text = Boolean("whether its text is kept")


class DroppedPages(DeclaredTable, name="dropped"):
    """A page whose text is not kept."""

    order = PageRows.order


class NumberedTables(DeclaredTable):
    """A table as it was read, and its place on the page that it is kept on."""

    order = PageTableRows.order
    number = PageTableRows.number
    page = Homes.page
    table = Int32("its number on the page, in the order of the sources")


class Duplicates(DeclaredTable):
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
    named_pages = unbound(NamedPages)
    own_pages = named_pages.select("order", page="id", with_text=ibis.literal(True))
    tabled = unbound(PageRows).filter(_.by_title).select("order", "title")
    by_title = named_pages.group_by("title").agg(home=_.id.min())
    by_id = named_pages.select(own_id="id")
    joined = tabled.left_join(by_title, "title").drop("title_right")
    joined = joined.left_join(by_id, joined.title == by_id.own_id)
    joined = joined.mutate(page=ibis.coalesce(_.home, _.own_id, _.title))
    alone = joined.home.isnull() & joined.own_id.isnull()
    first = joined.order == joined.order.min().over(ibis.window(group_by="page"))
    return shaped(Homes, ibis.union(own_pages, joined.select("order", "page", with_text=alone & first)))


def dropped() -> Rows[DroppedPages]:
    """Pages whose text is not kept."""
    texted = unbound(Homes).filter(_.with_text)
    return shaped(DroppedPages, unbound(PageRows).anti_join(texted, "order"))


def duplicate_count() -> Rows[Duplicates]:
    """How many pages have the id of an earlier one."""
    lost = unbound(PageRows).filter(~_.by_title).semi_join(unbound(DroppedPages), "order")
    counted = lost.agg(count=_.count()).select(kind=ibis.literal("duplicates"), count="count")
    return shaped(Duplicates, counted)


def without_dropped(rows: "ir.Table") -> "ir.Table":
    """Rows of the pages whose text is kept."""
    return rows.anti_join(unbound(DroppedPages), "order").drop("order")


def numbered_tables() -> Rows[NumberedTables]:
    """Every table with its page and its number there, in the order of the sources."""
    rows = unbound(PageTableRows).join(unbound(Homes), "order")
    within = ibis.window(group_by="page", order_by=["order", "number"])
    numbered = rows.select("order", "number", "page", table=ibis.row_number().over(within))
    return shaped(NumberedTables, numbered)


# Links pages to entities: by sitelink, by the item that the source names, or by title, in that order. A
# title is used only if exactly one entity has it as its id or label, and never for a disambiguation
# page.


class TiedPages(DeclaredTable):
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


class Meanings(DeclaredTable):
    """The entity that a title refers to."""

    title = String("the title")
    entity = String("the entity's id")


class TieCounts(DeclaredTable):
    """How many pages have their entity in one way."""

    tie = Pages.tie
    count = Int64("how many pages")


class UntiedCounts(DeclaredTable):
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
    titles = pages.group_by("title").agg(entity=pages.entity.min())
    sitelinks = unbound(Entities).filter(_.title.notnull()).group_by("title").agg(entity=_.id.min())
    ids = unbound(Entities).select(title="id", entity="id")
    own_ids = pages.select(title="id", entity="entity")
    direct = _ranked([titles, sitelinks, own_ids, ids])
    redirects = unbound(Redirects)
    moved = redirects.join(direct, redirects.target == direct.title).select("title", "entity")
    return _ranked([direct, moved])


def _ranked(sources: "list[ir.Table]") -> Rows[Meanings]:
    """One entity per title; earlier sources have priority."""
    rows = [
        source.select("title", "entity").mutate(rank=ibis.literal(rank).cast("int32"))
        for rank, source in enumerate(sources)
    ]
    all_rows = ibis.union(*rows)
    return shaped(Meanings, all_rows.group_by("title").agg(entity=all_rows.entity.argmin(all_rows["rank"])))


# The large tables: sentences, passages, links, tables and cells.


class CellLinks(DeclaredTable):
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
    links = unbound(CellLinks)
    # Not every engine collects nulls, or in an order; records with a place keep both.
    placed = ibis.struct({"place": links.place, "entity": links.entity}).collect()
    entities = links.group_by(*_CELL).agg(placed=placed)
    entities = entities.select(*_CELL, entities=_.placed.sort().map(lambda link: link.entity))
    rows = unbound(CellOfShard).rename(number="table").join(unbound(NumberedTables), ["order", "number"])
    rows = rows.select(*_CELL, "header", "text", "links")
    joined = rows.left_join(entities, list(_CELL))
    return shaped(Cells, joined.select(*rows.columns, "entities"))


# Mention statistics: how often entities are mentioned, by which names, and which facts share a page. A
# mention is a link, in the text or in a table. The share of a name is the fraction of its uses that
# refer to an entity; the name is an alias of the entity only if the share is not below a limit.


class MentionsOnPages(DeclaredTable):
    """A link to an entity, in text or in a table."""

    page = Links.page
    entity = String("the entity that is mentioned")


class Votes(DeclaredTable):
    """A name in use."""

    text = String("the name")
    entity = String("the entity that it refers to; null if unknown")
    other = String("the title that it leads to")
    source = Forms.source
    count = Forms.count


class AliasShare(DeclaredTable):
    """The one row that gives the limit for aliases."""

    least = Float64("the least share of a name's uses that must refer to the entity")


def mentions_on_pages() -> Rows[MentionsOnPages]:
    """Every mention: page and entity."""
    in_text = unbound(Links).filter(_.entity.notnull()).select("page", "entity")
    in_tables = unbound(CellLinks).filter(_.entity.notnull()).select("page", "entity")
    return shaped(MentionsOnPages, ibis.union(in_text, in_tables))


def mentions() -> Rows[MentionCounts]:
    """n(e): how often each entity is mentioned, and on how many pages."""
    rows = unbound(MentionsOnPages)
    return shaped(MentionCounts, rows.group_by("entity").agg(mentions=_.count(), pages=rows.page.nunique()))


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
    entity_uses = uses.filter(_.entity.notnull()).group_by("text", "entity").agg(meant=_.uses.sum())
    all_uses = uses.group_by("text").agg(every=_.uses.sum())
    counts = rows.filter(_.entity.notnull()).group_by("entity", "text", "source").agg(count=_["count"].sum())
    joined = counts.join(entity_uses, ["text", "entity"]).join(all_uses, "text")
    return shaped(Forms, joined.mutate(share=_.meant.cast("float64") / _.every))


def aliases() -> Rows[TextAliases]:
    """The names whose share reaches the limit, which is given as a table of one row."""
    return shaped(TextAliases, unbound(Forms).cross_join(unbound(AliasShare)).filter(_.share >= _.least))


def relations() -> Rows[RelationMentionCounts]:
    """n(r): how often both ends of a relation's facts are on one page, and the number of such facts."""
    tied = unbound(TiedPages).filter(_.entity.notnull()).select(page="id", entity="entity")
    present = ibis.union(unbound(MentionsOnPages), tied).distinct()
    facts = unbound(Facts)
    with_subject = facts.join(present, facts.subject == present.entity).select(
        "subject", "relation", "object", "page"
    )
    objects = present.view()
    shared = with_subject.join(
        objects, [with_subject.page == objects.page, with_subject.object == objects.entity]
    ).select("subject", "relation", "object", "page")
    per_fact = shared.group_by("subject", "relation", "object").agg(pages=_.count())
    counted = per_fact.group_by("relation").agg(together=_.count(), cooccurrences=_.pages.sum())
    fact_counts = facts.group_by("relation").agg(facts=_.count())
    joined = fact_counts.left_join(counted, "relation")
    counts = joined.mutate(together=_.together.fill_null(0), cooccurrences=_.cooccurrences.fill_null(0))
    return shaped(RelationMentionCounts, counts)


# The last steps of making a corpus: resolve what concerns several pages, and write the sorted tables.
# Everything is built under `OUT/.partial`. The finished corpus then replaces `OUT` in one step, so that
# a folder with a manifest is a complete corpus and a killed build leaves the old one.

KEPT: list[tuple[type[DeclaredTable], Query]] = [
    (NamedPages, named_pages),
    (Homes, homes),
    (DroppedPages, dropped),
    (NumberedTables, numbered_tables),
    (TiedPages, tied_pages),
    (corpus.Redirects, redirects),
    (Meanings, meanings),
    (corpus.Links, links),
    (CellLinks, cell_links),
    (MentionsOnPages, mentions_on_pages),
    (Votes, votes),
    (corpus.Forms, forms),
]
"""What is computed once and used by several tables, in this order."""
WRITTEN: dict[type[DeclaredTable], Query] = {
    corpus.Pages: pages,
    corpus.Sentences: sentences,
    corpus.Passages: passages,
    corpus.Links: lambda: unbound(corpus.Links),
    corpus.PageTables: page_tables,
    corpus.Cells: cells,
    corpus.Redirects: lambda: unbound(corpus.Redirects),
    corpus.Ties: ties,
    corpus.MentionCounts: mentions,
    corpus.Forms: lambda: unbound(corpus.Forms),
    corpus.TextAliases: aliases,
    corpus.RelationMentionCounts: relations,
}
"""The tables of the finished corpus."""


def finish_corpus(
    out: Path,
    shards: Path,
    graph: Path | None,
    manifest: Manifest,
    engine: Engine,
    *,
    alias_share: float,
    show_progress: bool | None = None,
) -> None:
    """Build all tables from shards and install them in `out`."""
    staging = out / PARTIAL / "corpus"
    remove(staging)
    staging.mkdir(parents=True)
    with (
        engine.workbench(out / PARTIAL / "spill") as bench,
        Progress("combining", len(KEPT) + len(WRITTEN), show=show_progress) as progress,
    ):
        name_inputs(bench, shards, graph)
        bench.give(AliasShare, arrow(AliasShare, {"least": [alias_share]}))
        for table, query in KEPT:
            bench.keep(table, query)
            progress.advance(1, declaration(table).name.replace("_", " "))
        counts = {}
        for table, query in WRITTEN.items():
            name = declaration(table).name
            counts[name] = bench.write(table, query, staging / file_name(table))
            progress.advance(1, name)
        described = {
            "counts": counts,
            "ties": _counts(bench, tie_counts),
            "untied": _counts(bench, untied_counts),
            **_counts(bench, duplicate_count),
            **manifest,
        }
    CORPUS_FOLDER.install(staging, out, described)


def _counts(bench: Workbench, query: Query) -> dict[str, int]:
    """A result of two columns: what is counted, and how often."""
    return {str(name): int(count) for name, count in map(dict.values, bench.records(query))}
