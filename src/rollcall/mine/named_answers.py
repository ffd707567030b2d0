"""Queries that are answered by an entity they name: "which countries have no relations with X?" with X.

Such an answer is right by the graph and silly to a reader, so miners drop the whole query.
"""

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query import Query


def names_an_answer(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether one of the answers, given in numbers, is an entity of the query."""
    named = {index.entity_number(entity) for entity in query.entities}
    return not named.isdisjoint(answers.tolist())
