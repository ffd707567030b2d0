"""The demo's queries: five shapes, each grounded in whatever the graph at hand can answer.

A shape is a way to make a query from one entity. The entities that a relation mentions most are tried in
turn until one gives a handful of answers, so that the demo works in any world.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.errors import RollcallError
from rollcall.query import Query, argmax, entity, instances, parse_value

if TYPE_CHECKING:
    from rollcall.graph import Graph


class Example(NamedTuple):
    """One grounded query and what it asks in plain words."""

    shape: str
    meaning: str
    query: Query


class _Shape(NamedTuple):
    """A query with a hole, the relation whose objects may fill it, and how many answers are wanted."""

    name: str
    meaning: str
    relation: str
    build: Callable[[str], Query]
    most: int = 8


FILM, HUMAN, MOUNTAIN = "Q11424", "Q5", "Q8502"

SHAPES = (
    _Shape(
        "Intersection",
        "films that {} both directed and produced",
        "P57",
        lambda e: instances(FILM) & (entity(e) << "P57") & (entity(e) << "P162"),
    ),
    _Shape(
        "Composition",
        "where the people who studied at {} and won an award were born",
        "P69",
        lambda e: ((entity(e) << "P69") & Query.parse("?x P166 ?award")) >> "P19",
    ),
    _Shape(
        "Subtraction",
        "people born in {} who are not known to have married",
        "P19",
        lambda e: instances(HUMAN) & (entity(e) << "P19") - Query.parse("?x P26 ?spouse"),
    ),
    _Shape(
        "Superlative",
        "the highest mountain of {}",
        "P17",
        lambda e: argmax(instances(MOUNTAIN) & (entity(e) << "P17"), "P2044"),
    ),
    _Shape(
        "Comparison",
        "films of the genre {} that came out before 1980",
        "P136",
        lambda e: (instances(FILM) & (entity(e) << "P136")).where("P577", parse_value("@1980"), "<"),
    ),
)


def examples(graph: "Graph") -> Iterator[Example]:
    """Each shape, grounded so that it has between one and a handful of answers."""
    for shape in SHAPES:
        yield _ground(graph, shape)


def _ground(graph: "Graph", shape: _Shape) -> Example:
    for candidate in _most_mentioned(graph, shape.relation):
        query = shape.build(candidate)
        least = 1 if query.aggregate else 3
        if least <= len(graph.answers(query)) <= shape.most:
            return Example(shape.name, shape.meaning.format(graph.label(candidate)), query)
    raise RollcallError(
        f"the graph has no entity for the demo's {shape.name.lower()} query; use more entities"
    )


def _most_mentioned(graph: "Graph", relation: str) -> list[str]:
    """The objects of a relation by how many subjects they have, most first."""
    number = graph.index.relation_number(relation)
    if number is None:
        return []
    objects, counts = np.unique(graph.index.backward(number)[0], return_counts=True)
    order = np.lexsort((objects, -counts))
    return [graph.index.term_text(int(term)) for term in objects[order] if term < graph.index.entity_count]
