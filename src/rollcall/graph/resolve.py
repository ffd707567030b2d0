"""From the names in a user's query to the ids of a graph, and back to labels for display."""

from collections.abc import Callable

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
from rollcall.query.sparql_order import Occurring
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
)
from rollcall.query.units import UNITS


def resolve(query: Query, graph: Graph) -> Query:
    """The query with ids for all entities, relations and classes; ambiguous and unknown names are errors."""

    def node(written: Node) -> Node:
        return Entity(graph.resolve_entity(written.id)) if isinstance(written, Entity) else written

    def statement(written: Statement) -> Statement:
        subject = node(written.nodes[0])
        assert isinstance(subject, Variable | Entity)
        if isinstance(written, Typing):
            return Typing(subject, graph.resolve_class(written.class_id), written.negated)
        relation = graph.resolve_relation(written.relation)
        return Edge(subject, relation, node(written.object), written.negated)

    patterns = [Pattern(tuple(map(statement, p.statements)), p.distinct) for p in query.patterns]
    return Query(tuple(patterns), query.aggregate)


def values_in(query: Query, graph: Graph) -> Occurring:
    """The kinds of values that the query may have to order in this graph, for its SPARQL."""
    ordered = (TARGET,) if query.aggregate in ("argmax", "argmin") else (QUESTION,)
    compared = {e.relation for pattern in query.patterns for e in pattern.comparisons}
    compared |= {edge.relation for edge in query.edges if edge.object in ordered}
    dimensions, coarse = set[str](), False
    for relation in compared:
        dimensions |= dimensions_of(graph, relation)
        literals = _literals_of(graph, relation)
        lows, highs = graph.index.literal_low[literals], graph.index.literal_high[literals]
        # The 60th day number of a year is 29 February, which may exist only in the Julian calendar.
        leap_days = (lows == highs) & (lows % 372 == 59)
        coarse = coarse or bool((leap_days | (highs - lows > 372)).any())
    listed = {unit.dimension for unit in UNITS.values()}
    return Occurring(
        numbers="number" in dimensions,
        dates="date" in dimensions,
        coarse_dates=coarse,
        units=tuple(unit.id for unit in UNITS.values() if unit.dimension in dimensions),
        unlisted_units=bool(dimensions - listed - {"number", "date"}),
        valued=frozenset(relation for relation in query.relations if dimensions_of(graph, relation)),
    )


def unmet_comparisons(query: Query, graph: Graph) -> list[str]:
    """A message for each comparison that cannot hold, since its relation has no values of that dimension."""
    complaints = []
    for edge in (edge for pattern in query.patterns for edge in pattern.comparisons):
        assert isinstance(edge.object, Literal)
        bounds = edge.object.value.bounds
        found = dimensions_of(graph, edge.relation)
        if bounds is not None and bounds.dimension not in found:
            relation = graph.relation_label(edge.relation)
            kinds = ", ".join(sorted(found)) or "nothing that can be compared"
            complaints.append(
                f"{edge.object.value.text} is of the kind {bounds.dimension}, but the values of {relation!r} "
                f"are of the kind {kinds} (a year is written @1980, a length 5[metre])"
            )
    return complaints


def dimensions_of(graph: Graph, relation: str) -> set[str]:
    """The dimensions of a relation's values."""
    literals = _literals_of(graph, relation)
    numbers = set(graph.index.literal_dimension[literals].tolist()) - {-1}
    return {graph.index.dimensions[number] for number in numbers}


def _literals_of(graph: Graph, relation: str) -> Numbers:
    number = graph.index.relation_number(relation)
    objects = graph.index.forward(number)[1] if number is not None else np.empty(0, graph.index.dtype)
    return objects[objects >= graph.index.entity_count] - graph.index.entity_count


def labels_of(query: Query, graph: Graph) -> Callable[[str], str]:
    """The names to show for the ids of a query: the graph's labels, or the id if there is no label."""
    names = {id_: graph.label(id_) for id_ in query.entities}
    names |= {id_: graph.class_label(id_) for id_ in query.classes}
    names |= {id_: graph.relation_label(id_) for id_ in query.relations}
    return lambda id_: names.get(id_, id_)
