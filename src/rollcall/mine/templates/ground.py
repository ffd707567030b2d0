"""Makes a query from a sketch: decides which nodes keep their individual and which become typed variables.

A leaf that is a variable rarely adds information, and a grounded inner node makes everything behind it
redundant. So leaves are mostly grounded and inner nodes mostly are not.
"""

from random import Random

from rollcall.mine.templates.sketch import QUESTION_NODE, Sketch
from rollcall.mine.templates.terrain import Terrain
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, Typing, Variable, parse_value
from rollcall.query.statements import TARGET, Node, Statement

_LEAF_GROUNDED = 0.98
_INNER_GROUNDED = 0.08


class Grounding:
    """The nodes of a sketch as nodes of a query, and the statements between them."""

    def __init__(
        self,
        terrain: Terrain,
        chance: Random,
        sketch: Sketch,
        question_class: str | None,
        measured: int | None = None,
        free: int | None = None,
    ) -> None:
        """`measured` is the node with the value that a function compares; `free` is a node that stays a
        variable.
        """
        self.terrain = terrain
        self.sketch = sketch
        self.measured, self.free = measured, free
        self.nodes: list[Node] = [self._node(chance, node) for node in range(len(sketch.terms))]
        self.classes: dict[int, str] = {}
        for node, made in enumerate(self.nodes):
            if isinstance(made, Variable) and terrain.is_entity(sketch.terms[node]):
                given = question_class if node == self._asked else None
                class_id = given or terrain.class_of(chance, sketch.terms[node])
                if class_id:
                    self.classes[node] = class_id

    @property
    def _asked(self) -> int:
        """The node whose class started the template: the question node, or the owner of the asked value."""
        if self.terrain.is_entity(self.sketch.terms[QUESTION_NODE]):
            return QUESTION_NODE
        return self.sketch.edges[0][0]

    def _node(self, chance: Random, node: int) -> Node:
        term = self.sketch.terms[node]
        if node == QUESTION_NODE:
            return QUESTION
        if node == self.measured:
            return TARGET
        if not self.terrain.is_entity(term):
            return Literal(parse_value(self.terrain.index.term_text(term)))
        if node == self.free:
            return Variable(f"n{node}")
        grounded = _LEAF_GROUNDED if self.sketch.degree(node) == 1 else _INNER_GROUNDED
        if chance.random() < grounded:
            return Entity(self.terrain.index.entity_ids[term])
        return Variable(f"n{node}")

    @property
    def is_grounded(self) -> bool:
        return any(isinstance(node, (Entity, Literal)) for node in self.nodes)

    def edges(self) -> list[Edge]:
        ids = self.terrain.index.relation_ids
        made = []
        for subject, relation, object_ in self.sketch.edges:
            start = self.nodes[subject]
            if isinstance(start, Literal):
                raise TypeError("a value is no subject")
            made.append(Edge(start, ids[relation], self.nodes[object_]))
        return made

    def typings(self) -> list[Statement]:
        made: list[Statement] = []
        for node, class_id in self.classes.items():
            variable = self.nodes[node]
            if isinstance(variable, Variable):
                made.append(Typing(variable, class_id))
        return made


def template_text(query: Query) -> str:
    """The text of a query's template: every individual is replaced by a marked variable."""
    patterns = []
    for pattern in query.patterns:
        marks: dict[Node, Variable] = {}
        statements: list[Statement] = []
        for statement in pattern.statements:
            for node in statement.nodes:
                if not isinstance(node, Variable) and node not in marks:
                    mark = marks[node] = Variable(f"grounded{len(marks)}")
                    kind = node.comparator if isinstance(node, Literal) else "entity"
                    statements.append(Typing(mark, f"grounded {kind}"))
            if isinstance(statement, Typing):
                statements.append(
                    Typing(_marked(statement.node, marks), statement.class_id, statement.negated)
                )
                continue
            subject, object_ = _marked(statement.subject, marks), statement.object
            end = object_ if isinstance(object_, Variable) else marks[object_]
            statements.append(Edge(subject, statement.relation, end, statement.negated))
        patterns.append(Query.of(statements).patterns[0] if query.aggregate not in _TARGETED else statements)
    if query.aggregate in _TARGETED:
        return Query.of(patterns[0], aggregate=query.aggregate).text  # type: ignore[arg-type]
    return f"{query.aggregate or ''} {Query(tuple(patterns)).text}".strip()  # type: ignore[arg-type]


_TARGETED = ("argmax", "argmin")


def _marked(node: Variable | Entity, marks: dict[Node, Variable]) -> Variable:
    return node if isinstance(node, Variable) else marks[node]
