"""How shards become one graph: set-at-a-time expressions over all rows that were read.

Entities, literals, relations and classes are numbered by the rank of their text in byte order, so that
sorting by number is sorting by name, and the same graph gets the same numbers in whatever order it was read.
Each function is one query; `combination.py` names the results, and `by_engine.py` runs the queries.
"""

import ibis
import ibis.expr.types as ir
from ibis import _

from rollcall.graph.layout import FIRST_LITERAL
from rollcall.graph.shards import COLUMNS


def _read(table: str) -> ir.Table:
    return ibis.table(COLUMNS[table], name=f"read_{table}")


def _numbered(name: str) -> ir.Table:
    return ibis.table({"id": "string", "number": "int64"}, name=name)


def _ranked(ids: ir.Table) -> ir.Table:
    """Distinct ids with their rank."""
    return ids.distinct().mutate(number=ibis.row_number().over(order_by="id"))


# -- numbers -----------------------------------------------------------------------------------------


def entity_numbers() -> ir.Table:
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


def relation_numbers() -> ir.Table:
    return _ranked(ibis.union(_read("facts").select(id="relation"), _read("values").select(id="relation")))


def class_numbers() -> ir.Table:
    subclasses = _read("subclasses")
    return _ranked(
        ibis.union(
            _read("types").select(id="class"), subclasses.select(id="class"), subclasses.select(id="parent")
        )
    )


def literal_numbers() -> ir.Table:
    values = _read("values")
    literals = values.select("value", "kind", "dimension", "low", "high").rename(id="value").distinct()
    return literals.mutate(number=ibis.row_number().over(order_by="id"))


def literals_in_order() -> ir.Table:
    columns = {"id": "string", "kind": "string", "dimension": "string", "low": "float64", "high": "float64"}
    return ibis.table(columns | {"number": "int64"}, name="literal_numbers").order_by("number").drop("number")


# -- facts and values --------------------------------------------------------------------------------


def edges() -> ir.Table:
    """Facts and values as numbers: relation, subject, object."""
    facts, values = _read("facts"), _read("values")
    literals = _numbered("literal_numbers")
    return ibis.union(
        _edges(facts, facts.object, _numbered("entity_numbers").view(), 0),
        _edges(values, values.value, literals, FIRST_LITERAL),
    )


def _edges(rows: ir.Table, object_: ir.Table, objects: ir.Table, first: int) -> ir.Table:
    subjects, relations = _numbered("entity_numbers"), _numbered("relation_numbers")
    joined = rows.join(subjects, rows.subject == subjects.id).join(relations, rows.relation == relations.id)
    joined = joined.join(objects, object_ == objects.id)
    return joined.select(relation=relations.number, subject=subjects.number, object=objects.number + first)


def _kept_edges() -> ir.Table:
    return ibis.table({"relation": "int64", "subject": "int64", "object": "int64"}, name="edges")


def edges_forward() -> ir.Table:
    return _kept_edges().order_by("relation", "subject", "object")


def edges_backward() -> ir.Table:
    return _kept_edges().order_by("relation", "object", "subject")


# -- types -------------------------------------------------------------------------------------------


def parents_in_order() -> ir.Table:
    """Pairs of class number and parent number."""
    pairs, classes, parents = (
        _read("subclasses"),
        _numbered("class_numbers"),
        _numbered("class_numbers").view(),
    )
    joined = pairs.join(classes, pairs["class"] == classes.id).join(parents, pairs.parent == parents.id)
    numbered = joined.select(class_number=classes.number, parent_number=parents.number)
    return numbered.distinct().order_by("class_number", "parent_number")


def closed_types() -> ir.Table:
    """Each entity with its stated classes and every class above them; `direct` marks the stated ones."""
    types, entities, classes = _read("types"), _numbered("entity_numbers"), _numbered("class_numbers")
    ancestors = ibis.table({"class_number": "int64", "ancestor": "int64"}, name="ancestors")
    joined = types.join(entities, types.entity == entities.id).join(classes, types["class"] == classes.id)
    joined = joined.join(ancestors, classes.number == ancestors.class_number)
    closed = joined.select(
        entity=entities.number, of=ancestors.ancestor, direct=ancestors.ancestor == classes.number
    )
    return closed.group_by("entity", "of").agg(direct=_.direct.any())


def _kept_types() -> ir.Table:
    return ibis.table({"entity": "int64", "of": "int64", "direct": "boolean"}, name="closed_types")


def types_forward() -> ir.Table:
    return _kept_types().order_by("entity", "of")


def types_backward() -> ir.Table:
    return _kept_types().select("of", "entity").order_by("of", "entity")


# -- names -------------------------------------------------------------------------------------------


def described() -> ir.Table:
    """One row for each id that was described; if sources differ, the text of the first is used."""
    rows = _read("entities")
    rank = rows.rank.cast("string").lpad(9, "0")
    return rows.group_by("id").agg(
        label=rows.label.argmin(rank + rows.label),
        description=rows.description.argmin(rank + rows.description),
        title=rows.title.argmin(rank + rows.title),
    )


def _described() -> ir.Table:
    columns = {"id": "string", "label": "string", "description": "string", "title": "string"}
    return ibis.table(columns, name="described")


def entities_in_order() -> ir.Table:
    numbers, described = _numbered("entity_numbers"), _described()
    joined = numbers.left_join(described, numbers.id == described.id)
    columns = [numbers.id, described.label, described.description, described.title, numbers.number]
    return joined.select(*columns).order_by("number").drop("number")


def aliases_in_order() -> ir.Table:
    """Aliases, and labels that were not chosen because another source's label was, without duplicates."""
    rows, described, aliases = _read("entities"), _described(), _read("aliases")
    numbers = _numbered("entity_numbers")
    given = aliases.join(numbers, aliases.entity == numbers.id)
    given = given.select(numbers.number, aliases.text, aliases.source, aliases["count"])
    lost = rows.join(described, [rows.id == described.id, rows.label != described.label])
    theirs = numbers.view()
    lost = lost.join(theirs, rows.id == theirs.id).select(
        number=theirs.number, text=rows.label, source=ibis.literal("label"), count=ibis.null("int64")
    )
    merged = ibis.union(given, lost).group_by("number", "text", "source").agg(count=_["count"].max())
    return merged.order_by("number", "text", "source")


def names_in_order() -> ir.Table:
    """The folded form of every label and alias, with the entity it names."""
    labels, aliases, numbers = _read("entities"), _read("aliases"), _numbered("entity_numbers")
    every = ibis.union(
        labels.filter(labels.folded.notnull()).select("id", "folded"),
        aliases.select(id=aliases.entity, folded=aliases.folded),
    )
    named = every.join(numbers, every.id == numbers.id).select(every.folded, numbers.number)
    return named.distinct().order_by("folded", "number")


def relations_in_order() -> ir.Table:
    rows = _read("relations")
    rank = rows.rank.cast("string").lpad(9, "0")
    merged = rows.group_by("id").agg(
        label=rows.label.argmin(rank + rows.label),
        description=rows.description.argmin(rank + rows.description),
    )
    return _named(_numbered("relation_numbers"), merged)


def classes_in_order() -> ir.Table:
    return _named(_numbered("class_numbers"), None)


def _named(numbers: ir.Table, described: ir.Table) -> ir.Table:
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
