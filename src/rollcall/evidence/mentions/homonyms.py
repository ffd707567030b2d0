"""What a name means in a sentence, if several entities of the graph bear it.

Input: `name_keys`, `name_places`, and the tables of a graph and a corpus. Output: the table `mentioned`. A
name means the bearer that the graph relates to most of what else the sentence names. If there is no such
bearer, the page decides: its topic, or the bearer that it also names by a link or by a name of its own, or
that the graph relates to most of what else the page names; otherwise the one to which nearly all links of the
corpus lead. If none of these decides, the name is doubtful and not a mention.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.tables.build import NameKeys, NamePlaces, PageKeys
from rollcall.tables.corpus import MentionCounts, Ties
from rollcall.tables.engine import Workbench
from rollcall.tables.graph import Facts
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


_MOST_BEARERS = 20
"""A name with more bearers, such as a first name, is always doubtful."""
_FEW_BEARERS = 5
"""A name with so few bearers may settle what another name in its sentence means."""
_MOST_COMPANY = 50
"""How many of the other entities on a page are considered: the first ones."""
_CERTAIN = 1_000_000
_USUAL = 10
"""A bearer is usually meant if it has this many times the links of all others together."""
_SENTENCE = ["page", "sentence"]
_PAGE_NAME = ["page", "key"]


class Topics(DeclaredTable, name="topics_of_pages"):
    """What a page is about."""

    page = NamePlaces.page
    entity = Ties.entity


class Bearers(DeclaredTable):
    """An entity that shares a name with others."""

    key = NameKeys.key
    end = NameKeys.end
    count = Int64("how many entities bear the name")


class Placed(NamePlaces):
    """A place whose key has one meaning only."""

    end = String("the entity's id, or the key of values")
    literal = NameKeys.literal
    relation = NameKeys.relation


class Readings(DeclaredTable):
    """What a shared name in a sentence may mean."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    key = NameKeys.key
    end = NameKeys.end
    count = Bearers.count


class RelatedEntities(DeclaredTable):
    """Two entities that the graph relates; the first one shares a name with others."""

    entity = String("the one")
    other = String("the other")


class Company(DeclaredTable):
    """An entity that a page is about or names beyond doubt."""

    page = NamePlaces.page
    entity = NameKeys.end
    number = Int64("its place among those of the page, from 0")


class Fitting(Readings):
    """A reading that fits what else its sentence names, about as well as any other."""


class Supports(DeclaredTable):
    """What a page says for one meaning of a name."""

    page = NamePlaces.page
    key = NameKeys.key
    end = NameKeys.end
    support = Int64("how much on the page speaks for it")
    prior = Int64("how many links of the corpus lead to the entity")


class Mentioned(DeclaredTable):
    """A place in the corpus that means an entity, or that may state values."""

    page = NamePlaces.page
    sentence = NamePlaces.sentence
    place = NamePlaces.place
    end = String("the entity's id; of values, which often share a key (all dates of a year), the key")
    literal = NameKeys.literal
    relation = NameKeys.relation


def keep_mentioned(bench: Workbench) -> None:
    """Keep `mentioned`; the engine must have `name_keys`, `name_places`, `page_keys`, `graph_facts`,
    `corpus_ties` and `corpus_mentions`.
    """
    bench.keep(Topics, topics)
    bench.keep(Bearers, bearers)
    bench.keep(Placed, placed)
    bench.keep(Readings, readings)
    bench.keep(RelatedEntities, related_entities)
    bench.keep(Fitting, fitting)
    bench.keep(Company, company)
    bench.keep(Supports, supports)
    bench.keep(Mentioned, mentioned)
    for table in (Bearers, Placed, Readings, RelatedEntities, Fitting, Company, Supports):
        bench.drop(table)


def bearers() -> Rows[Bearers]:
    """The entities that share a key, except one that counts for a single relation only."""
    rows = unbound(NameKeys).filter(~_.literal & (_.relation == "")).select("key", "end").distinct()
    counted = rows.mutate(count=rows.count().over(group_by="key"))
    return shaped(Bearers, counted.filter(_["count"] > 1))


def placed() -> Rows[Placed]:
    """The places whose key has one meaning, counts for a single relation, or may state values."""
    keys, shared = unbound(NameKeys).distinct(), unbound(Bearers).select("key").distinct()
    sole = keys.filter(~_.literal & (_.relation == "")).anti_join(shared, "key")
    of_relations = keys.filter(_.relation != "")
    values = (
        keys.filter(_.literal).select("key", "literal", "relation").distinct().mutate(end=value_end(_.key))
    )
    all_keys = ibis.union(*(shaped(NameKeys, part) for part in (sole, of_relations, values)))
    return shaped(Placed, unbound(NamePlaces).join(all_keys, "key"))


def value_end(key: "ir.Value") -> "ir.Value":
    """What stands for the values of a key."""
    return key.cast("string")


def _entities_placed() -> "ir.Table":
    return unbound(Placed).filter(~_.literal & (_.relation == ""))


def topics() -> Rows[Topics]:
    """The pages about entities, by their numbers."""
    numbered = unbound(Ties, "corpus_ties").join(unbound(PageKeys).distinct(), "page")
    return shaped(Topics, numbered.select("entity", page="key"))


def _topics() -> Rows[Topics]:
    return unbound(Topics)


def readings() -> Rows[Readings]:
    """What each shared name may mean where it is; on the page of one of its bearers, that one."""
    rows = unbound(Bearers).filter(_["count"] <= _MOST_BEARERS)
    occurrences = unbound(NamePlaces).select(*_SENTENCE, "key").distinct().join(rows, "key")
    topics = _topics().mutate(own=ibis.literal(1))
    tied = occurrences.left_join(topics, [("page", "page"), ("end", "entity")]).select(
        *_SENTENCE, "key", "end", "count", "own"
    )
    tied = tied.mutate(any_own=tied.own.max().over(group_by=[*_SENTENCE, "key"]))
    return shaped(Readings, tied.filter(_.any_own.isnull() | _.own.notnull()))


def related_entities() -> Rows[RelatedEntities]:
    """The neighbours in the graph of all entities that share a name."""
    facts, shared = unbound(Facts, "graph_facts"), unbound(Bearers).select(entity="end").distinct()
    neighbours = facts.select(entity="subject", other="object").union(
        facts.select(entity="object", other="subject"), distinct=True
    )
    return shaped(RelatedEntities, neighbours.semi_join(shared, "entity"))


def fitting() -> Rows[Fitting]:
    """The readings that the graph relates to most of the other names in their sentence.

    Two that fit nearly as well are usually one thing that the graph has twice.
    """
    rows, related = unbound(Readings), unbound(RelatedEntities)
    few = rows.filter(_["count"] <= _FEW_BEARERS)
    sentence_entities = ibis.union(
        _entities_placed().select(*_SENTENCE, other_key="key", other="end").distinct(),
        few.select(*_SENTENCE, other_key="key", other="end"),
    )
    together = rows.join(sentence_entities, _SENTENCE)
    together = together.filter(together.key != together.other_key)
    related_pairs = together.semi_join(
        related, (together.end == related.entity) & (together.other == related.other)
    )
    counted = related_pairs.group_by(*_SENTENCE, "key", "end", "count").agg(fits=_.other_key.nunique())
    best = counted.mutate(best=counted.fits.max().over(group_by=[*_SENTENCE, "key"]))
    return shaped(Fitting, best.filter(_.fits * 2 >= _.best))


def company() -> Rows[Company]:
    """What each page is about or names beyond doubt, in the order of the text; its topics come first."""
    all_named = ibis.union(
        _entities_placed().select("page", "place", entity="end"),
        _topics().mutate(place=ibis.literal(-1).cast("int64")).select("page", "place", "entity"),
    )
    first_places = all_named.group_by("page", "entity").agg(place=_.place.min())
    number = ibis.row_number().over(ibis.window(group_by="page", order_by=["place", "entity"]))
    return shaped(Company, first_places.mutate(number=number))


def supports() -> Rows[Supports]:
    """What each page says for each meaning of a name that its sentence leaves open."""
    unsettled = unbound(Readings).anti_join(unbound(Fitting), [*_SENTENCE, "key"])
    rows, page_entities = unsettled.select(*_PAGE_NAME, "end").distinct(), unbound(Company)
    itself = rows.semi_join(page_entities, [("page", "page"), ("end", "entity")])
    companions = page_entities.filter(_.number < _MOST_COMPANY).select("page", other="entity")
    together, related = rows.join(companions, "page"), unbound(RelatedEntities)
    by_company = together.semi_join(
        related, (together.end == related.entity) & (together.other == related.other)
    )
    weighed = ibis.union(
        *(
            part.select(*_PAGE_NAME, "end", support=ibis.literal(weight).cast("int64"))
            for part, weight in ((rows, 0), (itself, _CERTAIN), (by_company, 1))
        )
    )
    summed = weighed.group_by(*_PAGE_NAME, "end").agg(support=_.support.sum())
    links = unbound(MentionCounts, "corpus_mentions").select(end="entity", prior="mentions")
    joined = summed.left_join(links, "end")
    return shaped(Supports, joined.mutate(prior=joined.prior.fill_null(0)))


def _decided_by_pages() -> "ir.Table":
    """The meanings that are beyond doubt on a page."""
    rows = unbound(Supports)
    best = rows.mutate(best=rows.support.max().over(group_by=_PAGE_NAME)).filter(_.support == _.best)
    counted = best.mutate(
        alike=best.count().over(group_by=_PAGE_NAME), links=best.prior.sum().over(group_by=_PAGE_NAME)
    )
    alone = (counted.alike == 1) & (counted.support > 0)
    usual = (counted.prior > 0) & (counted.prior >= (counted.links - counted.prior) * _USUAL)
    return counted.filter(alone | usual).select(*_PAGE_NAME, "end")


def mentioned() -> Rows[Mentioned]:
    """All places that mean something beyond doubt."""
    places, by_sentence = unbound(NamePlaces), unbound(Fitting)
    decided_by_sentence = places.join(by_sentence.select(*_SENTENCE, "key", "end"), [*_SENTENCE, "key"])
    decided_by_page = places.anti_join(by_sentence, [*_SENTENCE, "key"]).join(_decided_by_pages(), _PAGE_NAME)
    decided = ibis.union(
        *(part.select(*_SENTENCE, "place", "end") for part in (decided_by_sentence, decided_by_page))
    )
    decided = decided.mutate(literal=ibis.literal(False), relation=ibis.literal(""))
    return shaped(Mentioned, shaped(Mentioned, unbound(Placed)).union(shaped(Mentioned, decided)))
