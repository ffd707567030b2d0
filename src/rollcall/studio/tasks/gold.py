"""Gold: an item of the set whose right verdict somebody gave, by which others are measured.

Unlike an injected item it is a real one, and its verdict is its result. What people say about it from then
on counts in their records and nowhere else, so that nothing is counted twice.
"""

from typing import NamedTuple

import msgspec

from rollcall.studio.records import Item, Json, Verdict

_EXPECTED, _GOLD = "expected", "gold"


class GoldVerdict(NamedTuple):
    """The right verdict of a gold item, and who gave it."""

    choice: str
    by: str
    values: Json


def known_choice(item: Item) -> str | None:
    """The right choice about an item that is injected or gold; None where several are, or nobody knows."""
    expected = item.hidden.get(_EXPECTED) if item.injected or item.gold else None
    return str(expected[0]) if isinstance(expected, list | tuple) and len(expected) == 1 else None


def gold_verdict(item: Item) -> GoldVerdict | None:
    """The right verdict of an item, if it is gold."""
    return hidden_gold(item.hidden) if item.gold else None


def hidden_gold(hidden: Json) -> GoldVerdict | None:
    """The right verdict that the hidden part of an item has."""
    expected, told = hidden.get(_EXPECTED), hidden.get(_GOLD)
    if not isinstance(expected, list | tuple) or not expected or not isinstance(told, dict):
        return None
    values = told.get("values")
    return GoldVerdict(str(expected[0]), str(told.get("by", "")), values if isinstance(values, dict) else {})


def hidden_with_gold(hidden: Json, verdict: Verdict, by: str) -> Json:
    """The hidden part of an item with its right verdict."""
    return {**hidden, _EXPECTED: [verdict.choice], _GOLD: {"by": by, "values": dict(verdict.values)}}


def hidden_without_gold(hidden: Json) -> Json:
    """The hidden part of an item that is gold no longer."""
    return {name: value for name, value in hidden.items() if name not in (_EXPECTED, _GOLD)}


def with_gold(item: Item, verdict: Verdict, by: str) -> Item:
    """The item as gold."""
    return msgspec.structs.replace(item, gold=True, hidden=hidden_with_gold(item.hidden, verdict, by))
