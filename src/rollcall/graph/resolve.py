"""From the names a person writes in a query to the ids of a graph, and back to labels for showing."""

from collections.abc import Callable

from rollcall.graph.graph import Graph
from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
from rollcall.query.sparql_order import Occurring
from rollcall.query.statements import QUESTION, TARGET, Edge, Entity, Node, Statement, Typing, Variable
from rollcall.query.units import UNITS


def resolve(query: Query, graph: Graph) -> Query:
    """The query with every entity, relation and class by id; ambiguous and unknown names are errors."""

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
    """The kinds of values that the query's function may meet in this graph, for its SPARQL."""
    ordered = (TARGET,) if query.aggregate in ("argmax", "argmin") else (QUESTION,)
    compared = {e.relation for pattern in query.patterns for e in pattern.comparisons}
    compared |= {edge.relation for edge in query.edges if edge.object in ordered}
    index, dimensions, coarse = graph.index, set[str](), False
    for relation in map(index.relation_number, compared):
        objects = index.forward(relation)[1] if relation is not None else index.forward(0)[1][:0]
        literals = objects[objects >= index.entity_count] - index.entity_count
        met = index.literal_dimension[literals]
        dimensions |= {index.dimensions[number] for number in set(met.tolist()) - {-1}}
        spans = index.literal_high[literals] - index.literal_low[literals]
        coarse = coarse or bool((spans > 372).any())
    listed = {unit.dimension for unit in UNITS.values()}
    return Occurring(
        numbers="number" in dimensions,
        dates="date" in dimensions,
        coarse_dates=coarse,
        units=tuple(unit.id for unit in UNITS.values() if unit.dimension in dimensions),
        unlisted_units=bool(dimensions - listed - {"number", "date"}),
    )


def labels_of(query: Query, graph: Graph) -> Callable[[str], str]:
    """What to show for the ids of a query: the graph's labels, or the id where there is none."""
    names = {id_: graph.label(id_) for id_ in query.entities}
    names |= {id_: graph.class_label(id_) for id_ in query.classes}
    names |= {id_: graph.relation_label(id_) for id_ in query.relations}
    return lambda id_: names.get(id_, id_)
