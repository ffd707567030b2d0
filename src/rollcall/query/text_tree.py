"""A query as a small tree of lines for a terminal: the question node at the top, one line for each statement.

An arrow shows the direction of a relation. A variable that is reached a second time is named again and not
followed, so that a query with circles has an end.
"""

from collections.abc import Iterator

from rollcall.query.pattern import Pattern
from rollcall.query.query import Naming, Query
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Node,
    Statement,
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


class _Tree:
    """The lines of one pattern."""

    def __init__(self, pattern: Pattern, name: Naming) -> None:
        self._name = name
        self._pattern = pattern
        self._left: list[Statement] = list(pattern.statements)

    def lines(self) -> Iterator[str]:
        apart = "  (all different)" if self._pattern.distinct else ""
        yield f"{self._shown(QUESTION)}{self._classes(QUESTION)}{apart}"
        yield from self._below(QUESTION, "")

    def _below(self, node: Node, indent: str) -> Iterator[str]:
        """A line for each statement about a node that was not shown yet, and what is below it."""
        own = [edge for edge in self._left if isinstance(edge, Edge) and node in edge.nodes]
        self._left = [statement for statement in self._left if statement not in own]
        for place, edge in enumerate(own):
            last = place == len(own) - 1
            other = edge.object if edge.subject == node else edge.subject
            relation = ("not " if edge.negated else "") + self._name(edge.relation)
            arrow = f"─ {relation} → " if edge.subject == node else f"← {relation} ─ "
            yield f"{indent}{'└' if last else '├'}{arrow}{self._shown(other)}{self._classes(other)}"
            yield from self._below(other, indent + ("  " if last else "│ "))

    def _classes(self, node: Node) -> str:
        own = [one for one in self._left if isinstance(one, Typing) and one.node == node]
        self._left = [statement for statement in self._left if statement not in own]
        said = (f"{'not ' if one.negated else ''}{self._name(one.class_id)}" for one in own)
        return "".join(f": {one}" for one in said)

    def _shown(self, node: Node) -> str:
        if isinstance(node, Variable):
            return "?" + (node if node in (QUESTION, TARGET) else node.name)
        if isinstance(node, Entity):
            return self._name(node.id)
        assert isinstance(node, Literal)
        order = "" if node.comparator == "=" else f"{node.comparator} "
        return f"{order}{node.value}"
