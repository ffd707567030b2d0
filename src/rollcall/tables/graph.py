"""The tables of a graph folder."""

from rollcall.tables.table import Boolean, DeclaredTable, Float64, Int32, Int64, String, Strings

_GROUP = 1 << 17


class Entities(DeclaredTable, sorted_by=("id",), rows_per_group=_GROUP):
    """An entity of the graph."""

    id = String("its id, such as Q42")
    label = String("its name; null if no source gives one")
    description = String("a short description, if a source gives one")
    title = String("the title of its page, if a source gives one")


class Aliases(DeclaredTable, sorted_by=("entity", "text", "source"), rows_per_group=_GROUP):
    """Another name of an entity."""

    entity = String("the entity's id")
    text = String("the name")
    source = String(
        "where the name comes from: `alias`, `label` (of another source), or what the source says"
    )
    count = Int64("how often the name is used for the entity, if a source says so")


class Types(DeclaredTable, sorted_by=("entity", "class"), rows_per_group=_GROUP):
    """A class of an entity: one that is stated, or one above a stated one."""

    entity = String("the entity's id")
    class_ = String("the id of the class")
    direct = Boolean("whether a source states the class for this entity")


class Classes(DeclaredTable, sorted_by=("id",), rows_per_group=_GROUP):
    """A class of entities."""

    id = String("its id")
    label = String("its name; null if no source gives one")
    parents = Strings("the classes directly above it")
    entities = Int64("how many entities it has, those of its subclasses included")


class Relations(DeclaredTable, sorted_by=("id",), rows_per_group=_GROUP):
    """A relation of the graph."""

    id = String("its id, such as P57")
    label = String("its name; null if no source gives one")
    description = String("a short description, if a source gives one")
    facts = Int64("how many facts between entities it has")
    values = Int64("how many values it has")


class Facts(DeclaredTable, sorted_by=("relation", "subject", "object"), rows_per_group=_GROUP):
    """A fact between two entities."""

    subject = String("the entity that the fact is about")
    relation = String("the relation")
    object = String("the other entity")


class Values(DeclaredTable, sorted_by=("relation", "subject", "value"), rows_per_group=_GROUP):
    """A value of an entity: a number, a quantity, a date, a text or a point."""

    subject = String("the entity that the value belongs to")
    relation = String("the relation")
    value = String('the value in canonical text: 42, 8848[metre], @1960-05-17, "text", @(48.8,2.3)')
    kind = String("`number`, `quantity`, `date`, `text` or `point`")
    dimension = String("what it can be compared with: `length`, `date`, …; null for texts and points")
    low = Float64("the smallest number that the value may stand for, in the base unit of the dimension")
    high = Float64("the largest such number")


GRAPH_TABLES = (Entities, Aliases, Types, Classes, Relations, Facts, Values)


class EntityRows(DeclaredTable, name="read_entities"):
    """What one source says of one entity, in a shard."""

    id = Entities.id
    label = Entities.label
    folded = String("the label as it is looked up: without case, accents and punctuation")
    description = Entities.description
    title = Entities.title
    rank = Int32("the smallest rank has priority if sources differ")


class AliasRows(DeclaredTable, name="read_aliases"):
    """An alias, in a shard."""

    entity = Aliases.entity
    text = Aliases.text
    folded = String("the alias as it is looked up: without case, accents and punctuation")
    source = Aliases.source
    count = Aliases.count


class TypeRows(DeclaredTable, name="read_types"):
    """A stated class of an entity, in a shard."""

    entity = Types.entity
    class_ = Types.class_


class SubclassRows(DeclaredTable, name="read_subclasses"):
    """A stated subclass relation, in a shard."""

    class_ = String("the id of the class")
    parent = String("the class directly above it")


class RelationRows(DeclaredTable, name="read_relations"):
    """What one source says of one relation, in a shard."""

    id = Relations.id
    label = Relations.label
    description = Relations.description
    rank = EntityRows.rank


class RelationAliasRows(DeclaredTable, name="read_relation_aliases"):
    """Another name of a relation, in a shard."""

    relation = Relations.id
    text = String("the name")


class FactRows(Facts, name="read_facts"):
    """A fact as it was read, in a shard."""


class ValueRows(Values, name="read_values"):
    """A value as it was read, in a shard."""


class CellRows(DeclaredTable, name="read_cells"):
    """A free text, read as a value when all cells of its relation are known; in a shard."""

    subject = Values.subject
    relation = Values.relation
    text = String("the text of the cell")


SHARD_TABLES: dict[str, type[DeclaredTable]] = {
    "entities": EntityRows,
    "aliases": AliasRows,
    "types": TypeRows,
    "subclasses": SubclassRows,
    "relations": RelationRows,
    "relation_aliases": RelationAliasRows,
    "facts": FactRows,
    "values": ValueRows,
    "cells": CellRows,
}
"""The tables of a shard, by the name of their files."""


# The table of a generated world: what is true, and which sentence states it.


class Truth(DeclaredTable, sorted_by=None):
    """A fact (stated or not), a decoy, or a cell of a list, in the order of the pages that were generated."""

    kind = String("`fact`, `decoy` or `cell`")
    statement = String("the id of the statement in the dump")
    subject = String("the entity that the row is about")
    relation = String("the relation")
    object = String("the other entity, or the value")
    page = String("the page that the sentence or the cell is on; null if the fact is not stated")
    section = String("the heading of the section that it is in")
    sentence = String("the sentence; null if the fact is not stated, and for cells")
    wording = Int32("which of the relation's wordings the sentence uses")
    pronoun = Boolean("whether the sentence names its subject by a pronoun only")
    ended = Boolean("whether the statement has an end date")
    rank = String("the rank of the statement in the dump")
    table = Int32("the table on the page, for cells")
    row = Int32("the row of the table")
    column = Int32("the column of the table")
    text = String("the text of the cell, or of the object in the sentence")


class Changes(DeclaredTable, sorted_by=None):
    """What changed from one age of a world to the next, by age and in the order of the dump.

    An answer that comes, goes or changes its name from one dump to the next does so because of such rows.
    """

    age = Int32("the age in which the change is seen first; the first that can be is 2")
    kind = String(
        "what happened: `born`, `died`, `renamed`, `added`, `corrected`, `removed`, `deprecated`, `ended`, "
        "`said` or `unsaid`"
    )
    statement = String("the id of the statement in the dump; null for `renamed`")
    subject = String("the entity that the statement is about")
    relation = String("the relation; null for `renamed`")
    before = String("the object before: an entity, a value, or the label; null if there was none")
    after = String("the object after; null if there is none, or the statement no longer counts")
    told_before = Boolean("whether a sentence stated the fact")
    told_after = Boolean("whether a sentence states it now")
