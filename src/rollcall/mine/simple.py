"""Mines simple queries r(e): for every entity and relation, everything that has the relation to the entity.

Input: a graph's tables `facts` and `types`. Output: `queries` and `proofs`, and `vague` and `vague_proofs`.
The facts of the chosen relations are grouped by relation and entity in one pass. A group with enough answers
is a query. If its relation is underspecified, the group is split by the types of its answers
(`rollcall.mine.simple`). A group that cannot be split is not a query, but may be one of two conditions
(`rollcall.mine.simple`).
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
from ibis import _

from rollcall._core.errors import Filter
from rollcall.mine.mining import (
    BY_GROUP,
    BY_RELATION,
    SEPARATOR,
    Group,
    Groups,
    Members,
    MiningResult,
    QueryParts,
    Sizes,
    TypedGroups,
    drawn,
    give_ids,
    graph_table,
    ids,
    key,
    mining_bench,
    write_found,
)
from rollcall.mine.options import SimpleOptions
from rollcall.mine.relations import chosen_relations
from rollcall.tables.build import SimpleGroups, SimpleProofs
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.graph import Classes, Facts, Types
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, arrow, shaped, unbound

if TYPE_CHECKING:
    import pyarrow as pa

    from rollcall.mine.options import TypeRule


# Splits answers by type if a relation alone does not say what is asked for ("located in": what is?).
# Input: the groups of `rollcall.mine.simple` and the graph's table `types`. Output: `typed_groups`. A
# class can be *worded* if its label is one to four plain words and people use it: at least
# `direct_share` of its members have it as a direct type, not only through a subclass, and it has at most
# the share `widest` of all entities. A relation with a list of types is split by these types. Any other
# relation is *specified* if one such class covers the share `specified` of its answers; it is then not
# split. If there is none (and half of its answers have a type), the relation is split by the classes
# that cover `least_share` of its answers. A class is left out of the split if a smaller class of the
# relation covers four fifths of it. A group with too few answers of all these classes is split by its
# own: any worded classes that enough of its answers have ("Which newspapers are in Ostrell?"). A group
# of answers most of which have no type is not split. A group that is not split and whose answers all
# share a class gets the smallest such class, which keeps its answers and gives it a noun.

_PLAIN_WORDS = r"^[\p{L}'’-]+( [\p{L}'’-]+){0,3}\z"
_BY_RELATION = "parts_by_relation"
_NESTED = 0.8
"""A class is left out of a split if a class inside it has this share of its answers."""


class Listed(DeclaredTable):
    """A class by which a relation is split because the options list it."""

    relation = Group.relation
    direction = Group.direction
    class_id = String("the id of the class")


class Splits(Listed):
    """A class by which a relation is split."""


class Coverage(Listed):
    """A class of answers of a relation."""

    covered = Int64("how many answers of the relation have the class")


class SplitCandidates(Coverage):
    """A class by which a relation may be split."""

    size = Int64("how many entities have the class")


class Worded(DeclaredTable):
    """A class that can be worded."""

    class_id = Listed.class_id
    size = SplitCandidates.size


class AnswerTypes(DeclaredTable):
    """A class of an entity by which answers may be split."""

    answer = Members.answer
    class_id = Listed.class_id


class RelationAnswers(DeclaredTable):
    """An answer of any group of a relation."""

    relation = Group.relation
    direction = Group.direction
    answer = Members.answer


class ClassCounts(TypedGroups):
    """A class of answers of a group, and how many answers have it."""


class Parts(TypedGroups):
    """A part of a group that is asked about by its class."""


class GroupClasses(Group):
    """A class of answers of a group."""

    class_id = Listed.class_id


class SharedClasses(GroupClasses):
    """The smallest class that all answers of a group share."""


def keep_classes(bench: Workbench, options: "SimpleOptions") -> bool:
    """Keep the classes that can be worded and those listed for relations; returns whether there are any."""
    bench.give(Listed, _listed_classes(bench, options))
    bench.keep(Worded, lambda: _worded(options.type_rule))
    return bench.count(lambda: unbound(Listed)) + bench.count(lambda: unbound(Worded)) > 0


def keep_typed_groups(bench: Workbench, options: "SimpleOptions", any_class: bool) -> None:
    """Keep `typed_groups`: every group, split or not, with its class or none and its number of answers."""
    answers = unbound(Members).select(*BY_RELATION, "answer")
    bench.keep(RelationAnswers, lambda: answers.distinct() if any_class else answers.limit(0))
    bench.keep(Coverage, _coverage)
    bench.keep(Splits, lambda: _splits(options.type_rule, options.min_answers))
    bench.keep(ClassCounts, _class_counts)
    bench.keep(Parts, lambda: _split_groups(options), _BY_RELATION)
    bench.keep(Parts, lambda: ibis.union(_by_relation(), _split_by_own_classes(options)))
    bench.keep(SharedClasses, _shared_classes)
    bench.keep(TypedGroups, lambda: ibis.union(unbound(Parts), _whole_groups(), _unsplit_groups()))


def _listed_classes(bench: Workbench, options: "SimpleOptions") -> "pa.Table":
    """The classes of relations with a list of types; a name that the graph does not have is ignored."""
    by_name: dict[str, set[str]] = {}
    wanted = {name.casefold() for names in options.types.values() for name in names}
    for row in bench.records(lambda: graph_table(Classes).select("id", "label")) if wanted else ():
        for name in {row["id"], row["label"] or row["id"]}:
            if name.casefold() in wanted:
                by_name.setdefault(name.casefold(), set()).add(row["id"])
    pairs = sorted(
        {
            (relation, class_)
            for relation, names in options.types.items()
            for name in names
            for class_ in by_name.get(name.casefold(), ())
        }
    )
    if not options.type_rule.split:
        pairs = []
    columns = {
        "relation": [relation for relation, _class in pairs],
        "direction": ["subject"] * len(pairs),
        "class_id": [class_ for _relation, class_ in pairs],
    }
    return arrow(Listed, columns)


def _worded(rule: "TypeRule") -> Rows[Worded]:
    """Classes that can be worded, with their size."""
    types = graph_table(Types)
    sizes = types.group_by(class_id=types["class"]).agg(size=_.count(), direct=_.count(where=_.direct))
    total = types.agg(total=types.entity.nunique())
    classes = graph_table(Classes)
    plain = classes.select(class_id="id", name=ibis.coalesce(classes.label, classes.id)).filter(
        _.name.re_search(_PLAIN_WORDS), ~_.name.lower().isin(sorted(rule.excluded))
    )
    sized = sizes.semi_join(plain, "class_id").cross_join(total)
    kept = sized.filter(
        _.direct >= _.size * rule.direct_share, _.size <= _.total * rule.widest, ibis.literal(rule.split)
    )
    return shaped(Worded, kept)


def class_sizes() -> Rows[Worded]:
    """All classes, with their size."""
    types = graph_table(Types)
    return shaped(Worded, types.group_by(class_id=types["class"]).agg(size=_.count()))


def _answer_types() -> Rows[AnswerTypes]:
    """The types of entities that can be worded or are listed."""
    usable = ibis.union(unbound(Worded).select("class_id"), unbound(Listed).select("class_id"), distinct=True)
    types = graph_table(Types).select(answer="entity", class_id="class")
    return shaped(AnswerTypes, types.semi_join(usable, "class_id"))


def _coverage() -> Rows[Coverage]:
    """How many answers of a relation each class covers."""
    joined = unbound(RelationAnswers).join(_answer_types(), "answer")
    return shaped(Coverage, joined.group_by([*BY_RELATION, "class_id"]).agg(covered=_.count()))


def _splits(rule: "TypeRule", least: int) -> Rows[Splits]:
    """The classes by which relations are split: those listed, and those chosen from the data."""
    typed_entities = graph_table(Types).select(answer="entity").distinct()
    typed = unbound(RelationAnswers).semi_join(typed_entities, "answer")
    totals = unbound(RelationAnswers).group_by(BY_RELATION).agg(total=_.count())
    totals = totals.join(typed.group_by(BY_RELATION).agg(typed=_.count()), BY_RELATION)
    worded = unbound(Coverage).join(unbound(Worded), "class_id")
    most = worded.group_by(BY_RELATION).agg(most=_.covered.max())
    unclear = totals.join(most, BY_RELATION).filter(_.typed * 2 >= _.total, _.most < _.typed * rule.specified)
    unclear = unclear.anti_join(unbound(Listed), BY_RELATION)
    candidates = worded.join(unclear, BY_RELATION).filter(
        _.covered >= least, _.covered >= _.typed * rule.least_share
    )
    chosen = candidates.anti_join(
        _nearly_repeated(shaped(SplitCandidates, candidates)), [*BY_RELATION, "class_id"]
    )
    within = ibis.window(group_by=BY_RELATION, order_by=[ibis.desc(_.covered), _.class_id])
    chosen = chosen.mutate(place=ibis.row_number().over(within)).filter(_.place < rule.types_per_relation)
    return shaped(Splits, ibis.union(unbound(Listed), shaped(Listed, chosen)))


def _nearly_repeated(candidates: Rows[SplitCandidates]) -> Rows[Listed]:
    """Candidates most of whose answers are in another candidate class inside them."""
    typed = unbound(RelationAnswers).join(_answer_types(), "answer")
    typed = typed.join(candidates, [*BY_RELATION, "class_id"])
    inner = typed.select(*BY_RELATION, "answer", inner="class_id", held="covered", inner_size="size")
    pairs = typed.join(inner, [*BY_RELATION, "answer"]).filter(_.class_id != _.inner)
    by = [*BY_RELATION, "class_id", "inner", "covered", "held", "size", "inner_size"]
    both = pairs.group_by(by).agg(both=_.count())
    smaller = (
        (_.held < _.covered) | (_.inner_size < _.size) | ((_.inner_size == _.size) & (_.inner < _.class_id))
    )
    repeated = both.filter(_.both == _.held, _.held >= _.covered * _NESTED, smaller)
    return shaped(Listed, repeated).distinct()


def _class_counts() -> Rows[ClassCounts]:
    """The number of a group's answers in each class."""
    joined = unbound(Members).join(_answer_types(), "answer")
    return shaped(ClassCounts, joined.group_by([*BY_GROUP, "class_id"]).agg(answers=_.count()))


def _split_groups(options: "SimpleOptions") -> Rows[Parts]:
    """Parts of groups by the classes of their relation."""
    parts = unbound(ClassCounts).join(unbound(Splits), [*BY_RELATION, "class_id"])
    return _largest_parts(shaped(ClassCounts, parts), options)


def _by_relation() -> Rows[Parts]:
    return unbound(Parts, _BY_RELATION)


def _split_by_own_classes(options: "SimpleOptions") -> Rows[Parts]:
    """Parts of the groups of split relations that have no part by the classes of their relation."""
    parts = unbound(ClassCounts).semi_join(unbound(Worded), "class_id")
    parts = parts.semi_join(unbound(Splits), BY_RELATION).anti_join(_by_relation(), BY_GROUP)
    parts = parts.anti_join(_mostly_untyped(), BY_GROUP)
    return _largest_parts(shaped(ClassCounts, parts), options)


def _largest_parts(parts: Rows[ClassCounts], options: "SimpleOptions") -> Rows[Parts]:
    """The parts that are large enough: the largest few of a group, and one of equal parts."""
    equal = _equal_parts(parts)
    parts = parts.filter(_.answers >= options.min_answers).anti_join(equal, [*BY_GROUP, "class_id"])
    within = ibis.window(group_by=BY_GROUP, order_by=[ibis.desc(_.answers), _.class_id])
    parts = parts.mutate(place=ibis.row_number().over(within))
    parts = parts.filter(_.place < options.type_rule.types_per_query)
    return shaped(Parts, parts)


def _equal_parts(parts: Rows[ClassCounts]) -> Rows[GroupClasses]:
    """Parts with the same answers as a part of a smaller class (or of an equally large one with an earlier
    id).
    """
    by_count = ibis.window(group_by=[*BY_GROUP, "answers"])
    alike = parts.mutate(alike=_.class_id.count().over(by_count)).filter(_.alike > 1)
    typed = unbound(Members).join(_answer_types(), "answer").join(alike, [*BY_GROUP, "class_id"])
    marked = typed.group_by([*BY_GROUP, "class_id"]).agg(mark=_.answer.collect().sort().join(SEPARATOR))
    sizes = class_sizes()
    marked = marked.join(sizes, "class_id")
    within = ibis.window(group_by=[*BY_GROUP, "mark"], order_by=[_.size, _.class_id])
    marked = marked.mutate(place=ibis.row_number().over(within))
    return shaped(GroupClasses, marked.filter(_.place > 0))


def _shared_classes() -> Rows[SharedClasses]:
    """The smallest class that all answers of a group share, for groups without a list of types."""
    groups = unbound(Groups).anti_join(unbound(Listed), BY_RELATION)
    shared = unbound(ClassCounts).join(unbound(Worded), "class_id")
    shared = shared.join(groups, [*BY_GROUP, "answers"])
    within = ibis.window(group_by=BY_GROUP, order_by=[_.size, _.class_id])
    shared = shared.mutate(place=ibis.row_number().over(within)).filter(_.place == 0)
    return shaped(SharedClasses, shared)


def _whole_groups() -> Rows[TypedGroups]:
    """Groups of relations that are not split."""
    whole = unbound(Groups).anti_join(unbound(Splits), BY_RELATION)
    shared = unbound(SharedClasses)
    return shaped(TypedGroups, whole.left_join(shared, BY_GROUP))


def _unsplit_groups() -> Rows[TypedGroups]:
    """Groups of a split relation that are not split: their answers share a class, or most have no type."""
    rest = unbound(Groups).semi_join(unbound(Splits), BY_RELATION)
    shared = unbound(SharedClasses)
    alike = rest.anti_join(unbound(Parts), [*BY_GROUP, "answers"]).join(shared, BY_GROUP)
    bare = rest.anti_join(unbound(Parts), BY_GROUP).anti_join(shared, BY_GROUP)
    bare = bare.semi_join(_mostly_untyped(), BY_GROUP).mutate(class_id=ibis.null("string"))
    return shaped(TypedGroups, ibis.union(shaped(TypedGroups, alike), shaped(TypedGroups, bare)))


def _mostly_untyped() -> Rows[Groups]:
    """Groups of which most answers have no type."""
    typed_entities = graph_table(Types).select(answer="entity").distinct()
    typed = unbound(Members).semi_join(typed_entities, "answer").group_by(BY_GROUP).agg(typed=_.count())
    counted = unbound(Groups).left_join(typed, BY_GROUP)
    return shaped(Groups, counted.filter(_.typed.fill_null(0) * 2 < _.answers))


# Keeps groups that are too vague to be asked alone but are useful as one of two conditions. Input: the
# groups of `rollcall.mine.simple`. Output: the table `vague`. A group of an underspecified relation is
# asked about by types ("Which museums are in Ostrell?"). If no type has enough answers, it is not asked
# about alone, because the question would be vague: "What is in Ostrell?". With another condition it is
# specific enough: "What is in Ostrell and was designed by Orla Venn?". So groups that share enough
# answers with another group are kept, for intersections only.

VAGUE = "vague"
_PER_ANSWER = 200
"""An answer of more groups than this is not used to find pairs of groups."""


class Partial(Groups):
    """A group whose answers are not all in one query."""


def keep_vague(bench: Workbench, options: SimpleOptions) -> None:
    """Keep `vague`: the groups not asked about as a whole that share enough answers with another group."""
    bench.keep(Partial, lambda: _partial(options.max_answers))
    bench.keep(SimpleGroups, lambda: _sharing(options.min_answers), VAGUE)


def untyped() -> Rows[Groups]:
    """Groups of which no type has enough answers."""
    return unbound(Groups).anti_join(unbound(TypedGroups), BY_GROUP)


def _partial(most: int) -> Rows[Partial]:
    whole = unbound(TypedGroups)
    rows = unbound(Groups).anti_join(whole, [*BY_GROUP, "answers"]).filter(_.answers <= most)
    return shaped(Partial, rows)


def _sharing(least: int) -> Rows[SimpleGroups]:
    """The groups that share enough answers with another group, as simple queries without a class."""
    members, kept = unbound(Members), unbound(Partial)
    frequent = members.group_by("answer").agg(groups=_.count()).filter(_.groups > _PER_ANSWER)
    usual = members.anti_join(frequent, "answer")
    others = usual.select("answer", **{f"other_{name}": name for name in BY_GROUP})
    pairs = usual.semi_join(kept, BY_GROUP).join(others, "answer")
    pairs = pairs.filter(ibis.or_(*(_[name] != _[f"other_{name}"] for name in BY_GROUP)))
    shared = pairs.group_by([*BY_GROUP, *(f"other_{name}" for name in BY_GROUP)]).agg(shared=_.count())
    rows = kept.semi_join(shared.filter(_.shared >= least), BY_GROUP)
    rows = rows.mutate(class_id=ibis.null("string"))
    made = key("simple", rows.relation, rows.direction, rows.entity, rows.class_id)
    return shaped(SimpleGroups, rows.mutate(key=made).rename({"class": "class_id"}))


def mine_simple(graph: Path, out: Path, options: SimpleOptions, engine: Engine) -> MiningResult:
    """Write `queries`, `groups` and `proofs` of all simple queries of a graph to a folder.

    `vague`, `vague_groups` and `vague_proofs` have the same columns, for groups that are used in
    intersections only.
    """
    with mining_bench(engine, out, graph) as bench:
        give_ids(bench, "asked", chosen_relations(bench, options.relations, options.excluded, to_things=True))
        give_ids(bench, "asked_directions", options.directions)
        least, most = options.min_answers, options.max_answers
        bench.keep(Sizes, lambda: asked_facts().group_by(BY_GROUP).agg(answers=_.count()))
        any_class = keep_classes(bench, options)
        largest = options.type_rule.largest_group if any_class else most
        bench.keep(Groups, lambda: unbound(Sizes).filter(_.answers.between(least, max(largest, most))))
        bench.keep(Members, lambda: asked_facts().semi_join(unbound(Groups), BY_GROUP))
        too_few = Filter(f"fewer than {least} answers", "min_answers")
        removed = {too_few: bench.count(lambda: unbound(Sizes).filter(_.answers < least))}
        keep_typed_groups(bench, options, any_class)
        bench.keep(SimpleGroups, lambda: keyed_groups().filter(_.answers <= most), _MINED)
        removed[Filter(f"more than {most} answers", "max_answers")] = bench.count(
            lambda: keyed_groups().filter(_.answers > most)
        ) + bench.count(lambda: unbound(Sizes).filter(_.answers > max(largest, most)))
        keep_vague(bench, options)
        removed[Filter("no type with enough answers", "type_rule")] = bench.count(untyped)
        found, written = bench.count(lambda: unbound(SimpleGroups, _MINED)), {}
        for kept, prefix in ((_MINED, ""), (VAGUE, "vague_")):
            bench.keep(SimpleGroups, partial(_sample, kept, options), _DRAWN)
            queries = out / ("vague.parquet" if prefix else "queries.parquet")
            written[kept] = write_found(bench, _simple_queries, queries)
            bench.write(SimpleGroups, _drawn, out / f"{prefix}groups.parquet")
            bench.write(SimpleProofs, _simple_proofs, out / f"{prefix}proofs.parquet")
        if options.per_relation is not None:
            many = Filter(f"over {options.per_relation:,} a relation and type", "per_relation")
            removed[many] = found - written[_MINED]
        return MiningResult(written[_MINED], removed)


_MINED, _DRAWN = "mined", "drawn"


def _sample(groups: str, options: SimpleOptions) -> Rows[SimpleGroups]:
    """The groups, or a random sample of those of each relation and type."""
    rows = unbound(SimpleGroups, groups)
    if options.per_relation is None:
        return rows
    return drawn(rows, [*BY_RELATION, "class"], options.per_relation, options.seed)


def _drawn() -> Rows[SimpleGroups]:
    return unbound(SimpleGroups, _DRAWN)


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


def keyed_groups() -> Rows[SimpleGroups]:
    """Every query with its key."""
    rows = unbound(TypedGroups)
    made = key("simple", rows.relation, rows.direction, rows.entity, rows.class_id)
    return shaped(SimpleGroups, rows.mutate(key=made).rename({"class": "class_id"}))


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
