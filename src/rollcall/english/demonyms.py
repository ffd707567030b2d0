"""Adjectives of lands: `French` of France, `South Korean` of South Korea.

Annotated text names a land by whatever word stands in it, so that a graph made from it has places called
`French`. A question can say that something is French, not that it is in French.
"""

from functools import cache

from rollcall.english.word_lists import word_list

_LINES = (line.split(" = ") for line in sorted(word_list("demonyms")))
_LANDS = {adjective: names.split(" | ") for adjective, names in _LINES}
_NAMES = {
    "United States": ("US", "U.S.", "USA", "U.S.A.", "America", "United States of America"),
    "Britain": ("UK", "U.K.", "United Kingdom", "Great Britain"),
    "Soviet Union": ("USSR", "U.S.S.R."),
    "Czechia": ("Czech Republic",),
    "China": ("PRC", "People's Republic of China"),
    "Netherlands": ("Holland",),
    "Burma": ("Myanmar",),
}
_SAME = {name: land for land, names in _NAMES.items() for name in names}
_SIDES = frozenset(("North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western", "Latin"))


def land_of(name: str) -> str:
    """The land of which a name is the adjective; empty if it is not an adjective of a land."""
    side, _, rest = name.rpartition(" ")
    if name not in _LANDS and side in _SIDES and rest in _LANDS:
        return f"{side} {_LANDS[rest][0]}"
    return _LANDS[name][0] if name in _LANDS else ""


@cache
def demonyms() -> dict[str, list[str]]:
    """The names of lands with their adjectives."""
    found: dict[str, list[str]] = {}
    for adjective, names in _LANDS.items():
        for name in names:
            found.setdefault(name, []).append(adjective)
    return found


def one_name(land: str) -> str:
    """One name for a land that has several: `United States` for `U.S.`; any other name as it is."""
    bare = land.removeprefix("the ")
    return _SAME.get(bare, bare)
