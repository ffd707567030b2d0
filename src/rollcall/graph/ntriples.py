"""A graph as N-Triples, so that the plain SPARQL rendering of a query can be run in any store.

Types are written as in the graph, closed over the class hierarchy, together with the subclass edges: a query
can follow the hierarchy or, faster, use `rdf:type` alone.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rollcall.files import replacing
from rollcall.graph.graph import Graph
from rollcall.query.rdf_terms import BASE, LABEL, SUBCLASS, TYPE, iri, literal_text
from rollcall.query.values import Text, parse_value
from rollcall.tables.graph import Classes, Entities, Facts, Types, Values
from rollcall.tables.table import Table, file_name


def write_ntriples(graph: Graph, path: Path, base: str = BASE) -> None:
    """Write facts, values, types, subclasses and labels, one triple per line."""
    with replacing(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(ntriples(graph, base))


def ntriples(graph: Graph, base: str = BASE) -> Iterator[str]:
    """The lines of the graph, in the order of its tables."""

    def node(id_: str) -> str:
        return f"<{iri(id_, base)}>"

    for subject, relation, object_ in _rows(graph, Facts, "subject", "relation", "object"):
        yield f"{node(subject)} {node(relation)} {node(object_)} .\n"
    for subject, relation, value in _rows(graph, Values, "subject", "relation", "value"):
        yield f"{node(subject)} {node(relation)} {literal_text(parse_value(value), base)} .\n"
    for entity, class_id in _rows(graph, Types, "entity", "class"):
        yield f"{node(entity)} <{TYPE}> {node(class_id)} .\n"
    for class_id, parents in _rows(graph, Classes, "id", "parents"):
        for parent in parents or ():
            yield f"{node(class_id)} <{SUBCLASS}> {node(parent)} .\n"
    for entity, label in _rows(graph, Entities, "id", "label"):
        if label is not None:
            yield f"{node(entity)} <{LABEL}> {literal_text(Text(label), base)} .\n"


def _rows(graph: Graph, table: type[Table], *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, batch by batch, so that memory does not grow with the graph."""
    from rollcall.tables.reader import batches

    for batch in batches(table, graph.folder / file_name(table), columns):
        yield from zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
