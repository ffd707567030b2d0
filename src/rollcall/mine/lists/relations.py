"""Finds the relation of the graph that a list, or a column of a list, stands for.

Input: a graph, `list_facts` and the lists' `proofs`. Output: `related` and `facts`. "List of films directed
by Orla Venn" stands for the relation director if the graph has this relation between most entries of the list
and Orla Venn. Its column Genre stands for the relation genre if the graph has that relation between most
entries and what the column says about them. A verifier can then judge whether text states the relation, as
for any fact of the graph; without a relation, evidence can only be found by words. A list's name must contain
a name of the entity that its entries share.
"""

from pathlib import Path

import ibis
from ibis import _

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.mine.facts import needed_facts
from rollcall.mine.mining import graph_table, mining_bench
from rollcall.tables.engine import Engine
from rollcall.tables.graph import Aliases, Entities, Facts, Values
from rollcall.tables.mining import ListFacts, Proofs, ProvableFacts, RelatedFacts
from rollcall.tables.table import Boolean, Int64, Rows, String, Table, columns, shaped, unbound

LEAST = 3
SHARE = 0.5
"""The least number, and the least share, of a column's statements that the graph must have by one relation.
"""
_FACT = list(columns(ProvableFacts))
_SHORTEST_NAME = 4
_LIST_PROOFS = "list_proofs"


class Between(Table):
    """A fact of the graph, seen from one of its ends."""

    subject = String("the entity at this end")
    by = String("the relation")
    other = String("the entity at the other end")
    forward = Boolean("whether this end is the subject of the fact")


class Held(ProvableFacts):
    """What a column says about an entry and the graph also has."""

    by = Between.by
    forward = Between.forward


class Shared(Table):
    """A relation and an entity that entries of a list share."""

    title = String("the title of the list")
    by = Between.by
    forward = Between.forward
    other = String("the entity")
    known = Int64("how many entries share it")
    size = Int64("how many entries the list has")


class Stands(Table):
    """A list, or a column of a list, with the relation of the graph that it stands for."""

    column = String("the relation of the column, or the title of the list")
    by = Between.by
    forward = Between.forward
    other = String("the entity that all entries of a list share; empty for a column")


def relate_lists(graph: Path, list_facts: Path, proofs: Path | None, out: Path, engine: Engine) -> int:
    """Write `related` (what lists state, with the facts of the graph it means) and `facts` (these facts).

    Only what proofs need is related; without proofs, everything that lists state.
    """
    related, facts = (_related, _facts) if proofs is not None else (_all_related, _all_facts)
    with mining_bench(engine, out, graph) as bench:
        bench.read(ListFacts, list_facts)
        bench.read(Proofs, [] if proofs is None else proofs, _LIST_PROOFS)
        bench.keep(Held, lambda: ibis.union(_held_columns(), _held_values()))
        bench.keep(Shared, _shared)
        bench.keep(Stands, lambda: ibis.union(_columns(), _lists()))
        bench.write(RelatedFacts, related, out / "related.parquet")
        return bench.write(ProvableFacts, facts, out / "facts.parquet")


def _list_facts() -> Rows[ProvableFacts]:
    return shaped(ProvableFacts, unbound(ListFacts))


def _between() -> Rows[Between]:
    """The facts of the graph, in both directions."""
    facts = graph_table(Facts)
    ahead = facts.select(subject="subject", by="relation", other="object", forward=ibis.literal(True))
    back = facts.select(subject="object", by="relation", other="subject", forward=ibis.literal(False))
    return shaped(Between, ibis.union(shaped(Between, ahead), shaped(Between, back)))


def _held_columns() -> Rows[Held]:
    """What a column says about an entry and the graph also has, with the relation in the graph."""
    stated = _list_facts().filter(~_.literal, _.relation != MEMBERSHIP)
    between = _between()
    joined = stated.join(between, [stated.subject == between.subject, stated.object == between.other])
    return shaped(Held, joined)


def _held_values() -> Rows[Held]:
    """The same for values; a year matches if the graph has a day of that year."""
    stated = _list_facts().filter(_.literal)
    values = graph_table(Values).select("subject", "value", by="relation")
    joined = stated.join(values, "subject")
    joined = joined.filter(
        (_.value == _.object) | (_.object.startswith("@") & _.value.startswith(_.object + "-"))
    )
    return shaped(Held, joined.mutate(forward=ibis.literal(True))).distinct()


def _shared() -> Rows[Shared]:
    members = _list_facts().filter(_.relation == MEMBERSHIP).select("subject", title="object")
    sizes = members.group_by("title").agg(size=_.count())
    joined = members.join(_between(), "subject")
    counted = joined.group_by("title", "by", "forward", "other").agg(known=joined.subject.nunique())
    counted = counted.join(sizes, "title")
    return shaped(Shared, counted.filter(_.known >= LEAST, _.known >= _.size * SHARE))


def _columns() -> Rows[Stands]:
    """Columns, each with the relation that the graph has for most of their statements."""
    held = unbound(Held)
    totals = _list_facts().group_by("relation").agg(size=_.count())
    counted = held.group_by("relation", "by", "forward").agg(known=_.count()).join(totals, "relation")
    counted = counted.filter(_.known >= LEAST, _.known >= _.size * SHARE)
    best = ibis.window(group_by="relation", order_by=[ibis.desc(_.known), _.by, ibis.desc(_.forward)])
    first = counted.mutate(place=ibis.row_number().over(best)).filter(_.place == 0)
    return shaped(Stands, first.mutate(other=ibis.literal("")).rename(column="relation"))


def _lists() -> Rows[Stands]:
    """Lists, each with the relation and entity that most entries share, if the list's name contains the
    entity.
    """
    labels = graph_table(Entities).select(other="id", name=ibis.coalesce(_.label, _.id))
    names = labels.union(graph_table(Aliases).select(other="entity", name="text"), distinct=True)
    joined = unbound(Shared).join(names.filter(_.name.length() >= _SHORTEST_NAME), "other")
    said = joined.filter((_.title + " ").contains(" " + _.name + " "))
    best = ibis.window(
        group_by="title",
        order_by=[ibis.desc(_.known), ibis.desc(_.name.length()), _.by, ibis.desc(_.forward), _.other],
    )
    first = said.mutate(place=ibis.row_number().over(best)).filter(_.place == 0)
    return shaped(Stands, first.rename(column="title"))


def _related() -> Rows[RelatedFacts]:
    """What lists state and proofs need, as facts of the graph's relations; the graph may lack some."""
    return _meaning(_list_facts().semi_join(needed_facts(_LIST_PROOFS), _FACT))


def _all_related() -> Rows[RelatedFacts]:
    """The same for everything that lists state."""
    return _meaning(_list_facts())


def _meaning(stated: Rows[ProvableFacts]) -> Rows[RelatedFacts]:
    column = ibis.ifelse(stated.relation == MEMBERSHIP, stated.object, stated.relation)
    joined = stated.mutate(column=column).join(unbound(Stands), "column")
    other = ibis.ifelse(joined.other == "", joined.object, joined.other)
    related = joined.mutate(
        of_subject=ibis.ifelse(joined.forward, joined.subject, other),
        of_relation=joined.by,
        of_object=ibis.ifelse(joined.forward, other, joined.subject),
        of_literal=joined.literal,
    )
    return shaped(RelatedFacts, related)


def _facts() -> Rows[ProvableFacts]:
    return _meant(_related())


def _all_facts() -> Rows[ProvableFacts]:
    return _meant(_all_related())


def _meant(related: Rows[RelatedFacts]) -> Rows[ProvableFacts]:
    return shaped(ProvableFacts, related.select(**{name: f"of_{name}" for name in _FACT})).distinct()
