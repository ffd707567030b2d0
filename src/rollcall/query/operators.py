"""Building queries in Python: where a query starts, and the functions that end it.

>>> films = entity("Q8877") << "P57"
>>> str(films & (entity("Q8877") << "P162"))
'{?x P162 Q8877; ?x P57 Q8877}'
>>> str(argmax(instances("Q8502"), "P2044"))
'argmax ?v {?x a Q8502; ?x P2044 ?v}'
"""

from dataclasses import dataclass, replace

from rollcall.query import algebra
from rollcall.query.query import Query
from rollcall.query.statements import QUESTION, TARGET, Edge, Entity, Typing


@dataclass(frozen=True)
class Anchor:
    """An entity to start from; following a relation from it gives a query."""

    id: str

    def __rshift__(self, relation: str) -> Query:
        """The objects of the entity's relation."""
        return Query.of([Edge(Entity(self.id), relation, QUESTION)])

    def __lshift__(self, relation: str) -> Query:
        """The subjects with the relation to the entity."""
        return Query.of([Edge(QUESTION, relation, Entity(self.id))])


def entity(id_: str) -> Anchor:
    """Where a query starts: `entity("Q8877") << "P57"` are the things directed by Q8877."""
    return Anchor(id_)


def instances(class_id: str) -> Query:
    """All members of a class."""
    return Query.of([Typing(QUESTION, class_id)])


def count(query: Query) -> Query:
    """How many answers there are."""
    return replace(query, aggregate="count")


def maximum(query: Query) -> Query:
    """The greatest of the answers, which are values."""
    return replace(query, aggregate="max")


def minimum(query: Query) -> Query:
    """The least of the answers, which are values."""
    return replace(query, aggregate="min")


def argmax(query: Query, relation: str) -> Query:
    """The answers with the greatest value of a relation."""
    return Query(algebra.with_edge(query.patterns, Edge(QUESTION, relation, TARGET)), "argmax")


def argmin(query: Query, relation: str) -> Query:
    """The answers with the least value of a relation."""
    return Query(algebra.with_edge(query.patterns, Edge(QUESTION, relation, TARGET)), "argmin")


def distinct(query: Query) -> Query:
    """The same query with the condition that the entities on all its nodes differ."""
    patterns = tuple(replace(pattern, distinct=True) for pattern in query.patterns)
    return replace(query, patterns=patterns)
