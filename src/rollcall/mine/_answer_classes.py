"""The classes that split the answers of simple queries: "Which museums are in X?", not "What is in X?".

- `TypeRule`: the options. `keep_classes` and `keep_typed_groups`: the steps that split simple queries.
- `class_sizes`: all classes with their size.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING

import ibis
import msgspec
from ibis import _

from rollcall.mine.joins import (
    BY_GROUP,
    BY_RELATION,
    SEPARATOR,
    Group,
    GroupMembers,
    Groups,
    TypedGroups,
    graph_table,
)
from rollcall.mine.relations import BOOKKEEPING
from rollcall.tables.engine import Workbench
from rollcall.tables.graph import Classes, Types
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, arrow, shaped, unbound

if TYPE_CHECKING:
    import pyarrow as pa

    from rollcall.mine.simple import SimpleOptions


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


class TypeRule(msgspec.Struct, frozen=True, kw_only=True):
    """How answers are split by type; the comment below explains the rule."""

    split: bool = True
    direct_share: float = 0.1
    widest: float = 0.5
    specified: float = 0.9
    least_share: float = 0.03
    types_per_relation: int = 12
    types_per_query: int = 4
    largest_group: int = 20_000
    excluded: Collection[str] = BOOKKEEPING


_PLAIN_WORDS = r"^[\p{L}'’-]+( [\p{L}'’-]+){0,3}\z"
_BY_RELATION = "parts_by_relation"
_NESTED = 0.8
"""A class is left out of a split if a class inside it has this share of its answers."""


class ListedClasses(DeclaredTable):
    """A class by which a relation is split because the options list it."""

    relation = Group.relation
    direction = Group.direction
    class_id = String("the id of the class")


class SplitClasses(ListedClasses):
    """A class by which a relation is split."""


class ClassCoverage(ListedClasses):
    """A class of answers of a relation."""

    covered = Int64("how many answers of the relation have the class")


class SplitCandidates(ClassCoverage):
    """A class by which a relation may be split."""

    size = Int64("how many entities have the class")


class WordedClasses(DeclaredTable):
    """A class that can be worded."""

    class_id = ListedClasses.class_id
    size = SplitCandidates.size


class AnswerTypes(DeclaredTable):
    """A class of an entity by which answers may be split."""

    answer = GroupMembers.answer
    class_id = ListedClasses.class_id


class RelationAnswers(DeclaredTable):
    """An answer of any group of a relation."""

    relation = Group.relation
    direction = Group.direction
    answer = GroupMembers.answer


class ClassCounts(TypedGroups):
    """A class of answers of a group, and how many answers have it."""


class ClassParts(TypedGroups):
    """A part of a group that is asked about by its class."""


class GroupClasses(Group):
    """A class of answers of a group."""

    class_id = ListedClasses.class_id


class SharedClasses(GroupClasses):
    """The smallest class that all answers of a group share."""


def keep_classes(bench: Workbench, options: "SimpleOptions") -> bool:
    """Keep the classes that can be worded and those listed for relations; returns whether there are any."""
    bench.give(ListedClasses, _listed_classes(bench, options))
    bench.keep(WordedClasses, lambda: _worded(options.type_rule))
    return bench.count(lambda: unbound(ListedClasses)) + bench.count(lambda: unbound(WordedClasses)) > 0


def keep_typed_groups(bench: Workbench, options: "SimpleOptions", any_class: bool) -> None:
    """Keep `typed_groups`: every group, split or not, with its class or none and its number of answers."""
    answers = unbound(GroupMembers).select(*BY_RELATION, "answer")
    bench.keep(RelationAnswers, lambda: answers.distinct() if any_class else answers.limit(0))
    bench.keep(ClassCoverage, _coverage)
    bench.keep(SplitClasses, lambda: _splits(options.type_rule, options.min_answers))
    bench.keep(ClassCounts, _class_counts)
    bench.keep(ClassParts, lambda: _split_groups(options), _BY_RELATION)
    bench.keep(ClassParts, lambda: ibis.union(_by_relation(), _split_by_own_classes(options)))
    bench.keep(SharedClasses, _shared_classes)
    bench.keep(TypedGroups, lambda: ibis.union(unbound(ClassParts), _whole_groups(), _unsplit_groups()))


def _listed_classes(bench: Workbench, options: "SimpleOptions") -> "pa.Table":
    """The classes of relations with a list of types; a name that the graph does not have is ignored."""
    by_name: dict[str, set[str]] = {}
    listed_names = {name.casefold() for names in options.types.values() for name in names}
    for row in bench.records(lambda: graph_table(Classes).select("id", "label")) if listed_names else ():
        for name in {row["id"], row["label"] or row["id"]}:
            if name.casefold() in listed_names:
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
    return arrow(ListedClasses, columns)


def _worded(rule: "TypeRule") -> Rows[WordedClasses]:
    """Classes that can be worded, with their size."""
    types = graph_table(Types)
    sizes = types.group_by(class_id=types["class"]).agg(size=_.count(), direct=_.count(where=_.direct))
    total = types.agg(total=types.entity.nunique())
    classes = graph_table(Classes)
    plain = classes.select(class_id="id", name=ibis.coalesce(classes.label, classes.id)).filter(
        _.name.re_search(_PLAIN_WORDS), ~_.name.lower().isin(sorted(rule.excluded))
    )
    sized = sizes.semi_join(plain, "class_id").cross_join(total)
    usable_classes = sized.filter(
        _.direct >= _.size * rule.direct_share, _.size <= _.total * rule.widest, ibis.literal(rule.split)
    )
    return shaped(WordedClasses, usable_classes)


def class_sizes() -> Rows[WordedClasses]:
    """All classes, with their size."""
    types = graph_table(Types)
    return shaped(WordedClasses, types.group_by(class_id=types["class"]).agg(size=_.count()))


def _answer_types() -> Rows[AnswerTypes]:
    """The types of entities that can be worded or are listed."""
    worded, listed = unbound(WordedClasses), unbound(ListedClasses)
    usable = ibis.union(worded.select("class_id"), listed.select("class_id"), distinct=True)
    types = graph_table(Types).select(answer="entity", class_id="class")
    return shaped(AnswerTypes, types.semi_join(usable, "class_id"))


def _coverage() -> Rows[ClassCoverage]:
    """How many answers of a relation each class covers."""
    joined = unbound(RelationAnswers).join(_answer_types(), "answer")
    return shaped(ClassCoverage, joined.group_by([*BY_RELATION, "class_id"]).agg(covered=_.count()))


def _splits(rule: "TypeRule", least: int) -> Rows[SplitClasses]:
    """The classes by which relations are split: those listed, and those chosen from the data."""
    typed_entities = graph_table(Types).select(answer="entity").distinct()
    typed = unbound(RelationAnswers).semi_join(typed_entities, "answer")
    totals = unbound(RelationAnswers).group_by(BY_RELATION).agg(total=_.count())
    totals = totals.join(typed.group_by(BY_RELATION).agg(typed=_.count()), BY_RELATION)
    worded = unbound(ClassCoverage).join(unbound(WordedClasses), "class_id")
    most = worded.group_by(BY_RELATION).agg(most=_.covered.max())
    unclear = totals.join(most, BY_RELATION).filter(_.typed * 2 >= _.total, _.most < _.typed * rule.specified)
    unclear = unclear.anti_join(unbound(ListedClasses), BY_RELATION)
    candidates = worded.join(unclear, BY_RELATION).filter(
        _.covered >= least, _.covered >= _.typed * rule.least_share
    )
    split_classes = candidates.anti_join(
        _nearly_repeated(shaped(SplitCandidates, candidates)), [*BY_RELATION, "class_id"]
    )
    within = ibis.window(group_by=BY_RELATION, order_by=[ibis.desc(_.covered), _.class_id])
    split_classes = split_classes.mutate(position=ibis.row_number().over(within)).filter(
        _.position < rule.types_per_relation
    )
    return shaped(SplitClasses, ibis.union(unbound(ListedClasses), shaped(ListedClasses, split_classes)))


def _nearly_repeated(candidates: Rows[SplitCandidates]) -> Rows[ListedClasses]:
    """Candidates most of whose answers are in another candidate class inside them."""
    typed = unbound(RelationAnswers).join(_answer_types(), "answer")
    typed = typed.join(candidates, [*BY_RELATION, "class_id"])
    inner = typed.select(*BY_RELATION, "answer", inner="class_id", held="covered", inner_size="size")
    pairs = typed.join(inner, [*BY_RELATION, "answer"]).filter(_.class_id != _.inner)
    by = [*BY_RELATION, "class_id", "inner", "covered", "held", "size", "inner_size"]
    shared = pairs.group_by(by).agg(both=_.count())
    smaller = (
        (_.held < _.covered) | (_.inner_size < _.size) | ((_.inner_size == _.size) & (_.inner < _.class_id))
    )
    repeated = shared.filter(_.both == _.held, _.held >= _.covered * _NESTED, smaller)
    return shaped(ListedClasses, repeated).distinct()


def _class_counts() -> Rows[ClassCounts]:
    """The number of a group's answers in each class."""
    joined = unbound(GroupMembers).join(_answer_types(), "answer")
    return shaped(ClassCounts, joined.group_by([*BY_GROUP, "class_id"]).agg(answers=_.count()))


def _split_groups(options: "SimpleOptions") -> Rows[ClassParts]:
    """Parts of groups by the classes of their relation."""
    parts = unbound(ClassCounts).join(unbound(SplitClasses), [*BY_RELATION, "class_id"])
    return _largest_parts(shaped(ClassCounts, parts), options)


def _by_relation() -> Rows[ClassParts]:
    return unbound(ClassParts, _BY_RELATION)


def _split_by_own_classes(options: "SimpleOptions") -> Rows[ClassParts]:
    """Parts of the groups of split relations that have no part by the classes of their relation."""
    parts = unbound(ClassCounts).semi_join(unbound(WordedClasses), "class_id")
    parts = parts.semi_join(unbound(SplitClasses), BY_RELATION).anti_join(_by_relation(), BY_GROUP)
    parts = parts.anti_join(_mostly_untyped(), BY_GROUP)
    return _largest_parts(shaped(ClassCounts, parts), options)


def _largest_parts(parts: Rows[ClassCounts], options: "SimpleOptions") -> Rows[ClassParts]:
    """The parts that are large enough: the largest few of a group, and one of equal parts."""
    equal = _equal_parts(parts)
    parts = parts.filter(_.answers >= options.min_answers).anti_join(equal, [*BY_GROUP, "class_id"])
    within = ibis.window(group_by=BY_GROUP, order_by=[ibis.desc(_.answers), _.class_id])
    parts = parts.mutate(position=ibis.row_number().over(within))
    parts = parts.filter(_.position < options.type_rule.types_per_query)
    return shaped(ClassParts, parts)


def _equal_parts(parts: Rows[ClassCounts]) -> Rows[GroupClasses]:
    """Parts with the same answers as a part of a smaller class, or of an equal one with an earlier id."""
    by_count = ibis.window(group_by=[*BY_GROUP, "answers"])
    alike = parts.mutate(alike=_.class_id.count().over(by_count)).filter(_.alike > 1)
    typed = unbound(GroupMembers).join(_answer_types(), "answer").join(alike, [*BY_GROUP, "class_id"])
    marked = typed.group_by([*BY_GROUP, "class_id"]).agg(mark=_.answer.collect().sort().join(SEPARATOR))
    sizes = class_sizes()
    marked = marked.join(sizes, "class_id")
    within = ibis.window(group_by=[*BY_GROUP, "mark"], order_by=[_.size, _.class_id])
    marked = marked.mutate(position=ibis.row_number().over(within))
    return shaped(GroupClasses, marked.filter(_.position > 0))


def _shared_classes() -> Rows[SharedClasses]:
    """The smallest class that all answers of a group share, for groups without a list of types."""
    groups = unbound(Groups).anti_join(unbound(ListedClasses), BY_RELATION)
    shared = unbound(ClassCounts).join(unbound(WordedClasses), "class_id")
    shared = shared.join(groups, [*BY_GROUP, "answers"])
    within = ibis.window(group_by=BY_GROUP, order_by=[_.size, _.class_id])
    shared = shared.mutate(position=ibis.row_number().over(within)).filter(_.position == 0)
    return shaped(SharedClasses, shared)


def _whole_groups() -> Rows[TypedGroups]:
    """Groups of relations that are not split."""
    unsplit = unbound(Groups).anti_join(unbound(SplitClasses), BY_RELATION)
    shared = unbound(SharedClasses)
    return shaped(TypedGroups, unsplit.left_join(shared, BY_GROUP))


def _unsplit_groups() -> Rows[TypedGroups]:
    """Groups of a split relation that are not split: their answers share a class, or most have no type."""
    groups = unbound(Groups).semi_join(unbound(SplitClasses), BY_RELATION)
    shared = unbound(SharedClasses)
    alike = groups.anti_join(unbound(ClassParts), [*BY_GROUP, "answers"]).join(shared, BY_GROUP)
    bare = groups.anti_join(unbound(ClassParts), BY_GROUP).anti_join(shared, BY_GROUP)
    bare = bare.semi_join(_mostly_untyped(), BY_GROUP).mutate(class_id=ibis.null("string"))
    return shaped(TypedGroups, ibis.union(shaped(TypedGroups, alike), shaped(TypedGroups, bare)))


def _mostly_untyped() -> Rows[Groups]:
    """Groups of which most answers have no type."""
    typed_entities = graph_table(Types).select(answer="entity").distinct()
    typed = unbound(GroupMembers).semi_join(typed_entities, "answer").group_by(BY_GROUP).agg(typed=_.count())
    counted = unbound(Groups).left_join(typed, BY_GROUP)
    return shaped(Groups, counted.filter(_.typed.fill_null(0) * 2 < _.answers))
