"""The graph query: the central value of Rollcall.

A query is a union of patterns with at most one function. Queries are immutable; equal queries are equal,
hashable, and have one canonical text whose parse gives the same value back. That text is the stable key of
a question everywhere, and `id` is its short form.

- `Query`: the value, with its operators and renderings.
- `instances`, `entity`, `count`, `argmax` and so on: queries in Python.
- `minimise`: a query without the parts that do not change its answer.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, Self

from rollcall._core.errors import RollcallError
from rollcall.query.pattern import Pattern, components, connected_part
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Statement,
    Typing,
    Variable,
    renamed,
)
from rollcall.query.values import COMPARATORS, Value, shortened

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from rollcall.query.ibis_expression import QueriedTables
    from rollcall.query.notations import Json


# Set operations on unions of patterns: how `&`, `-`, `>>` and `<<` become statements. Intersection and
# following a relation distribute over the union. Subtraction moves the negation down to the statements
# by De Morgan's laws. A condition that cannot be expressed with negated statements, because it already
# contains a negation, is refused with an explanation.

Patterns = tuple[Pattern, ...]


def intersection(left: Patterns, right: Patterns) -> Patterns:
    """Every pair of patterns joined at the question node."""
    return tuple(
        Pattern((*left_pattern.statements, *_apart(right_pattern.statements, "right")))
        for left_pattern, right_pattern in product(left, right)
    )


def difference(left: Patterns, right: Patterns) -> Patterns:
    """Each left pattern with, for every right pattern, one of that pattern's conditions negated."""
    choices = list(product(*(_denials(pattern) for pattern in right)))
    joined = [_with_denied(pattern, denied) for pattern in left for denied in choices]
    # A pattern that contradicts itself has no answer; it is left out if any other pattern remains.
    sensible = [pattern for pattern in joined if not _contradicts_itself(pattern)]
    return tuple(sensible or joined)


def _with_denied(pattern: Pattern, denied: Iterable[Sequence[Statement]]) -> Pattern:
    statements: list[Statement] = list(pattern.statements)
    for number, condition in enumerate(denied):
        statements += _apart(condition, f"right{number}_")
    return Pattern(tuple(statements))


def _contradicts_itself(pattern: Pattern) -> bool:
    positive = set(pattern.positive)
    return any(
        all(replace(statement, negated=False) in positive for statement in group)
        for group in pattern.negative_groups
    )


def follow(patterns: Patterns, relation: str, *, forward: bool) -> Patterns:
    """Move the question node along a relation; the old one becomes a variable."""
    start = Variable("start")
    edge = Edge(start, relation, QUESTION) if forward else Edge(QUESTION, relation, start)
    return tuple(
        Pattern((edge, *(renamed(statement, {QUESTION: start}) for statement in pattern.statements)))
        for pattern in patterns
    )


def constrained(patterns: Patterns, relation: str, object_: str | Value, comparator: str) -> Patterns:
    """Each pattern with one more edge from the question node to a grounded node."""
    if comparator not in ("=", *COMPARATORS):
        raise RollcallError(f"{comparator!r} is not a comparator; there are =, {', '.join(COMPARATORS)}")
    if isinstance(object_, str) and comparator != "=":
        raise RollcallError(f"{comparator} compares values; {object_!r} is an entity id")
    node = Entity(object_) if isinstance(object_, str) else Literal(object_, comparator)
    return with_edge(patterns, Edge(QUESTION, relation, node))


def with_edge(patterns: Patterns, edge: Edge) -> Patterns:
    """Each pattern with one more edge."""
    return tuple(replace(pattern, statements=(*pattern.statements, edge)) for pattern in patterns)


def _apart(statements: Iterable[Statement], prefix: str) -> list[Statement]:
    """The statements with all variables except the question node renamed, so that they are unique."""
    listed = list(statements)
    nodes = {node for statement in listed for node in statement.nodes if isinstance(node, Variable)}
    names = {node: Variable(prefix + node.name) for node in nodes if node not in (QUESTION, TARGET)}
    return [renamed(statement, names) for statement in listed]


def _denials(pattern: Pattern) -> list[Sequence[Statement]]:
    """The conditions of a pattern, each negated."""
    return [_deny(part) for part in components(pattern.statements, lambda variable: variable != QUESTION)]


def _deny(condition: Sequence[Statement]) -> list[Statement]:
    negated = [statement.negated for statement in condition]
    if any(negated) and not all(negated):
        words = "; ".join(statement.text for statement in condition)
        raise RollcallError(f"cannot subtract a condition that itself denies something: {words}")
    return [replace(statement, negated=not statement.negated) for statement in condition]


Naming = Callable[[str], str]
"""Maps the id of an entity, relation or class to the name shown."""

AGGREGATES = ("count", "max", "min", "argmax", "argmin")
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "none": (),
    "count": ("count",),
    "superlative": ("argmax", "argmin", "max", "min"),
    "comparative": ("<", "<=", ">", ">="),
}
"""The nine functions by category."""


@dataclass(frozen=True)
class Query:
    """A union of patterns and, optionally, a function over all their answers."""

    patterns: tuple[Pattern, ...]
    aggregate: str | None = None

    def __post_init__(self) -> None:
        if not self.patterns:
            raise RollcallError("a query needs at least one pattern")
        _check_function(self)
        ordered = sorted(set(self.patterns), key=lambda pattern: pattern.text)
        object.__setattr__(self, "patterns", tuple(ordered))

    @classmethod
    def of(
        cls, statements: Iterable[Statement], *, distinct: bool = False, aggregate: str | None = None
    ) -> Self:
        """A query of one pattern, from its statements."""
        return cls((Pattern(tuple(statements), distinct),), aggregate)

    @classmethod
    def parse(cls, text: str) -> "Query":
        """The query that a text stands for; see `rollcall.query.parse` for the grammar."""
        from rollcall.query.parse import parse_query

        return parse_query(text)

    # -- what it is -------------------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        """The canonical text."""
        body = " | ".join(pattern.text for pattern in self.patterns)
        if self.aggregate in ("argmax", "argmin"):
            return f"{self.aggregate} {TARGET.text} {body}"
        return body if self.aggregate is None else f"{self.aggregate} {body}"

    @cached_property
    def id(self) -> str:
        """A short stable name made from the canonical text."""
        digest = hashlib.blake2b(self.text.encode(), digest_size=8).digest()
        return base64.b32encode(digest).decode().rstrip("=").lower()

    @property
    def function(self) -> str | None:
        """The query's function: an aggregate, a comparator, or none."""
        objects = (edge.object for pattern in self.patterns for edge in pattern.comparisons)
        comparators = (node.comparator for node in objects if isinstance(node, Literal))
        return self.aggregate or next(comparators, None)

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(edge for pattern in self.patterns for edge in pattern.edges)

    @property
    def entities(self) -> tuple[str, ...]:
        """The ids of the topic entities, each once."""
        return tuple(dict.fromkeys(entity.id for pattern in self.patterns for entity in pattern.entities))

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations of all edges, each once."""
        return tuple(dict.fromkeys(edge.relation for edge in self.edges))

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of all nodes, each once."""
        return tuple(
            dict.fromkeys(typing.class_id for pattern in self.patterns for typing in pattern.typings)
        )

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Query.parse({self.text!r})"

    # -- operators --------------------------------------------------------------------------------

    def __and__(self, other: "Query") -> "Query":
        """The answers of both queries."""
        _need_plain(self, "&", other)
        return Query(intersection(self.patterns, other.patterns))

    def __or__(self, other: "Query") -> "Query":
        """The answers of either query."""
        _need_plain(self, "|", other)
        return Query(self.patterns + other.patterns)

    def __sub__(self, other: "Query") -> "Query":
        """The answers of this query that are not answers of the other."""
        _need_plain(self, "-", other)
        return Query(difference(self.patterns, other.patterns))

    def __rshift__(self, relation: str) -> "Query":
        """The objects of a relation of the answers: `films >> "P57"` are the directors of the films."""
        _need_plain(self, ">>")
        return Query(follow(self.patterns, relation, forward=True))

    def __lshift__(self, relation: str) -> "Query":
        """The subjects with this relation to an answer: `people << "P57"` are the films they directed."""
        _need_plain(self, "<<")
        return Query(follow(self.patterns, relation, forward=False))

    def where(self, relation: str, target: "str | Value", comparator: str = "=") -> "Query":
        """Keep the answers whose relation leads to an entity (by id), or to a value for which this holds."""
        _need_plain(self, "where")
        return Query(constrained(self.patterns, relation, target, comparator))

    # -- renderings -------------------------------------------------------------------------------

    def to_sparql(self, **options: Any) -> str:
        """SPARQL 1.1; the options are those of `rollcall.query.sparql.to_sparql`."""
        from rollcall.query.sparql import to_sparql

        return to_sparql(self, **options)

    def to_lambda(self, name: Naming | None = None) -> str:
        """λ-calculus, as in the GraphQuestions paper; `name` maps ids to the names shown."""
        from rollcall.query.notations import to_lambda

        return to_lambda(self, name)

    def to_ibis(self, tables: "QueriedTables") -> "ir.Table":
        """An Ibis expression over a graph's tables."""
        from rollcall.query.ibis_expression import to_ibis

        return to_ibis(self, tables)

    def to_svg(self, name: Naming | None = None) -> str:
        """A small picture; `name` maps ids to the names shown."""
        from rollcall.query.picture import to_svg

        return to_svg(self, name)

    def to_graph_json(self, name: Naming | None = None) -> "Json":
        """A JSON object in the form of GraphQuestions' `graph_query`; `name` maps ids to friendly names."""
        from rollcall.query.notations import to_graph_json

        return to_graph_json(self, name)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def category(function: str | None) -> str:
    """The category of a function: none, count, superlative or comparative."""
    return next((name for name, members in FUNCTIONS.items() if function in (name, *members)), "none")


def _check_function(query: Query) -> None:
    if query.aggregate is not None and query.aggregate not in AGGREGATES:
        raise RollcallError(f"{query.aggregate!r} is not a function; choose one of {', '.join(AGGREGATES)}")
    for pattern in query.patterns:
        for edge in pattern.comparisons:
            if isinstance(edge.object, Literal) and edge.object.value.bounds is None:
                raise RollcallError(
                    f"{shortened(edge.object.value.text)} has no order, so it cannot be compared"
                )
        functions = len(pattern.comparisons) + (query.aggregate is not None)
        if functions > 1:
            raise RollcallError(
                f"a query has at most one function, this one has {functions}: {shortened(pattern.text)}"
            )
        if pattern.has_target != (query.aggregate in ("argmax", "argmin")):
            raise RollcallError(
                "argmax and argmin compare the node ?v, which must occur in every pattern and nowhere else"
            )


def _need_plain(query: Query, operation: str, *others: Query) -> None:
    for operand in (query, *others):
        if operand.aggregate is not None:
            raise RollcallError(f"apply {operand.aggregate} after {operation}, not before it")
        if any(pattern.distinct for pattern in operand.patterns):
            raise RollcallError(f"apply distinct after {operation}, not before it: it concerns all nodes")


# Building queries in Python: where a query starts, and the functions that end it. >>> films =
# entity("Q8877") << "P57" >>> str(films & (entity("Q8877") << "P162")) '{?x P162 Q8877; ?x P57 Q8877}'
# >>> str(argmax(instances("Q8502"), "P2044")) 'argmax ?v {?x a Q8502; ?x P2044 ?v}'


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
    return Query(with_edge(query.patterns, Edge(QUESTION, relation, TARGET)), "argmax")


def argmin(query: Query, relation: str) -> Query:
    """The answers with the least value of a relation."""
    return Query(with_edge(query.patterns, Edge(QUESTION, relation, TARGET)), "argmin")


def distinct(query: Query) -> Query:
    """The same query with the condition that the entities on all its nodes differ."""
    return _with_distinct(query, True)


def without_distinct(query: Query) -> Query:
    """The same query, in which one entity may be on several nodes."""
    return _with_distinct(query, False)


def _with_distinct(query: Query, are_distinct: bool) -> Query:
    patterns = tuple(replace(pattern, distinct=are_distinct) for pattern in query.patterns)
    return replace(query, patterns=patterns)


# Minimising a query: removing the parts that do not change its answer.
#
# A component is redundant if removing it does not change the answer (GraphQuestions §5.1). Edges are tried
# one by one, together with the nodes that would be disconnected. Because negation and functions are not
# monotone, the pass is repeated until no edge can be removed.


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
