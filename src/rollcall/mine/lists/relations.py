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
from rollcall.mine.layout import TABLES
from rollcall.mine.mining import Mining, graph_table, mined_table, named

LEAST = 3
SHARE = 0.5
"""The least number, and the least share, of a column's statements that the graph must have by one relation.
"""
_FACT = list(TABLES["facts"])
_SHORTEST_NAME = 4
_HELD = {**TABLES["facts"], "by": "string", "forward": "boolean", "other": "string"}
_STANDS = {"column": "string", "by": "string", "forward": "boolean", "other": "string"}


def relate_lists(
    graph: Path, list_facts: Path, proofs: Path, out: Path, *, memory: str = "1GB", threads: int | None = None
) -> int:
    """Write `related` (what lists state, with the facts of the graph it means) and `facts` (these facts)."""
    with Mining(out, graph, memory=memory, threads=threads) as mining:
        mining.read("list_facts", list_facts)
        mining.read("list_proofs", proofs)
        mining.keep("held", lambda: ibis.union(_held_columns(), _held_values()))
        mining.keep("shared", _shared)
        mining.keep("stands", lambda: ibis.union(_columns(), _lists()))
        mining.write("related", _related)
        return mining.write("facts", _facts)


def _list_facts() -> ibis.Table:
    return mined_table("list_facts").select(*_FACT)


def _between() -> ibis.Table:
    """The facts of the graph, in both directions."""
    facts = graph_table("facts")
    ahead = facts.select(subject="subject", by="relation", other="object", forward=ibis.literal(True))
    return ahead.union(
        facts.select(subject="object", by="relation", other="subject", forward=ibis.literal(False))
    )


def _held_columns() -> ibis.Table:
    """What a column says about an entry and the graph also has, with the relation in the graph."""
    stated = _list_facts().filter(~_.literal, _.relation != MEMBERSHIP)
    between = _between()
    joined = stated.join(between, [stated.subject == between.subject, stated.object == between.other])
    return joined.select(*_FACT, "by", "forward", other=ibis.literal(""))


def _held_values() -> ibis.Table:
    """The same for values; a year matches if the graph has a day of that year."""
    stated = _list_facts().filter(_.literal)
    values = graph_table("values").select("subject", "value", by="relation")
    joined = stated.join(values, "subject")
    joined = joined.filter(
        (_.value == _.object) | (_.object.startswith("@") & _.value.startswith(_.object + "-"))
    )
    return joined.select(*_FACT, "by", forward=ibis.literal(True), other=ibis.literal("")).distinct()


def _shared() -> ibis.Table:
    """The relation and entity that entries of a list share."""
    members = _list_facts().filter(_.relation == MEMBERSHIP).select("subject", title="object")
    sizes = members.group_by("title").agg(size=_.count())
    joined = members.join(_between(), "subject")
    counted = joined.group_by("title", "by", "forward", "other").agg(known=joined.subject.nunique())
    counted = counted.join(sizes, "title")
    return counted.filter(_.known >= LEAST, _.known >= _.size * SHARE)


def _columns() -> ibis.Table:
    """Columns, each with the relation that the graph has for most of their statements."""
    held = named("held", **_HELD)
    totals = _list_facts().group_by("relation").agg(size=_.count())
    counted = held.group_by("relation", "by", "forward").agg(known=_.count()).join(totals, "relation")
    counted = counted.filter(_.known >= LEAST, _.known >= _.size * SHARE)
    best = ibis.window(group_by="relation", order_by=[ibis.desc(_.known), _.by, ibis.desc(_.forward)])
    first = counted.mutate(place=ibis.row_number().over(best)).filter(_.place == 0)
    return first.select(column="relation", by="by", forward="forward", other=ibis.literal(""))


def _lists() -> ibis.Table:
    """Lists, each with the relation and entity that most entries share, if the list's name contains the
    entity.
    """
    shared = named(
        "shared", title="string", by="string", forward="boolean", other="string", known="int64", size="int64"
    )
    labels = graph_table("entities").select(other="id", name="label")
    names = labels.union(graph_table("aliases").select(other="entity", name="text"), distinct=True)
    joined = shared.join(names.filter(_.name.length() >= _SHORTEST_NAME), "other")
    said = joined.filter((_.title + " ").contains(" " + _.name + " "))
    best = ibis.window(
        group_by="title",
        order_by=[ibis.desc(_.known), ibis.desc(_.name.length()), _.by, ibis.desc(_.forward), _.other],
    )
    first = said.mutate(place=ibis.row_number().over(best)).filter(_.place == 0)
    return first.select(column="title", by="by", forward="forward", other="other")


def _related() -> ibis.Table:
    """What lists state and proofs need, as facts of the graph's relations; the graph may lack some."""
    stated = _list_facts().semi_join(needed_facts("list_proofs"), _FACT)
    column = ibis.ifelse(stated.relation == MEMBERSHIP, stated.object, stated.relation)
    joined = stated.mutate(column=column).join(named("stands", **_STANDS), "column")
    other = ibis.ifelse(joined.other == "", joined.object, joined.other)
    return joined.select(
        *_FACT,
        of_subject=ibis.ifelse(joined.forward, joined.subject, other),
        of_relation=joined.by,
        of_object=ibis.ifelse(joined.forward, other, joined.subject),
        of_literal=joined.literal,
    )


def _facts() -> ibis.Table:
    return _related().select(**{name: f"of_{name}" for name in _FACT}).distinct()
