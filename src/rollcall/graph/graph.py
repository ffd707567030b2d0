"""An open graph: find entities by id, label or alias, and answer queries.

Opening reads the index once to verify its checksums; then it is memory-mapped. The tables are checked and
opened only on first use. For an ambiguous name nothing is guessed: the error lists all candidates.
"""

from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from rollcall.checksums import checked
from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.graph.index import GraphIndex
from rollcall.graph.layout import GRAPH_FOLDER, TABLES
from rollcall.graph.lookup import Directory, choose
from rollcall.notebook import html_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollcall.graph.ibis_tables import GraphTables
    from rollcall.query import Query, Value


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


class Graph:
    """A knowledge graph in a folder made by `rollcall graph` or `write_graph`."""

    def __init__(self, folder: Path, manifest: dict[str, Any], check: bool = True):
        self.folder = folder
        self.manifest = manifest
        self._check = check
        if check:
            GRAPH_FOLDER.check(folder, manifest, "index/")
        self.index = GraphIndex(folder / "index")

    @classmethod
    def open(cls, folder: Path | str, *, check: bool = True) -> Self:
        """Open a graph folder. A folder that is not a graph, has another version, or is damaged is refused.

        Without `check`, a graph of any size opens in milliseconds, but damage may give wrong answers.
        """
        folder = Path(folder)
        return cls(folder, GRAPH_FOLDER.open(folder), check)

    def __repr__(self) -> str:
        counts = self.manifest.get("counts", {})
        listed = ", ".join(f"{number:,} {name}" for name, number in counts.items())
        return f"Graph({str(self.folder)!r}{f': {listed}' if listed else ''})"

    def _repr_html_(self) -> str:
        counts = self.manifest.get("counts", {})
        return html_table(f"Graph {self.folder}", ("table", "rows"), counts.items())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the tables if they were opened; the index closes when it is no longer used."""
        tables = self.__dict__.pop("tables", None)
        if tables is not None:
            tables.close()

    @cached_property
    def tables(self) -> "GraphTables":
        """The tables as Ibis expressions on an embedded engine: `graph.tables.facts`, …"""
        from rollcall.graph.ibis_tables import GraphTables

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
        records = [self._record(int(found)) for found in self.index.named(fold(name))]
        exact = [one for one in records if name == (one.label or one.id) or name in one.aliases]
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
