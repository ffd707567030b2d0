"""Minimising a query: removing the parts that do not change its answer.

A component is redundant if removing it does not change the answer (GraphQuestions §5.1). Edges are tried one
by one, together with the nodes that would be disconnected. Because negation and functions are not monotone,
the pass is repeated until no edge can be removed.
"""

from dataclasses import replace
from typing import Protocol

from rollcall._core.errors import RollcallError
from rollcall.query.pattern import Pattern, connected_part
from rollcall.query.query import Query
from rollcall.query.statements import TARGET, Edge


class Answering(Protocol):
    """Anything that can answer queries: a graph."""

    def answers(self, query: Query) -> frozenset[object]: ...


def minimise(query: Query, graph: Answering) -> Query:
    """The query without redundant edges; its answer in this graph is the same."""
    answers = graph.answers(query)
    while True:
        smaller = next(
            (reduction for reduction in reductions(query) if graph.answers(reduction) == answers), None
        )
        if smaller is None:
            return query
        query = smaller


def reductions(query: Query) -> list[Query]:
    """Every query with one edge removed, or with one pattern of the union removed."""
    smaller_queries: list[Query] = []
    for position, pattern in enumerate(query.patterns):
        others = query.patterns[:position] + query.patterns[position + 1 :]
        if others:
            smaller_queries.append(replace(query, patterns=others))
        for edge in pattern.edges:
            try:
                smaller = _without(pattern, edge)
                smaller_queries.append(_with_pattern(query, others, smaller))
            except RollcallError:  # the rest is not a valid query: the edge cannot be removed
                continue
    return smaller_queries


def _without(pattern: Pattern, edge: Edge) -> Pattern:
    statements = [statement for statement in pattern.statements if statement != edge]
    return replace(pattern, statements=tuple(connected_part(statements)))


def _with_pattern(query: Query, others: tuple[Pattern, ...], smaller: Pattern) -> Query:
    """The query with a pattern replaced; with one pattern, argmax is dropped if its compared node is gone."""
    aggregate = query.aggregate
    if aggregate in ("argmax", "argmin") and TARGET not in smaller.variables and not others:
        aggregate = None
    return Query((*others, smaller), aggregate)
