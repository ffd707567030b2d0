"""A sketch of a template: a connected piece of the graph, in numbers, grown from the question node.

A sketch grows along facts of the graph, so every template can be satisfied and grounding cannot fail: the
answers contain at least the entity from which the sketch was grown. New edges lead to new nodes, or close
cycles among existing nodes.
"""

from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import sqrt
from random import Random

from rollcall.graph import Graph
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop
from rollcall.mine.relations import UNTYPED, AskableRelations, Ontology, can_name_class
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, Typing, Variable, parse_value
from rollcall.query.statements import TARGET, Node, Statement

# The read-only data from which templates grow: a graph, its ontology, and the relations worth asking
# about. `Terrain` is made once in each process and not changed afterwards.

Start = tuple[str, int]
"""A start of a template: the question's class and a hop out of it."""


class Terrain:
    """A graph with its ontology and its relations worth asking about, for the growth of templates."""

    def __init__(
        self,
        graph: Graph,
        ontology: Ontology,
        relations: AskableRelations,
        excluded: Collection[str] = (),
        least_instances: int = 5,
        class_share: float = 0.1,
    ) -> None:
        self.graph = graph
        self.index = graph.index
        self.ontology = ontology
        self._least, self._class_share = least_instances, class_share
        self._excluded = {name.casefold() for name in excluded}
        self._sayable_classes: dict[str, bool] = {}
        self.relations, self._compared = relations
        self.around = Neighbourhood(graph.index, sorted(self.relations.values()))

    def is_entity(self, term: int) -> bool:
        return term < self.index.entity_count

    def has_order(self, term: int) -> bool:
        """Whether a term is a value that can be compared."""
        return not self.is_entity(term) and bool(
            self.index.literal_dimension[term - self.index.entity_count] >= 0
        )

    def is_date(self, term: int) -> bool:
        if not self.has_order(term):
            return False
        dimension = self.index.literal_dimension[term - self.index.entity_count]
        return bool(self.index.dimensions[dimension] == "date")

    def may_name(self, relation: int, term: int) -> bool:
        """Whether a question may name a term as the object of a relation: of values, only dates."""
        return self.is_entity(term) or (relation in self._compared and self.is_date(term))

    def class_of(self, chance: Random, entity: int) -> str | None:
        """One of the direct types of an entity, or sometimes a wider class that is sayable."""
        class_ids = (self.index.class_ids[number] for number in self.index.direct_types(entity).tolist())
        direct = [class_id for class_id in class_ids if self._sayable(class_id)]
        if chance.random() < _WIDER:
            entities, classes = self.index.types_forward()
            key = entities.dtype.type(entity)
            mine = classes[entities.searchsorted(key, "left") : entities.searchsorted(key, "right")].tolist()
            wider = [self.index.class_ids[number] for number in mine]
            direct = [class_id for class_id in wider if self._sayable(class_id)] or direct
        return chance.choice(sorted(direct)) if direct else None

    def _sayable(self, class_id: str) -> bool:
        if class_id not in self._sayable_classes:
            label = self.graph.class_label(class_id)
            plain = can_name_class(label) and label.casefold() not in self._excluded
            self._sayable_classes[class_id] = plain and self.ontology.is_sayable(class_id, self._class_share)
        return self._sayable_classes[class_id]

    # -- starts --------------------------------------------------------------------------------------

    @cached_property
    def starts(self) -> dict[str, list[int]]:
        """For every question class, the hops out of it that lead to entities."""
        hops_by_class: dict[str, set[int]] = {}
        for edge in self.ontology.edges:
            relation = self.relations.get(edge.relation)
            if relation is None or edge.literal or edge.facts < self._least:
                continue
            hops_by_class.setdefault(edge.subject_class, set()).add(hop(relation, FORWARD))
            hops_by_class.setdefault(edge.object_class, set()).add(hop(relation, BACKWARD))
        return {class_id: sorted(hops) for class_id, hops in sorted(hops_by_class.items())}

    @cached_property
    def measured(self) -> dict[str, list[int]]:
        """For every question class, its relations to values that can be compared."""
        hops_by_class: dict[str, set[int]] = {}
        for edge in self.ontology.edges:
            relation = self.relations.get(edge.relation)
            if relation not in self._compared or not edge.literal or edge.facts < self._least:
                continue
            if edge.object_class.partition(":")[0] in ("number", "quantity", "date"):
                hops_by_class.setdefault(edge.subject_class, set()).add(hop(relation, FORWARD))
        return {class_id: sorted(hops) for class_id, hops in sorted(hops_by_class.items())}

    def start(self, chance: Random, *, measured: bool, class_id: str | None = None) -> Start | None:
        """A question class (larger ones are more likely, unless it is given) and a hop out of it."""
        table = self.measured if measured else self.starts
        if class_id is not None:
            return (class_id, chance.choice(table[class_id])) if class_id in table else None
        classes, steps = self._drawn[measured]
        if not classes:
            return None
        drawn_class = classes[bisect_right(steps, chance.random() * steps[-1])]
        return drawn_class, chance.choice(table[drawn_class])

    @cached_property
    def _drawn(self) -> dict[bool, tuple[list[str], list[float]]]:
        """The classes and their cumulative weights, so that one is drawn by bisection."""
        return {
            measured: self._weights(self.measured if measured else self.starts) for measured in (True, False)
        }

    def _is_asked(self, class_id: str) -> bool:
        return self._sayable(class_id) and self.ontology.classes[class_id].entities >= _LEAST_MEMBERS

    def _weights(self, table: dict[str, list[int]]) -> tuple[list[str], list[float]]:
        classes = [class_id for class_id in table if class_id == UNTYPED or self._is_asked(class_id)]
        untyped = max(1, self.index.entity_count // 10)
        sizes = [
            untyped if class_id == UNTYPED else self.ontology.classes[class_id].entities
            for class_id in classes
        ]
        return classes, list(accumulate(sqrt(size) for size in sizes))


_WIDER = 0.3
_LEAST_MEMBERS = 5
"""A class with fewer members, such as the two sexes, makes no good question."""


QUESTION_NODE = 0
_TRIES = 12
_CLOSING = 0.25


@dataclass
class TemplateSketch:
    """The term of each node, the question node first, and edges (subject node, relation, object node)."""

    terms: list[int]
    edges: list[tuple[int, int, int]] = field(default_factory=list)

    def degree(self, node: int) -> int:
        return sum((subject == node) + (object_ == node) for subject, _, object_ in self.edges)

    def add(self, node: int, along: int, term: int) -> bool:
        """Add the edge from a node along a hop to a term; the term gets a new node unless it has one. No edge
        twice.
        """
        other_node = self.terms.index(term) if term in self.terms else len(self.terms)
        relation, direction = divmod(along, 2)
        edge = (node, relation, other_node) if direction == FORWARD else (other_node, relation, node)
        if edge in self.edges or other_node == node:
            return False
        if other_node == len(self.terms):
            self.terms.append(term)
        self.edges.append(edge)
        return True


def begin(
    terrain: Terrain, chance: Random, class_id: str, along: int, *, to_value: bool, from_value: bool
) -> TemplateSketch | None:
    """The first edge of a template: a fact whose end at the question node is of the class.

    With `to_value` the hop leads to a value that can be compared, else to an entity. With `from_value` as
    well, the value is the question.
    """
    relation, direction = divmod(along, 2)
    index = terrain.index
    keys, values = index.forward(relation) if direction == FORWARD else index.backward(relation)
    class_number = index.class_number(class_id) if class_id else None
    for _ in range(_TRIES):
        fact_number = chance.randrange(len(keys))
        entity, term = int(keys[fact_number]), int(values[fact_number])
        if not terrain.is_entity(entity) or (
            class_number is not None and class_number not in index.direct_types(entity)
        ):
            continue
        if not (terrain.has_order(term) if to_value else terrain.is_entity(term)):
            continue
        sketch = TemplateSketch([term]) if from_value else TemplateSketch([entity])
        node = _entity_node(sketch, entity) if from_value else QUESTION_NODE
        if from_value:
            sketch.edges.append((node, relation, QUESTION_NODE))
            return sketch
        return sketch if sketch.add(QUESTION_NODE, along, term) else None
    return None


def _entity_node(sketch: TemplateSketch, entity: int) -> int:
    sketch.terms.append(entity)
    return len(sketch.terms) - 1


def grow(terrain: Terrain, chance: Random, sketch: TemplateSketch, edges: int) -> bool:
    """Add edges until there are `edges`; False if the surroundings have no more facts."""
    for _ in range(_TRIES * edges):
        if len(sketch.edges) >= edges:
            return True
        if len(sketch.terms) > 1 and chance.random() < _CLOSING and _close(terrain, chance, sketch):
            continue
        _reach(terrain, chance, sketch)
    return len(sketch.edges) >= edges


def _entities(terrain: Terrain, sketch: TemplateSketch) -> list[int]:
    return [node for node, term in enumerate(sketch.terms) if terrain.is_entity(term)]


def _reach(terrain: Terrain, chance: Random, sketch: TemplateSketch) -> bool:
    """A random edge from a random node to what it leads to."""
    nodes = _entities(terrain, sketch)
    # The question node is preferred: statements about other nodes say less about it.
    node = (
        QUESTION_NODE
        if QUESTION_NODE in nodes and chance.random() < _ABOUT_QUESTION
        else chance.choice(nodes)
    )
    hops = terrain.around.hops(sketch.terms[node])
    if not hops:
        return False
    along = chance.choice(hops)
    terms = terrain.around.others(sketch.terms[node], along)
    term = int(terms[chance.randrange(len(terms))])
    # Only a value that a function compares may have several edges.
    if not terrain.may_name(along // 2, term) or (not terrain.is_entity(term) and term in sketch.terms):
        return False
    return sketch.add(node, along, term)


_ABOUT_QUESTION = 0.4


def _close(terrain: Terrain, chance: Random, sketch: TemplateSketch) -> bool:
    """An edge between two existing nodes: one more relation between them, or a cycle."""
    nodes = _entities(terrain, sketch)
    if len(nodes) < 2:
        return False
    first, second = chance.sample(nodes, 2)
    hops = terrain.around.hops(sketch.terms[first])
    for along in chance.sample(hops, min(_TRIES, len(hops))):
        terms = terrain.around.others(sketch.terms[first], along)
        position = int(terms.searchsorted(terms.dtype.type(sketch.terms[second])))
        if (
            position < len(terms)
            and terms[position] == sketch.terms[second]
            and sketch.add(first, along, sketch.terms[second])
        ):
            return True
    return False


# Makes a query from a sketch: decides which nodes keep their individual and which become typed
# variables. A leaf that is a variable rarely adds information, and a grounded inner node makes
# everything behind it redundant. So leaves are mostly grounded and inner nodes mostly are not.

_LEAF_GROUNDED = 0.98
_INNER_GROUNDED = 0.08


class Grounding:
    """The nodes of a sketch as nodes of a query, and the statements between them."""

    def __init__(
        self,
        terrain: Terrain,
        chance: Random,
        sketch: TemplateSketch,
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
        for node, query_node in enumerate(self.nodes):
            if isinstance(query_node, Variable) and terrain.is_entity(sketch.terms[node]):
                known_class = question_class if node == self._start_node else None
                class_id = known_class or terrain.class_of(chance, sketch.terms[node])
                if class_id:
                    self.classes[node] = class_id

    @property
    def _start_node(self) -> int:
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
        edges = []
        for subject, relation, object_ in self.sketch.edges:
            start = self.nodes[subject]
            if isinstance(start, Literal):
                raise TypeError("a value cannot be a subject")
            edges.append(Edge(start, ids[relation], self.nodes[object_]))
        return edges

    def typings(self) -> list[Statement]:
        typings: list[Statement] = []
        for node, class_id in self.classes.items():
            variable = self.nodes[node]
            if isinstance(variable, Variable):
                typings.append(Typing(variable, class_id))
        return typings


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
