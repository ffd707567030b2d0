"""`intersection`: the answers that two or three simple questions share.

Input: a graph, the simple queries with their proofs, and the table `validated` of their proved answers.
Output: `queries` and `proofs`. Pairs of simple queries come first (`keep_pairs`); three simple queries of
which each two are a pair follow (`keep_triples`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter, RollcallError
from rollcall.mine._answer_classes import class_sizes
from rollcall.mine.joins import (
    SEPARATOR,
    AnswerLimits,
    Caps,
    Group,
    MiningResult,
    QueryParts,
    drawn,
    graph_table,
    key,
    mining_bench,
    placed,
    write_found,
)
from rollcall.mine.kinds import KINDS, LIMITS, Mined, MiningContext, Positive, Proved, QuestionKind, Share
from rollcall.tables.build import Proofs, Queries, SimpleGroups, ValidatedAnswers
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.graph import Types
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class IntersectionKeys(msgspec.Struct, frozen=True):
    """Questions for the answers that two simple questions share."""

    ways: Literal[2, 3] = 2
    """How many conditions a question has; with 3, those with two and those with three."""
    least: Positive | None = None
    """The least number of answers, if it differs from that of all kinds."""
    validated: Share | None = None
    """The share of answers that text must prove, if it differs from that of all kinds."""
    parts: Share = 0.0
    """The share of its answers that each part must have validated, besides the check of shared answers."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""
    per_answer: Positive = 200
    """An answer of more simple questions than this is not used to find pairs."""


@KINDS.register("intersection")
class Intersection(QuestionKind):
    """What two or three simple questions share: "Which films did X both direct and produce?"."""

    name = "intersection"
    Options = IntersectionKeys
    quota = 400
    in_test = "all"
    sections = ("answers",)

    @classmethod
    def mine(cls, options: IntersectionKeys, context: MiningContext) -> Mined:
        """Mine intersections of proved simple queries; their facts are already proved."""
        mining_options = IntersectionOptions(
            min_answers=context.least,
            max_answers=context.most,
            caps=Caps(per_pair=options.per_pair, per_entity=options.per_entity, seed=context.seed),
            per_answer=options.per_answer,
            ways=options.ways,
        )
        result = mine_intersection(
            context.graph, context.given_proved, context.folder, mining_options, context.engine
        )
        change = {**LIMITS, "caps": "intersection.per_pair, intersection.per_entity"}
        return Mined(result.queries, result.removed, change)


class IntersectionOptions(AnswerLimits, frozen=True, kw_only=True):
    """Which intersections are mined; answers of more than `per_answer` queries are not used to find pairs."""

    caps: Caps = Caps()
    per_answer: int = 200
    ways: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ways not in (2, 3):
            raise RollcallError(f"ways {self.ways}: intersections are of 2 or of up to 3 queries")


def mine_intersection(
    graph: Path, proved: Proved, out: Path, options: IntersectionOptions, engine: Engine
) -> MiningResult:
    """Write `queries` and `proofs` of intersections of simple queries, given their validated answers."""
    with mining_bench(engine, out, graph) as bench:
        bench.read(Queries, proved.queries, SIMPLE)
        bench.read(SimpleGroups, proved.groups)
        bench.read(Proofs, proved.proofs, SIMPLE_PROOFS)
        bench.read(ValidatedAnswers, proved.answers, SIMPLE_VALIDATED)
        query_count, removed = keep_pairs(bench, options)
        queries, needed = pair_queries, pair_proofs
        if options.ways == 3:
            query_count += keep_triples(bench, options)
            queries, needed = _all_queries, _all_proofs
        write_found(bench, queries, out / "queries.parquet")
        bench.write(Proofs, needed, out / "proofs.parquet")
        return MiningResult(query_count, removed)


def _all_queries() -> Rows[QueryParts]:
    return shaped(QueryParts, ibis.union(pair_queries(), queries()))


def _all_proofs() -> Rows[Proofs]:
    return shaped(Proofs, ibis.union(pair_proofs(), proofs()))


# Finds pairs of simple queries that share enough validated answers and neither of which contains the
# other. Input: simple queries, their proofs and validated answers (in a workbench). Output: expressions
# for `queries` and `proofs`. Pairs are found by a join of the validated answers with themselves. An
# answer of n queries gives about n² pairs, so answers of very many queries are not used to find pairs;
# they still count for pairs found by other answers. The intersection must have fewer answers than either
# query, both in the graph and among the validated answers.

SIMPLE, SIMPLE_PROOFS, SIMPLE_VALIDATED = "simple", "simple_proofs", "simple_validated"
_PAIRS_SIDES = ("left", "right")


class SimpleAnswers(DeclaredTable):
    """A simple query and an answer of it."""

    base = String("the key of the query")
    answer = String("the answer")


class ProvedBases(DeclaredTable):
    """A simple query with its parts as columns."""

    base = SimpleAnswers.base
    part = String("the query without its class: relation, direction and entity")
    relation = Group.relation
    direction = Group.direction
    entity = Group.entity
    class_id = String("the class of its answers, if any")
    answers = Int64("how many answers it has")
    validated = Int64("how many of them are validated")


class DiscoveredPairs(DeclaredTable):
    """Two simple queries that share enough validated answers."""

    left = String("the key of the first query")
    right = String("the key of the second query")


class CountedPairs(DiscoveredPairs):
    """Two simple queries, and how many answers they share."""

    shared = Int64("how many answers they share")
    confirmed = Int64("how many validated answers they share")


class SharedCounts(CountedPairs):
    """Two simple queries with what decides whether the pair is worth asking about."""

    left_part = ProvedBases.part
    left_class_id = ProvedBases.class_id
    left_answers = ProvedBases.answers
    left_validated = ProvedBases.validated
    right_part = ProvedBases.part
    right_class_id = ProvedBases.class_id
    right_answers = ProvedBases.answers
    right_validated = ProvedBases.validated


class NestedClasses(DeclaredTable):
    """A class whose members all belong to another class."""

    class_id = String("the class")
    outer = String("the other class")


class QueryPairs(CountedPairs):
    """An intersection of two simple queries."""

    key = String("its key")
    class_id = String("the class of its answers, if any")


class FittingPairs(QueryPairs):
    """A pair with compatible classes."""

    left_part = ProvedBases.part
    right_part = ProvedBases.part


CHOSEN_PAIRS = "chosen_pairs"


def keep_pairs(bench: Workbench, options: IntersectionOptions) -> MiningResult:
    """Keep the pairs within the caps; count them and the pairs that each filter removed."""
    bench.keep(SimpleAnswers, _validated_answers)
    bench.keep(ProvedBases, _bases)
    bench.keep(DiscoveredPairs, lambda: _discovered(options))
    bench.keep(SharedCounts, _shared)
    bench.keep(NestedClasses, _classes_within)
    removed = {
        Filter("one query within the other"): bench.count(lambda: unbound(SharedCounts).filter(~_proper())),
        Filter("classes that do not fit"): bench.count(lambda: _fitting(fit=False)),
    }
    bench.keep(FittingPairs, lambda: _fitting(fit=True))
    bench.keep(QueryPairs, _distinct_pairs)
    fitting, distinct = bench.count(lambda: unbound(FittingPairs)), bench.count(lambda: unbound(QueryPairs))
    removed[Filter("same answers as another")] = fitting - distinct
    bench.keep(QueryPairs, lambda: _capped(options.caps), CHOSEN_PAIRS)
    chosen_count = bench.count(lambda: unbound(QueryPairs, CHOSEN_PAIRS))
    removed[Filter("over the caps", "caps")] = distinct - chosen_count
    return MiningResult(chosen_count, removed)


def _validated_answers() -> Rows[SimpleAnswers]:
    """The validated answers of the simple queries."""
    simple = unbound(Queries, SIMPLE).filter(_.kind == "simple").select("key")
    validated = unbound(ValidatedAnswers, SIMPLE_VALIDATED).semi_join(simple, "key")
    return shaped(SimpleAnswers, validated.rename(base="key"))


def simple_answers() -> Rows[SimpleAnswers]:
    """All answers of the simple queries."""
    return shaped(SimpleAnswers, unbound(Proofs, SIMPLE_PROOFS).rename(base="key"))


def _bases() -> Rows[ProvedBases]:
    simple = unbound(Queries, SIMPLE).filter(_.kind == "simple").select("key")
    groups = unbound(SimpleGroups).semi_join(simple, "key")
    parts = groups.rename(base="key", class_id="class")
    parts = parts.mutate(part=_.relation + SEPARATOR + _.direction + SEPARATOR + _.entity)
    counts = unbound(SimpleAnswers).group_by("base").agg(validated=_.count())
    return shaped(ProvedBases, parts.join(counts, "base"))


def _discovered(options: IntersectionOptions) -> Rows[DiscoveredPairs]:
    """Pairs that share enough answers, found by answers that do not belong to too many queries."""
    answers = unbound(SimpleAnswers)
    counts = answers.group_by("answer").agg(queries=_.count())
    usual = answers.semi_join(counts.filter(_.queries <= options.per_answer), "answer")
    usual = usual.join(unbound(ProvedBases).select("base", "part"), "base")
    left = usual.select("answer", left="base", left_part="part")
    right = usual.select("answer", right="base", right_part="part")
    pairs = left.join(right, "answer").filter(_.left_part < _.right_part)
    pair_counts = pairs.group_by(["left", "right"]).agg(seen=_.count())
    return shaped(DiscoveredPairs, pair_counts.filter(_.seen >= options.min_answers))


def _shared() -> Rows[SharedCounts]:
    """The number of answers that each pair shares: all answers, and validated ones."""
    pairs, by = unbound(DiscoveredPairs), list(_PAIRS_SIDES)
    shared = common(pairs, _PAIRS_SIDES, simple_answers()).group_by(by).agg(shared=_.count())
    confirmed = common(pairs, _PAIRS_SIDES, unbound(SimpleAnswers)).group_by(by).agg(confirmed=_.count())
    rows = shared.join(confirmed, by)
    for side in _PAIRS_SIDES:
        base = unbound(ProvedBases).rename(
            lambda name, side=side: side if name == "base" else f"{side}_{name}"
        )
        rows = rows.join(base, side)
    return shaped(SharedCounts, rows)


def common(rows: "ir.Table", sides: Sequence[str], answers: Rows[SimpleAnswers]) -> "ir.Table":
    """Rows that name a simple query on each side, with each answer that all their queries have."""
    for side in sides:
        shared_columns = ["answer"] if side != sides[0] else []
        rows = rows.join(answers.rename({side: "base"}), [side, *shared_columns])
    return rows


def _proper() -> "ir.BooleanValue":
    """Pairs of which neither query contains the other, in the graph or among the validated answers."""
    return (
        (_.shared < _.left_answers)
        & (_.shared < _.right_answers)
        & (_.confirmed < _.left_validated)
        & (_.confirmed < _.right_validated)
    )


def _classes_within() -> Rows[NestedClasses]:
    """Classes of the queries whose members in this graph all belong to another class of the queries."""
    class_ids = unbound(ProvedBases).select("class_id").distinct().filter(_.class_id.notnull())
    types = graph_table(Types).select("entity", class_id="class").semi_join(class_ids, "class_id")
    sizes = types.group_by("class_id").agg(size=_.count())
    joint = types.join(types.select("entity", outer="class_id"), "entity").filter(_.class_id != _.outer)
    counts = joint.group_by(["class_id", "outer"]).agg(both=_.count())
    return shaped(NestedClasses, counts.join(sizes, "class_id").filter(_.both == _.size))


def _fitting(fit: bool) -> Rows[FittingPairs]:
    """Pairs with compatible classes (equal, nested, or one missing), with the narrower one; or the other
    pairs.
    """
    proper = unbound(SharedCounts).filter(_proper())
    within = unbound(NestedClasses)
    left_in = within.select(left_class_id="class_id", right_class_id="outer", left_inside=_.class_id)
    right_in = within.select(right_class_id="class_id", left_class_id="outer", right_inside=_.class_id)
    joined = proper.left_join(left_in, ["left_class_id", "right_class_id"])
    joined = joined.select(*proper.columns, "left_inside")
    joined = joined.left_join(right_in, ["left_class_id", "right_class_id"])
    joined = joined.select(*proper.columns, "left_inside", "right_inside")
    is_same = joined.left_class_id == joined.right_class_id
    one_missing = joined.left_class_id.isnull() | joined.right_class_id.isnull()
    inner = ibis.coalesce(joined.left_inside, joined.right_inside)
    either = ibis.coalesce(joined.left_class_id, joined.right_class_id)
    compared = joined.mutate(fits=(is_same.fill_null(False) | one_missing | inner.notnull()))
    compared = compared.mutate(class_id=ibis.coalesce(inner, either))
    compared = compared.filter(_.fits if fit else ~_.fits)
    pair_key = key("intersection", compared.left_part, compared.right_part, compared.class_id)
    return shaped(FittingPairs, compared.mutate(key=pair_key))


def _distinct_pairs() -> Rows[QueryPairs]:
    """Of pairs that differ only in class and share the same number of answers, the one with the smallest
    class.

    A pair without a class is dropped if the same pair with a class is kept: "what" beside "which films".
    """
    rows, parts = unbound(FittingPairs), ["left_part", "right_part"]
    classed = rows.filter(_.class_id.notnull()).select(*parts).distinct()
    rows = rows.filter(_.class_id.notnull()).union(rows.filter(_.class_id.isnull()).anti_join(classed, parts))
    sized = rows.left_join(class_sizes(), "class_id").select(*rows.columns, "size")
    alike = ibis.window(
        group_by=["left_part", "right_part", "shared"],
        order_by=[_.size.fill_null(0) == 0, _.size, _.class_id, _.left, _.right],
    )
    smallest = sized.mutate(position=ibis.row_number().over(alike)).filter(_.position == 0)
    by_key = ibis.window(group_by="key", order_by=[_.left, _.right])
    return shaped(
        QueryPairs, smallest.mutate(position=ibis.row_number().over(by_key)).filter(_.position == 0)
    )


def described(rows: "ir.Table", sides: Sequence[str]) -> "ir.Table":
    """Rows with the relation, direction and entity of the query on each side."""
    for side in sides:
        base = unbound(ProvedBases).select(
            **{f"{side}_{name}": name for name in columns(Group)}, **{side: "base"}
        )
        rows = rows.join(base, side)
    return rows


def _capped(caps: Caps) -> Rows[QueryPairs]:
    """The pairs within the caps."""
    return shaped(QueryPairs, within_caps(unbound(QueryPairs), _PAIRS_SIDES, caps))


def within_caps(rows: "ir.Table", sides: Sequence[str], caps: Caps) -> "ir.Table":
    """At most a given number for each combination of relations, and for each entity on any side."""
    parts = described(rows, sides)
    standing = ibis.union(*(parts.select("key", entity=f"{side}_entity") for side in sides), distinct=True)
    over_cap = placed(standing, ["entity"], caps.seed).filter(_.place >= caps.per_entity)
    remaining = parts.anti_join(over_cap.select("key").distinct(), "key")
    by = [f"{side}_{name}" for side in sides for name in ("relation", "direction")]
    return drawn(remaining, by, caps.per_pair, caps.seed)


def pair_queries() -> Rows[QueryParts]:
    """The pairs as queries."""
    return as_queries(unbound(QueryPairs, CHOSEN_PAIRS), _PAIRS_SIDES)


def pair_proofs() -> Rows[Proofs]:
    """The facts of both queries for every answer they share."""
    return as_proofs(unbound(QueryPairs, CHOSEN_PAIRS), _PAIRS_SIDES)


def as_queries(rows: "ir.Table", sides: Sequence[str]) -> Rows[QueryParts]:
    """Intersections as queries."""
    parts = described(rows, sides)
    lists = {
        plural: ibis.array([parts[f"{side}_{name}"] for side in sides])
        for plural, name in (("relations", "relation"), ("directions", "direction"), ("entities", "entity"))
    }
    queries = parts.select(
        "key",
        kind=ibis.literal("intersection"),
        **lists,
        **{"class": "class_id"},
        answers=_.shared,
    )
    return shaped(QueryParts, queries)


def as_proofs(rows: "ir.Table", sides: Sequence[str]) -> Rows[Proofs]:
    """The facts of the simple queries on all sides, for the answers that all queries share."""
    shared = common(rows.select("key", *sides), sides, simple_answers())
    facts = unbound(Proofs, SIMPLE_PROOFS).rename(base="key")
    facts_of_sides = [
        shaped(Proofs, shared.select("key", "answer", base=side).join(facts, ["base", "answer"]))
        for side in sides
    ]
    return shaped(Proofs, ibis.union(*facts_of_sides))


# Mines intersections of three simple queries: a chosen pair and a third query, if all three pairs are
# kept. Input: the tables of pairs, in a workbench. Output: expressions for `queries` and `proofs`.

_SIDES = ("left", "right", "third")
_CHOSEN_TRIPLES = "chosen_triples"


class TripleCandidates(DeclaredTable):
    """Three simple queries of which each two are a pair, and how many answers each two share."""

    left = QueryPairs.left
    right = QueryPairs.right
    third = String("the key of the third query")
    class_id = QueryPairs.class_id
    two = Int64("how many answers the first and the second share")
    sure_two = Int64("how many of these are validated")
    outer = Int64("how many answers the first and the third share")
    sure_outer = Int64("how many of these are validated")
    inner = Int64("how many answers the second and the third share")
    sure_inner = Int64("how many of these are validated")


class Triples(DeclaredTable):
    """An intersection of three simple queries."""

    key = QueryPairs.key
    left = QueryPairs.left
    right = QueryPairs.right
    third = TripleCandidates.third
    class_id = QueryPairs.class_id
    shared = QueryPairs.shared


def keep_triples(bench: Workbench, options: IntersectionOptions) -> int:
    """Keep the triples within the caps, and count them."""
    bench.keep(TripleCandidates, _candidates)
    bench.keep(Triples, lambda: _sound(options))
    bench.keep(Triples, lambda: within_caps(unbound(Triples), _SIDES, options.caps), _CHOSEN_TRIPLES)
    return bench.count(_chosen_triples)


def _candidates() -> Rows[TripleCandidates]:
    """The classes of the three pairs must agree."""
    first = unbound(QueryPairs, CHOSEN_PAIRS)
    first = first.select("left", "right", "class_id", two="shared", sure_two="confirmed")
    pairs = unbound(QueryPairs)
    outer = pairs.select("left", "class_id", third="right", outer="shared", sure_outer="confirmed")
    inner = pairs.select(
        right="left", third="right", other="class_id", inner="shared", sure_inner="confirmed"
    )
    joined = first.join(outer, "left").filter(_.class_id.identical_to(_.class_id_right))
    joined = joined.drop("class_id_right").join(inner, ["right", "third"])
    return shaped(TripleCandidates, joined.filter(_.class_id.identical_to(_.other)))


def _sound(options: IntersectionOptions) -> Rows[Triples]:
    """Triples with enough validated answers, and fewer answers than any two of their queries share."""
    rows, by = unbound(TripleCandidates), list(_SIDES)
    triples = rows.select(*by)
    shared = common(triples, _SIDES, simple_answers()).group_by(by).agg(shared=_.count())
    sure = common(triples, _SIDES, unbound(SimpleAnswers)).group_by(by).agg(sure=_.count())
    counted = rows.join(shared, by).join(sure, by)
    passing = counted.filter(
        _.sure >= options.min_answers,
        _.shared < ibis.least(_.two, _.outer, _.inner),
        _.sure < ibis.least(_.sure_two, _.sure_outer, _.sure_inner),
    )
    passing = described(passing, _SIDES)
    parts = [passing[f"{side}_{name}"] for side in _SIDES for name in ("relation", "direction", "entity")]
    return shaped(Triples, passing.mutate(key=key("intersection", *parts, passing.class_id)))


def _chosen_triples() -> Rows[Triples]:
    return unbound(Triples, _CHOSEN_TRIPLES)


def queries() -> Rows[QueryParts]:
    """The triples as queries."""
    return as_queries(_chosen_triples(), _SIDES)


def proofs() -> Rows[Proofs]:
    """The facts of all three queries for every answer they share."""
    return as_proofs(_chosen_triples(), _SIDES)
