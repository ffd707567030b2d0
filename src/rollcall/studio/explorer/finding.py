"""Finds questions of a set: all words must occur, and every chosen characteristic must hold.

Counts of values are those among what was found, so that one sees where a choice leads. Only names and
values that the set has can be chosen; nothing that a visitor sends is compiled or run.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from rollcall.studio.explorer.index import Entry, SetIndex, searchable

PAGE = 50
_MOST_VALUES = 30
"""So many values of a characteristic are offered, the most frequent first."""
_MOST_DIFFERENT = 2000
"""A characteristic with more values than this tells questions apart and does not group them."""
_LONGEST = 200


class Wanted(NamedTuple):
    """What a visitor looks for."""

    text: str = ""
    chosen: Mapping[str, str] = {}
    """The value of each characteristic that must hold."""
    page: int = 1


class Facet(NamedTuple):
    """A characteristic with its values among what was found, and how many questions have each."""

    name: str
    values: list[tuple[str, int]]
    chosen: str | None
    more: int
    """How many values are not offered."""


class Found(NamedTuple):
    """One page of what was found."""

    entries: list[Entry]
    total: int
    page: int
    pages: int
    facets: list[Facet]


def find(index: SetIndex, wanted: Wanted) -> Found:
    """The questions that are looked for, in the order of the set."""
    found = matching(index, wanted)
    pages = max(1, -(-len(found) // PAGE))
    page = min(max(1, wanted.page), pages)
    return Found(
        found[(page - 1) * PAGE : page * PAGE],
        len(found),
        page,
        pages,
        _facets(index.names, found, wanted.chosen),
    )


def matching(index: SetIndex, wanted: Wanted) -> list[Entry]:
    """All questions that are looked for."""
    found: Sequence[Entry] = index.entries
    for name, value in wanted.chosen.items():
        found = [entry for entry in found if value in entry.characteristics.get(name, ())]
    for word in dict.fromkeys(searchable(wanted.text[:_LONGEST]).split()):
        found = [entry for entry in found if word in entry.searched]
    return list(found)


def neighbours(index: SetIndex, id_: str, wanted: Wanted) -> tuple[str | None, str | None]:
    """The questions before and after one among those that are looked for."""
    ids = [entry.id for entry in matching(index, wanted)]
    if id_ not in ids:
        return None, None
    place = ids.index(id_)
    return (ids[place - 1] if place else None), (ids[place + 1] if place + 1 < len(ids) else None)


def _facets(names: Sequence[str], found: Sequence[Entry], chosen: Mapping[str, str]) -> list[Facet]:
    counts: dict[str, Counter[str]] = {}
    for name in dict.fromkeys([*chosen, *names]):
        # One pass for each name: counting in one loop over all takes ten times as long.
        counts[name] = Counter(chain.from_iterable(entry.characteristics.get(name, ()) for entry in found))
    facets = []
    for name, counted in counts.items():
        one_each = len(counted) > 1 and max(counted.values()) == 1
        if name not in chosen and (not counted or one_each or len(counted) > _MOST_DIFFERENT):
            continue
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], _order(pair[0])))
        facets.append(
            Facet(name, ordered[:_MOST_VALUES], chosen.get(name), max(0, len(ordered) - _MOST_VALUES))
        )
    return facets


def _order(value: str) -> tuple[float, str]:
    """Numbers in their order, then everything else by the alphabet."""
    try:
        return float(value), ""
    except ValueError:
        return float("inf"), value
