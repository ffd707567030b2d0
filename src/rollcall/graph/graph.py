"""An open graph: find entities by id, label or alias, and answer queries.

Opening reads the index once to verify its checksums; then it is memory-mapped. The tables are checked and
opened only on first use. For an ambiguous name nothing is guessed: the error lists all candidates.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from rollcall._core.checksums import checked
from rollcall._core.errors import RollcallError
from rollcall.graph.index import GRAPH_FOLDER, TABLES, GraphIndex, Numbers
from rollcall.input_files.ingestion import OpenFolder
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
from rollcall.query.values import UNITS
from rollcall.tables.engines.duckdb import IbisTables
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.text.nouns import plural
from rollcall.text.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollcall.query import Value
    from rollcall.tables.graph import Aliases, Classes, Entities, Facts, Relations, Types, Values
    from rollcall.tables.table import Rows


# From a name to the only thing that has it; otherwise an error with the candidates or similar names.

_SHOWN = 8


def choose(kind: str, name: str, candidates: Sequence[tuple[str, str]], near: Iterable[str]) -> str:
    """The only candidate's id; otherwise an error with the candidates (id, description) or similar names."""
    if len(candidates) == 1:
        return candidates[0][0]
    if candidates:
        shown = "; ".join(described for _, described in candidates[:_SHOWN])
        more = f"; and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        raise RollcallError(f"{name!r} names {len(candidates)} {plural(kind)}, use an id: {shown}{more}")
    hint = ", ".join(near)
    raise RollcallError(f"no {kind} is called {name!r}" + (f"; did you mean {hint}?" if hint else ""))


class Directory:
    """The relations or the classes of a graph, by id, by label and by alias."""

    def __init__(
        self, kind: str, ids: Sequence[str], labels: Sequence[str], aliases: Sequence[Sequence[str]] = ()
    ):
        self._kind = kind
        self._ids = ids
        self._labels = labels
        self._aliases = aliases

    def resolve(self, name: str) -> str:
        """The id of the only member with this id, label (exactly, or regardless of case) or alias."""
        if name in self._by_id:
            return name
        numbers = self._by_label.get(fold(name), [])
        numbers = [number for number in numbers if self._labels[number] == name] or numbers
        numbers = numbers or self._by_alias.get(fold(name), [])
        candidates = [
            (self._ids[number], f"{self._labels[number]} ({self._ids[number]})") for number in numbers
        ]
        return choose(self._kind, name, candidates, self._near(name) if not candidates else ())

    @cached_property
    def _by_id(self) -> set[str]:
        return set(self._ids)

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        by_label: dict[str, list[int]] = {}
        for number, label in enumerate(self._labels):
            if label or self._ids[number]:
                by_label.setdefault(fold(label or self._ids[number]), []).append(number)
        return by_label

    @cached_property
    def _by_alias(self) -> dict[str, list[int]]:
        by_alias: dict[str, list[int]] = {}
        for number, aliases in enumerate(self._aliases):
            for folded in dict.fromkeys(map(fold, aliases)):
                by_alias.setdefault(folded, []).append(number)
        return by_alias

    def _near(self, name: str) -> list[str]:
        containing = sorted(
            (folded_name for folded_name in self._by_label if fold(name) in folded_name), key=len
        )[:3]
        alike = difflib.get_close_matches(fold(name), self._by_label, n=3, cutoff=0.6)
        near = dict.fromkeys([*containing, *alike])
        numbers = [number for folded in near for number in self._by_label[folded]]
        return [
            f"{self._labels[number] or self._ids[number]} ({self._ids[number]})" for number in numbers[:5]
        ]


class EntityRecord(msgspec.Struct, frozen=True):
    """One entity: its names and its directly stated classes."""

    id: str
    label: str | None = None
    description: str | None = None
    title: str | None = None
    aliases: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = self.id if self.label in (None, self.id) else f"{self.label} ({self.id})"
        return f"{name}: {self.description}" if self.description else name


class Graph(OpenFolder):
    """A knowledge graph in a folder made by `rollcall graph` or `write_graph`."""

    kind = GRAPH_FOLDER

    def __init__(self, folder: Path, manifest: dict[str, Any], check: bool = True):
        super().__init__(folder, manifest, check)
        if check:
            self.kind.check(folder, manifest, "index/")
        self.index = GraphIndex(folder / "index")

    @cached_property
    def tables(self) -> "GraphTables":
        """The tables as Ibis expressions on an embedded engine: `graph.tables.facts`, …"""
        if self._check:
            for table in TABLES:
                checked(self.folder / f"{table}.parquet")
        return GraphTables(self.folder)

    def answers(self, query: "Query") -> "frozenset[str | Value]":
        """The denotation of a query in this graph: entities by id, values as values."""
        return self._evaluate(self.index, query)

    @cached_property
    def _evaluate(self) -> "Callable[[GraphIndex, Query], frozenset[str | Value]]":
        # Stored, because even a repeated import is slow compared with a query of a tenth of a millisecond.
        from rollcall.graph.evaluate import answers

        return answers

    # -- entities ------------------------------------------------------------------------------------

    def entity(self, id_: str) -> EntityRecord:
        """The record of an entity, with all its names; an error if the graph has no such entity."""
        number = self.index.entity_number(id_)
        if number is None:
            raise RollcallError(f"{id_!r}: no entity with this id in {self.folder}")
        return self._record(number)

    def label(self, id_: str) -> str:
        """The label of an entity, or its id where it has none."""
        number = self.index.entity_number(id_)
        return (number is not None and self.index.entity_labels[number]) or id_

    def find(self, name: str) -> list[EntityRecord]:
        """Entities by id, label or alias: all with exactly this name, else all with it regardless of case."""
        number = self.index.entity_number(name)
        if number is not None:
            return [self._record(number)]
        records = [self._record(int(entity)) for entity in self.index.named(fold(name))]
        exact = [
            record for record in records if name == (record.label or record.id) or name in record.aliases
        ]
        return exact or records

    def resolve_entity(self, name: str) -> str:
        """The id of the only entity with this name; if there are several, the error lists the candidates."""
        candidates = [(record.id, str(record)) for record in self.find(name)]
        return choose("entity", name, candidates, near=())

    def _record(self, number: int) -> EntityRecord:
        index = self.index
        label = index.entity_labels[number] or None
        return EntityRecord(
            id=index.entity_ids[number],
            label=label,
            description=index.entity_descriptions[number] or None,
            title=index.entity_titles[number] or None,
            aliases=tuple(alias for alias in index.aliases(number) if alias != label),
            types=tuple(index.class_ids[class_] for class_ in index.direct_types(number).tolist()),
        )

    # -- relations and classes -----------------------------------------------------------------------

    def resolve_relation(self, name: str) -> str:
        """The id of the only relation with this id, label or alias."""
        return self._relations.resolve(name)

    def resolve_class(self, name: str) -> str:
        """The id of the only class with this id or label."""
        return self._classes.resolve(name)

    def relation_label(self, id_: str) -> str:
        """The label of a relation, or its id where it has none."""
        number = self.index.relation_number(id_)
        return (number is not None and self.index.relation_labels[number]) or id_

    def class_label(self, id_: str) -> str:
        """The label of a class, or its id where it has none."""
        number = self.index.class_number(id_)
        return (number is not None and self.index.class_labels[number]) or id_

    @cached_property
    def _relations(self) -> Directory:
        index = self.index
        return Directory("relation", index.relation_ids, index.relation_labels, index.relation_aliases)

    @cached_property
    def _classes(self) -> Directory:
        return Directory("class", self.index.class_ids, self.index.class_labels)


# The Parquet tables of a graph as Ibis tables, for work on the whole graph.


class GraphTables(IbisTables):
    """Ibis tables by name: entities, aliases, types, classes, relations, facts, values."""

    entities: "Rows[Entities]"
    aliases: "Rows[Aliases]"
    types: "Rows[Types]"
    classes: "Rows[Classes]"
    relations: "Rows[Relations]"
    facts: "Rows[Facts]"
    values: "Rows[Values]"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, GRAPH_TABLES)


# From the names in a user's query to the ids of a graph, and back to labels for display.


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

    patterns = [
        Pattern(tuple(map(statement, pattern.statements)), pattern.distinct) for pattern in query.patterns
    ]
    return Query(tuple(patterns), query.aggregate)


def values_in(query: Query, graph: Graph) -> Occurring:
    """The kinds of values that the query may have to order in this graph, for its SPARQL."""
    ordered = (TARGET,) if query.aggregate in ("argmax", "argmin") else (QUESTION,)
    compared = {comparison.relation for pattern in query.patterns for comparison in pattern.comparisons}
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
        dimensions = dimensions_of(graph, edge.relation)
        if bounds is not None and bounds.dimension not in dimensions:
            relation = graph.relation_label(edge.relation)
            kinds = ", ".join(sorted(dimensions)) or "nothing that can be compared"
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
