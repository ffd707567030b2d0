"""The features of a candidate query, by name, for every model that ranks candidates.

The local features are costs that grow with a candidate: each step adds its own. The final ones say how well
the whole fits the question: which words are left over, whether the answers are of the kind asked for. What a
step gains is the words that it explains, so that a longer query is better only where it explains more.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

LOCAL = (
    "unsure name",  # how far the names are from whole and certain ones
    "loose match",  # how far the words of the question are from those of the relations
    "wrong side",  # how far the words stand from where the grammar expects them, 2 if on the other side
    "unnamed relation",  # relations that no word names
    "silent relation",  # relations that no word names and that need none: French films, towns in Ostrell
    "hop",  # edges
    "there and back",  # a relation followed to its other end and back
    "class",  # classes that the question names
    "join",  # conditions
    "idle denial",  # denials that take nothing away
)
FINAL = (
    "left over",  # the weight of the words that nothing explains
    "kind",  # whether the answers are of the kind asked for, from -1 to 1
    "ignored sign",  # words that ask for a function, a union or a denial, and are not used
    "many answers",  # the logarithm of the number of answers
    "class alone",  # a query for all members of a class
    "unlike",  # how unlike question and relation are as vectors; 0 without a model
)
FEATURES = (*LOCAL, *FINAL)

Local: TypeAlias = tuple[float, ...]
NONE: Local = (0.0,) * len(LOCAL)
_PLACE = {name: place for place, name in enumerate(LOCAL)}


def adding(features: Local, changes: Mapping[str, float]) -> Local:
    """Local features with more of some."""
    listed = list(features)
    for name, value in changes.items():
        listed[_PLACE[name]] += value
    return tuple(listed)


def summed(one: Local, other: Local) -> Local:
    """The local features of two parts together."""
    return tuple(left + right for left, right in zip(one, other, strict=True))


def named(local: Local, final: Sequence[float]) -> dict[str, float]:
    """All features of a candidate by name."""
    return dict(zip(FEATURES, (*local, *final), strict=True))
