"""What a name means on a page, if several entities of the graph bear it.

Input: `name_keys`, `name_places`, and the tables of a graph and a corpus. Output: the table `mentioned`. The
page decides: a bearer that is its topic, or that it also names by a link or by a name of its own, is meant;
otherwise the bearer that the graph relates to most of what else the page names; otherwise the one to which
nearly all links of the corpus lead. If none of these decides, the name is doubtful and no mention.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.tables.corpus import Mentions, Ties
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import NameKeys, NamePlaces
from rollcall.tables.graph import Facts
from rollcall.tables.table import Int64, Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_MOST_BEARERS = 50
"""A name with more bearers, such as a first name, is always doubtful."""
_MOST_COMPANY = 50
"""So many of the other entities on a page are asked, the first ones."""
_CERTAIN = 1_000_000
_PRIOR = 10
"""A bearer is usually meant if all others together have this many times fewer links."""


class Bearers(Table):
    """An entity that shares a name with others."""

    key = NameKeys.key
    end = NameKeys.end


class Mentioned(Table, name="mentioned"):
    """A place in the corpus that means an entity or a value."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    place = NamePlaces.place
    end = NameKeys.end
    literal = NameKeys.literal
    relation = NameKeys.relation


class Company(Table):
    """An entity that a page names beyond doubt."""

    page = NamePlaces.page
    entity = NameKeys.end
    number = Int64("its place among those of the page, from 0")


class Readings(Table):
    """What a name on a page may mean."""

    page = NamePlaces.page
    key = NameKeys.key
    end = NameKeys.end


class RelatedEntities(Table):
    """Two entities that the graph relates; the first one shares a name with others."""

    entity = String("the one")
    other = String("the other")


class Supports(Readings):
    """A reading with what speaks for it."""

    support = Int64("how much the page speaks for it")
    prior = Int64("how many links of the corpus lead to the entity")


def keep_mentioned(bench: Workbench) -> None:
    """Keep `mentioned`; the engine must have `name_keys` and `name_places`, `graph_facts`, `corpus_ties` and
    `corpus_mentions`.
    """
    bench.keep(Bearers, bearers)
    bench.keep(Mentioned, _certain, "certain")
    bench.keep(Company, company)
    bench.keep(Readings, readings)
    bench.keep(RelatedEntities, related_entities)
    bench.keep(Supports, supports)
    bench.keep(Mentioned, mentioned)


def _of_entities() -> "ir.Table":
    """The keys of names that count for all relations."""
    return unbound(NameKeys).filter(~_.literal & (_.relation == "")).select("key", "end").distinct()


def bearers() -> Rows[Bearers]:
    """The entities that share a key."""
    rows = _of_entities()
    shared = rows.group_by("key").agg(count=_.count()).filter(_["count"] > 1).select("key")
    return shaped(Bearers, rows.semi_join(shared, "key"))


def _certain() -> Rows[Mentioned]:
    """The places whose key has one meaning."""
    sole = unbound(NameKeys).distinct()
    shared = unbound(Bearers).select("key", "end").mutate(literal=ibis.literal(False), relation=ibis.literal(""))
    sole = sole.anti_join(shared, ["key", "end", "literal", "relation"])
    return shaped(Mentioned, unbound(NamePlaces).join(sole, "key"))


def company() -> Rows[Company]:
    """What each page is about or names beyond doubt, in the order of the text; its topics come first."""
    named = unbound(Mentioned, "certain").filter(~_.literal & (_.relation == ""))
    every = ibis.union(
        named.select("page", "place", entity="end"),
        unbound(Ties, "corpus_ties").select("page", "entity", place=ibis.literal(-1).cast("int64")),
    )
    first = every.group_by("page", "entity").agg(place=_.place.min())
    number = ibis.row_number().over(ibis.window(group_by="page", order_by=["place", "entity"]))
    return shaped(Company, first.mutate(number=number))


def readings() -> Rows[Readings]:
    """What each name that is shared may mean on each page that has it."""
    rows = unbound(Bearers)
    few = rows.group_by("key").agg(count=_.count()).filter(_["count"] <= _MOST_BEARERS)
    on_pages = unbound(NamePlaces).select("page", "key").distinct()
    return shaped(Readings, on_pages.join(rows.semi_join(few, "key"), "key"))


def related_entities() -> Rows[RelatedEntities]:
    """The neighbours in the graph of all entities that share a name."""
    facts, shared = unbound(Facts, "graph_facts"), unbound(Bearers).select(entity="end").distinct()
    both = facts.select(entity="subject", other="object").union(
        facts.select(entity="object", other="subject"), distinct=True
    )
    return shaped(RelatedEntities, both.semi_join(shared, "entity"))


def supports() -> Rows[Supports]:
    """What speaks for each reading."""
    rows, known = unbound(Readings), unbound(Company)
    itself = rows.join(known, [("page", "page"), ("end", "entity")]).select(
        "page", "key", "end", support=ibis.literal(_CERTAIN).cast("int64")
    )
    asked = known.filter(_.number < _MOST_COMPANY).select("page", other="entity")
    together = rows.join(asked, "page").select("page", "key", "end", "other")
    related = unbound(RelatedEntities)
    by_company = together.semi_join(
        related, (together.end == related.entity) & (together.other == related.other)
    ).select("page", "key", "end", support=ibis.literal(1).cast("int64"))
    nothing = rows.select("page", "key", "end", support=ibis.literal(0).cast("int64"))
    summed = ibis.union(itself, by_company, nothing).group_by("page", "key", "end").agg(support=_.support.sum())
    links = unbound(Mentions, "corpus_mentions").select(end="entity", prior="mentions")
    return shaped(Supports, summed.left_join(links, "end").mutate(prior=_.prior.fill_null(0)))


def _decided() -> "ir.Table":
    """The readings that are beyond doubt."""
    rows, of_name = unbound(Supports), ["page", "key"]
    best = rows.mutate(best=rows.support.max().over(group_by=of_name)).filter(_.support == _.best)
    counted = best.mutate(
        alike=best.count().over(group_by=of_name),
        links=best.prior.sum().over(group_by=of_name),
    )
    alone = (counted.alike == 1) & (counted.support > 0)
    usual = counted.prior >= (counted.links - counted.prior) * _PRIOR
    return counted.filter(alone | (usual & (counted.prior > 0))).select("page", "key", "end")


def mentioned() -> Rows[Mentioned]:
    """All places that mean something beyond doubt."""
    meant = unbound(NamePlaces).join(_decided(), ["page", "key"])
    meant = meant.mutate(literal=ibis.literal(False), relation=ibis.literal(""))
    return shaped(Mentioned, unbound(Mentioned, "certain").union(shaped(Mentioned, meant)))
