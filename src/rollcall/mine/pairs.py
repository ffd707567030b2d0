"""Finds pairs of simple queries that share enough validated answers and neither of which contains the other.

Input: simple queries, their proofs and validated answers (registered in `Mining`). Output: expressions for
`queries` and `proofs`. Pairs are found by a join of the validated answers with themselves. An answer of n
queries gives about n² pairs, so answers of very many queries are not used to find pairs; they still count for
pairs found by other answers. The intersection must have fewer answers than either query, both in the graph
and among the validated answers.
"""

import ibis
from ibis import _

from rollcall.filter import Filter
from rollcall.mine.keys import drawn, key, placed
from rollcall.mine.layout import SEPARATOR
from rollcall.mine.mining import Mining, MiningResult, graph_table, mined_table, named
from rollcall.mine.options import Caps, IntersectionOptions

BASE = {
    "base": "string",
    "part": "string",
    "relation": "string",
    "direction": "string",
    "entity": "string",
    "class_id": "string",
    "answers": "int64",
    "validated": "int64",
}
PAIR = {
    "key": "string",
    "left": "string",
    "right": "string",
    "class_id": "string",
    "shared": "int64",
    "confirmed": "int64",
}


def keep_pairs(mining: Mining, options: IntersectionOptions) -> MiningResult:
    """Keep the pairs within the caps; count them and the pairs that each filter removed."""
    mining.keep("held", _held)
    mining.keep("bases", _bases)
    mining.keep("discovered", lambda: _discovered(options))
    mining.keep("shared", _shared)
    mining.keep("within", _classes_within)
    removed = {
        Filter("one query within the other"): mining.count(lambda: _kept_shared().filter(~_proper())),
        Filter("classes that do not fit"): mining.count(lambda: _fitting(fit=False)),
    }
    mining.keep("fitting", lambda: _fitting(fit=True))
    mining.keep("pairs", _distinct_pairs)
    removed[Filter("same answers as another")] = mining.count(_kept_fitting) - mining.count(pairs)
    mining.keep("chosen_pairs", lambda: _capped(pairs(), options.caps))
    found = mining.count(chosen_pairs)
    removed[Filter("over the caps", "caps")] = mining.count(pairs) - found
    return MiningResult(found, removed)


def _held() -> ibis.Table:
    simple = mined_table("queries", "simple").filter(_.kind == "simple").select("key")
    held = mined_table("validated", "simple_validated").semi_join(simple, "key")
    return held.select("answer", base="key")


def kept_held() -> ibis.Table:
    """Simple queries and their validated answers."""
    return named("held", answer="string", base="string")


def _bases() -> ibis.Table:
    simple = mined_table("queries", "simple").filter(_.kind == "simple")
    parts = simple.select(
        "answers",
        base="key",
        relation=_.relations[0],
        direction=_.directions[0],
        entity=_.entities[0],
        class_id=simple["class"],
    )
    parts = parts.mutate(part=_.relation + SEPARATOR + _.direction + SEPARATOR + _.entity)
    counts = kept_held().group_by("base").agg(validated=_.count())
    return parts.join(counts, "base").select(*BASE)


def kept_bases() -> ibis.Table:
    """The simple queries with their parts as columns; `part` is the query without its class."""
    return named("bases", **BASE)


def _discovered(options: IntersectionOptions) -> ibis.Table:
    """Pairs that share enough answers, found by answers that do not belong to too many queries."""
    counts = kept_held().group_by("answer").agg(queries=_.count())
    usual = kept_held().semi_join(counts.filter(_.queries <= options.per_answer), "answer")
    usual = usual.join(kept_bases().select("base", "part"), "base")
    left = usual.select("answer", left="base", left_part="part")
    right = usual.select("answer", right="base", right_part="part")
    both = left.join(right, "answer").filter(_.left_part < _.right_part)
    return both.group_by(["left", "right"]).agg(seen=_.count()).filter(_.seen >= options.min_answers)


def _shared() -> ibis.Table:
    """The number of answers that each pair shares: all answers, and validated ones."""
    found = named("discovered", left="string", right="string", seen="int64").select("left", "right")
    answers = mined_table("proofs", "simple_proofs").select("answer", base="key")
    shared = _common(found, answers).group_by(["left", "right"]).agg(shared=_.count())
    confirmed = _common(found, kept_held()).group_by(["left", "right"]).agg(confirmed=_.count())
    counted = shared.join(confirmed, ["left", "right"])
    left = kept_bases().rename(lambda name: "left" if name == "base" else f"left_{name}")
    right = kept_bases().rename(lambda name: "right" if name == "base" else f"right_{name}")
    return counted.join(left, "left").join(right, "right")


def _common(pairs: ibis.Table, answers: ibis.Table) -> ibis.Table:
    """The answers that both queries of a pair have."""
    of_left = pairs.join(answers.select("answer", left="base"), "left")
    return of_left.join(answers.select("answer", right="base"), ["right", "answer"])


def _kept_shared() -> ibis.Table:
    columns = {f"{side}_{name}": kind for side in ("left", "right") for name, kind in BASE.items()}
    columns = {"left" if name == "left_base" else name: kind for name, kind in columns.items()}
    columns = {"right" if name == "right_base" else name: kind for name, kind in columns.items()}
    return named("shared", shared="int64", confirmed="int64", **columns)


def _proper() -> ibis.Table:
    """Pairs of which neither query contains the other, in the graph or among the validated answers."""
    return (
        (_.shared < _.left_answers)
        & (_.shared < _.right_answers)
        & (_.confirmed < _.left_validated)
        & (_.confirmed < _.right_validated)
    )


def _classes_within() -> ibis.Table:
    """Classes of the queries whose members in this graph all belong to another class of the queries."""
    used = kept_bases().select("class_id").distinct().filter(_.class_id.notnull())
    types = graph_table("types").select("entity", class_id="class").semi_join(used, "class_id")
    sizes = types.group_by("class_id").agg(size=_.count())
    both = types.join(types.select("entity", outer="class_id"), "entity").filter(_.class_id != _.outer)
    counts = both.group_by(["class_id", "outer"]).agg(both=_.count())
    return counts.join(sizes, "class_id").filter(_.both == _.size).select("class_id", "outer")


def _fitting(fit: bool) -> ibis.Table:
    """Pairs with compatible classes (equal, nested, or one missing), with the narrower one; or the other
    pairs.
    """
    proper = _kept_shared().filter(_proper())
    within = named("within", class_id="string", outer="string")
    left_in = within.select(left_class_id="class_id", right_class_id="outer", left_inside=_.class_id)
    right_in = within.select(right_class_id="class_id", left_class_id="outer", right_inside=_.class_id)
    joined = proper.left_join(left_in, ["left_class_id", "right_class_id"])
    joined = joined.select(*proper.columns, "left_inside")
    joined = joined.left_join(right_in, ["left_class_id", "right_class_id"])
    joined = joined.select(*proper.columns, "left_inside", "right_inside")
    same = joined.left_class_id == joined.right_class_id
    one = joined.left_class_id.isnull() | joined.right_class_id.isnull()
    inner = ibis.coalesce(joined.left_inside, joined.right_inside)
    either = ibis.coalesce(joined.left_class_id, joined.right_class_id)
    judged = joined.mutate(fits=(same.fill_null(False) | one | inner.notnull()))
    judged = judged.mutate(class_id=ibis.coalesce(inner, either))
    judged = judged.filter(_.fits if fit else ~_.fits)
    made = key("intersection", judged.left_part, judged.right_part, judged.class_id)
    return judged.mutate(key=made).select(*PAIR, "left_part", "right_part")


def _kept_fitting() -> ibis.Table:
    return named("fitting", **PAIR, left_part="string", right_part="string")


def _distinct_pairs() -> ibis.Table:
    """Of pairs that differ only in class and share the same number of answers, the one with the smallest
    class.

    A pair without a class is dropped if the same pair with a class is kept: "what" beside "which films".
    """
    types = graph_table("types")
    sizes = types.group_by(class_id=types["class"]).agg(size=_.count())
    rows, parts = _kept_fitting(), ["left_part", "right_part"]
    classed = rows.filter(_.class_id.notnull()).select(*parts).distinct()
    rows = rows.filter(_.class_id.notnull()).union(rows.filter(_.class_id.isnull()).anti_join(classed, parts))
    sized = rows.left_join(sizes, "class_id").select(*rows.columns, "size")
    alike = ibis.window(
        group_by=["left_part", "right_part", "shared"],
        order_by=[_.size.fill_null(0) == 0, _.size, _.class_id, _.left, _.right],
    )
    first = sized.mutate(place=ibis.row_number().over(alike)).filter(_.place == 0)
    by_key = ibis.window(group_by="key", order_by=[_.left, _.right])
    return first.mutate(place=ibis.row_number().over(by_key)).filter(_.place == 0).select(*PAIR)


def pairs() -> ibis.Table:
    """All pairs worth asking about."""
    return named("pairs", **PAIR)


def chosen_pairs() -> ibis.Table:
    """The pairs within the caps."""
    return named("chosen_pairs", **PAIR)


def described(rows: ibis.Table, sides: tuple[str, ...]) -> ibis.Table:
    """Rows with the relation, direction and entity of each of their queries."""
    for side in sides:
        base = kept_bases().select("base", "relation", "direction", "entity")
        base = base.rename({side: "base", **{f"{side}_{name}": name for name in base.columns[1:]}})
        rows = rows.join(base, side)
    return rows


def _capped(rows: ibis.Table, caps: Caps) -> ibis.Table:
    """At most a given number for each pair of relations and for each entity, in whatever place it is."""
    parts = described(rows, ("left", "right"))
    sides = [parts.select("key", entity=f"{side}_entity") for side in ("left", "right")]
    standing = ibis.union(*sides, distinct=True)
    beyond = placed(standing, ["entity"], caps.seed).filter(_.place >= caps.per_entity)
    rest = parts.anti_join(beyond.select("key").distinct(), "key")
    by = [f"{side}_{name}" for side in ("left", "right") for name in ("relation", "direction")]
    return drawn(rest, by, caps.per_pair, caps.seed).select(*PAIR)


def queries() -> ibis.Table:
    """The pairs as rows of `queries`."""
    return as_queries(chosen_pairs(), ("left", "right"))


def proofs() -> ibis.Table:
    """The facts of both queries for every answer they share."""
    answers = mined_table("proofs", "simple_proofs").select("answer", base="key")
    chosen = chosen_pairs().select("key", "left", "right")
    common = _common(chosen, answers).select("key", "left", "right", "answer")
    return as_proofs(common, ("left", "right"))


def as_queries(rows: ibis.Table, sides: tuple[str, ...]) -> ibis.Table:
    """Intersections as rows of `queries`."""
    parts = described(rows, sides)
    lists = {
        plural: ibis.array([parts[f"{side}_{name}"] for side in sides])
        for plural, name in (("relations", "relation"), ("directions", "direction"), ("entities", "entity"))
    }
    return parts.select(
        "key", kind=ibis.literal("intersection"), **lists, **{"class": "class_id"}, answers=_.shared
    )


def as_proofs(common: ibis.Table, sides: tuple[str, ...]) -> ibis.Table:
    """The facts of the simple queries on all sides, for the answers that all queries share."""
    facts = mined_table("proofs", "simple_proofs").rename(base="key")
    found = [
        common.select("key", "answer", base=side)
        .join(facts, ["base", "answer"])
        .select(*mined_table("proofs").columns)
        for side in sides
    ]
    return ibis.union(*found)
