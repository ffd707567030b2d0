"""Mines compositions r2(r1(e)): the entities or values to which the answers of a simple query lead.

Input: a graph, and the validated simple queries with their proofs. Output: `queries` and `proofs`. All simple
queries are joined at once with the facts and values of their answers. Compositions with enough *distinct*
answers are counted and sampled first; the facts of both hops are listed only for the sampled ones. The class
of a composition is the class of its intermediate entities, as in the simple query.
"""

from functools import partial
from pathlib import Path
from typing import Any

import ibis
from ibis import _

from rollcall.filter import Filter
from rollcall.mine.keys import drawn, key
from rollcall.mine.mining import Mining, MiningResult, graph_table, ids, mined_table, named
from rollcall.mine.options import CompositionOptions
from rollcall.mine.relations import chosen_relations

_BASE = {"base": "string", "relation": "string", "direction": "string", "entity": "string"}
_SECOND = ["second", "second_direction"]
_PATH = ["base", *_SECOND]


def mine_composition(
    graph: Path,
    simple: Path,
    proofs: Path,
    out: Path,
    options: CompositionOptions,
    *,
    memory: str = "1GB",
    threads: int | None = None,
) -> MiningResult:
    """Write `queries` and `proofs` of the compositions that start from the (validated) simple queries."""
    with Mining(out, graph, memory=memory, threads=threads) as mining:
        mining.read("simple", simple)
        mining.read("simple_proofs", proofs)
        mining.names("second", chosen_relations(mining, options.relations, options.excluded))
        mining.names("second_directions", options.directions)
        mining.names("literal_kinds", options.literal_kinds)
        mining.keep("counting", lambda: _counting(options))
        mining.keep("bases", _bases)
        mining.keep("vias", _vias)
        mining.keep("hops", _hops)
        mining.keep("paths", lambda: _paths(options))
        removed, kept = {}, ibis.literal(True)
        for why, passes in _filters(options):
            removed[why] = mining.count(partial(_lost, kept & ~passes))
            kept = kept & passes
        mining.keep("sound", lambda: _keyed(_kept_paths().filter(kept)))
        mining.keep("chosen", lambda: _chosen(options))
        found = mining.count(_kept_chosen)
        removed[Filter("over the caps", "caps")] = mining.count(_sound) - found
        mining.write("queries", _queries, order=["key"])
        mining.write("proofs", _proofs)
        return MiningResult(found, removed)


def _bases() -> ibis.Table:
    """The simple queries to start from, with their parts as columns."""
    simple = mined_table("queries", "simple").filter(_.kind == "simple")
    return simple.select(
        "answers",
        base=_.key,
        relation=_.relations[0],
        direction=_.directions[0],
        entity=_.entities[0],
        class_id=simple["class"],
    )


def _kept_bases() -> ibis.Table:
    return named("bases", answers="int64", **_BASE, class_id="string")


def _vias() -> ibis.Table:
    """The answers of the first hop, which are the intermediate entities."""
    proofs = mined_table("proofs", "simple_proofs").select(base="key", via="answer")
    return proofs.semi_join(_kept_bases(), "base")


def _kept_vias() -> ibis.Table:
    return named("vias", base="string", via="string")


def _hops() -> ibis.Table:
    """The second hops of the intermediate entities: to entities in either direction, and to values."""
    wanted = ids("second").select(relation="id")
    through = _kept_vias().select("via").distinct()
    facts = graph_table("facts").semi_join(wanted, "relation").select("subject", "relation", "object")
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
        graph_table("values")
        .semi_join(wanted, "relation")
        .anti_join(named("counting", relation="string"), "relation")
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
    return ibis.union(to_entities, to_values).view().semi_join(through, "via")


def _counting(options: CompositionOptions) -> ibis.Table:
    """The relations whose values are mostly small whole numbers without a unit."""
    values = graph_table("values")
    small = (values.kind == "number") & values.value.re_search(r"^\d{1,2}$")
    shares = values.group_by("relation").agg(share=small.cast("float64").mean())
    return shares.filter(_.share > options.small_numbers).select("relation")


def _kept_hops() -> ibis.Table:
    return named(
        "hops", via="string", second="string", second_direction="string", answer="string", literal="boolean"
    )


def _walked() -> ibis.Table:
    return _kept_bases().join(_kept_vias(), "base").join(_kept_hops(), "via")


def _paths(options: CompositionOptions) -> ibis.Table:
    """Each pair of a simple query and a second relation.

    The columns count the answers, the intermediate entities, and those that lead back to the query's entity.
    """
    walked = _walked()
    if not options.same_relation:
        walked = walked.filter(_.second != _.relation)
    answer = ibis.ifelse(_.literal, "v", "e") + _.answer
    walked = walked.mutate(mark=answer, back=(_.answer == _.entity) & ~_.literal)
    counted = walked.group_by(_PATH).agg(
        found=_.mark.nunique(), through=_.via.nunique(), back=_.back.cast("int64").sum()
    )
    return counted.join(_kept_bases(), "base")


def _path_columns() -> dict[str, str]:
    counts = {"found": "int64", "through": "int64", "back": "int64", "answers": "int64"}
    return {**_BASE, "class_id": "string", "second": "string", "second_direction": "string", **counts}


def _kept_paths() -> ibis.Table:
    return named("paths", **_path_columns())


def _lost(test: Any) -> ibis.Table:
    return _kept_paths().filter(test)


def _filters(options: CompositionOptions) -> list[tuple[Filter, Any]]:
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


def _keyed(paths: ibis.Table) -> ibis.Table:
    return paths.mutate(
        key=key(
            "composition",
            paths.relation,
            paths.direction,
            paths.entity,
            paths.class_id,
            paths.second,
            paths.second_direction,
        )
    )


def _sound() -> ibis.Table:
    return named("sound", **_path_columns(), key="string")


def _chosen(options: CompositionOptions) -> ibis.Table:
    caps = options.caps
    chosen = drawn(_sound(), ["entity"], caps.per_entity, caps.seed)
    return drawn(chosen, ["relation", "direction", *_SECOND], caps.per_pair, caps.seed)


def _kept_chosen() -> ibis.Table:
    return named("chosen", **_path_columns(), key="string")


def _queries() -> ibis.Table:
    return _kept_chosen().select(
        "key",
        kind=ibis.literal("composition"),
        relations=ibis.array([_.relation, _.second]),
        directions=ibis.array([_.direction, _.second_direction]),
        entities=ibis.array([_.entity]),
        answers=_.found,
        **{"class": "class_id"},
    )


def _proofs() -> ibis.Table:
    """Two facts for every derivation of an answer."""
    chosen = _kept_chosen().select("key", *_BASE, *_SECOND)
    derivations = chosen.join(_kept_vias(), "base").join(_kept_hops(), ["via", *_SECOND])
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
    return ibis.union(first_hop, second_hop, distinct=True)
