"""`simple`: one relation of one entity, split by class if the relation does not say what is asked for.

Input: a graph's tables `facts` and `types`. Output: `queries` and `proofs`, and `vague` and `vague_proofs`.
The facts of the chosen relations are grouped by relation and entity in one pass. A group with enough answers
is a query. If its relation is underspecified, the group is split by the classes of its answers
(`rollcall.mine._answer_classes`). A group that cannot be split is not a query, but may be one of two
conditions (`keep_vague`).
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter
from rollcall.mine._answer_classes import TypeRule, keep_classes, keep_typed_groups
from rollcall.mine.joins import (
    BY_GROUP,
    BY_RELATION,
    AnswerLimits,
    GroupMembers,
    Groups,
    GroupSizes,
    MiningResult,
    QueryParts,
    TypedGroups,
    check_directions,
    drawn,
    give_ids,
    graph_table,
    ids,
    key,
    mining_bench,
    write_facts,
    write_found,
)
from rollcall.mine.kinds import KINDS, LIMITS, Direction, Mined, MiningContext, Positive, QuestionKind
from rollcall.mine.relations import EVERY_RELATION, chosen_relations
from rollcall.tables.build import GroupCounts, SimpleGroups, SimpleProofs
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.graph import Facts, Types
from rollcall.tables.table import Rows, shaped, unbound


class SimpleKeys(msgspec.Struct, frozen=True):
    """Simple questions r(e), split by type if the relation does not say what is asked for."""

    directions: Literal["auto"] | tuple[Direction, ...] = "auto"
    """Which end of a fact is asked for. With auto it is the subject where the packaged lexicon knows the
    graph's relations, as in the QAMPARI paper, and otherwise both ends."""
    types: bool = True
    """Whether a relation that does not say what is asked for is split by the types of its answers."""
    per_relation: Positive = 2000
    """The most queries of one relation and type for which evidence is searched, sampled at random."""


@KINDS.register("simple")
class Simple(QuestionKind):
    """One relation of one entity: "Which films did X direct?"; the other kinds of QAMPARI start from it."""

    name = "simple"
    Options = SimpleKeys
    quota = 830
    relations = "simple"
    sections = ("relations", "answers", "wording")

    @classmethod
    def mine(cls, options: SimpleKeys, context: MiningContext) -> Mined:
        """Mine simple queries, sample them by relation and type, and list the facts that they need."""
        directions = options.directions
        if directions == "auto":
            directions = ("subject",) if context.lexicon_knows_graph else ("subject", "object")
        mining_options = SimpleOptions(
            min_answers=context.least,
            max_answers=context.most,
            relations=context.relations,
            excluded=context.excluded,
            directions=directions,
            types=context.types,
            type_rule=TypeRule(split=options.types),
            per_relation=options.per_relation,
            seed=context.seed,
        )
        out = context.folder
        result = mine_simple(context.graph, out, mining_options, context.engine)
        proofs = [out / "proofs.parquet", out / "vague_proofs.parquet"]
        facts = write_facts(proofs, out, context.engine)
        change = {**LIMITS, "type_rule": "simple.types", "per_relation": "simple.per_relation"}
        return Mined(result.queries, result.removed, change, counts={"facts": facts})


class SimpleOptions(AnswerLimits, frozen=True, kw_only=True):
    """Which simple queries are mined.

    `relations` are ids, or "all" for every relation of the graph. `excluded` are ids or labels of relations
    to leave out. Its default depends on `relations`: with "all" the relations of record keeping, else none.
    `types` gives the classes, by id or label, that split a relation. `per_relation` is the most queries of
    one relation and type; with more, that many are drawn at random.
    """

    relations: Sequence[str] | str = EVERY_RELATION
    excluded: Collection[str] | None = None
    directions: Sequence[str] = ("subject",)
    types: Mapping[str, Sequence[str]] = {}
    type_rule: TypeRule = TypeRule()
    per_relation: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_directions(self.directions)


def mine_simple(graph: Path, out: Path, options: SimpleOptions, engine: Engine) -> MiningResult:
    """Write `queries`, `groups` and `proofs` of all simple queries of a graph to a folder.

    `vague`, `vague_groups` and `vague_proofs` have the same columns, for groups that are used in
    intersections only.
    """
    with mining_bench(engine, out, graph) as bench:
        give_ids(bench, "asked", chosen_relations(bench, options.relations, options.excluded, to_things=True))
        give_ids(bench, "asked_directions", options.directions)
        least, most = options.min_answers, options.max_answers
        bench.keep(GroupSizes, lambda: asked_facts().group_by(BY_GROUP).agg(answers=_.count()))
        any_class = keep_classes(bench, options)
        largest = options.type_rule.largest_group if any_class else most
        bench.keep(Groups, lambda: unbound(GroupSizes).filter(_.answers.between(least, max(largest, most))))
        bench.keep(GroupMembers, lambda: asked_facts().semi_join(unbound(Groups), BY_GROUP))
        too_few = Filter(f"fewer than {least} answers", "min_answers")
        bench.write(GroupCounts, _group_counts, out / "group_sizes.parquet")
        removed = {too_few: bench.count(lambda: unbound(GroupSizes).filter(_.answers < least))}
        keep_typed_groups(bench, options, any_class)
        bench.keep(SimpleGroups, lambda: keyed_groups().filter(_.answers <= most), _MINED)
        removed[Filter(f"more than {most} answers", "max_answers")] = bench.count(
            lambda: keyed_groups().filter(_.answers > most)
        ) + bench.count(lambda: unbound(GroupSizes).filter(_.answers > max(largest, most)))
        keep_vague(bench, options)
        removed[Filter("no type with enough answers", "type_rule")] = bench.count(untyped)
        query_count, written_counts = bench.count(lambda: unbound(SimpleGroups, _MINED)), {}
        for groups, prefix in ((_MINED, ""), (VAGUE, "vague_")):
            bench.keep(SimpleGroups, partial(_sample, groups, options), _DRAWN)
            queries = out / ("vague.parquet" if prefix else "queries.parquet")
            written_counts[groups] = write_found(bench, _simple_queries, queries)
            bench.write(SimpleGroups, _drawn, out / f"{prefix}groups.parquet")
            bench.write(SimpleProofs, _simple_proofs, out / f"{prefix}proofs.parquet")
        if options.per_relation is not None:
            many = Filter(f"over {options.per_relation:,} a relation and type", "per_relation")
            removed[many] = query_count - written_counts[_MINED]
        return MiningResult(written_counts[_MINED], removed)


def _group_counts() -> Rows[GroupCounts]:
    sizes = unbound(GroupSizes)
    return shaped(GroupCounts, sizes.group_by(*BY_RELATION, "answers").agg(groups=_.count()))


_MINED, _DRAWN = "mined", "drawn"


def _sample(groups: str, options: SimpleOptions) -> Rows[SimpleGroups]:
    """The groups, or a random sample of those of each relation and type."""
    rows = unbound(SimpleGroups, groups)
    if options.per_relation is None:
        return rows
    return drawn(rows, [*BY_RELATION, "class"], options.per_relation, options.seed)


def _drawn() -> Rows[SimpleGroups]:
    return unbound(SimpleGroups, _DRAWN)


def asked_facts() -> Rows[GroupMembers]:
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
    return shaped(GroupMembers, pairs).view()


def keyed_groups() -> Rows[SimpleGroups]:
    """Every query with its key."""
    rows = unbound(TypedGroups)
    query_key = key("simple", rows.relation, rows.direction, rows.entity, rows.class_id)
    return shaped(SimpleGroups, rows.mutate(key=query_key).rename({"class": "class_id"}))


def _simple_queries() -> Rows[QueryParts]:
    """The drawn groups as queries."""
    queries = _drawn().select(
        "key",
        "answers",
        "class",
        kind=ibis.literal("simple"),
        relations=ibis.array([_.relation]),
        directions=ibis.array([_.direction]),
        entities=ibis.array([_.entity]),
    )
    return shaped(QueryParts, queries)


def _simple_proofs() -> Rows[SimpleProofs]:
    """One fact for each answer; a query with a class has only the answers of that class."""
    types = graph_table(Types).select(answer="entity", class_id="class")
    rows = _drawn().rename(class_id="class")
    answered = rows.join(unbound(GroupMembers), BY_GROUP).select("key", "class_id", *BY_GROUP, "answer")
    plain = answered.filter(_.class_id.isnull())
    of_class = answered.semi_join(types, ["answer", "class_id"])
    answer_rows = ibis.union(plain, of_class)
    forward = answer_rows.direction == "subject"
    proofs = answer_rows.select(
        "key",
        "answer",
        "relation",
        literal=ibis.literal(False),
        via=ibis.literal(""),
        subject=ibis.ifelse(forward, answer_rows.answer, answer_rows.entity),
        object=ibis.ifelse(forward, answer_rows.entity, answer_rows.answer),
        object_literal=ibis.literal(False),
    )
    return shaped(SimpleProofs, proofs)


# Keeps groups that are too vague to be asked alone but are useful as one of two conditions. Input: the
# groups of `rollcall.mine.simple`. Output: the table `vague`. A group of an underspecified relation is
# asked about by types ("Which museums are in Ostrell?"). If no type has enough answers, it is not asked
# about alone, because the question would be vague: "What is in Ostrell?". With another condition it is
# specific enough: "What is in Ostrell and was designed by Orla Venn?". So groups that share enough
# answers with another group are kept, for intersections only.

VAGUE = "vague"
_PER_ANSWER = 200
"""An answer of more groups than this is not used to find pairs of groups."""


class PartialGroups(Groups):
    """A group whose answers are not all in one query."""


def keep_vague(bench: Workbench, options: SimpleOptions) -> None:
    """Keep `vague`: the groups not asked about as a whole that share enough answers with another group."""
    bench.keep(PartialGroups, lambda: _partial(options.max_answers))
    bench.keep(SimpleGroups, lambda: _sharing(options.min_answers), VAGUE)


def untyped() -> Rows[Groups]:
    """Groups of which no type has enough answers."""
    return unbound(Groups).anti_join(unbound(TypedGroups), BY_GROUP)


def _partial(most: int) -> Rows[PartialGroups]:
    typed_groups = unbound(TypedGroups)
    rows = unbound(Groups).anti_join(typed_groups, [*BY_GROUP, "answers"]).filter(_.answers <= most)
    return shaped(PartialGroups, rows)


def _sharing(least: int) -> Rows[SimpleGroups]:
    """The groups that share enough answers with another group, as simple queries without a class."""
    members, partial_groups = unbound(GroupMembers), unbound(PartialGroups)
    frequent = members.group_by("answer").agg(groups=_.count()).filter(_.groups > _PER_ANSWER)
    usual = members.anti_join(frequent, "answer")
    other_groups = usual.select("answer", **{f"other_{name}": name for name in BY_GROUP})
    pairs = usual.semi_join(partial_groups, BY_GROUP).join(other_groups, "answer")
    pairs = pairs.filter(ibis.or_(*(_[name] != _[f"other_{name}"] for name in BY_GROUP)))
    shared = pairs.group_by([*BY_GROUP, *(f"other_{name}" for name in BY_GROUP)]).agg(shared=_.count())
    rows = partial_groups.semi_join(shared.filter(_.shared >= least), BY_GROUP)
    rows = rows.mutate(class_id=ibis.null("string"))
    query_key = key("simple", rows.relation, rows.direction, rows.entity, rows.class_id)
    return shaped(SimpleGroups, rows.mutate(key=query_key).rename({"class": "class_id"}))
