"""Mines simple queries r(e): for every entity and relation, everything that has the relation to the entity.

Input: a graph's tables `facts` and `types`. Output: `queries` and `proofs`, and `vague` and `vague_proofs`.
The facts of the chosen relations are grouped by relation and entity in one pass. A group with enough answers
is a query. If its relation is underspecified, the group is split by the types of its answers
(`rollcall.mine.typed`). A group that cannot be split is not a query, but may be one of two conditions
(`rollcall.mine.vague`).
"""

from functools import partial
from pathlib import Path

import ibis
from ibis import _

from rollcall.filter import Filter
from rollcall.mine import typed, vague
from rollcall.mine.groups import BY_GROUP, Groups, KeyedGroups, Members, Sizes, TypedGroups
from rollcall.mine.keys import key
from rollcall.mine.mining import MiningResult, give_ids, graph_table, ids, mining_bench
from rollcall.mine.options import SimpleOptions
from rollcall.mine.relations import chosen_relations
from rollcall.tables.engine import Engine
from rollcall.tables.graph import Facts, Types
from rollcall.tables.mining import Queries, SimpleProofs
from rollcall.tables.table import Rows, shaped, unbound


def mine_simple(graph: Path, out: Path, options: SimpleOptions, engine: Engine) -> MiningResult:
    """Write `queries` and `proofs` of all simple queries of a graph to a folder.

    `vague` and `vague_proofs` have the same columns, for groups that are used in intersections only.
    """
    with mining_bench(engine, out, graph) as bench:
        give_ids(bench, "asked", chosen_relations(bench, options.relations, options.excluded, to_things=True))
        give_ids(bench, "asked_directions", options.directions)
        least, most = options.min_answers, options.max_answers
        bench.keep(Sizes, lambda: asked_facts().group_by(BY_GROUP).agg(answers=_.count()))
        any_class = typed.keep_classes(bench, options)
        largest = options.type_rule.largest_group if any_class else most
        bench.keep(Groups, lambda: unbound(Sizes).filter(_.answers.between(least, max(largest, most))))
        bench.keep(Members, lambda: asked_facts().semi_join(unbound(Groups), BY_GROUP))
        too_few = Filter(f"fewer than {least} answers", "min_answers")
        removed = {too_few: bench.count(lambda: unbound(Sizes).filter(_.answers < least))}
        typed.keep_typed_groups(bench, options, any_class)
        bench.keep(KeyedGroups, lambda: keyed_groups().filter(_.answers <= most), _MINED)
        removed[Filter(f"more than {most} answers", "max_answers")] = bench.count(
            lambda: keyed_groups().filter(_.answers > most)
        ) + bench.count(lambda: unbound(Sizes).filter(_.answers > max(largest, most)))
        vague.keep_vague(bench, options)
        removed[Filter("no type with enough answers", "type_rule")] = bench.count(vague.untyped)
        for kept, queries, proofs in ((_MINED, "queries", "proofs"), (vague.VAGUE, "vague", "vague_proofs")):
            rows = unbound(KeyedGroups, kept)
            bench.write(Queries, partial(simple_queries, rows), out / f"{queries}.parquet")
            bench.write(SimpleProofs, partial(simple_proofs, rows), out / f"{proofs}.parquet")
        return MiningResult(bench.count(lambda: unbound(KeyedGroups, _MINED)), removed)


_MINED = "mined"


def asked_facts() -> Rows[Members]:
    """The facts of the chosen relations, with the entity asked about and the answer as columns."""
    facts = graph_table(Facts).semi_join(ids("asked").select(relation="id"), "relation")
    sided = facts.cross_join(ids("asked_directions").select(direction="id"))
    forward = sided.direction == "subject"
    pairs = sided.select(
        "relation",
        "direction",
        entity=ibis.ifelse(forward, sided.object, sided.subject),
        answer=ibis.ifelse(forward, sided.subject, sided.object),
    )
    # Without a view, Ibis cannot join on columns that are computed after a join.
    return shaped(Members, pairs).view()


def keyed_groups() -> Rows[KeyedGroups]:
    """Every query with its key."""
    rows = unbound(TypedGroups)
    made = key("simple", rows.relation, rows.direction, rows.entity, rows.class_id)
    return shaped(KeyedGroups, rows.mutate(key=made))


def simple_queries(rows: Rows[KeyedGroups]) -> Rows[Queries]:
    """Groups as rows of `queries`."""
    queries = rows.select(
        "key",
        "answers",
        kind=ibis.literal("simple"),
        relations=ibis.array([_.relation]),
        directions=ibis.array([_.direction]),
        entities=ibis.array([_.entity]),
        query=ibis.null("string"),
        **{"class": "class_id"},
    )
    return shaped(Queries, queries)


def simple_proofs(rows: Rows[KeyedGroups]) -> Rows[SimpleProofs]:
    """One fact for each answer; a query with a class has only the answers of that class."""
    types = graph_table(Types).select(answer="entity", class_id="class")
    answered = rows.join(unbound(Members), BY_GROUP).select("key", "class_id", *BY_GROUP, "answer")
    plain = answered.filter(_.class_id.isnull())
    of_class = answered.semi_join(types, ["answer", "class_id"])
    both = ibis.union(plain, of_class)
    forward = both.direction == "subject"
    proofs = both.select(
        "key",
        "answer",
        "relation",
        literal=ibis.literal(False),
        via=ibis.literal(""),
        subject=ibis.ifelse(forward, both.answer, both.entity),
        object=ibis.ifelse(forward, both.entity, both.answer),
        object_literal=ibis.literal(False),
    )
    return shaped(SimpleProofs, proofs)
