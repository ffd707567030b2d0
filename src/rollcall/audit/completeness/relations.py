"""For each relation: the share of its facts that text states at all, and the share of stated facts that the
graph lacks.

Input: what a verifier found about known and newly named facts of the questions that were searched. Neither
is a count of what was accepted: known facts count by the probability that their sentence states them, which
the evidence package expects from the scores, and new ones by the probability that they are true
(`rollcall.audit.sources.ranks`).
"""

from collections.abc import Iterable

import msgspec

from rollcall.audit.sources.evaluate import Fact
from rollcall.audit.sources.stated import StatedFact, StatedFacts
from rollcall.score.spread import wilson

_NORMAL = 1.96


class Share(msgspec.Struct, frozen=True):
    """A share with its 95 % interval."""

    value: float
    low: float
    high: float


class RelationShares(msgspec.Struct, frozen=True):
    """What text and graph know of a relation."""

    known: int
    """The facts of the graph that were looked at."""
    named: int
    """Those of which a sentence names both ends."""
    stated: Share
    """The share of the known facts that text states."""
    new: float
    """How many facts that the graph lacks are expected to be stated."""
    lacking: Share | None
    """The share of the stated facts that the graph lacks; None if text states none."""


def relation_shares(stated: StatedFacts) -> dict[str, RelationShares]:
    """The shares of every relation with a known fact, in the order of their ids."""
    groups: dict[str, list[tuple[Fact, StatedFact]]] = {}
    for fact, said in stated.items():
        groups.setdefault(fact.relation, []).append((fact, said))
    found = {}
    for relation, group in sorted(groups.items()):
        made = _shares(said for _fact, said in group)
        if made is not None:
            found[relation] = made
    return found


def _shares(group: Iterable[StatedFact]) -> RelationShares | None:
    said = list(group)
    known = [one for one in said if one.known]
    if not known:
        return None
    named = sum(one.sentence is not None for one in known)
    told = sum(one.chance for one in known)
    true = sum(one.chance for one in said if not one.known)
    # Of true facts that a sentence names, text states as many as it does of those that are known.
    new = true * (told / named) if named else 0.0
    lacking = share(new, told + new) if told + new > 0 else None
    return RelationShares(len(known), named, share(told, len(known)), new, lacking)


def share(part: float, whole: float) -> Share:
    """A share of so many, with Wilson's interval; parts may be expected numbers."""
    value = min(1.0, part / whole)
    return Share(value, *wilson(value, whole, _NORMAL))
