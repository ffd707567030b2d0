"""The ontology that a graph implies: which relation leads from which class to which class, and how often.

Input: the tables of a graph. Output: `Ontology`, a list of edges with counts. Domains and ranges need not be
declared: they are counted over all facts, with the direct types of entities. Values have literal classes such
as `date` and `quantity:length`.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.engine import Workbench
from rollcall.files import replacing

UNTYPED = ""
"""The class of entities without a type."""


class OntologyEdge(NamedTuple):
    """A relation between two classes; the object's class is a literal class if `literal` is true."""

    subject_class: str
    relation: str
    object_class: str
    literal: bool
    facts: int


class ClassSize(NamedTuple):
    """The number of entities of a class, and the number of those with the class as a direct type."""

    entities: int
    direct: int


class Ontology:
    """Edges between classes with their counts, sorted, and the sizes of the classes."""

    def __init__(self, edges: Iterable[OntologyEdge], classes: dict[str, ClassSize]) -> None:
        self.edges = sorted(edges)
        self.classes = classes

    @classmethod
    def of(cls, graph: Path, memory: str = "1GB") -> "Ontology":
        """Count the ontology of a graph folder."""
        with Workbench(memory) as bench:
            for table in ("facts", "values", "types"):
                bench.read_parquet(f"graph_{table}", graph, f"{table}.parquet")
            edges = [OntologyEdge(**row) for row in _rows(bench, _edges)]
            edges += [OntologyEdge(**row) for row in _rows(bench, _value_edges)]
            sizes = {row["class"]: ClassSize(row["entities"], row["direct"]) for row in _rows(bench, _sizes)}
        return cls(edges, sizes)

    @cached_property
    def around(self) -> dict[str, list[OntologyEdge]]:
        """The edges that touch each class, at either end."""
        touching: dict[str, list[OntologyEdge]] = defaultdict(list)
        for edge in self.edges:
            touching[edge.subject_class].append(edge)
            if not edge.literal and edge.object_class != edge.subject_class:
                touching[edge.object_class].append(edge)
        return dict(touching)

    def is_sayable(self, class_id: str, direct_share: float = 0.1) -> bool:
        """Whether a class is commonly used as a direct type: `film`, but not `entity` or `agent`."""
        size = self.classes.get(class_id)
        return size is not None and size.direct >= direct_share * size.entities

    def write(self, path: Path) -> None:
        """Write the edges as a Parquet table."""
        columns = zip(*self.edges, strict=True) if self.edges else [[] for _ in OntologyEdge._fields]
        table = pa.table(
            {name: list(column) for name, column in zip(OntologyEdge._fields, columns, strict=True)}
        )
        with replacing(path) as partial:
            pq.write_table(table, partial)


def _rows(bench: Workbench, query: Any) -> list[dict[str, Any]]:
    return [row for batch in bench.stream(query) for row in batch.to_pylist()]


def _types() -> ibis.Table:
    columns = {"entity": "string", "class": "string", "direct": "boolean"}
    return ibis.table(columns, name="graph_types")


def _direct(entity: str, class_name: str) -> ibis.Table:
    types = _types()
    return types.filter(types.direct).select(**{entity: types.entity, class_name: types["class"]})


def _edges() -> ibis.Table:
    facts = ibis.table({"subject": "string", "relation": "string", "object": "string"}, name="graph_facts")
    typed = facts.left_join(_direct("of_subject", "subject_class"), [("subject", "of_subject")])
    typed = typed.left_join(_direct("of_object", "object_class"), [("object", "of_object")])
    named = typed.mutate(
        subject_class=typed.subject_class.fill_null(UNTYPED),
        object_class=typed.object_class.fill_null(UNTYPED),
    )
    counted = named.group_by("subject_class", "relation", "object_class").agg(facts=named.count())
    return counted.mutate(literal=ibis.literal(False))


def _value_edges() -> ibis.Table:
    columns = {"subject": "string", "relation": "string", "kind": "string", "dimension": "string"}
    values = ibis.table(columns, name="graph_values")
    measured = values.kind + ":" + values.dimension.fill_null("")
    literal_class = (values.kind == "quantity").ifelse(measured, values.kind)
    values = values.mutate(object_class=literal_class)
    typed = values.left_join(_direct("of_subject", "subject_class"), [("subject", "of_subject")])
    named = typed.mutate(subject_class=typed.subject_class.fill_null(UNTYPED))
    counted = named.group_by("subject_class", "relation", "object_class").agg(facts=named.count())
    return counted.mutate(literal=ibis.literal(True))


def _sizes() -> ibis.Table:
    types = _types()
    return types.group_by("class").agg(entities=types.count(), direct=types.direct.cast("int64").sum())
