"""One connected graph of statements around the question node: what it may look like and what it means.

A variable that occurs in a positive statement is existentially quantified over the whole graph. A variable
that occurs in negated statements only is quantified inside the negation, and the negated statements it
links are negated together: `not ?x P40 ?1; not ?1 P27 Q30` means "has no child who is a citizen of Q30".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rollcall._core.errors import RollcallError
from rollcall.query.canonical import canonical_statements
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
    variables_of,
)
from rollcall.query.values import shortened, writable


@dataclass(frozen=True)
class Pattern:
    """A conjunction of statements; `distinct` asks that the entities on all nodes differ."""

    statements: tuple[Statement, ...]
    distinct: bool = False

    def __post_init__(self) -> None:
        _check(self.statements)
        object.__setattr__(self, "statements", canonical_statements(self.statements))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(statement for statement in self.statements if isinstance(statement, Edge))

    @cached_property
    def typings(self) -> tuple[Typing, ...]:
        return tuple(statement for statement in self.statements if isinstance(statement, Typing))

    @cached_property
    def positive(self) -> tuple[Statement, ...]:
        return tuple(statement for statement in self.statements if not statement.negated)

    @cached_property
    def negative_groups(self) -> tuple[tuple[Statement, ...], ...]:
        """The negated statements in groups; variables that occur only in negations link those of a group."""
        outer = set(self.positive_variables)
        negated = [statement for statement in self.statements if statement.negated]
        return tuple(components(negated, lambda variable: variable not in outer))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        variables = (variable for statement in self.statements for variable in variables_of(statement))
        return tuple(dict.fromkeys(variables))

    @cached_property
    def positive_variables(self) -> tuple[Variable, ...]:
        variables = (variable for statement in self.positive for variable in variables_of(statement))
        return tuple(dict.fromkeys(variables))

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The grounded entity nodes, the paper's topic entities."""
        nodes = (node for statement in self.statements for node in statement.nodes)
        return tuple(dict.fromkeys(node for node in nodes if isinstance(node, Entity)))

    @cached_property
    def comparisons(self) -> tuple[Edge, ...]:
        """The edges whose object is a literal with a comparator."""
        return tuple(
            edge for edge in self.edges if isinstance(edge.object, Literal) and edge.object.comparator != "="
        )

    @property
    def has_target(self) -> bool:
        return TARGET in self.variables

    def is_entity_variable(self, variable: Variable) -> bool:
        """Whether a variable can only stand for entities, because something is said about it."""
        return any(
            (isinstance(statement, Typing) and statement.node == variable)
            or (isinstance(statement, Edge) and statement.subject == variable)
            for statement in self.statements
            if not statement.negated or variable not in self.positive_variables
        )

    @property
    def text(self) -> str:
        body = "{" + "; ".join(statement.text for statement in self.statements) + "}"
        return f"distinct {body}" if self.distinct else body


def components(
    statements: Iterable[Statement], links: Callable[[Variable], bool]
) -> list[tuple[Statement, ...]]:
    """Group statements that share a variable for which `links` holds.

    Each group keeps the order of its statements; the groups are in the order of their last statements.
    """
    listed = list(statements)
    at: dict[Node, list[int]] = {}
    for number, statement in enumerate(listed):
        for variable in variables_of(statement):
            if links(variable):
                at.setdefault(variable, []).append(number)
    groups: list[list[int]] = []
    grouped: set[int] = set()
    for number, statement in enumerate(listed):
        if number not in grouped:
            groups.append(_reached(listed, at, filter(at.__contains__, variables_of(statement))) or [number])
            grouped.update(groups[-1])
    return [
        tuple(listed[number] for number in group) for group in sorted(groups, key=lambda group: group[-1])
    ]


def connected_part(statements: Iterable[Statement]) -> list[Statement]:
    """The statements that are connected with the question node through any nodes, in their order."""
    listed = list(statements)
    at: dict[Node, list[int]] = {}
    for number, statement in enumerate(listed):
        for node in statement.nodes:
            at.setdefault(node, []).append(number)
    return [listed[number] for number in _reached(listed, at, [QUESTION])]


def _reached(
    statements: Sequence[Statement], at: Mapping[Node, Sequence[int]], starts: Iterable[Node]
) -> list[int]:
    """The numbers of the statements that can be reached; `at` has those of each node that links."""
    waiting: list[Node] = list(starts)
    seen = set(waiting)
    reached: set[int] = set()
    while waiting:
        for number in at.get(waiting.pop(), ()):
            if number not in reached:
                reached.add(number)
                new = [node for node in statements[number].nodes if node not in seen]
                seen.update(new)
                waiting += new
    return sorted(reached)


def _check(statements: tuple[Statement, ...]) -> None:
    for statement in statements:
        writable(statement.relation if isinstance(statement, Edge) else statement.class_id, "a name")
        for node in statement.nodes:
            if isinstance(node, Entity):
                writable(node.id, "a name")
    if not any(not statement.negated and QUESTION in statement.nodes for statement in statements):
        raise RollcallError("a query must say something positive about its question node ?x")
    connected = set(connected_part(statements))
    if loose := next((statement for statement in statements if statement not in connected), None):
        raise RollcallError(
            f"every part of a query must be connected to ?x; this is not: {shortened(loose.text)}"
        )
    positive = {node for statement in statements if not statement.negated for node in statement.nodes}
    used = {node for statement in statements for node in statement.nodes}
    if TARGET in used and TARGET not in positive:
        raise RollcallError("the node ?v that argmax or argmin compares must occur in a positive statement")
