"""The conditions of questions: one relation to one entity, whose other end is sought.

A question's facts are those of its conditions. Edges between two variables become conditions too, one for
each entity that the graph puts on one of the variables: for the places where the films of a director were
made, the director's films and the places of each of these films.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rollcall.audit.parts import query_of
from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import solutions
from rollcall.query import QUESTION, Edge, Entity, Pattern, Query, Variable
from rollcall.questions.record import Question

_MOST_BETWEEN = 60
"""So many entities of a variable between two edges become conditions; the first ones by id."""


class Condition(NamedTuple):
    """A relation and the entity at one of its ends; `sought` is the other end, `subject` or `object`."""

    relation: str
    entity: str
    sought: str


def growing_query(question: Question) -> Query | None:
    """The query of a question whose answers are entities or values found by it; None for others.

    Counts and superlatives answer with a number or with the largest few: facts that are missing do not
    simply add answers.
    """
    query = query_of(question)
    return None if query is None or query.aggregate is not None else query


def conditions(query: Query, graph: Graph) -> list[Condition]:
    """The conditions of all positive edges of a query, each once."""
    found: dict[Condition, None] = {}
    for pattern in query.patterns:
        between = [edge for edge in pattern.edges if not edge.negated and _between(edge)]
        found |= dict.fromkeys(_grounded(pattern))
        if between:
            found |= dict.fromkeys(_chained(pattern, between, graph))
    return list(found)


def _between(edge: Edge) -> bool:
    return isinstance(edge.subject, Variable) and isinstance(edge.object, Variable)


def _grounded(pattern: Pattern) -> Iterator[Condition]:
    for edge in pattern.edges:
        if edge.negated:
            continue
        if isinstance(edge.subject, Variable) and isinstance(edge.object, Entity):
            yield Condition(edge.relation, edge.object.id, "subject")
        elif isinstance(edge.subject, Entity) and isinstance(edge.object, Variable):
            yield Condition(edge.relation, edge.subject.id, "object")


def _chained(pattern: Pattern, edges: list[Edge], graph: Graph) -> Iterator[Condition]:
    """Conditions of edges between variables: from the end that is farther from the question node."""
    try:
        columns = solutions(graph.index, pattern)
    except RollcallError:  # too many solutions: the grounded edges must do
        return
    for edge in edges:
        known = edge.subject if edge.object == QUESTION else edge.object
        assert isinstance(known, Variable)
        terms = np.unique(columns[known]) if known in columns else np.zeros(0, np.int64)
        terms = terms[terms < graph.index.entity_count][:_MOST_BETWEEN]
        sought = "object" if known == edge.subject else "subject"
        for entity in graph.index.entity_ids.take(terms):
            yield Condition(edge.relation, entity, sought)
