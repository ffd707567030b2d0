"""Editing the record of an item, as people edit Wikidata: statements get ends, ranks and other values.

A statement keeps its id through all of this. A former label becomes an alias, and the links follow the page.
"""

from collections.abc import Sequence

from rollcall.world.ages.change import ADDED, CORRECTED, DEPRECATED, DIED, ENDED, REMOVED, Change
from rollcall.world.chance import Dice
from rollcall.world.dump import Dump, qualifiers
from rollcall.world.mention import Name
from rollcall.world.values import Snak

_REVISIONS_AN_AGE = 1_000_000_000


def edit_record(
    record: Snak, changes: Sequence[Change], dump: Dump, dice: Dice, renamed: tuple[Name, Name] | None
) -> bool:
    """Edit the record of an item, and say whether it was; `renamed` has its old and its new name."""
    claims: dict[str, list[Snak]] = record["claims"]
    edited = renamed is not None
    for change in changes:
        edit = _EDITS.get(change.kind)
        if edit is not None:
            edit(claims, change, dump, dice)
            edited = True
    if renamed is not None:
        _rename(record, *renamed)
    return edited


def sign(record: Snak, year: int) -> None:
    """Note that an item was edited in a year."""
    record["lastrevid"] += _REVISIONS_AN_AGE
    record["modified"] = f"{year}{record['modified'][4:]}"


def _add(claims: dict[str, list[Snak]], change: Change, dump: Dump, dice: Dice) -> None:
    fact = change.fact
    known = claims.get(fact.relation.id, [])
    # What is known takes the place of "unknown" and "none".
    valued = [claim for claim in known if claim["mainsnak"]["snaktype"] == "value"]
    claims[fact.relation.id] = [*valued, dump.statement(fact, dice)]


def _of(claims: dict[str, list[Snak]], change: Change, dump: Dump) -> Snak:
    guid = dump.facts.id(change.fact)
    return next(claim for claim in claims[change.fact.relation.id] if claim["id"] == guid)


def _remove(claims: dict[str, list[Snak]], change: Change, dump: Dump, dice: Dice) -> None:
    property_ = change.fact.relation.id
    claims[property_].remove(_of(claims, change, dump))
    if not claims[property_]:
        del claims[property_]


def _deprecate(claims: dict[str, list[Snak]], change: Change, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump)["rank"] = "deprecated"


def _correct(claims: dict[str, list[Snak]], change: Change, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump)["mainsnak"] = dump.main_snak(change.fact)


def _end(claims: dict[str, list[Snak]], change: Change, dump: Dump, dice: Dice) -> None:
    _of(claims, change, dump).update(qualifiers(change.fact))


_EDITS = {
    ADDED: _add,
    DIED: _add,
    REMOVED: _remove,
    DEPRECATED: _deprecate,
    CORRECTED: _correct,
    ENDED: _end,
}


def _rename(record: Snak, old: Name, new: Name) -> None:
    for label in record["labels"].values():
        label["value"] = new.label
    record["aliases"] = {"en": [{"language": "en", "value": alias} for alias in new.aliases]}
    for link in record["sitelinks"].values():
        if link["title"] == old.title:
            link["title"] = new.title
