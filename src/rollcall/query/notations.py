"""A query in two published notations, both of GraphQuestions.

- `to_graph_json`, `from_graph_json`: the JSON of its files (`graph_query`). Nodes and edges have the
  published keys. Features that this format lacks (negation, several classes, a union, mutual exclusivity, the
  exact value of a literal) have additional keys. Published files do not mention mutual exclusivity because it
  always holds there, so it is assumed where the key is missing.
- `to_lambda`: the λ-calculus of its paper.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, count
from typing import Any

from rollcall._core.errors import RollcallError
from rollcall.query.pattern import Pattern
from rollcall.query.query import AGGREGATES, Naming, Query
from rollcall.query.rdf_terms import typed_literal, value_of
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
    shape_of,
    variables_of,
)
from rollcall.query.values import COMPARATORS, Number, Value, parse_value, shortened

Json = dict[str, Any]


def to_graph_json(query: Query, name: Naming | None = None) -> Json:
    """The query's graph; `name` maps ids to friendly names (default: the ids)."""
    graphs = [_graph(query, pattern, name or (lambda id_: id_)) for pattern in query.patterns]
    return graphs[0] if len(graphs) == 1 else {"union": graphs}


def from_graph_json(data: Mapping[str, Any]) -> Query:
    """The query of a `graph_query` object, published or written by Rollcall."""
    shape_of(data)
    try:
        graphs = data.get("union", [data])
        read = [_read_graph(graph) for graph in graphs]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise RollcallError(
            f"not a graph query: {type(error).__name__} {shortened(str(error))} while reading nodes and edges"
        ) from None
    functions = {function for _, function in read}
    if len(functions) > 1:
        raise RollcallError("the graphs of a union must have the same function")
    return Query(tuple(pattern for pattern, _ in read), functions.pop() if functions else None)


def _graph(query: Query, pattern: Pattern, name: Naming) -> Json:
    nodes = dict.fromkeys([QUESTION, *(node for statement in pattern.statements for node in statement.nodes)])
    numbers = {node: number for number, node in enumerate(nodes)}
    return {
        "nodes": [_node(query, pattern, node, number, name) for node, number in numbers.items()],
        "edges": [
            {
                "start": numbers[edge.subject],
                "end": numbers[edge.object],
                "relation": edge.relation,
                "friendly_name": name(edge.relation),
                **({"negated": True} if edge.negated else {}),
            }
            for edge in pattern.edges
        ],
        "mutually_exclusive": pattern.distinct,
    }


def _node(query: Query, pattern: Pattern, node: Node, number: int, name: Naming) -> Json:
    classes = [typing.class_id for typing in pattern.typings if typing.node == node and not typing.negated]
    denied = [typing.class_id for typing in pattern.typings if typing.node == node and typing.negated]
    record: Json = {"nid": number, "node_type": "class", "id": "", "class": classes[0] if classes else ""}
    function = "none"
    if isinstance(node, Entity):
        record |= {"node_type": "entity", "id": node.id}
        friendly = name(node.id)
    elif isinstance(node, Literal):
        record |= {"node_type": "literal", "id": _literal_id(node.value)}
        record["value"] = node.value.text
        friendly = str(node.value)
        function = "none" if node.comparator == "=" else node.comparator
    else:
        record["id"] = record["class"]
        friendly = name(record["id"]) if record["id"] else ""
        over_question = query.aggregate in ("count", "max", "min")
        if query.aggregate and node == (QUESTION if over_question else TARGET):
            function = query.aggregate
    record |= {"friendly_name": friendly, "question_node": int(node == QUESTION), "function": function}
    # The published key holds only one class.
    if len(classes) > 1 or any(class_ in _NO_CLASSES for class_ in classes):
        record["classes"] = classes
    if denied:
        record["not_classes"] = denied
    return record


def _literal_id(value: Value) -> str:
    """A value as published files write it: its text and its datatype."""
    if isinstance(value, Number) and value.unit is not None:
        return f"{value.amount:f}^^{typed_literal(value)[1]}"
    lexical, datatype, _ = typed_literal(value)
    return f"{lexical}^^{datatype}" if datatype else lexical


_NO_CLASSES = {
    "", "type.datetime", "type.int", "type.float", "type.boolean", "type.rawstring", "type.text",
}  # fmt: skip
"""What published files write as the class of a node that has no class or is a value."""


def _read_graph(graph: Mapping[str, Any]) -> tuple[Pattern, str | None]:
    nodes: dict[int, Node] = {}
    statements: list[Statement] = []
    aggregate: str | None = None
    for record in graph["nodes"]:
        function = record.get("function", "none")
        if function not in ("none", *AGGREGATES, *COMPARATORS):
            raise RollcallError(f"node {record['nid']} has the unknown function {shortened(str(function))!r}")
        if function in AGGREGATES:
            if aggregate is not None:
                raise RollcallError(f"a graph query has one function, this one {aggregate} and {function}")
            aggregate = function
        if record["nid"] in nodes:
            raise RollcallError(f"two nodes have the number {record['nid']}")
        node = nodes[record["nid"]] = _read_node(record, function)
        if isinstance(node, Literal):
            continue
        # Published files also give entities a class, which adds no information.
        if isinstance(node, Variable) or "mutually_exclusive" in graph:
            statements += [Typing(node, class_) for class_ in _classes(record, node)]
        statements += [
            Typing(node, _text(class_id), negated=True) for class_id in record.get("not_classes", [])
        ]
    for edge in graph["edges"]:
        subject = nodes[edge["start"]]
        if isinstance(subject, Literal):
            raise RollcallError(f"the edge {shortened(str(edge['relation']))!r} starts at a literal")
        negated = _truth(edge.get("negated", False))
        statements.append(Edge(subject, _text(edge["relation"]), nodes[edge["end"]], negated))
    return Pattern(tuple(statements), _truth(graph.get("mutually_exclusive", True))), aggregate


def _classes(record: Mapping[str, Any], node: Node) -> list[str]:
    """The classes of a node. In the published key `class`, but not in `classes`, some names mean no class."""
    if "classes" in record:
        return [_text(class_) for class_ in record["classes"]]
    class_ = _text(record.get("class") or (record["id"] if isinstance(node, Variable) else ""))
    return [] if class_ in _NO_CLASSES else [class_]


def _read_node(record: Mapping[str, Any], function: str) -> Node:
    if record.get("question_node"):
        return QUESTION
    if record["node_type"] == "entity":
        return Entity(_text(record["id"]))
    if record["node_type"] == "literal":
        lexical, _, datatype = (
            record["id"].rpartition("^^") if "^^" in record["id"] else (record["id"], "", "")
        )
        value = (
            parse_value(record["value"]) if "value" in record else value_of(lexical, datatype or None, None)
        )
        return Literal(value, function if function in COMPARATORS else "=")
    return TARGET if function in ("argmax", "argmin") else Variable(f"node{record['nid']}")


def _text(content: Any) -> str:
    if not isinstance(content, str):
        raise RollcallError(f"not a graph query: {shortened(repr(content))} stands where a name must be")
    return content


def _truth(content: Any) -> bool:
    # Published files write 0 and 1 for false and true.
    if content not in (False, True):
        raise RollcallError(f"not a graph query: {shortened(repr(content))} is neither true nor false")
    return bool(content)


# A query as λ-calculus, in the notation of the GraphQuestions paper.
#
# Variables that occur only in a negation are quantified inside it, a comparator introduces its own variable,
# and mutual exclusivity becomes inequalities. `argmax(λx.λv.φ)` means the x of those pairs that satisfy φ
# with the greatest v.


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
