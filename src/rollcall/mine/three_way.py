"""Mines intersections of three simple queries: a chosen pair and a third query, if all three pairs are kept.

Input: the tables of `pairs`, registered in `Mining`. Output: expressions for `queries` and `proofs`.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.mine import pairs
from rollcall.mine.keys import drawn, key, placed
from rollcall.mine.mining import Mining, mined_table, named

if TYPE_CHECKING:
    from rollcall.mine.options import IntersectionOptions

SIDES = ("left", "right", "third")
_TRIPLE = {
    "key": "string",
    "left": "string",
    "right": "string",
    "third": "string",
    "class_id": "string",
    "shared": "int64",
}


def keep_triples(mining: Mining, options: "IntersectionOptions") -> int:
    """Keep the triples within the caps, and count them."""
    mining.keep("triple_candidates", _candidates)
    mining.keep("triples", lambda: _sound(options))
    mining.keep("chosen_triples", lambda: _capped(options))
    return mining.count(_chosen)


def _candidates() -> ibis.Table:
    """Three queries of which each two are a pair; the classes of the three pairs agree."""
    first = pairs.chosen_pairs().select("left", "right", "class_id", two="shared", sure_two="confirmed")
    every = pairs.pairs().select("left", "right", "class_id", "shared", "confirmed")
    outer = every.select("left", "class_id", third="right", outer="shared", sure_outer="confirmed")
    inner = every.select(
        right="left", third="right", other="class_id", inner="shared", sure_inner="confirmed"
    )
    joined = first.join(outer, "left").filter(_.class_id.identical_to(_.class_id_right))
    joined = joined.drop("class_id_right").join(inner, ["right", "third"])
    return joined.filter(_.class_id.identical_to(_.other)).drop("other")


def _kept_candidates() -> ibis.Table:
    counts = ("two", "sure_two", "outer", "sure_outer", "inner", "sure_inner")
    columns = {name: kind for name, kind in _TRIPLE.items() if name not in ("key", "shared")}
    return named("triple_candidates", **columns, **dict.fromkeys(counts, "int64"))


def _common(rows: ibis.Table, answers: ibis.Table) -> ibis.Table:
    """The answers that all three queries have."""
    for side in SIDES:
        known = ["answer"] if side != SIDES[0] else []
        rows = rows.join(answers.rename({side: "base"}), [side, *known])
    return rows


def _sound(options: "IntersectionOptions") -> ibis.Table:
    """Triples with enough validated answers, and fewer answers than any two of their queries share."""
    rows, by = _kept_candidates(), list(SIDES)
    answers = mined_table("proofs", "simple_proofs").select("answer", base="key")
    triples = rows.select(*by)
    shared = _common(triples, answers).group_by(by).agg(shared=_.count())
    sure = _common(triples, pairs.kept_held()).group_by(by).agg(sure=_.count())
    counted = rows.join(shared, by).join(sure, by)
    kept = counted.filter(
        _.sure >= options.min_answers,
        _.shared < ibis.least(_.two, _.outer, _.inner),
        _.sure < ibis.least(_.sure_two, _.sure_outer, _.sure_inner),
    )
    kept = pairs.described(kept, SIDES)
    parts = [kept[f"{side}_{name}"] for side in SIDES for name in ("relation", "direction", "entity")]
    return kept.mutate(key=key("intersection", *parts, kept.class_id)).select(*_TRIPLE)


def _capped(options: "IntersectionOptions") -> ibis.Table:
    """At most a given number for each three relations and for each entity."""
    caps = options.caps
    parts = pairs.described(named("triples", **_TRIPLE), SIDES)
    standing = ibis.union(*(parts.select("key", entity=f"{side}_entity") for side in SIDES), distinct=True)
    beyond = placed(standing, ["entity"], caps.seed).filter(_.place >= caps.per_entity)
    by = [f"{side}_{name}" for side in SIDES for name in ("relation", "direction")]
    return drawn(
        parts.anti_join(beyond.select("key").distinct(), "key"), by, caps.per_pair, caps.seed
    ).select(*_TRIPLE)


def _chosen() -> ibis.Table:
    return named("chosen_triples", **_TRIPLE)


def queries() -> ibis.Table:
    """The triples as rows of `queries`."""
    return pairs.as_queries(_chosen(), SIDES)


def proofs() -> ibis.Table:
    """The facts of all three queries for every answer they share."""
    answers = mined_table("proofs", "simple_proofs").select("answer", base="key")
    common = _common(_chosen().select("key", *SIDES), answers)
    return pairs.as_proofs(common, SIDES)
