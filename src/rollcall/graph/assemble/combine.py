"""How shards become one graph: set-at-a-time expressions over all rows that were read.

Entities, literals, relations and classes are numbered by the rank of their text in byte order, so that
sorting by number is sorting by name, and the same graph gets the same numbers in whatever order it was read.
Each function is one query; `combination.py` names the results, and `by_engine.py` runs the queries.
"""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.graph.assemble.combination import (
    Ancestors,
    ClosedTypes,
    Edges,
    Labels,
    Literals,
    Members,
    Names,
    NumberedAliases,
    NumberedRelationAliases,
    Parents,
)
from rollcall.graph.layout import FIRST_LITERAL
from rollcall.tables.graph import (
    AliasRows,
    Entities,
    EntityRows,
    FactRows,
    RelationAliasRows,
    RelationRows,
    SubclassRows,
    TypeRows,
    ValueRows,
)
from rollcall.tables.table import Int64, Rows, String, T, Table, shaped, unbound

ENTITIES, RELATIONS, CLASSES = "entity_numbers", "relation_numbers", "class_numbers"
"""The names of the tables that number ids."""


class Numbered(Table):
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


class NumberedLabels(Labels):
    """A relation or a class with its number."""

    number = Numbered.number


def _sorted(rows: Rows[T], *columns: str) -> Rows[T]:
    found: Rows[T] = rows.order_by(*columns)
    return found


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


def types_backward() -> Rows[Members]:
    return _sorted(shaped(Members, unbound(ClosedTypes)), "of", "entity")


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
    chosen = joined.select(numbers.id, texts.label, texts.description, texts.title, numbers.number)
    return _sorted(shaped(NumberedEntities, chosen), "number")


def aliases_in_order() -> Rows[NumberedAliases]:
    """Aliases, and labels that were not chosen because another source's label was, without duplicates."""
    rows, texts, aliases = unbound(EntityRows), unbound(Described), unbound(AliasRows)
    numbers = unbound(Numbered, ENTITIES)
    given = aliases.join(numbers, aliases.entity == numbers.id)
    given = given.select(numbers.number, aliases.text, aliases.source, aliases["count"])
    lost = rows.join(texts, [rows.id == texts.id, rows.label != texts.label])
    theirs = numbers.view()
    lost = lost.join(theirs, rows.id == theirs.id).select(
        number=theirs.number, text=rows.label, source=ibis.literal("label"), count=ibis.null("int64")
    )
    merged = ibis.union(given, lost).group_by("number", "text", "source").agg(count=_["count"].max())
    return _sorted(shaped(NumberedAliases, merged), "number", "text", "source")


def names_in_order() -> Rows[Names]:
    """The folded form of every label and alias, with the entity it names."""
    labels, aliases, numbers = unbound(EntityRows), unbound(AliasRows), unbound(Numbered, ENTITIES)
    every = ibis.union(
        labels.filter(labels.folded.notnull()).select("id", "folded"),
        aliases.select(id=aliases.entity, folded=aliases.folded),
    )
    named = every.join(numbers, every.id == numbers.id).select(every.folded, numbers.number)
    return _sorted(shaped(Names, named.distinct()), "folded", "number")


def relations_in_order() -> Rows[NumberedLabels]:
    rows = unbound(RelationRows)
    rank = rows.rank.cast("string").lpad(9, "0")
    own = rows.group_by(own_id="id").agg(
        own_label=rows.label.argmin(rank + rows.label),
        own_description=rows.description.argmin(rank + rows.description),
    )
    others = _labels(RELATIONS)
    joined = others.left_join(own, others.id == own.own_id).mutate(
        label=ibis.coalesce(_.own_label, _.label),
        description=ibis.coalesce(_.own_description, _.description),
    )
    return _sorted(shaped(NumberedLabels, joined), "number")


def relation_aliases_in_order() -> Rows[NumberedRelationAliases]:
    """The aliases of relations, and those of the entities with the same ids."""
    own, entities, numbers = unbound(RelationAliasRows), unbound(AliasRows), unbound(Numbered, RELATIONS)
    every = ibis.union(
        own.select(id=own.relation, text=own.text), entities.select(id=entities.entity, text=entities.text)
    )
    named = every.join(numbers, every.id == numbers.id).select(numbers.number, every.text)
    return _sorted(shaped(NumberedRelationAliases, named.distinct()), "number", "text")


def classes_in_order() -> Rows[NumberedLabels]:
    return _sorted(_labels(CLASSES), "number")


def _labels(name: str) -> Rows[NumberedLabels]:
    """Numbered ids with the label and the description of the entity with the same id."""
    numbers, texts = unbound(Numbered, name), unbound(Described)
    joined = numbers.left_join(texts, numbers.id == texts.id)
    return shaped(NumberedLabels, joined.select(numbers.id, texts.label, texts.description, numbers.number))
