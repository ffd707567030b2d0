"""Keeps groups that are too vague to be asked alone but are useful as one of two conditions.

Input: the groups of `rollcall.mine.simple`. Output: the table `vague`. A group of an underspecified relation
is asked about by types ("Which museums are in Ostrell?"). If no type has enough answers, it is not asked
about alone, because the question would be vague: "What is in Ostrell?". With another condition it is specific
enough: "What is in Ostrell and was designed by Orla Venn?". So groups that share enough answers with another
group are kept, for intersections only.
"""

import ibis
from ibis import _

from rollcall.mine.groups import BY_GROUP, Groups, KeyedGroups, Members, TypedGroups
from rollcall.mine.keys import key
from rollcall.mine.options import SimpleOptions
from rollcall.tables.engine import Workbench
from rollcall.tables.table import Rows, shaped, unbound

VAGUE = "vague"
_PER_ANSWER = 200
"""An answer of more groups than this is not used to find pairs of groups."""


class Partial(Groups):
    """A group whose answers are not all in one query."""


def keep_vague(bench: Workbench, options: SimpleOptions) -> None:
    """Keep `vague`: the groups not asked about as a whole that share enough answers with another group."""
    bench.keep(Partial, lambda: _partial(options.max_answers))
    bench.keep(KeyedGroups, lambda: _sharing(options.min_answers), VAGUE)


def untyped() -> Rows[Groups]:
    """Groups of which no type has enough answers."""
    return unbound(Groups).anti_join(unbound(TypedGroups), BY_GROUP)


def _partial(most: int) -> Rows[Partial]:
    whole = unbound(TypedGroups)
    rows = unbound(Groups).anti_join(whole, [*BY_GROUP, "answers"]).filter(_.answers <= most)
    return shaped(Partial, rows)


def _sharing(least: int) -> Rows[KeyedGroups]:
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
    return shaped(KeyedGroups, rows.mutate(key=made))
