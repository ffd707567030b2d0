"""A query as a small tree of lines for a terminal: the question node at the top, one line for each statement.

An arrow shows the direction of a relation. A variable that is reached a second time is named again and not
followed, so that a query with circles has an end.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rollcall.query.pattern import Pattern
from rollcall.query.query import Naming, Query
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Node,
    Typing,
    Variable,
)

_FUNCTIONS = {
    "count": "how many different ?x:",
    "max": "the greatest ?x:",
    "min": "the least ?x:",
    "argmax": "the ?x with the greatest ?v:",
    "argmin": "the ?x with the least ?v:",
}


def to_text_tree(query: Query, name: Naming | None = None) -> str:
    """The tree; `name` maps ids to the names shown."""
    naming = name or (lambda id_: id_)
    lines = [_FUNCTIONS[query.aggregate]] if query.aggregate else []
    for number, pattern in enumerate(query.patterns):
        lines += ["or"] * (number > 0)
        lines += _Tree(pattern, naming).lines()
    return "\n".join(lines)


class _Branch(NamedTuple):
    """An edge to show below a node."""

    edge: Edge
    node: Node
    indent: str
    is_last: bool


class _Tree:
    """The lines of one pattern. A query may be deeper than Python's recursion, so there is none here."""

    def __init__(self, pattern: Pattern, name: Naming) -> None:
        self._name = name
        self._pattern = pattern
        self._edges: dict[Node, list[Edge]] = {}
        self._typings: dict[Node, list[Typing]] = {}
        self._done: set[Edge] = set()
        for edge in pattern.edges:
            for node in dict.fromkeys(edge.nodes):
                self._edges.setdefault(node, []).append(edge)
        for typing in pattern.typings:
            self._typings.setdefault(typing.node, []).append(typing)

    def lines(self) -> Iterator[str]:
        apart = "  (all different)" if self._pattern.distinct else ""
        yield f"{self._shown(QUESTION)}{self._classes(QUESTION)}{apart}"
        waiting = self._below(QUESTION, "")
        while waiting:
            branch = waiting.pop()
            edge, indent = branch.edge, branch.indent
            other = edge.object if edge.subject == branch.node else edge.subject
            relation = ("not " if edge.negated else "") + self._name(edge.relation)
            arrow = f"─ {relation} → " if edge.subject == branch.node else f"← {relation} ─ "
            corner = "└" if branch.is_last else "├"
            yield f"{indent}{corner}{arrow}{self._shown(other)}{self._classes(other)}"
            waiting += self._below(other, indent + ("  " if branch.is_last else "│ "))

    def _below(self, node: Node, indent: str) -> list[_Branch]:
        """The edges at a node that were not shown yet, the last one first."""
        edges = [edge for edge in self._edges.pop(node, ()) if edge not in self._done]
        self._done.update(edges)
        return [_Branch(edge, node, indent, edge == edges[-1]) for edge in reversed(edges)]

    def _classes(self, node: Node) -> str:
        typings = self._typings.pop(node, ())
        return "".join(
            f": {'not ' if typing.negated else ''}{self._name(typing.class_id)}" for typing in typings
        )

    def _shown(self, node: Node) -> str:
        if isinstance(node, Variable):
            return "?" + (node if node in (QUESTION, TARGET) else node.name)
        if isinstance(node, Entity):
            return self._name(node.id)
        assert isinstance(node, Literal)
        order = "" if node.comparator == "=" else f"{node.comparator} "
        return f"{order}{node.value}"
