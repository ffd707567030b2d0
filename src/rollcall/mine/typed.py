"""Splits answers by type if a relation alone does not say what is asked for ("located in": what is?).

Input: the groups of `rollcall.mine.simple` and the graph's table `types`. Output: `typed_groups`. A class can
be *worded* if its label is one to four plain words and people use it: at least `direct_share` of its members
have it as a direct type, not only through a subclass, and it has at most the share `widest` of all entities.
A relation with a list of types is split by these types. Any other relation is *specified* if one such class
covers the share `specified` of its answers; it is then not split. If there is none (and half of its answers
have a type), the relation is split by the classes that cover `least_share` of its answers. A class is left
out of the split if a smaller class of the relation covers four fifths of it. A group of answers most of which
have no type is not split. A group that is not split and whose answers all share a class gets the smallest
such class, which keeps its answers and gives it a noun.
"""

from typing import TYPE_CHECKING

import ibis
import pyarrow as pa
from ibis import _

from rollcall.mine.layout import SEPARATOR
from rollcall.mine.mining import Mining, graph_table, named

if TYPE_CHECKING:
    from rollcall.mine.options import SimpleOptions, TypeRule

_GROUP = {"relation": "string", "direction": "string", "entity": "string"}
_BY_GROUP = list(_GROUP)
_BY_RELATION = ["relation", "direction"]
_PLAIN_WORDS = r"^[\p{L}'’-]+( [\p{L}'’-]+){0,3}$"
_NESTED = 0.8
"""A class is left out of a split if a class inside it has this share of its answers."""


def keep_classes(mining: Mining, options: "SimpleOptions") -> bool:
    """Keep the classes that can be worded and those listed for relations; returns whether there are any."""
    mining.give("listed", _listed_classes(mining, options))
    mining.keep("worded", lambda: _worded(options.type_rule))
    return mining.count(_listed) + mining.count(_kept_worded) > 0


def keep_typed_groups(mining: Mining, options: "SimpleOptions", any_class: bool) -> None:
    """Keep `typed_groups`: every group, split or not, with its class or none and its number of answers."""
    rule = options.type_rule
    answers = _members().select(*_BY_RELATION, "answer")
    mining.keep("relation_answers", lambda: answers.distinct() if any_class else answers.limit(0))
    mining.keep("coverage", _coverage)
    mining.keep("splits", lambda: _splits(rule, options.min_answers))
    mining.keep("class_counts", _class_counts)
    mining.keep("parts", lambda: _split_groups(options))
    mining.keep("shared_classes", _shared_classes)
    mining.keep("typed_groups", lambda: ibis.union(_parts(), _whole_groups(), _unsplit_groups()))


def typed_groups() -> ibis.Table:
    """What `keep_typed_groups` kept."""
    return named("typed_groups", **_GROUP, class_id="string", answers="int64")


def _listed_classes(mining: Mining, options: "SimpleOptions") -> ibis.Table:
    """The classes of relations with a list of types; a name that the graph does not have is ignored."""
    by_name: dict[str, set[str]] = {}
    wanted = {name.casefold() for names in options.types.values() for name in names}
    for row in mining.rows(lambda: graph_table("classes").select("id", "label")) if wanted else ():
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
    return pa.table({name: pa.array(column, pa.string()) for name, column in columns.items()})


def _worded(rule: "TypeRule") -> ibis.Table:
    """Classes that can be worded, with their size."""
    types = graph_table("types")
    sizes = types.group_by(class_id=types["class"]).agg(size=_.count(), direct=_.direct.cast("int64").sum())
    total = types.agg(total=types.entity.nunique())
    classes = graph_table("classes")
    plain = classes.select(class_id="id", name=ibis.coalesce(classes.label, classes.id)).filter(
        _.name.re_search(_PLAIN_WORDS), ~_.name.lower().isin(sorted(rule.excluded))
    )
    sized = sizes.semi_join(plain, "class_id").cross_join(total)
    kept = sized.filter(
        _.direct >= _.size * rule.direct_share, _.size <= _.total * rule.widest, ibis.literal(rule.split)
    )
    return kept.select("class_id", "size")


def _answer_types() -> ibis.Table:
    """The types of entities that can be worded or are listed."""
    usable = ibis.union(_kept_worded().select("class_id"), _listed().select("class_id"), distinct=True)
    types = graph_table("types").select(answer="entity", class_id="class")
    return types.semi_join(usable, "class_id")


def _coverage() -> ibis.Table:
    """How many answers of a relation each class covers."""
    joined = _relation_answers().join(_answer_types(), "answer")
    return joined.group_by([*_BY_RELATION, "class_id"]).agg(covered=_.count())


def _splits(rule: "TypeRule", least: int) -> ibis.Table:
    """The classes by which relations are split: those listed, and those chosen from the data."""
    typed_entities = graph_table("types").select(answer="entity").distinct()
    typed = _relation_answers().semi_join(typed_entities, "answer")
    totals = _relation_answers().group_by(_BY_RELATION).agg(total=_.count())
    totals = totals.join(typed.group_by(_BY_RELATION).agg(typed=_.count()), _BY_RELATION)
    worded = _kept_coverage().join(_kept_worded(), "class_id")
    most = worded.group_by(_BY_RELATION).agg(most=_.covered.max())
    unclear = totals.join(most, _BY_RELATION).filter(
        _.typed * 2 >= _.total, _.most < _.typed * rule.specified
    )
    unclear = unclear.anti_join(_listed(), _BY_RELATION)
    candidates = worded.join(unclear, _BY_RELATION).filter(
        _.covered >= least, _.covered >= _.typed * rule.least_share
    )
    candidates = candidates.select(*_BY_RELATION, "class_id", "covered", "size")
    chosen = candidates.anti_join(_nearly_repeated(candidates), [*_BY_RELATION, "class_id"])
    within = ibis.window(group_by=_BY_RELATION, order_by=[ibis.desc(_.covered), _.class_id])
    chosen = chosen.mutate(place=ibis.row_number().over(within)).filter(_.place < rule.types_per_relation)
    return ibis.union(_listed(), chosen.select(*_BY_RELATION, "class_id"))


def _nearly_repeated(candidates: ibis.Table) -> ibis.Table:
    """Candidates most of whose answers are in another candidate class inside them."""
    typed = _relation_answers().join(_answer_types(), "answer")
    typed = typed.join(candidates, [*_BY_RELATION, "class_id"])
    inner = typed.select(*_BY_RELATION, "answer", inner="class_id", held="covered", inner_size="size")
    pairs = typed.join(inner, [*_BY_RELATION, "answer"]).filter(_.class_id != _.inner)
    by = [*_BY_RELATION, "class_id", "inner", "covered", "held", "size", "inner_size"]
    both = pairs.group_by(by).agg(both=_.count())
    smaller = (
        (_.held < _.covered) | (_.inner_size < _.size) | ((_.inner_size == _.size) & (_.inner < _.class_id))
    )
    repeated = both.filter(_.both == _.held, _.held >= _.covered * _NESTED, smaller)
    return repeated.select(*_BY_RELATION, "class_id").distinct()


def _class_counts() -> ibis.Table:
    """The number of a group's answers in each class."""
    joined = _members().join(_answer_types(), "answer")
    return joined.group_by([*_BY_GROUP, "class_id"]).agg(answers=_.count())


def _split_groups(options: "SimpleOptions") -> ibis.Table:
    """Parts of groups by type: those that are large enough, the largest few, and one of equal parts."""
    parts = _kept_class_counts().join(_kept_splits(), [*_BY_RELATION, "class_id"])
    parts = parts.filter(_.answers >= options.min_answers).anti_join(
        _equal_parts(parts), [*_BY_GROUP, "class_id"]
    )
    within = ibis.window(group_by=_BY_GROUP, order_by=[ibis.desc(_.answers), _.class_id])
    parts = parts.mutate(place=ibis.row_number().over(within))
    parts = parts.filter(_.place < options.type_rule.types_per_query)
    return parts.select(*_BY_GROUP, "class_id", "answers")


def _equal_parts(parts: ibis.Table) -> ibis.Table:
    """Parts with the same answers as a part of a smaller class (or of an equally large one with an earlier
    id).
    """
    by_count = ibis.window(group_by=[*_BY_GROUP, "answers"])
    alike = parts.mutate(alike=_.class_id.count().over(by_count)).filter(_.alike > 1)
    typed = _members().join(_answer_types(), "answer").join(alike, [*_BY_GROUP, "class_id"])
    marked = typed.group_by([*_BY_GROUP, "class_id"]).agg(
        mark=_.answer.group_concat(sep=SEPARATOR, order_by=_.answer)
    )
    sizes = graph_table("types").group_by(class_id=graph_table("types")["class"]).agg(size=_.count())
    marked = marked.join(sizes, "class_id")
    within = ibis.window(group_by=[*_BY_GROUP, "mark"], order_by=[_.size, _.class_id])
    marked = marked.mutate(place=ibis.row_number().over(within))
    return marked.filter(_.place > 0).select(*_BY_GROUP, "class_id")


def _shared_classes() -> ibis.Table:
    """The smallest class that all answers of a group share, for groups without a list of types."""
    groups = _groups().anti_join(_listed(), _BY_RELATION)
    shared = _kept_class_counts().join(_kept_worded(), "class_id")
    shared = shared.join(groups, [*_BY_GROUP, "answers"])
    within = ibis.window(group_by=_BY_GROUP, order_by=[_.size, _.class_id])
    shared = shared.mutate(place=ibis.row_number().over(within)).filter(_.place == 0)
    return shared.select(*_BY_GROUP, "class_id")


def _whole_groups() -> ibis.Table:
    """Groups of relations that are not split."""
    whole = _groups().anti_join(_kept_splits(), _BY_RELATION)
    shared = named("shared_classes", **_GROUP, class_id="string")
    return whole.left_join(shared, _BY_GROUP).select(*_BY_GROUP, "class_id", "answers")


def _unsplit_groups() -> ibis.Table:
    """Groups of a split relation that are not split: their answers share a class, or most have no type."""
    rest = _groups().anti_join(_listed(), _BY_RELATION).semi_join(_kept_splits(), _BY_RELATION)
    shared = named("shared_classes", **_GROUP, class_id="string")
    alike = rest.anti_join(_parts(), [*_BY_GROUP, "answers"]).join(shared, _BY_GROUP)
    bare = rest.anti_join(_parts(), _BY_GROUP).anti_join(shared, _BY_GROUP)
    typed_entities = graph_table("types").select(answer="entity").distinct()
    typed = _members().semi_join(typed_entities, "answer").group_by(_BY_GROUP).agg(typed=_.count())
    bare = bare.left_join(typed, _BY_GROUP).filter(_.typed.fill_null(0) * 2 < _.answers)
    columns = [*_BY_GROUP, "class_id", "answers"]
    return ibis.union(
        alike.select(*columns), bare.mutate(class_id=ibis.literal(None, "string")).select(*columns)
    )


def _groups() -> ibis.Table:
    return named("groups", **_GROUP, answers="int64")


def _parts() -> ibis.Table:
    return named("parts", **_GROUP, class_id="string", answers="int64")


def _members() -> ibis.Table:
    return named("members", **_GROUP, answer="string")


def _listed() -> ibis.Table:
    return named("listed", relation="string", direction="string", class_id="string")


def _kept_worded() -> ibis.Table:
    return named("worded", class_id="string", size="int64")


def _relation_answers() -> ibis.Table:
    return named("relation_answers", relation="string", direction="string", answer="string")


def _kept_coverage() -> ibis.Table:
    return named("coverage", relation="string", direction="string", class_id="string", covered="int64")


def _kept_splits() -> ibis.Table:
    return named("splits", relation="string", direction="string", class_id="string")


def _kept_class_counts() -> ibis.Table:
    return named("class_counts", **_GROUP, class_id="string", answers="int64")
