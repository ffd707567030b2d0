"""Other values that a statement could have: for one that is corrected, or one that is added."""

from collections.abc import Collection

from rollcall.world.ages.skeleton import LaterSkeleton
from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.families import NONE
from rollcall.world.kinds import Kind
from rollcall.world.relation import Relation
from rollcall.world.sources import Sources
from rollcall.world.values import Date, Literal, Quantity, plain

_NEIGHBOURS = 24
_GROWN = 15
"""The age from which people do what statements tell of them."""


def another_literal(value: Literal, bits: int) -> Literal | None:
    """A date one or two years off, or a quantity some hundredths off; None for other values."""
    if isinstance(value, Date):
        shift = (-2, -1, 1, 2)[bits % 4]
        return Date(value.year + shift, value.month, value.day)
    if isinstance(value, Quantity):
        amount = float(value.amount)
        decimals = len(value.amount.partition(".")[2])
        changed = round(amount * (0.9, 0.95, 1.06, 1.12)[bits % 4], decimals)
        return Quantity(plain(changed), value.unit) if changed not in (amount, 0) else None
    return None


def another_object(
    sources: Sources,
    skeleton: LaterSkeleton,
    number: int,
    kind: Kind,
    relation: Relation,
    present: Collection[object],
    bits: int,
) -> int | None:
    """An object that a neighbour of the subject has, which fits the subject too; None if there is none."""
    for step in range(_NEIGHBOURS):
        other = _neighbour(skeleton, skeleton.model(number), kind, 1 + bits % 5 + step)
        for value in sources.values(other, kind, relation) if other is not None else ():
            if (
                isinstance(value, int)
                and value not in present
                and value != number
                and fits(skeleton, number, value)
            ):
                return value
    return None


def _neighbour(skeleton: LaterSkeleton, number: int, kind: Kind, step: int) -> int | None:
    """Another member of a kind: of people, one of the same or the next profession."""
    members = skeleton.census.range[kind.name]
    if number not in members or len(members) < 2:
        return None
    if kind.tier != "person":
        return members.start + (number - members.start + step) % len(members)
    ranks = skeleton.census.ranks
    rank = ranks.forth(number - members.start)
    return members.start + ranks.home((rank + step) % len(members))


def fits(skeleton: LaterSkeleton, number: int, value: int) -> bool:
    """Whether subject and object were there at the same time."""
    if value >= CONCEPT_NUMBERS:
        return True
    begin, end = int(skeleton["year"][number]), int(skeleton["end"][number])
    since, until = int(skeleton["year"][value]), int(skeleton["end"][value])
    if since != NONE and skeleton.census.kind(value).tier == "person":
        since += _GROWN
    if skeleton.census.kind(number).tier == "work":
        end = begin  # a work is made once
    comes_after = NONE not in (since, end) and since > end
    was_before = NONE not in (until, begin) and until < begin
    return not comes_after and not was_before
