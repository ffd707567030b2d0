"""Sets of terms: what a hop reaches from many entities at once, and what two sets have in common."""

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained, expand, ranges, unique_sorted
from rollcall.mine.neighbourhood import FORWARD


def entities_among(index: GraphIndex, terms: Numbers) -> Numbers:
    """The entities of some sorted terms."""
    return terms[: terms.searchsorted(index.entity_count)]


def image(index: GraphIndex, entities: Numbers, relation: int, direction: int) -> Numbers:
    """All terms that a hop reaches from some entities, sorted."""
    pairs = index.forward(relation) if direction == FORWARD else index.backward(relation)
    _, places = expand(*ranges(pairs[0], entities))
    return unique_sorted(pairs[1][places]) if len(places) else pairs[1][:0]


def common(one: Numbers, other: Numbers) -> Numbers:
    """The terms that two sorted sets share; the smaller is looked up in the larger, be it a whole class."""
    smaller, larger = (one, other) if len(one) <= len(other) else (other, one)
    return smaller[contained(smaller, larger)]
