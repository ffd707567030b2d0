"""What a graph says of one entity: the relations that lead from it and to it, with some of their ends."""

from collections.abc import Iterator

import msgspec

from rollcall.graph.graph import Graph
from rollcall.graph.rows import slice_of


class Neighbour(msgspec.Struct, frozen=True):
    """Another end of a relation: an entity, or a value without an id."""

    label: str
    id: str | None = None


class Spoke(msgspec.Struct, frozen=True):
    """A relation of an entity in one direction, with its first other ends and how many there are."""

    relation: str
    label: str
    outgoing: bool
    neighbours: tuple[Neighbour, ...]
    count: int


class Neighbourhood(msgspec.Struct, frozen=True):
    """An entity with its relations; those that lead from it come first."""

    id: str
    label: str
    spokes: tuple[Spoke, ...]


def neighbourhood(graph: Graph, id_: str, most: int = 8) -> Neighbourhood:
    """The neighbourhood of an entity, with at most so many other ends of each relation."""
    entity = graph.entity(id_)
    return Neighbourhood(entity.id, entity.label or entity.id, tuple(_spokes(graph, id_, most)))


def _spokes(graph: Graph, id_: str, most: int) -> Iterator[Spoke]:
    index = graph.index
    number = index.entity_number(id_)
    assert number is not None
    for outgoing in (True, False):
        for relation, name in enumerate(index.relation_ids):
            pairs = index.forward(relation) if outgoing else index.backward(relation)
            ends = slice_of(pairs, number, index.dtype).tolist()
            if ends:
                neighbours = tuple(_neighbour(graph, end) for end in ends[:most])
                yield Spoke(name, graph.relation_label(name), outgoing, neighbours, len(ends))


def _neighbour(graph: Graph, term: int) -> Neighbour:
    index = graph.index
    if term < index.entity_count:
        return Neighbour(index.entity_labels[term] or index.entity_ids[term], index.entity_ids[term])
    return Neighbour(str(index.value(term)))
