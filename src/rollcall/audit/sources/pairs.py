"""Finds which entities text names together with the entity of a condition, and that the graph does not
relate.

Input: conditions, a graph and a corpus. Output: a table of pairs, each a fact that might be missing.
Whoever has the class of most ends of a relation may be an end of it. The corpus is read once for all
conditions (the index of mentions of `rollcall.evidence`), and the engine joins what is named in one
sentence, or on the page of one end; so the cost grows with the text and with the conditions, not with their
product.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.audit.sources.conditions import Condition
from rollcall.evidence.mentions.homonyms import Mentioned, Topics
from rollcall.evidence.names.of_ends import keep_names, name_inputs
from rollcall.evidence.search.run import keep_mentions
from rollcall.tables.engine import Engine
from rollcall.tables.graph import Facts, Types
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Int64, Rows, String, Table, arrow, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SHARE = 0.002
"""A class with this share of a relation's ends is one whose members may be ends of it."""
_MOST_ENDS = 40
"""Of a sentence; one that names more is a list, and is left out."""
_SENTENCE = ["page", "sentence"]
_PAIR = ["relation", "entity", "sought", "other"]


class Conditions(Table):
    """A relation and an entity at one of its ends."""

    relation = String("the relation")
    entity = String("the entity at one end")
    sought = String("the end that is sought: `subject` or `object`")


class EndsOfRelations(Table):
    """An entity that the graph has at the sought end of a relation."""

    relation = Conditions.relation
    sought = Conditions.sought
    other = String("the entity")


class FittingClasses(Table):
    """A class whose members may be the sought end of a relation."""

    relation = Conditions.relation
    sought = Conditions.sought
    class_ = Types.class_


class KnownPairs(Conditions):
    """A condition with an entity that the graph has at the sought end."""

    other = EndsOfRelations.other


class NamedPairs(KnownPairs, sorted_by=("relation", "entity", "sought", "other")):
    """A condition with an entity that text names together with it, and that the graph does not relate."""

    sentences = Int64("how many sentences name both, or name one on the page of the other")


def find_pairs(
    folder: Path, graph: Path, corpus: Path, conditions: Sequence[Condition], engine: Engine
) -> tuple[Path, Path]:
    """Write the known and the newly named pairs of conditions into a folder; returns both paths."""
    known, named = folder / "known_pairs.parquet", folder / "named_pairs.parquet"
    rows = dict(zip(columns(Conditions), zip(*conditions, strict=True), strict=True))
    with engine.workbench(folder / "spill") as bench:
        bench.give(Conditions, arrow(Conditions, rows))
        bench.read_folder("graph", graph, Facts, Types)
        bench.keep(EndsOfRelations, _ends)
        bench.keep(FittingClasses, _fitting)
        bench.keep(KnownPairs, _known)
        bench.write(KnownPairs, lambda: unbound(KnownPairs), known)
        bench.write(ProvableFacts, _named_facts, folder / "facts.parquet")
        name_inputs(bench, graph, corpus, folder / "facts.parquet")
        keep_names(bench)
        keep_mentions(bench, folder, graph, corpus, engine)
        bench.write(NamedPairs, _new_pairs, named)
    return known, named


def _facts() -> Rows[Facts]:
    return unbound(Facts, "graph_facts")


def _both_ways() -> "ir.Table":
    """The facts of the graph as conditions, seen from either end."""
    facts = _facts()
    return ibis.union(
        facts.select("relation", entity="object", sought=ibis.literal("subject"), other="subject"),
        facts.select("relation", entity="subject", sought=ibis.literal("object"), other="object"),
    )


def _ends() -> Rows[EndsOfRelations]:
    wanted = unbound(Conditions).select("relation", "sought").distinct()
    return shaped(EndsOfRelations, _both_ways().semi_join(wanted, ["relation", "sought"])).distinct()


def _direct_types() -> "ir.Table":
    return unbound(Types, "graph_types").filter(_.direct).select("class", other="entity")


def _fitting() -> Rows[FittingClasses]:
    """The classes of a relation's ends, without rare ones."""
    ends = unbound(EndsOfRelations)
    counted = ends.join(_direct_types(), "other").group_by("relation", "sought", "class").agg(size=_.count())
    totals = counted.group_by("relation", "sought").agg(total=_["size"].sum())
    joined = counted.join(totals, ["relation", "sought"])
    return shaped(FittingClasses, joined.filter(_["size"] >= _.total * _SHARE))


def _known() -> Rows[KnownPairs]:
    return shaped(KnownPairs, _both_ways().semi_join(unbound(Conditions), ["relation", "entity", "sought"]))


def _possible() -> "ir.Table":
    """Every entity that may be the sought end of a wanted relation."""
    classes = unbound(FittingClasses).select("class").distinct()
    members = _direct_types().semi_join(classes, "class").select("other")
    return members.union(unbound(EndsOfRelations).select("other"), distinct=True)


def _named_facts() -> Rows[ProvableFacts]:
    """What the index of mentions has names for: known facts, with the relations that give names, and all
    others who may be meant, as facts of no relation.
    """
    known = unbound(KnownPairs)
    forward = known.filter(_.sought == "subject").select("relation", subject="other", object="entity")
    back = known.filter(_.sought == "object").select("relation", subject="entity", object="other")
    entities = unbound(Conditions).select(other="entity").union(_possible(), distinct=True)
    alone = entities.select(relation=ibis.literal(""), subject="other", object="other")
    parts = [part.select("subject", "relation", "object") for part in (forward, back, alone)]
    return shaped(ProvableFacts, ibis.union(*parts).mutate(literal=ibis.literal(False))).distinct()


def _mentions() -> "ir.Table":
    """The entities that each sentence names, each once; crowded sentences are left out."""
    rows = unbound(Mentioned).filter(~_.literal).select(*_SENTENCE, "end", only="relation").distinct()
    crowded = rows.group_by(_SENTENCE).agg(count=_.count()).filter(_["count"] > _MOST_ENDS)
    return rows.anti_join(crowded, _SENTENCE)


def _together() -> "ir.Table":
    """Conditions with what a sentence names besides their entity, or names on the page about it."""
    wanted = unbound(Conditions)
    mentions = _mentions()
    asked = wanted.join(mentions, wanted.entity == mentions.end)
    # A name that counts for objects of one relation only says nothing where the entity is a subject.
    as_object = (asked.sought == "subject") & (asked.only == asked.relation)
    asked = asked.filter((asked.only == "") | as_object).select(*columns(Conditions), *_SENTENCE).distinct()
    others = mentions.view().filter(_.only == "").select(*_SENTENCE, other="end")
    topics = unbound(Topics)
    by_sentence = asked.join(others, _SENTENCE)
    on_page_of_other = asked.join(topics.select("page", other="entity"), "page")
    pages = wanted.view().join(topics.view().select("page", entity="entity"), "entity")
    on_own_page = pages.join(others.view(), "page")
    kept = [*columns(Conditions), "other", *_SENTENCE]
    every = ibis.union(*(part.select(*kept) for part in (by_sentence, on_page_of_other, on_own_page)))
    return every.filter(_.entity != _.other).distinct()


def _new_pairs() -> Rows[NamedPairs]:
    """The pairs that the graph does not have, of entities that may have the relation."""
    counted = _together().group_by(_PAIR).agg(sentences=_.count())
    new = counted.anti_join(unbound(KnownPairs), _PAIR)
    by_class = new.join(_direct_types(), "other").join(
        unbound(FittingClasses), ["relation", "sought", "class"]
    )
    by_use = new.join(unbound(EndsOfRelations), ["relation", "sought", "other"])
    return shaped(
        NamedPairs, ibis.union(*(shaped(NamedPairs, part) for part in (by_class, by_use)))
    ).distinct()
