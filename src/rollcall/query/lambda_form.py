"""A query as λ-calculus, in the notation of the GraphQuestions paper.

Variables that occur only in a negation are quantified inside it, a comparator introduces its own variable,
and mutual exclusivity becomes inequalities. `argmax(λx.λv.φ)` means the x of those pairs that satisfy φ with
the greatest v.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, count

from rollcall.query.pattern import Pattern
from rollcall.query.query import Naming, Query
from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Literal,
    Node,
    Statement,
    Typing,
    Variable,
    variables_of,
)


def to_lambda(query: Query, name: Naming | None = None) -> str:
    """The λ-form; `name` maps ids of entities, relations and classes to the names shown."""
    show = name or (lambda id_: id_)
    bodies = [_Writer(pattern, show).body() for pattern in query.patterns]
    body = bodies[0] if len(bodies) == 1 else " ∨ ".join(f"({body})" for body in bodies)
    if query.aggregate in ("argmax", "argmin"):
        return f"{query.aggregate}(λx.λv.{body})"
    return f"λx.{body}" if query.aggregate is None else f"{query.aggregate}(λx.{body})"


def camel_case(label: str, *, upper: bool = False) -> str:
    """A label as the papers write names: cause of death → causeOfDeath."""
    words = label.split()
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    return joined if upper or not joined else joined[:1].lower() + joined[1:]


class _Writer:
    """Writes one pattern and assigns letters to its variables."""

    def __init__(self, pattern: Pattern, show: Naming):
        self.pattern = pattern
        self.show = show
        self.letters = _letters()
        self.names = {QUESTION: "x", TARGET: "v"}

    def body(self) -> str:
        bound, parts = self._conjunction(self.pattern.positive)
        if self.pattern.distinct:
            nodes: list[Node] = [*self.pattern.positive_variables, *self.pattern.entities]
            parts += [f"{self._node(left)} ≠ {self._node(right)}" for left, right in combinations(nodes, 2)]
        parts += [self._negation(group) for group in self.pattern.negative_groups]
        return bound + " ∧ ".join(parts)

    def _negation(self, group: tuple[Statement, ...]) -> str:
        bound, parts = self._conjunction(group)
        if self.pattern.distinct:
            inner = [
                variable
                for statement in group
                for variable in variables_of(statement)
                if variable not in self.pattern.positive_variables
            ]
            others: list[Node] = [*self.pattern.positive_variables, *self.pattern.entities]
            for position, variable in enumerate(dict.fromkeys(inner)):
                parts += [
                    f"{self._node(variable)} ≠ {self._node(other)}" for other in (*others, *inner[:position])
                ]
        joined = " ∧ ".join(parts)
        return f"¬{bound}({joined})" if bound or len(parts) > 1 else f"¬{joined}"

    def _conjunction(self, statements: Iterable[Statement]) -> tuple[str, list[str]]:
        """The quantifiers for variables that occur for the first time, and the conjuncts."""
        parts: list[str] = []
        new: list[str] = []
        bound = set(self.names)
        for statement in statements:
            for variable in variables_of(statement):
                self._node(variable)
                if variable not in bound:
                    bound.add(variable)
                    new.append(self.names[variable])
            if isinstance(statement, Typing):
                parts.append(f"type({self._node(statement.node)}, {self.show(statement.class_id)})")
                continue
            relation, subject = self.show(statement.relation), self._node(statement.subject)
            if isinstance(statement.object, Literal) and statement.object.comparator != "=":
                new.append(letter := next(self.letters))
                parts += [
                    f"{relation}({subject}, {letter})",
                    f"{_SIGNS[statement.object.comparator]}({letter}, {statement.object.value})",
                ]
            else:
                parts.append(f"{relation}({subject}, {self._node(statement.object)})")
        return "".join(f"∃{letter}." for letter in new), parts

    def _node(self, node: Node) -> str:
        if isinstance(node, Literal):
            return node.value.text if node.value.text.startswith('"') else str(node.value)
        if not isinstance(node, Variable):
            return self.show(node.id)
        if node not in self.names:
            self.names[node] = next(self.letters)
        return self.names[node]


_SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥"}


def _letters() -> Iterator[str]:
    yield from "yzwu"
    yield from (f"y{number}" for number in count(1))
