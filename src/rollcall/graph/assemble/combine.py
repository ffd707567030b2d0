"""How shards become one graph: set-at-a-time expressions over all rows that were read.

Entities, literals, relations and classes are numbered by the rank of their text in byte order, so that
sorting by number is sorting by name, and the same graph gets the same numbers in whatever order it was read.
Each function is one query; `finish` names the results and runs the queries.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TypeAlias

import ibis
import ibis.expr.types as ir
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from ibis import _

from rollcall.graph.index import FIRST_LITERAL, SHARD_FOLDERS
from rollcall.graph.ingest.identity import replaced_folders
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.graph import (
    SHARD_TABLES,
    Aliases,
    AliasRows,
    Entities,
    EntityRows,
    FactRows,
    RelationAliasRows,
    RelationRows,
    Relations,
    SubclassRows,
    TypeRows,
    ValueRows,
    Values,
)
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Int64,
    Rows,
    String,
    T,
    columns,
    schema,
    shaped,
    unbound,
)

# The interface to the combined shards: every table of the graph, numbered and in order. There are two
# implementations: the engine, for data of any size, and plain Python, for a graph made in memory. The
# Python version is also the definition: a test compares the engine with it.

Batches: TypeAlias = Iterator[pa.RecordBatch]
Numbers: TypeAlias = npt.NDArray[np.int64]


class Literals(DeclaredTable):
    """A value, wherever it occurs."""

    id = String("its canonical text")
    kind = Values.kind
    dimension = Values.dimension
    low = Values.low
    high = Values.high


class NumberedAliases(DeclaredTable):
    """An alias, with the number of its entity."""

    number = Int64("the number of the entity")
    text = Aliases.text
    source = Aliases.source
    count = Aliases.count


class LookupNames(DeclaredTable, name="names"):
    """A name as it is looked up."""

    folded = EntityRows.folded
    number = Int64("the number of an entity that has this name")


class NumberedRelationAliases(DeclaredTable):
    """Another name of a relation, with the number of the relation."""

    number = Int64("the number of the relation")
    text = RelationAliasRows.text


class LabelRows(DeclaredTable, name="labels"):
    """A relation or a class with its texts."""

    id = Relations.id
    label = Relations.label
    description = Relations.description


class Edges(DeclaredTable):
    """A fact or a value as numbers."""

    relation = Int64("the number of the relation")
    subject = Int64("the number of the entity that it is about")
    object = Int64("the number of the other entity, or that of the literal, counted from FIRST_LITERAL")


class Parents(DeclaredTable):
    """A class and one directly above it."""

    class_number = Int64("the number of the class")
    parent_number = Int64("the number of the class above it")


class Ancestors(DeclaredTable):
    """A class and itself, or one anywhere above it."""

    class_number = Parents.class_number
    ancestor = Int64("the number of the class itself, or of one above it")


class ClosedTypes(DeclaredTable):
    """A class of an entity, as numbers."""

    entity = Int64("the number of the entity")
    of = Int64("the number of the class")
    direct = Boolean("whether a source states the class for this entity")


class ClassMembers(DeclaredTable, name="members"):
    """An entity of a class, as numbers."""

    of = ClosedTypes.of
    entity = ClosedTypes.entity


class CombinedStreams(Protocol):
    """Streams of Arrow batches, each with the columns of one table and sorted by the first of them."""

    def entities(self) -> Batches:
        """The rows of `Entities`."""

    def literals(self) -> Batches:
        """The rows of `Literals`."""

    def aliases(self) -> Batches:
        """The rows of `NumberedAliases`."""

    def names(self) -> Batches:
        """The rows of `LookupNames`."""

    def relations(self) -> Batches:
        """The rows of `LabelRows` for relations."""

    def relation_aliases(self) -> Batches:
        """The rows of `NumberedRelationAliases`."""

    def classes(self) -> Batches:
        """The rows of `LabelRows` for classes."""

    def edges_forward(self) -> Batches:
        """The rows of `Edges`, by subject; repeated rows follow one another."""

    def edges_backward(self) -> Batches:
        """The rows of `Edges`, by object; repeated rows follow one another."""

    def parents(self) -> Batches:
        """The rows of `Parents`."""

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        """Receive the ancestors of every class, before the types are requested."""

    def types_forward(self) -> Batches:
        """The rows of `ClosedTypes`."""

    def types_backward(self) -> Batches:
        """The rows of `ClassMembers`."""


ENTITIES, RELATIONS, CLASSES = "entity_numbers", "relation_numbers", "class_numbers"
"""The names of the tables that number ids."""


class Numbered(DeclaredTable):
    """An id with its number."""

    id = String("the id of an entity, a relation or a class")
    number = Int64("its rank in byte order, from 0")


class NumberedLiterals(Literals):
    """A literal with its number."""

    number = Numbered.number


class Described(Entities):
    """An entity that a source describes."""


class NumberedEntities(Entities):
    """An entity with its number."""

    number = Numbered.number


class NumberedLabels(LabelRows):
    """A relation or a class with its number."""

    number = Numbered.number


def _sorted(rows: Rows[T], *columns: str) -> Rows[T]:
    ordered: Rows[T] = rows.order_by(*columns)
    return ordered


def _ranked(ids: ir.Table) -> Rows[Numbered]:
    """Distinct ids with their rank."""
    return shaped(Numbered, ids.distinct().mutate(number=ibis.row_number().over(order_by="id")))


# -- numbers -----------------------------------------------------------------------------------------


def entity_numbers() -> Rows[Numbered]:
    facts, values, types = unbound(FactRows), unbound(ValueRows), unbound(TypeRows)
    parts = [
        unbound(EntityRows).select("id"),
        facts.select(id="subject"),
        facts.select(id="object"),
        values.select(id="subject"),
        types.select(id="entity"),
        unbound(AliasRows).select(id="entity"),
    ]
    return _ranked(ibis.union(*parts))


def relation_numbers() -> Rows[Numbered]:
    parts = [unbound(FactRows).select(id="relation"), unbound(ValueRows).select(id="relation")]
    return _ranked(ibis.union(*parts))


def class_numbers() -> Rows[Numbered]:
    subclasses = unbound(SubclassRows)
    parts = [
        unbound(TypeRows).select(id="class"),
        subclasses.select(id="class"),
        subclasses.select(id="parent"),
    ]
    return _ranked(ibis.union(*parts))


def literal_numbers() -> Rows[NumberedLiterals]:
    values = unbound(ValueRows)
    literals = values.select("value", "kind", "dimension", "low", "high").rename(id="value").distinct()
    return shaped(NumberedLiterals, literals.mutate(number=ibis.row_number().over(order_by="id")))


def literals_in_order() -> Rows[NumberedLiterals]:
    return _sorted(unbound(NumberedLiterals), "number")


# -- facts and values --------------------------------------------------------------------------------


def edges() -> Rows[Edges]:
    """Facts and values as numbers."""
    facts, values = unbound(FactRows), unbound(ValueRows)
    parts = [
        _edges(facts, facts.object, unbound(Numbered, ENTITIES).view(), 0),
        _edges(values, values.value, unbound(NumberedLiterals), FIRST_LITERAL),
    ]
    return shaped(Edges, ibis.union(*parts))


def _edges(rows: ir.Table, object_: ir.StringColumn, objects: ir.Table, first: int) -> Rows[Edges]:
    subjects, relations = unbound(Numbered, ENTITIES), unbound(Numbered, RELATIONS)
    joined = rows.join(subjects, rows.subject == subjects.id).join(relations, rows.relation == relations.id)
    joined = joined.join(objects, object_ == objects.id)
    return shaped(
        Edges,
        joined.select(relation=relations.number, subject=subjects.number, object=objects.number + first),
    )


def edges_forward() -> Rows[Edges]:
    return _sorted(unbound(Edges), "relation", "subject", "object")


def edges_backward() -> Rows[Edges]:
    return _sorted(unbound(Edges), "relation", "object", "subject")


# -- types -------------------------------------------------------------------------------------------


def parents_in_order() -> Rows[Parents]:
    pairs, classes = unbound(SubclassRows), unbound(Numbered, CLASSES)
    parents = unbound(Numbered, CLASSES).view()
    joined = pairs.join(classes, pairs["class"] == classes.id).join(parents, pairs.parent == parents.id)
    numbered = joined.select(class_number=classes.number, parent_number=parents.number)
    return _sorted(shaped(Parents, numbered.distinct()), "class_number", "parent_number")


def closed_types() -> Rows[ClosedTypes]:
    """Each entity with its stated classes and every class above them; `direct` marks the stated ones."""
    types, ancestors = unbound(TypeRows), unbound(Ancestors)
    entities, classes = unbound(Numbered, ENTITIES), unbound(Numbered, CLASSES)
    joined = types.join(entities, types.entity == entities.id).join(classes, types["class"] == classes.id)
    joined = joined.join(ancestors, classes.number == ancestors.class_number)
    closed = joined.select(
        entity=entities.number, of=ancestors.ancestor, direct=ancestors.ancestor == classes.number
    )
    return shaped(ClosedTypes, closed.group_by("entity", "of").agg(direct=_.direct.any()))


def types_forward() -> Rows[ClosedTypes]:
    return _sorted(unbound(ClosedTypes), "entity", "of")


def types_backward() -> Rows[ClassMembers]:
    return _sorted(shaped(ClassMembers, unbound(ClosedTypes)), "of", "entity")


# -- names -------------------------------------------------------------------------------------------


def described() -> Rows[Described]:
    """One row for each id that was described; if sources differ, the text of the first is used."""
    rows = unbound(EntityRows)
    rank = rows.rank.cast("string").lpad(9, "0")
    merged = rows.group_by("id").agg(
        label=rows.label.argmin(rank + rows.label),
        description=rows.description.argmin(rank + rows.description),
        title=rows.title.argmin(rank + rows.title),
    )
    return shaped(Described, merged)


def entities_in_order() -> Rows[NumberedEntities]:
    numbers, texts = unbound(Numbered, ENTITIES), unbound(Described)
    joined = numbers.left_join(texts, numbers.id == texts.id)
    entities = joined.select(numbers.id, texts.label, texts.description, texts.title, numbers.number)
    return _sorted(shaped(NumberedEntities, entities), "number")


def aliases_in_order() -> Rows[NumberedAliases]:
    """Aliases, and labels that were not chosen because another source's label was, without duplicates."""
    rows, texts, aliases = unbound(EntityRows), unbound(Described), unbound(AliasRows)
    numbers = unbound(Numbered, ENTITIES)
    numbered = aliases.join(numbers, aliases.entity == numbers.id)
    numbered = numbered.select(numbers.number, aliases.text, aliases.source, aliases["count"])
    lost = rows.join(texts, [rows.id == texts.id, rows.label != texts.label])
    theirs = numbers.view()
    lost = lost.join(theirs, rows.id == theirs.id).select(
        number=theirs.number, text=rows.label, source=ibis.literal("label"), count=ibis.null("int64")
    )
    merged = ibis.union(numbered, lost).group_by("number", "text", "source").agg(count=_["count"].max())
    return _sorted(shaped(NumberedAliases, merged), "number", "text", "source")


def names_in_order() -> Rows[LookupNames]:
    """The folded form of every label and alias, with the entity it names."""
    labels, aliases, numbers = unbound(EntityRows), unbound(AliasRows), unbound(Numbered, ENTITIES)
    all_names = ibis.union(
        labels.filter(labels.folded.notnull()).select("id", "folded"),
        aliases.select(id=aliases.entity, folded=aliases.folded),
    )
    lookup_names = all_names.join(numbers, all_names.id == numbers.id).select(
        all_names.folded, numbers.number
    )
    return _sorted(shaped(LookupNames, lookup_names.distinct()), "folded", "number")


def relations_in_order() -> Rows[NumberedLabels]:
    rows = unbound(RelationRows)
    rank = rows.rank.cast("string").lpad(9, "0")
    own_texts = rows.group_by(own_id="id").agg(
        own_label=rows.label.argmin(rank + rows.label),
        own_description=rows.description.argmin(rank + rows.description),
    )
    used = _labels(RELATIONS)
    joined = used.left_join(own_texts, used.id == own_texts.own_id).mutate(
        label=ibis.coalesce(_.own_label, _.label),
        description=ibis.coalesce(_.own_description, _.description),
    )
    return _sorted(shaped(NumberedLabels, joined), "number")


def relation_aliases_in_order() -> Rows[NumberedRelationAliases]:
    """The aliases of relations, and those of the entities with the same ids."""
    relations, entities, numbers = (
        unbound(RelationAliasRows),
        unbound(AliasRows),
        unbound(Numbered, RELATIONS),
    )
    all_aliases = ibis.union(
        relations.select(id=relations.relation, text=relations.text),
        entities.select(id=entities.entity, text=entities.text),
    )
    numbered_aliases = all_aliases.join(numbers, all_aliases.id == numbers.id).select(
        numbers.number, all_aliases.text
    )
    return _sorted(shaped(NumberedRelationAliases, numbered_aliases.distinct()), "number", "text")


def classes_in_order() -> Rows[NumberedLabels]:
    return _sorted(_labels(CLASSES), "number")


def _labels(name: str) -> Rows[NumberedLabels]:
    """Numbered ids with the label and the description of the entity with the same id."""
    numbers, texts = unbound(Numbered, name), unbound(Described)
    joined = numbers.left_join(texts, numbers.id == texts.id)
    return shaped(NumberedLabels, joined.select(numbers.id, texts.label, texts.description, numbers.number))


# Shards combined by an engine: any number of them, within its memory limit.


def name_shards(bench: Workbench, folder: Path) -> None:
    """Give the engine every shard table: all its files in the folder, without those written again."""
    replaced = replaced_folders(folder)
    for name, table in SHARD_TABLES.items():
        old = replaced.get(name, ())
        files = sorted(folder.glob(f"{SHARD_FOLDERS}/{name}-*.parquet"))
        bench.read(table, [file for file in files if file.parents[2].name not in old])


class EngineCombination:
    """Runs the queries of `combine.py` in the order in which they depend on one another."""

    def __init__(self, bench: Workbench, add_names: Callable[[], None] = lambda: None) -> None:
        """`add_names` is called when everything is numbered, and may add labels to the shards."""
        self._bench = bench
        bench.keep(Numbered, entity_numbers, ENTITIES)
        bench.keep(Numbered, relation_numbers, RELATIONS)
        bench.keep(Numbered, class_numbers, CLASSES)
        add_names()
        bench.keep(NumberedLiterals, literal_numbers)
        bench.keep(Described, described)

    def entities(self) -> Batches:
        return self._without_numbers(Entities, entities_in_order)

    def literals(self) -> Batches:
        return self._without_numbers(Literals, literals_in_order)

    def aliases(self) -> Batches:
        return self._bench.stream(aliases_in_order)

    def names(self) -> Batches:
        return self._bench.stream(names_in_order)

    def relations(self) -> Batches:
        return self._without_numbers(LabelRows, relations_in_order)

    def relation_aliases(self) -> Batches:
        return self._bench.stream(relation_aliases_in_order)

    def classes(self) -> Batches:
        return self._without_numbers(LabelRows, classes_in_order)

    def _without_numbers(self, table: type[DeclaredTable], query: Query) -> Batches:
        """The rows of a query in the order of their numbers."""
        for batch in self._bench.stream(query):
            yield batch.select(list(columns(table)))

    def edges_forward(self) -> Batches:
        self._bench.keep(Edges, edges)
        yield from self._bench.stream(edges_forward)

    def edges_backward(self) -> Batches:
        yield from self._bench.stream(edges_backward)
        self._bench.drop(Edges)

    def parents(self) -> Batches:
        return self._bench.stream(parents_in_order)

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        batches = (
            pa.RecordBatch.from_arrays([pa.array(classes), pa.array(above)], schema=schema(Ancestors))
            for classes, above in ancestors
        )
        self._bench.give(Ancestors, pa.RecordBatchReader.from_batches(schema(Ancestors), batches))
        self._bench.keep(ClosedTypes, closed_types)

    def types_forward(self) -> Batches:
        return self._bench.stream(types_forward)

    def types_backward(self) -> Batches:
        yield from self._bench.stream(types_backward)
        self._bench.drop(ClosedTypes)
