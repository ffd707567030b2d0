"""Finds queries with an answer that the query itself names: "which countries have no relations with X?" with
X.

Such an answer is correct in the graph but absurd to a reader, so miners drop the whole query.
"""

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query import Query


def names_an_answer(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether one of the answers (numbers of the index) is an entity in the query."""
    named = {index.entity_number(entity) for entity in query.entities}
    return not named.isdisjoint(answers.tolist())
