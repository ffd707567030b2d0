"""The graph query: the central value of Rollcall.

A query is a union of patterns with at most one function. Queries are immutable; equal queries are equal,
hashable, and have one canonical text whose parse gives the same value back. That text is the stable key of
a question everywhere, and `id` is its short form.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from rollcall.errors import RollcallError
from rollcall.query import algebra
from rollcall.query.pattern import Pattern
from rollcall.query.statements import TARGET, Edge, Literal, Statement
from rollcall.query.values import Value, shortened

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from rollcall.query.graph_json import Json
    from rollcall.query.ibis_expression import GraphTables

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
        return tuple(dict.fromkeys(e.id for pattern in self.patterns for e in pattern.entities))

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations of all edges, each once."""
        return tuple(dict.fromkeys(edge.relation for edge in self.edges))

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of all nodes, each once."""
        return tuple(dict.fromkeys(t.class_id for pattern in self.patterns for t in pattern.typings))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Query.parse({self.text!r})"

    # -- operators --------------------------------------------------------------------------------

    def __and__(self, other: "Query") -> "Query":
        """The answers of both queries."""
        _need_plain(self, "&", other)
        return Query(algebra.intersection(self.patterns, other.patterns))

    def __or__(self, other: "Query") -> "Query":
        """The answers of either query."""
        _need_plain(self, "|", other)
        return Query(self.patterns + other.patterns)

    def __sub__(self, other: "Query") -> "Query":
        """The answers of this query that are not answers of the other."""
        _need_plain(self, "-", other)
        return Query(algebra.difference(self.patterns, other.patterns))

    def __rshift__(self, relation: str) -> "Query":
        """The objects of a relation of the answers: `films >> "P57"` are the directors of the films."""
        _need_plain(self, ">>")
        return Query(algebra.follow(self.patterns, relation, forward=True))

    def __lshift__(self, relation: str) -> "Query":
        """The subjects with this relation to an answer: `people << "P57"` are the films they directed."""
        _need_plain(self, "<<")
        return Query(algebra.follow(self.patterns, relation, forward=False))

    def where(self, relation: str, target: "str | Value", comparator: str = "=") -> "Query":
        """Keep the answers whose relation leads to an entity (by id), or to a value for which this holds."""
        _need_plain(self, "where")
        return Query(algebra.constrained(self.patterns, relation, target, comparator))

    # -- renderings -------------------------------------------------------------------------------

    def to_sparql(self, **options: Any) -> str:
        """SPARQL 1.1; the options are those of `rollcall.query.sparql.to_sparql`."""
        from rollcall.query.sparql import to_sparql

        return to_sparql(self, **options)

    def to_lambda(self, name: Naming | None = None) -> str:
        """λ-calculus, as in the GraphQuestions paper; `name` maps ids to the names shown."""
        from rollcall.query.lambda_form import to_lambda

        return to_lambda(self, name)

    def to_ibis(self, tables: "GraphTables") -> "ir.Table":
        """An Ibis expression over a graph's tables."""
        from rollcall.query.ibis_expression import to_ibis

        return to_ibis(self, tables)

    def to_svg(self, name: Naming | None = None) -> str:
        """A small picture; `name` maps ids to the names shown."""
        from rollcall.query.picture import to_svg

        return to_svg(self, name)

    def to_graph_json(self, name: Naming | None = None) -> "Json":
        """A JSON object in the form of GraphQuestions' `graph_query`; `name` maps ids to friendly names."""
        from rollcall.query.graph_json import to_graph_json

        return to_graph_json(self, name)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def category(function: str | None) -> str:
    """The category of a function: none, count, superlative or comparative."""
    return next((name for name, members in FUNCTIONS.items() if function in (name, *members)), "none")


def _check_function(query: Query) -> None:
    if query.aggregate is not None and query.aggregate not in AGGREGATES:
        raise RollcallError(f"{query.aggregate!r} is not a function; there are {', '.join(AGGREGATES)}")
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
