"""The shape of a `graph_query` object, published or ours: what must be there, and of which types.

Everything that reads such an object from somebody's file holds it against this first, so that what comes
after may rely on it.
"""

from typing import Any

import msgspec

from rollcall.errors import RollcallError


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


def shape_of(graph: Any) -> list[GraphShape]:
    """The graphs of an object; refused where it is none."""
    try:
        if isinstance(graph, dict) and "union" in graph:
            return msgspec.convert(graph, UnionShape).union
        return [msgspec.convert(graph, GraphShape)]
    except (msgspec.ValidationError, RecursionError) as error:
        raise RollcallError(f"not a graph query: {error}") from None
