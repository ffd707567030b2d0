"""The schema of a `graph_query` object, published or written by Rollcall: required fields and types.

All code that reads such an object from a file checks it against this schema first, so that later code can
rely on it.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import why


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
