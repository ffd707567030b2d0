"""Mines intersections of three simple queries: a chosen pair and a third query, if all three pairs are kept.

Input: the tables of `pairs`, in a workbench. Output: expressions for `queries` and `proofs`.
"""

from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall.mine.keys import key
from rollcall.mine.pairs import (
    CHOSEN_PAIRS,
    Held,
    Pairs,
    as_proofs,
    as_queries,
    common,
    described,
    simple_answers,
    within_caps,
)
from rollcall.tables.engine import Workbench
from rollcall.tables.mining import Proofs, Queries
from rollcall.tables.table import Int64, Rows, String, Table, shaped, unbound

if TYPE_CHECKING:
    from rollcall.mine.options import IntersectionOptions

_SIDES = ("left", "right", "third")
_CHOSEN_TRIPLES = "chosen_triples"


class TripleCandidates(Table):
    """Three simple queries of which each two are a pair, and how many answers each two share."""

    left = Pairs.left
    right = Pairs.right
    third = String("the key of the third query")
    class_id = Pairs.class_id
    two = Int64("how many answers the first and the second share")
    sure_two = Int64("how many of these are validated")
    outer = Int64("how many answers the first and the third share")
    sure_outer = Int64("how many of these are validated")
    inner = Int64("how many answers the second and the third share")
    sure_inner = Int64("how many of these are validated")


class Triples(Table):
    """An intersection of three simple queries."""

    key = Pairs.key
    left = Pairs.left
    right = Pairs.right
    third = TripleCandidates.third
    class_id = Pairs.class_id
    shared = Pairs.shared


def keep_triples(bench: Workbench, options: "IntersectionOptions") -> int:
    """Keep the triples within the caps, and count them."""
    bench.keep(TripleCandidates, _candidates)
    bench.keep(Triples, lambda: _sound(options))
    bench.keep(Triples, lambda: within_caps(unbound(Triples), _SIDES, options.caps), _CHOSEN_TRIPLES)
    return bench.count(_chosen)


def _candidates() -> Rows[TripleCandidates]:
    """The classes of the three pairs must agree."""
    first = unbound(Pairs, CHOSEN_PAIRS)
    first = first.select("left", "right", "class_id", two="shared", sure_two="confirmed")
    every = unbound(Pairs)
    outer = every.select("left", "class_id", third="right", outer="shared", sure_outer="confirmed")
    inner = every.select(
        right="left", third="right", other="class_id", inner="shared", sure_inner="confirmed"
    )
    joined = first.join(outer, "left").filter(_.class_id.identical_to(_.class_id_right))
    joined = joined.drop("class_id_right").join(inner, ["right", "third"])
    return shaped(TripleCandidates, joined.filter(_.class_id.identical_to(_.other)))


def _sound(options: "IntersectionOptions") -> Rows[Triples]:
    """Triples with enough validated answers, and fewer answers than any two of their queries share."""
    rows, by = unbound(TripleCandidates), list(_SIDES)
    triples = rows.select(*by)
    shared = common(triples, _SIDES, simple_answers()).group_by(by).agg(shared=_.count())
    sure = common(triples, _SIDES, unbound(Held)).group_by(by).agg(sure=_.count())
    counted = rows.join(shared, by).join(sure, by)
    kept = counted.filter(
        _.sure >= options.min_answers,
        _.shared < ibis.least(_.two, _.outer, _.inner),
        _.sure < ibis.least(_.sure_two, _.sure_outer, _.sure_inner),
    )
    kept = described(kept, _SIDES)
    parts = [kept[f"{side}_{name}"] for side in _SIDES for name in ("relation", "direction", "entity")]
    return shaped(Triples, kept.mutate(key=key("intersection", *parts, kept.class_id)))


def _chosen() -> Rows[Triples]:
    return unbound(Triples, _CHOSEN_TRIPLES)


def queries() -> Rows[Queries]:
    """The triples as rows of `queries`."""
    return as_queries(_chosen(), _SIDES)


def proofs() -> Rows[Proofs]:
    """The facts of all three queries for every answer they share."""
    return as_proofs(_chosen(), _SIDES)
