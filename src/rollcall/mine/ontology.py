"""The ontology that a graph implies: which relation leads from which class to which class, and how often.

Input: the tables of a graph. Output: `Ontology`, a list of edges with counts. Domains and ranges need not be
declared: they are counted over all facts, with the direct types of entities. Values have literal classes such
as `date` and `quantity:length`.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis

from rollcall.mine.mining import graph_table, mining_bench
from rollcall.tables.engine import Engine
from rollcall.tables.graph import Classes, Facts, Types, Values
from rollcall.tables.mining import OntologyEdges
from rollcall.tables.table import Int64, Rows, Table, shaped
from rollcall.tables.writer import write_records

if TYPE_CHECKING:
    import ibis.expr.types as ir

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
    def of(cls, graph: Path, engine: Engine, scratch: Path) -> "Ontology":
        """Count the ontology of a graph folder."""
        with mining_bench(engine, scratch, graph) as bench:
            rows = [row for query in (_edges, _value_edges) for row in bench.records(query)]
            sizes = {row["class"]: ClassSize(row["entities"], row["direct"]) for row in bench.records(_sizes)}
        edges = [OntologyEdge(**row) for row in rows]
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
        write_records(OntologyEdges, path, (edge._asdict() for edge in self.edges))


class _ClassSizes(Table):
    class_ = Classes.id
    entities = Classes.entities
    direct = Int64("how many entities have it as a direct type")


class _DirectTypes(Table):
    entity = Types.entity
    class_ = Types.class_


def _direct() -> Rows[_DirectTypes]:
    types = graph_table(Types)
    return shaped(_DirectTypes, types.filter(types.direct))


def _edges() -> Rows[OntologyEdges]:
    facts = graph_table(Facts).mutate(literal=ibis.literal(False))
    of_objects = _direct().rename(object="entity", object_class="class")
    typed = facts.left_join(of_objects, "object").drop("object_right")
    return _counted(typed.mutate(object_class=typed.object_class.fill_null(UNTYPED)))


def _value_edges() -> Rows[OntologyEdges]:
    values = graph_table(Values)
    measured = values.kind + ":" + values.dimension.fill_null("")
    literal_class = (values.kind == "quantity").ifelse(measured, values.kind)
    return _counted(values.mutate(object_class=literal_class, literal=ibis.literal(True)))


def _counted(facts: "ir.Table") -> Rows[OntologyEdges]:
    """Facts with the classes of their objects, counted by the classes of both ends."""
    typed = facts.left_join(_direct().rename(subject="entity", subject_class="class"), "subject")
    typed = typed.mutate(subject_class=typed.subject_class.fill_null(UNTYPED))
    by = ["subject_class", "relation", "object_class", "literal"]
    return shaped(OntologyEdges, typed.group_by(by).agg(facts=typed.count()))


def _sizes() -> Rows[_ClassSizes]:
    types = graph_table(Types)
    sizes = types.group_by("class").agg(entities=types.count(), direct=types.count(where=types.direct))
    return shaped(_ClassSizes, sizes)
