"""The interface to the combined shards: every table of the graph, numbered and in order.

There are two implementations: the engine, for data of any size, and plain Python, for a graph made in memory.
The Python version is also the definition: a test compares the engine with it.
"""

from collections.abc import Iterator
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rollcall.tables.graph import Aliases, EntityRows, RelationAliasRows, Relations, Values
from rollcall.tables.table import Boolean, Int64, String, Table

Batches: TypeAlias = Iterator[pa.RecordBatch]
Numbers: TypeAlias = npt.NDArray[np.int64]


class Literals(Table):
    """A value, wherever it occurs."""

    id = String("its canonical text")
    kind = Values.kind
    dimension = Values.dimension
    low = Values.low
    high = Values.high


class NumberedAliases(Table):
    """An alias, with the number of its entity."""

    number = Int64("the number of the entity")
    text = Aliases.text
    source = Aliases.source
    count = Aliases.count


class Names(Table):
    """A name as it is looked up."""

    folded = EntityRows.folded
    number = Int64("the number of an entity that has this name")


class NumberedRelationAliases(Table):
    """Another name of a relation, with the number of the relation."""

    number = Int64("the number of the relation")
    text = RelationAliasRows.text


class Labels(Table):
    """A relation or a class with its texts."""

    id = Relations.id
    label = Relations.label
    description = Relations.description


class Edges(Table):
    """A fact or a value as numbers."""

    relation = Int64("the number of the relation")
    subject = Int64("the number of the entity that it is about")
    object = Int64("the number of the other entity, or that of the literal, counted from FIRST_LITERAL")


class Parents(Table):
    """A class and one directly above it."""

    class_number = Int64("the number of the class")
    parent_number = Int64("the number of the class above it")


class Ancestors(Table):
    """A class and itself, or one anywhere above it."""

    class_number = Parents.class_number
    ancestor = Int64("the number of the class itself, or of one above it")


class ClosedTypes(Table):
    """A class of an entity, as numbers."""

    entity = Int64("the number of the entity")
    of = Int64("the number of the class")
    direct = Boolean("whether a source states the class for this entity")


class Members(Table):
    """An entity of a class, as numbers."""

    of = ClosedTypes.of
    entity = ClosedTypes.entity


class Combination(Protocol):
    """Streams of Arrow batches, each with the columns of one table and sorted by the first of them."""

    def entities(self) -> Batches:
        """The rows of `Entities`."""

    def literals(self) -> Batches:
        """The rows of `Literals`."""

    def aliases(self) -> Batches:
        """The rows of `NumberedAliases`."""

    def names(self) -> Batches:
        """The rows of `Names`."""

    def relations(self) -> Batches:
        """The rows of `Labels` for relations."""

    def relation_aliases(self) -> Batches:
        """The rows of `NumberedRelationAliases`."""

    def classes(self) -> Batches:
        """The rows of `Labels` for classes."""

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
        """The rows of `Members`."""
