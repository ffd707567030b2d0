"""The tables of mined queries.

A query is described by parallel lists: its relations, the end of each relation's facts that is asked for
(`subject` or `object`), and its entities. `proofs` has one row for every fact that an answer needs; rows with
the same `via` belong to one derivation of the answer.
"""

from rollcall.tables import graph
from rollcall.tables.table import Boolean, Float64, Int64, String, Strings, Table


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


class SimpleProofs(Proofs, name="proofs", sorted_by=("key", "answer")):
    """A fact that an answer needs, for queries whose answers need one fact each."""


class ProvableFacts(Table, name="facts"):
    """A fact that evidence is searched for."""

    subject = String("the entity that the fact is about")
    relation = String("the relation")
    object = String("the other entity, or the canonical text of a value")
    literal = Boolean("whether the object is a value")


class ListFacts(ProvableFacts, name="list_facts"):
    """A fact that a list or a table on a page states."""

    text = String("the text of the cell that states it; `@` for a year of which the cell has the day")


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


class QueryAnswers(Answers, name="answers"):
    """An answer of a query in the graph; for a count, what is counted."""


class TemplateQueries(Queries, name="queries"):
    """A graph-shaped query that was grown from a template."""

    template = String("the query with variables instead of its entities and values")
    edges = Int64("how many relation edges it has")
    nodes = Int64("how many nodes it has")
    function = String("its function, such as `count`; `none` if it has none")
    category = String("the category of its function: `none`, `count`, `superlative` or `comparative`")
    commonness = Float64("log10 of the probability that it is asked")
    redundant = Boolean("whether it has parts that could be removed without changing its answers")


class ClusterQueries(Queries, name="queries"):
    """A query of a cluster."""

    cluster = String("the id of its cluster")
    constraints = Strings("its constraints, negated ones with `not`")
    positive = Int64("how many of its constraints are not negated")
    negative = Int64("how many are negated")


class SetQueries(Queries, name="queries"):
    """A query that combines sets."""

    operation = String("the operation, such as `A ∪ B`")
    sets = Strings("the queries of the sets, in order")


class Constraints(Table):
    """A constraint of a cluster."""

    cluster = ClusterQueries.cluster
    constraint = String("relation, entity and direction, separated by tabs")
    relation = String("its relation")
    entity = String("the entity that it names")
    direction = String("the end of the relation's facts that satisfies it")


class OfferedCandidates(Table, name="candidates"):
    """A candidate that a question of a cluster offers in the closed setting."""

    key = Queries.key
    place = Int64("its place among the candidates, from 0")
    candidate = String("the id of an entity")
    is_answer = Boolean("whether it is an answer")


class CandidateFacts(Table):
    """A constraint of a question that a candidate satisfies, and the fact by which it does."""

    key = Queries.key
    candidate = OfferedCandidates.candidate
    constraint = Int64("the place of the constraint in the question, from 0")
    subject = Proofs.subject
    relation = Proofs.relation
    object = Proofs.object


class OntologyEdges(Table):
    """A relation between two classes, counted over all facts."""

    subject_class = String("the class of the subjects; empty if they have no type")
    relation = String("the relation")
    object_class = String("the class of the objects, or a literal class such as `date`")
    literal = Boolean("whether the objects are values")
    facts = Int64("how many facts it has")
