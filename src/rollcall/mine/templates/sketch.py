"""A sketch of a template: a connected piece of the graph, in numbers, grown from the question node.

A sketch grows along facts of the graph, so every template can be satisfied and grounding cannot fail: the
answers contain at least the entity from which the sketch was grown. New edges lead to new nodes, or close
cycles among existing nodes.
"""

from dataclasses import dataclass, field
from random import Random

from rollcall.mine.neighbourhood import FORWARD
from rollcall.mine.templates.terrain import Terrain

QUESTION_NODE = 0
_TRIES = 12
_CLOSING = 0.25


@dataclass
class Sketch:
    """The term of each node, the question node first, and edges (subject node, relation, object node)."""

    terms: list[int]
    edges: list[tuple[int, int, int]] = field(default_factory=list)

    def degree(self, node: int) -> int:
        return sum((subject == node) + (object_ == node) for subject, _, object_ in self.edges)

    def add(self, node: int, along: int, term: int) -> bool:
        """Add the edge from a node along a hop to a term; the term gets a new node unless it has one. No edge
        twice.
        """
        known = self.terms.index(term) if term in self.terms else len(self.terms)
        relation, direction = divmod(along, 2)
        edge = (node, relation, known) if direction == FORWARD else (known, relation, node)
        if edge in self.edges or known == node:
            return False
        if known == len(self.terms):
            self.terms.append(term)
        self.edges.append(edge)
        return True


def begin(
    terrain: Terrain, chance: Random, class_id: str, along: int, *, to_value: bool, from_value: bool
) -> Sketch | None:
    """The first edge of a template: a fact whose end at the question node is of the class.

    With `to_value` the hop leads to a value that can be compared, else to an entity. With `from_value` as
    well, the value is the question.
    """
    relation, direction = divmod(along, 2)
    index = terrain.index
    keys, others = index.forward(relation) if direction == FORWARD else index.backward(relation)
    wanted = index.class_number(class_id) if class_id else None
    for _ in range(_TRIES):
        place = chance.randrange(len(keys))
        entity, other = int(keys[place]), int(others[place])
        if not terrain.is_entity(entity) or (wanted is not None and wanted not in index.direct_types(entity)):
            continue
        if not (terrain.has_order(other) if to_value else terrain.is_entity(other)):
            continue
        sketch = Sketch([other]) if from_value else Sketch([entity])
        node = _entity_node(sketch, entity) if from_value else QUESTION_NODE
        if from_value:
            sketch.edges.append((node, relation, QUESTION_NODE))
            return sketch
        return sketch if sketch.add(QUESTION_NODE, along, other) else None
    return None


def _entity_node(sketch: Sketch, entity: int) -> int:
    sketch.terms.append(entity)
    return len(sketch.terms) - 1


def grow(terrain: Terrain, chance: Random, sketch: Sketch, edges: int) -> bool:
    """Add edges until there are `edges`; False if the surroundings have no more facts."""
    for _ in range(_TRIES * edges):
        if len(sketch.edges) >= edges:
            return True
        if len(sketch.terms) > 1 and chance.random() < _CLOSING and _close(terrain, chance, sketch):
            continue
        _reach(terrain, chance, sketch)
    return len(sketch.edges) >= edges


def _entities(terrain: Terrain, sketch: Sketch) -> list[int]:
    return [node for node, term in enumerate(sketch.terms) if terrain.is_entity(term)]


def _reach(terrain: Terrain, chance: Random, sketch: Sketch) -> bool:
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
    others = terrain.around.others(sketch.terms[node], along)
    other = int(others[chance.randrange(len(others))])
    # Only a value that a function compares may have several edges.
    if not terrain.may_name(along // 2, other) or (not terrain.is_entity(other) and other in sketch.terms):
        return False
    return sketch.add(node, along, other)


_ABOUT_QUESTION = 0.4


def _close(terrain: Terrain, chance: Random, sketch: Sketch) -> bool:
    """An edge between two existing nodes: one more relation between them, or a cycle."""
    nodes = _entities(terrain, sketch)
    if len(nodes) < 2:
        return False
    one, other = chance.sample(nodes, 2)
    hops = terrain.around.hops(sketch.terms[one])
    for along in chance.sample(hops, min(_TRIES, len(hops))):
        found = terrain.around.others(sketch.terms[one], along)
        place = int(found.searchsorted(found.dtype.type(sketch.terms[other])))
        if (
            place < len(found)
            and found[place] == sketch.terms[other]
            and sketch.add(one, along, sketch.terms[other])
        ):
            return True
    return False
