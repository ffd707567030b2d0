"""Adjectives of lands: `French` of France, `South Korean` of South Korea.

Annotated text names a land by whatever word stands in it, so that a graph made from it has places called
`French`. A question can say that something is French, not that it is in French.
"""

from rollcall.english.word_lists import word_list

_LANDS = dict(line.split(" = ") for line in word_list("demonyms"))
_SIDES = frozenset(("North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western", "Latin"))


def land_of(name: str) -> str:
    """The land of which a name is the adjective; empty if it is not an adjective of a land."""
    side, _, rest = name.rpartition(" ")
    if side in _SIDES and rest in _LANDS:
        return f"{side} {_LANDS[rest]}"
    return _LANDS.get(name, "")
