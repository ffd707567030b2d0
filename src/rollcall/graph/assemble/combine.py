"""How shards become one graph: the set-at-a-time expressions over everything that was read.

Entities, literals, relations and classes are numbered by the rank of their text in byte order, so that
sorting numbers is sorting names and the same graph gets the same numbers whatever order it was read in.
Each function is one query over tables named by the builder (`index_files.py`).
"""

from typing import Any

import ibis
from ibis import _

from rollcall.graph.shards import COLUMNS

FIRST_LITERAL = 1 << 40
"""Literals are told from entities by adding this to their numbers until the entities are counted."""


def _read(table: str) -> Any:
    return ibis.table(COLUMNS[table], name=f"read_{table}")


def _numbered(name: str) -> Any:
    return ibis.table({"id": "string", "number": "int64"}, name=name)


def _ranked(ids: Any) -> Any:
    """Distinct ids with their rank."""
    return ids.distinct().mutate(number=ibis.row_number().over(order_by="id"))


# -- numbers -----------------------------------------------------------------------------------------


def entity_numbers() -> Any:
    facts, values, types = _read("facts"), _read("values"), _read("types")
    parts = [
        _read("entities").select("id"),
        facts.select(id="subject"),
        facts.select(id="object"),
        values.select(id="subject"),
        types.select(id="entity"),
        _read("aliases").select(id="entity"),
    ]
    return _ranked(ibis.union(*parts))


def relation_numbers() -> Any:
    return _ranked(ibis.union(_read("facts").select(id="relation"), _read("values").select(id="relation")))


def class_numbers() -> Any:
    subclasses = _read("subclasses")
    return _ranked(
        ibis.union(
            _read("types").select(id="class"), subclasses.select(id="class"), subclasses.select(id="parent")
        )
    )


def literal_numbers() -> Any:
    values = _read("values")
    literals = values.select("value", "kind", "dimension", "low", "high").rename(id="value").distinct()
    return literals.mutate(number=ibis.row_number().over(order_by="id"))


def literals_in_order() -> Any:
    columns = {"id": "string", "kind": "string", "dimension": "string", "low": "float64", "high": "float64"}
    return ibis.table(columns | {"number": "int64"}, name="literal_numbers").order_by("number").drop("number")


# -- facts and values --------------------------------------------------------------------------------


def edges() -> Any:
    """Facts and values as numbers: relation, subject, object."""
    entities, relations = _numbered("entity_numbers"), _numbered("relation_numbers")
    literals = _numbered("literal_numbers")
    facts, values = _read("facts"), _read("values")
    of_entities = _edges(facts, "object", entities, relations, entities.view(), _.number_right)
    of_literals = _edges(values, "value", entities, relations, literals, _.number_right + FIRST_LITERAL)
    return ibis.union(of_entities, of_literals)


def _edges(rows: Any, object_: str, subjects: Any, relations: Any, objects: Any, number: Any) -> Any:
    numbered = rows.join(subjects, [rows.subject == subjects.id]).rename(subject_number="number").drop("id")
    numbered = numbered.join(relations, [("relation", "id")]).rename(relation_number="number").drop("id")
    numbered = numbered.join(objects, [(object_, "id")]).rename(number_right="number")
    return numbered.select(relation="relation_number", subject="subject_number", object=number)


def _kept_edges() -> Any:
    return ibis.table({"relation": "int64", "subject": "int64", "object": "int64"}, name="edges")


def edges_forward() -> Any:
    return _kept_edges().order_by("relation", "subject", "object")


def edges_backward() -> Any:
    return _kept_edges().order_by("relation", "object", "subject")


# -- types -------------------------------------------------------------------------------------------


def parents_in_order() -> Any:
    """Pairs of class number and parent number."""
    classes, parents, pairs = (
        _numbered("class_numbers"),
        _numbered("class_numbers").view(),
        _read("subclasses"),
    )
    numbered = pairs.join(classes, [("class", "id")]).rename(class_number="number").drop("id")
    numbered = numbered.join(parents, [("parent", "id")])
    return (
        numbered.select("class_number", parent_number="number")
        .distinct()
        .order_by("class_number", "parent_number")
    )


def closed_types() -> Any:
    """Each entity with every class above those it is said to be of; `direct` marks the latter."""
    entities, classes, types = _numbered("entity_numbers"), _numbered("class_numbers"), _read("types")
    ancestors = ibis.table({"class_number": "int64", "ancestor": "int64"}, name="ancestors")
    direct = types.join(entities, [("entity", "id")]).rename(entity_number="number").drop("id")
    direct = direct.join(classes, [("class", "id")]).rename(class_number="number")
    closed = direct.select("entity_number", "class_number").join(ancestors, "class_number")
    return closed.group_by(entity="entity_number", of="ancestor").agg(
        direct=(_.class_number == _.ancestor).any()
    )


def _kept_types() -> Any:
    return ibis.table({"entity": "int64", "of": "int64", "direct": "boolean"}, name="closed_types")


def types_forward() -> Any:
    return _kept_types().order_by("entity", "of")


def types_backward() -> Any:
    return _kept_types().select("of", "entity").order_by("of", "entity")


# -- names -------------------------------------------------------------------------------------------


def described() -> Any:
    """One row for each id that was described; where sources differ, the first one's text wins."""
    rows = _read("entities")
    rank = rows.rank.cast("string").lpad(9, "0")
    return rows.group_by("id").agg(
        label=rows.label.argmin(rank + rows.label),
        description=rows.description.argmin(rank + rows.description),
        title=rows.title.argmin(rank + rows.title),
    )


def _described() -> Any:
    columns = {"id": "string", "label": "string", "description": "string", "title": "string"}
    return ibis.table(columns, name="described")


def entities_in_order() -> Any:
    joined = _numbered("entity_numbers").left_join(_described(), "id").drop("id_right")
    return joined.order_by("number").drop("number")


def aliases_in_order() -> Any:
    """Aliases, and the labels that lost to another source's, without duplicates."""
    rows, described, aliases = _read("entities"), _described(), _read("aliases")
    lost = rows.join(described, [rows.id == described.id, rows.label != described.label])
    lost = lost.select(entity="id", text="label", source=ibis.literal("label"), count=ibis.null("int64"))
    every = ibis.union(aliases.select("entity", "text", "source", "count"), lost)
    merged = every.group_by("entity", "text", "source").agg(count=_["count"].max())
    numbered = merged.join(_numbered("entity_numbers"), [("entity", "id")])
    return numbered.select("number", "text", "source", "count").order_by("number", "text", "source")


def names_in_order() -> Any:
    """The folded form of every label and alias, with the entity it names."""
    labels = _read("entities").select("id", "folded").filter(_.folded.notnull())
    every = ibis.union(labels, _read("aliases").select(id="entity", folded="folded"))
    numbered = every.join(_numbered("entity_numbers"), "id")
    return numbered.select("folded", "number").distinct().order_by("folded", "number")


def relations_in_order() -> Any:
    rows = _read("relations")
    rank = rows.rank.cast("string").lpad(9, "0")
    merged = rows.group_by("id").agg(
        label=rows.label.argmin(rank + rows.label),
        description=rows.description.argmin(rank + rows.description),
    )
    return _named(_numbered("relation_numbers"), merged)


def classes_in_order() -> Any:
    return _named(_numbered("class_numbers"), None)


def _named(numbers: Any, described: Any) -> Any:
    """Numbered ids with a label and a description: their own, or those of the entity with the same id."""
    entities = _described()
    joined = numbers.left_join(entities, numbers.id == entities.id)
    joined = joined.select("id", "number", "label", "description")
    if described is not None:
        own = described.rename(own_id="id", own_label="label", own_description="description")
        joined = joined.left_join(own, joined.id == own.own_id).mutate(
            label=ibis.coalesce(_.own_label, _.label),
            description=ibis.coalesce(_.own_description, _.description),
        )
    return joined.order_by("number").select("id", "label", "description")
