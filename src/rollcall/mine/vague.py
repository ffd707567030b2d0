"""Keeps groups that are too vague to be asked alone but are useful as one of two conditions.

Input: the groups of `rollcall.mine.simple`. Output: the table `vague`. A group of an underspecified relation
is asked about by types ("Which museums are in Ostrell?"). If no type has enough answers, it is not asked
about alone, because the question would be vague: "What is in Ostrell?". With another condition it is specific
enough: "What is in Ostrell and was designed by Orla Venn?". So groups that share enough answers with another
group are kept, for intersections only.
"""

import ibis
from ibis import _

from rollcall.mine import typed
from rollcall.mine.keys import key
from rollcall.mine.mining import Mining, named
from rollcall.mine.options import SimpleOptions

_GROUP = {"relation": "string", "direction": "string", "entity": "string"}
_BY_GROUP = list(_GROUP)
_PER_ANSWER = 200
"""An answer of more groups than this is not used to find pairs of groups."""


def keep_vague(mining: Mining, options: SimpleOptions) -> None:
    """Keep `vague`: the groups not asked about as a whole that share enough answers with another group."""
    mining.keep("partial", lambda: _partial(options.max_answers))
    mining.keep("vague", lambda: _sharing(options.min_answers))


def untyped() -> ibis.Table:
    """Groups of which no type has enough answers."""
    return _groups().anti_join(typed.typed_groups(), _BY_GROUP)


def vague() -> ibis.Table:
    """What `keep_vague` kept, as simple queries without a class."""
    return named("vague", **_GROUP, class_id="string", answers="int64", key="string")


def _partial(most: int) -> ibis.Table:
    """Groups whose answers are not all in one query."""
    return _groups().anti_join(typed.typed_groups(), [*_BY_GROUP, "answers"]).filter(_.answers <= most)


def _sharing(least: int) -> ibis.Table:
    members = named("members", **_GROUP, answer="string")
    frequent = members.group_by("answer").agg(groups=_.count()).filter(_.groups > _PER_ANSWER)
    usual = members.anti_join(frequent, "answer")
    kept = named("partial", **_GROUP, answers="int64")
    others = usual.select("answer", **{f"other_{name}": name for name in _BY_GROUP})
    pairs = usual.semi_join(kept, _BY_GROUP).join(others, "answer")
    pairs = pairs.filter(ibis.or_(*(_[name] != _[f"other_{name}"] for name in _BY_GROUP)))
    shared = pairs.group_by([*_BY_GROUP, *(f"other_{name}" for name in _BY_GROUP)]).agg(shared=_.count())
    rows = kept.semi_join(shared.filter(_.shared >= least), _BY_GROUP)
    rows = rows.mutate(class_id=ibis.literal(None, "string"))
    return rows.mutate(key=key("simple", rows.relation, rows.direction, rows.entity, rows.class_id))


def _groups() -> ibis.Table:
    return named("groups", **_GROUP, answers="int64")
