"""The atoms of a query: variables, entities and literals, and the statements that connect them.

A statement is an edge (a relation between two nodes) or a typing (a node belongs to a class), and either
may be negated. A literal may carry a comparator: `?x height > 2000` means that some height exceeds 2000.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from rollcall.query.values import Value, escape


class Variable(str):
    """A node without a fixed value, by its name; the question node is `x`.

    It is a string because evaluators often look up variables in dictionaries, and strings are the fastest to
    hash and compare in Python.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        return str(self)

    @property
    def text(self) -> str:
        return "?" + self

    def __repr__(self) -> str:
        return f"Variable({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Entity:
    """A grounded node: one entity of the graph, by id."""

    id: str

    @property
    def text(self) -> str:
        return name_text(self.id)


@dataclass(frozen=True, slots=True)
class Literal:
    """A grounded literal or, with a comparator, all values for which the comparison holds."""

    value: Value
    comparator: str = "="

    @property
    def text(self) -> str:
        return self.value.text if self.comparator == "=" else f"{self.comparator} {self.value.text}"


Node: TypeAlias = Variable | Entity | Literal

QUESTION = Variable("x")
TARGET = Variable("v")
"""The node whose value `argmax` and `argmin` compare."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from subject to object, or its absence."""

    subject: Variable | Entity
    relation: str
    object: Node
    negated: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.subject, self.object)

    @property
    def text(self) -> str:
        words = f"{self.subject.text} {name_text(self.relation)} {self.object.text}"
        return f"not {words}" if self.negated else words


@dataclass(frozen=True, slots=True)
class Typing:
    """A node's membership of a class (through any chain of subclasses), or its absence."""

    node: Variable | Entity
    class_id: str
    negated: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.node,)

    @property
    def text(self) -> str:
        words = f"{self.node.text} a {name_text(self.class_id)}"
        return f"not {words}" if self.negated else words


Statement: TypeAlias = Edge | Typing
AnyNode = TypeVar("AnyNode", Variable | Entity, Node)

KEYWORDS = frozenset({"a", "not", "distinct", "count", "max", "min", "argmax", "argmin"})
BARE_NAME = re.compile(r"[^\W\d][\w./:#%+~-]*")


def name_text(name: str) -> str:
    """A name as written in the query text: bare where that is unambiguous, else in square brackets."""
    if BARE_NAME.fullmatch(name) and name not in KEYWORDS:
        return name
    return f"[{escape(name, ']')}]"


def variables_of(statement: Statement) -> tuple[Variable, ...]:
    """The variables of a statement, each once, in order."""
    return tuple(dict.fromkeys(node for node in statement.nodes if isinstance(node, Variable)))


def renamed(statement: Statement, names: Mapping[Variable, Variable]) -> Statement:
    """The statement with its variables renamed; variables without a new name are unchanged."""

    if isinstance(statement, Typing):
        return Typing(_rename(statement.node, names), statement.class_id, statement.negated)
    subject, object_ = _rename(statement.subject, names), _rename(statement.object, names)
    return Edge(subject, statement.relation, object_, statement.negated)


def _rename(node: AnyNode, names: Mapping[Variable, Variable]) -> AnyNode | Variable:
    return names.get(node, node) if isinstance(node, Variable) else node
