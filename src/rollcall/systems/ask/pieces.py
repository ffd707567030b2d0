"""Pieces of candidate queries: a form with its answers in the graph and the words that it explains.

A piece without answers is never made. Two pieces may be joined if they explain different words, or the same
words in the same way, as "directed" in "directed by A and B".
"""

from typing import NamedTuple

from rollcall.graph.index import Numbers
from rollcall.systems.ask.features import Local
from rollcall.systems.ask.forms import Form


class Piece(NamedTuple):
    """A part of a query with its answers."""

    form: Form
    terms: Numbers
    """Its answers, sorted."""
    mask: int
    """The words it explains."""
    uses: frozenset[tuple[int, object]]
    """For each mention its words and its meaning."""
    features: Local
    score: float
    first: int
    last: int
    """Its first and last explained word."""
    hops: tuple[tuple[int, int], ...] = ()
    """The relations and directions it was grown along; the last one leads to its answers."""
    nouns: frozenset[str] = frozenset()
    """Roots of the nouns for what it went through, which explain words at no cost."""
    typed: int = 0
    """The words that name classes of its answers."""
    about: int = 0
    """Further words about its relations."""

    @property
    def explained(self) -> int:
        return self.mask | self.about


def may_be_joined(one: Piece, other: Piece) -> bool:
    """Whether both pieces explain words of their own, and words of both in the same way."""
    shared = one.mask & other.mask
    if shared in (one.mask, other.mask):
        return False
    if not shared:
        return True
    alike = 0
    for mask, _ in one.uses & other.uses:
        alike |= mask
    return not shared & ~alike
