"""Mines simple queries r(e): for every entity and relation, everything that has the relation to the entity.

Input: a graph's tables `facts` and `types`. Output: `queries` and `proofs`, and `vague` and `vague_proofs`.
The facts of the chosen relations are grouped by relation and entity in one pass. A group with enough answers
is a query. If its relation is underspecified, the group is split by the types of its answers
(`rollcall.mine.typed`). A group that cannot be split is not a query, but may be one of two conditions
(`rollcall.mine.vague`).
"""

from pathlib import Path

import ibis
from ibis import _

from rollcall.filter import Filter
from rollcall.mine import typed, vague
from rollcall.mine.keys import key
from rollcall.mine.mining import Mining, MiningResult, graph_table, ids, named
from rollcall.mine.options import SimpleOptions
from rollcall.mine.relations import chosen_relations

GROUP = {"relation": "string", "direction": "string", "entity": "string"}
BY_GROUP = list(GROUP)


def mine_simple(
    graph: Path, out: Path, options: SimpleOptions, *, memory: str = "1GB", threads: int | None = None
) -> MiningResult:
    """Write `queries` and `proofs` of all simple queries of a graph to a folder.

    `vague` and `vague_proofs` have the same columns, for groups that are used in intersections only.
    """
    with Mining(out, graph, memory=memory, threads=threads) as mining:
        mining.names("asked", chosen_relations(mining, options.relations, options.excluded, to_things=True))
        mining.names("asked_directions", options.directions)
        least, most = options.min_answers, options.max_answers
        mining.keep("sizes", lambda: asked_facts().group_by(BY_GROUP).agg(answers=_.count()))
        any_class = typed.keep_classes(mining, options)
        largest = options.type_rule.largest_group if any_class else most
        mining.keep("groups", lambda: _sizes().filter(_.answers.between(least, max(largest, most))))
        mining.keep("members", lambda: asked_facts().semi_join(groups(), BY_GROUP))
        too_few = Filter(f"fewer than {least} answers", "min_answers")
        removed = {too_few: mining.count(lambda: _sizes().filter(_.answers < least))}
        typed.keep_typed_groups(mining, options, any_class)
        mining.keep("mined", lambda: keyed_groups().filter(_.answers <= most))
        removed[Filter(f"more than {most} answers", "max_answers")] = mining.count(
            lambda: keyed_groups().filter(_.answers > most)
        ) + mining.count(lambda: _sizes().filter(_.answers > max(largest, most)))
        vague.keep_vague(mining, options)
        removed[Filter("no type with enough answers", "type_rule")] = mining.count(vague.untyped)
        mining.write("queries", lambda: simple_queries(_mined()), order=["key"])
        mining.write("proofs", lambda: simple_proofs(_mined()), order=["key", "answer"])
        mining.write("queries", lambda: simple_queries(vague.vague()), order=["key"], name="vague")
        mining.write(
            "proofs", lambda: simple_proofs(vague.vague()), order=["key", "answer"], name="vague_proofs"
        )
        return MiningResult(mining.count(_mined), removed)


def asked_facts() -> ibis.Table:
    """The facts of the chosen relations, with the entity asked about and the answer as columns."""
    facts = graph_table("facts").semi_join(ids("asked").select(relation="id"), "relation")
    sided = facts.cross_join(ids("asked_directions").select(direction="id"))
    forward = sided.direction == "subject"
    pairs = sided.select(
        "relation",
        "direction",
        entity=ibis.ifelse(forward, sided.object, sided.subject),
        answer=ibis.ifelse(forward, sided.subject, sided.object),
    )
    return pairs.view()  # without it Ibis cannot join on columns computed after a join


def groups() -> ibis.Table:
    """Pairs of a relation and an entity with enough answers, and the number of answers."""
    return named("groups", **GROUP, answers="int64")


def members() -> ibis.Table:
    """The answers of the groups."""
    return named("members", **GROUP, answer="string")


def _sizes() -> ibis.Table:
    return named("sizes", **GROUP, answers="int64")


def keyed_groups() -> ibis.Table:
    """Every query with its key."""
    rows = typed.typed_groups()
    return rows.mutate(key=key("simple", rows.relation, rows.direction, rows.entity, rows.class_id))


def _mined() -> ibis.Table:
    return named("mined", **GROUP, class_id="string", answers="int64", key="string")


def simple_queries(rows: ibis.Table) -> ibis.Table:
    """Groups as rows of `queries`."""
    return rows.select(
        "key",
        "answers",
        kind=ibis.literal("simple"),
        relations=ibis.array([_.relation]),
        directions=ibis.array([_.direction]),
        entities=ibis.array([_.entity]),
        **{"class": "class_id"},
    )


def simple_proofs(rows: ibis.Table) -> ibis.Table:
    """One fact for each answer; a query with a class has only the answers of that class."""
    types = graph_table("types").select(answer="entity", class_id="class")
    answered = rows.join(members(), BY_GROUP).select("key", "class_id", *BY_GROUP, "answer")
    plain = answered.filter(_.class_id.isnull())
    of_class = answered.semi_join(types, ["answer", "class_id"])
    return proofs_of(ibis.union(plain, of_class))


def proofs_of(answered: ibis.Table) -> ibis.Table:
    """The rows of `proofs` for answers that need one fact; the direction says which end is the answer."""
    forward = answered.direction == "subject"
    return answered.select(
        "key",
        "answer",
        "relation",
        literal=ibis.literal(False),
        via=ibis.literal(""),
        subject=ibis.ifelse(forward, answered.answer, answered.entity),
        object=ibis.ifelse(forward, answered.entity, answered.answer),
        object_literal=ibis.literal(False),
    )
