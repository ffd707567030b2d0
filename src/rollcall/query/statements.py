"""The atoms of a query: variables, entities and literals, and the statements that connect them.

A statement is an edge (a relation between two nodes) or a typing (a node belongs to a class), and either
may be negated. A literal may carry a comparator: `?x height > 2000` means that some height exceeds 2000.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import msgspec

from rollcall._core.errors import RollcallError, why
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


def positive(statement: Statement) -> Statement:
    """A statement that is not negated."""
    return replace(statement, negated=False)


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


# The schema of a `graph_query` object, published or written by Rollcall: required fields and types. All
# code that reads such an object from a file checks it against this schema first, so that later code can
# rely on it.


class NodeShape(msgspec.Struct):
    """A node: an entity, a literal, or a variable with its class."""

    nid: int
    node_type: str
    id: str
    class_: str = msgspec.field(name="class", default="")
    classes: list[str] = []
    not_classes: list[str] = []
    friendly_name: str = ""
    question_node: int | bool = 0
    function: str = "none"
    value: str = ""


class EdgeShape(msgspec.Struct):
    """An edge between two nodes, by their numbers."""

    start: int
    end: int
    relation: str
    friendly_name: str = ""
    negated: bool = False


class GraphShape(msgspec.Struct):
    """One connected graph."""

    nodes: list[NodeShape]
    edges: list[EdgeShape]
    mutually_exclusive: bool = True


class UnionShape(msgspec.Struct):
    """Several graphs."""

    union: list[GraphShape]


def friendly_names(graphs: Sequence[GraphShape]) -> dict[str, str]:
    """What the entities and classes of the nodes are called, by their ids."""
    nodes = [node for graph in graphs for node in graph.nodes]
    return {node.id: node.friendly_name or node.id for node in nodes if node.node_type != "literal"}


def shape_of(graph: Any) -> list[GraphShape]:
    """The graphs of an object; an object of another shape is refused."""
    try:
        if isinstance(graph, dict) and "union" in graph:
            return msgspec.convert(graph, UnionShape).union
        return [msgspec.convert(graph, GraphShape)]
    except (msgspec.ValidationError, RecursionError) as error:
        raise RollcallError(f"not a graph query: {why(error)}") from None
