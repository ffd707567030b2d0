"""The names of the ends of facts: those of the graph, of the corpus, and those that count for one relation.

Input: facts, and the tables of a graph and a corpus. Output: the table `names`. Entities that are no end of a
fact but share a name with one are known too, because text may mean them.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.evidence.names.common_nouns import CommonNouns, keep_common_nouns
from rollcall.evidence.names.derived_words import DerivedNames, keep_derived_names
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.names.relation_names import (
    RelationForms,
    keep_relation_forms,
    keep_relation_labels,
)
from rollcall.tables.corpus import Pages, Sentences, TextAliases, Ties
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import NamedEnds, PageTopics, RelationNames
from rollcall.tables.graph import Aliases, Entities, Relations
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class EveryName(Table):
    """A name of an entity that a fact has at either end."""

    entity = String("the entity's id")
    text = String("the name")


class JoinedNames(Table, name="names"):
    """All names of an entity."""

    entity = String("the entity's id")
    names = PageTopics.names
    label = PageTopics.label


def name_inputs(
    bench: Workbench, graph: Path, corpus: Path, facts: Path, further_names: Path | None = None
) -> None:
    """Register the tables that these queries read; `further_names` is a file of `RelationNames`."""
    bench.read(RelationNames, [] if further_names is None else further_names)
    bench.read(ProvableFacts, facts)
    bench.read_folder("graph", graph, Entities, Aliases, Relations)
    bench.read_folder("corpus", corpus, TextAliases, Ties, Pages, Sentences)


def keep_names(bench: Workbench) -> None:
    """Keep the facts, each once, and the names of their ends."""
    bench.keep(ProvableFacts, distinct_facts, "sought")
    bench.keep(EveryName, every_name)
    keep_common_nouns(bench, every_name_kept)
    keep_relation_labels(bench, sought)
    keep_relation_forms(bench, every_name_kept)
    keep_derived_names(bench)
    bench.keep(JoinedNames, names)


def distinct_facts() -> Rows[ProvableFacts]:
    """The facts to find evidence for, each once."""
    return shaped(ProvableFacts, unbound(ProvableFacts).distinct())


def sought() -> Rows[ProvableFacts]:
    """The facts to find evidence for, once they are kept."""
    return unbound(ProvableFacts, "sought")


def ends() -> "ir.Table":
    """The entities in the facts, at either end."""
    rows = sought()
    subjects = rows.select(entity="subject")
    return subjects.union(rows.filter(~_.literal).select(entity="object"), distinct=True)


def _entities() -> Rows[Entities]:
    return unbound(Entities, "graph_entities")


def _all_names() -> "ir.Table":
    """The names of every entity: its label, its aliases in the graph, and its aliases in the corpus."""
    entities = _entities()
    return ibis.union(
        entities.filter(_.label.notnull()).select(entity="id", text="label"),
        entities.filter(_.label.isnull()).select(entity="id", text="id"),
        unbound(Aliases, "graph_aliases").select("entity", "text"),
        unbound(TextAliases, "corpus_aliases").select("entity", "text"),
        distinct=True,
    )


def every_name() -> Rows[EveryName]:
    """The names of every end."""
    return shaped(EveryName, _all_names().semi_join(ends(), "entity"))


def every_name_kept() -> Rows[EveryName]:
    """The names of every end, once they are kept."""
    return unbound(EveryName)


def names() -> Rows[JoinedNames]:
    """The names of every end, joined, and its label; common nouns in lower case are included."""
    known = ibis.union(every_name_kept(), unbound(CommonNouns), distinct=True)
    collected = known.group_by("entity").agg(names=_joined(known.text))
    labelled = _entities().select(entity="id", label=ibis.coalesce(_.label, _.id))
    joined = collected.left_join(labelled, "entity")
    return shaped(JoinedNames, joined.select("entity", "names", label=ibis.coalesce(_.label, _.entity)))


def _joined(words: "ir.StringValue") -> "ir.StringValue":
    """Words in order, with a separator between them; not all engines concatenate in an order."""
    return words.collect().sort().join(BETWEEN)


def names_of_relations() -> "ir.Table":
    """The words that name the objects of one relation only, joined."""
    every = ibis.union(unbound(RelationNames), unbound(DerivedNames), unbound(RelationForms), distinct=True)
    return every.group_by("relation", "entity").agg(words=_joined(every.words))


def named_ends() -> Rows[NamedEnds]:
    """All ends of facts with their names, and the other entities that share a name with one of them."""
    rows, anywhere = sought(), ibis.literal("")
    of_ends = unbound(JoinedNames).select(
        "names", end="entity", literal=ibis.literal(False), relation=anywhere
    )
    own = every_name_kept().select(small=_.text.lower()).distinct()
    alike = _all_names().anti_join(ends(), "entity").mutate(small=_.text.lower()).semi_join(own, "small")
    others = alike.group_by("entity").agg(names=_joined(alike.text))
    of_others = others.select("names", end="entity", literal=ibis.literal(False), relation=anywhere)
    wanted = rows.filter(~_.literal).select("relation", entity="object").distinct()
    of_relations = names_of_relations().semi_join(wanted, ["relation", "entity"])
    of_relations = of_relations.select("relation", end="entity", literal=ibis.literal(False), names="words")
    values = rows.filter(_.literal).select(end="object").distinct()
    of_values = values.mutate(literal=ibis.literal(True), relation=anywhere, names=anywhere)
    parts = (of_ends, of_others, of_relations, of_values)
    return shaped(NamedEnds, ibis.union(*(shaped(NamedEnds, part) for part in parts)))
