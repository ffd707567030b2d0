"""`composition`: a relation of the answers of a simple question, r2(r1(e)).

Input: a graph, and the validated simple queries with their proofs. Output: `queries` and `proofs`. All simple
queries are joined at once with the facts and values of their answers. Compositions with enough *distinct*
answers are counted and sampled first; the facts of both hops are listed only for the sampled ones. The class
of a composition is the class of its intermediate entities, as in the simple query.
"""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter
from rollcall.mine.joins import (
    AnswerLimits,
    Caps,
    Group,
    MiningResult,
    QueryParts,
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
from rollcall.mine.kinds import (
    KINDS,
    LIMITS,
    Direction,
    Mined,
    MiningContext,
    Positive,
    Proved,
    QuestionKind,
    Share,
)
from rollcall.mine.relations import EVERY_RELATION, chosen_relations
from rollcall.tables.build import Proofs, Queries, SimpleGroups
from rollcall.tables.engine import Engine
from rollcall.tables.graph import Facts, Values
from rollcall.tables.table import Boolean, DeclaredTable, Int64, Rows, String, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


class CompositionKeys(msgspec.Struct, frozen=True):
    """Questions r2(r1(e))."""

    directions: tuple[Direction, ...] = ("object",)
    """Which end of the second relation's facts is asked for."""
    base: Share = 0.5
    """The share of the answers of r1(e) that must be validated."""
    same_relation: bool = False
    """Whether the second relation may be the first one again."""
    coverage: Share = 0.7
    """The least share of the answers of r1(e) that must have r2."""
    round_trip: Share = 0.5
    """The largest share of the answers of r1(e) that may lead back to e."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""


@KINDS.register("composition")
class Composition(QuestionKind):
    """A relation of the answers of a simple question: "Where were the directors of X's films born?"."""

    name = "composition"
    Options = CompositionKeys
    quota = 400
    relations = "composition"
    sections = ("relations", "answers", "wording")

    @classmethod
    def mine(cls, options: CompositionKeys, context: MiningContext) -> Mined:
        """Mine compositions of proved simple queries, and list the facts that are new."""
        mining_options = CompositionOptions(
            min_answers=context.least,
            max_answers=context.most,
            relations=context.relations,
            excluded=context.excluded,
            directions=options.directions,
            same_relation=options.same_relation,
            coverage=options.coverage,
            round_trip=options.round_trip,
            caps=Caps(per_pair=options.per_pair, per_entity=options.per_entity, seed=context.seed),
        )
        proved, out = context.given_proved, context.folder
        result = mine_composition(context.graph, proved, out, mining_options, context.engine)
        facts = write_facts([out / "proofs.parquet"], out, context.engine, known=[proved.facts])
        change = {
            **LIMITS,
            "coverage": "composition.coverage",
            "round_trip": "composition.round_trip",
            "caps": "composition.per_pair, composition.per_entity",
        }
        return Mined(result.queries, result.removed, change, counts={"facts": facts})


class CompositionOptions(AnswerLimits, frozen=True, kw_only=True):
    """Which compositions are mined.

    `small_numbers` is the largest share of a relation's values that may be whole numbers below 100 without a
    unit: counts and ranks are not worth listing and are not found in text. `coverage` is the least share of
    the intermediate entities that must have the second relation. `round_trip` is the largest share of them
    that may lead back to the question's entity.
    """

    relations: Sequence[str] | str = EVERY_RELATION
    excluded: Collection[str] | None = None
    directions: Sequence[str] = ("object",)
    literal_kinds: Collection[str] = ("number", "quantity", "date", "text")
    small_numbers: float = 0.5
    same_relation: bool = False
    coverage: float = 0.5
    round_trip: float = 0.5
    caps: Caps = Caps()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_directions(self.directions)


_SIMPLE, _SIMPLE_PROOFS = "simple", "simple_proofs"
_SECOND = ["second", "second_direction"]
_PATH = ["base", *_SECOND]


class Counting(DeclaredTable):
    """A relation whose values are mostly small whole numbers without a unit."""

    relation = String("the relation")


class Bases(Group):
    """A simple query to start from, with its parts as columns."""

    base = String("its key")
    class_id = String("the class of its answers, if any")
    answers = Int64("how many answers it has")


class Vias(DeclaredTable):
    """An answer of the first hop: an intermediate entity."""

    base = Bases.base
    via = String("the intermediate entity")


class Hops(DeclaredTable):
    """A second hop of an intermediate entity."""

    via = Vias.via
    second = String("the second relation")
    second_direction = String("the end of its facts that is asked for")
    answer = String("the answer: an entity or a value")
    literal = Boolean("whether the answer is a value")


class Paths(Bases):
    """A simple query and a second relation."""

    second = Hops.second
    second_direction = Hops.second_direction
    found = Int64("how many distinct answers there are")
    through = Int64("how many intermediate entities lead to an answer")
    back = Int64("how many hops lead back to the entity of the simple query")


class KeyedPaths(Paths):
    """A composition."""

    key = String("its key")


_SOUND, _CHOSEN = "sound", "chosen"


def mine_composition(
    graph: Path, proved: Proved, out: Path, options: CompositionOptions, engine: Engine
) -> MiningResult:
    """Write `queries` and `proofs` of the compositions that start from the validated simple queries."""
    with mining_bench(engine, out, graph) as bench:
        bench.read(Queries, proved.queries, _SIMPLE)
        bench.read(SimpleGroups, proved.groups)
        bench.read(Proofs, proved.proofs, _SIMPLE_PROOFS)
        give_ids(bench, "second", chosen_relations(bench, options.relations, options.excluded))
        give_ids(bench, "second_directions", options.directions)
        give_ids(bench, "literal_kinds", options.literal_kinds)
        bench.keep(Counting, lambda: _counting(options))
        bench.keep(Bases, _bases)
        bench.keep(Vias, _vias)
        bench.keep(Hops, _hops)
        bench.keep(Paths, lambda: _paths(options))
        removed, passing = {}, ibis.literal(True)
        for why, passes in _filters(options):
            removed[why] = bench.count(partial(_lost, passing & ~passes))
            passing = passing & passes
        bench.keep(KeyedPaths, lambda: _keyed(unbound(Paths).filter(passing)), _SOUND)
        bench.keep(KeyedPaths, lambda: _within_caps(options), _CHOSEN)
        query_count = bench.count(lambda: unbound(KeyedPaths, _CHOSEN))
        removed[Filter("over the caps", "caps")] = (
            bench.count(lambda: unbound(KeyedPaths, _SOUND)) - query_count
        )
        write_found(bench, _queries, out / "queries.parquet")
        bench.write(Proofs, _proofs, out / "proofs.parquet")
        return MiningResult(query_count, removed)


def _bases() -> Rows[Bases]:
    simple = unbound(Queries, _SIMPLE).filter(_.kind == "simple").select("key")
    groups = unbound(SimpleGroups).semi_join(simple, "key")
    return shaped(Bases, groups.rename(base="key", class_id="class"))


def _vias() -> Rows[Vias]:
    proofs = unbound(Proofs, _SIMPLE_PROOFS).select(base="key", via="answer")
    return shaped(Vias, proofs.semi_join(unbound(Bases), "base"))


def _hops() -> Rows[Hops]:
    """The second hops of the intermediate entities: to entities in either direction, and to values."""
    second_relations = ids("second").select(relation="id")
    through = unbound(Vias).select("via").distinct()
    facts = graph_table(Facts).semi_join(second_relations, "relation").select("subject", "relation", "object")
    steps = facts.cross_join(ids("second_directions").select(second_direction="id"))
    forward = steps.second_direction == "object"
    to_entities = steps.select(
        via=ibis.ifelse(forward, steps.subject, steps.object),
        second=steps.relation,
        second_direction=steps.second_direction,
        answer=ibis.ifelse(forward, steps.object, steps.subject),
        literal=ibis.literal(False),
    )
    values = (
        graph_table(Values).semi_join(second_relations, "relation").anti_join(unbound(Counting), "relation")
    )
    values = values.semi_join(ids("literal_kinds").select(kind="id"), "kind")
    values = values.cross_join(ids("second_directions").select(second_direction="id"))
    to_values = values.filter(_.second_direction == "object").select(
        via="subject",
        second="relation",
        second_direction="second_direction",
        answer="value",
        literal=ibis.literal(True),
    )
    hops = shaped(Hops, ibis.union(shaped(Hops, to_entities), shaped(Hops, to_values)))
    return hops.view().semi_join(through, "via")


def _counting(options: CompositionOptions) -> Rows[Counting]:
    values = graph_table(Values)
    small = (values.kind == "number") & values.value.re_search(r"^[0-9]{1,2}\z")
    shares = values.group_by("relation").agg(share=small.cast("float64").mean())
    return shaped(Counting, shares.filter(_.share > options.small_numbers))


def _paths(options: CompositionOptions) -> Rows[Paths]:
    walked = unbound(Bases).join(unbound(Vias), "base").join(unbound(Hops), "via")
    if not options.same_relation:
        walked = walked.filter(_.second != _.relation)
    answer = ibis.ifelse(_.literal, "v", "e") + _.answer
    walked = walked.mutate(mark=answer, back=(_.answer == _.entity) & ~_.literal)
    counted = walked.group_by(_PATH).agg(
        found=_.mark.nunique(), through=_.via.nunique(), back=_.count(where=_.back)
    )
    return shaped(Paths, counted.join(unbound(Bases), "base"))


def _lost(test: "ir.BooleanValue") -> Rows[Paths]:
    return unbound(Paths).filter(test)


def _filters(options: CompositionOptions) -> list[tuple[Filter, "ir.BooleanValue"]]:
    few = f"fewer than {options.min_answers} distinct answers"
    unknown = f"second relation known of less than {options.coverage:.0%}"
    return [
        (Filter(few, "min_answers"), _.found >= options.min_answers),
        (Filter(f"more than {options.max_answers} answers", "max_answers"), _.found <= options.max_answers),
        (Filter(unknown, "coverage"), _.through >= _.answers * options.coverage),
        (
            Filter("leads back to where it came from", "round_trip"),
            _.back <= _.through * options.round_trip,
        ),
    ]


def _keyed(paths: Rows[Paths]) -> Rows[KeyedPaths]:
    parts = [paths[name] for name in ("relation", "direction", "entity", "class_id", *_SECOND)]
    return shaped(KeyedPaths, paths.mutate(key=key("composition", *parts)))


def _within_caps(options: CompositionOptions) -> Rows[KeyedPaths]:
    caps = options.caps
    paths = drawn(unbound(KeyedPaths, _SOUND), ["entity"], caps.per_entity, caps.seed)
    by = ["relation", "direction", *_SECOND]
    return shaped(KeyedPaths, drawn(paths, by, caps.per_pair, caps.seed))


def _queries() -> Rows[QueryParts]:
    queries = unbound(KeyedPaths, _CHOSEN).select(
        "key",
        kind=ibis.literal("composition"),
        relations=ibis.array([_.relation, _.second]),
        directions=ibis.array([_.direction, _.second_direction]),
        entities=ibis.array([_.entity]),
        answers=_.found,
        **{"class": "class_id"},
    )
    return shaped(QueryParts, queries)


def _proofs() -> Rows[Proofs]:
    """Two facts for every derivation of an answer."""
    paths = unbound(KeyedPaths, _CHOSEN).select("key", "base", *columns(Group), *_SECOND)
    derivations = paths.join(unbound(Vias), "base").join(unbound(Hops), ["via", *_SECOND])
    first, second = derivations.direction == "subject", derivations.second_direction == "subject"
    common = {
        "key": derivations.key,
        "answer": derivations.answer,
        "literal": derivations.literal,
        "via": derivations.via,
    }
    first_hop = derivations.select(
        **common,
        subject=ibis.ifelse(first, derivations.via, derivations.entity),
        relation=derivations.relation,
        object=ibis.ifelse(first, derivations.entity, derivations.via),
        object_literal=ibis.literal(False),
    )
    second_hop = derivations.select(
        **common,
        subject=ibis.ifelse(second, derivations.answer, derivations.via),
        relation=derivations.second,
        object=ibis.ifelse(second, derivations.via, derivations.answer),
        object_literal=derivations.literal,
    )
    # Both hops are the same fact if the second hop goes back along the first.
    facts = ibis.union(shaped(Proofs, first_hop), shaped(Proofs, second_hop), distinct=True)
    return shaped(Proofs, facts)
