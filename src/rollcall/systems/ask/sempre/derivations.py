"""Derivations: parts of a question with the sets they stand for, the words they cover, and their features.

A derivation without answers is never made. Its score is the sum of its features under the weights of the
moment, so that a part that was built once need not be scored again in what is built of it.
"""

from typing import NamedTuple

from rollcall.graph.index import Numbers
from rollcall.systems.ask.forms import Form
from rollcall.systems.ask.learned.weighing import Features


class Derivation(NamedTuple):
    """A set of entities or values, as the words from `first` to `last` say it."""

    form: Form
    terms: Numbers
    """Its answers, sorted; for a count, what is counted."""
    mask: int
    """The words it covers; words between them may be skipped."""
    first: int
    last: int
    features: Features
    score: float
    edges: int = 0
    function: str = ""
    """The function or comparison in it; a query has one at most."""


class RelationPhrase(NamedTuple):
    """Words that may name a relation."""

    relation: int
    mask: int
    first: int
    last: int
    features: Features
    score: float


def are_apart(one: Derivation | RelationPhrase, other: Derivation | RelationPhrase) -> bool:
    """Whether one stands wholly before the other."""
    return one.last < other.first or other.last < one.first
