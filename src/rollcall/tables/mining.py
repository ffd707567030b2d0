"""The tables of mined queries.

A query is described by parallel lists: its relations, the end of each relation's facts that is asked for
(`subject` or `object`), and its entities. `proofs` has one row for every fact that an answer needs; rows with
the same `via` belong to one derivation of the answer.
"""

from rollcall.tables import graph
from rollcall.tables.table import Boolean, Int64, String, Strings, Table


class Queries(Table, sorted_by=("key",)):
    """A query that may become a question."""

    key = String("the hash that identifies the query")
    kind = String("`simple`, `composition`, `intersection`, …")
    relations = Strings("its relations")
    directions = Strings("for each relation, the end of its facts that is asked for: `subject` or `object`")
    entities = Strings("the entities that it names")
    class_ = String("the class that the answers must have, if any")
    answers = Int64("how many answers it has in the graph")
    query = String("its canonical text; null where the other columns say everything")


class ValidatedQueries(Queries, name="kept", sorted_by=("key",)):
    """A query that passed validation."""

    validated = Int64("how many of its answers are validated")


class Proofs(Table):
    """A fact that an answer needs."""

    key = Queries.key
    answer = String("the answer: the id of an entity, or the canonical text of a value")
    literal = Boolean("whether the answer is a value")
    via = String("the entity between the two facts of a composition; the facts of one derivation share it")
    subject = String("the subject of the fact")
    relation = String("its relation")
    object = String("its object")
    object_literal = Boolean("whether its object is a value")


class ProvableFacts(Table, name="facts"):
    """A fact that evidence is searched for."""

    subject = String("the entity that the fact is about")
    relation = String("the relation")
    object = String("the other entity, or the canonical text of a value")
    literal = Boolean("whether the object is a value")


class ListFacts(ProvableFacts, name="list_facts"):
    """A fact that a list or a table on a page states."""

    text = String("the text of the cell that states it")


class RelatedFacts(ProvableFacts, name="related"):
    """A fact that a list states, and the fact with a relation of the graph that means the same."""

    of_subject = ProvableFacts.subject
    of_relation = ProvableFacts.relation
    of_object = ProvableFacts.object
    of_literal = ProvableFacts.literal


class TableFacts(graph.Facts, name="table_facts"):
    """A fact between two entities that a table on a page states."""


class TableValues(graph.Values, name="table_values"):
    """A value that a table on a page states."""


class Answers(Table, name="validated"):
    """An answer of a query."""

    key = Queries.key
    answer = Proofs.answer
    literal = Proofs.literal
