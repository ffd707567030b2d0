"""Finds queries whose answers a reader would find absurd, so that miners drop them.

Such answers are correct in the graph: X for "which countries have no relations with X?", or the page "List of
rivers of X", to which a table linked, for a country or a film.
"""

from collections.abc import Iterable

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query import Query

_LIST = "List of "


def names_an_answer(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether one of the answers (numbers of the index) is an entity in the query."""
    named = {index.entity_number(entity) for entity in query.entities}
    return not named.isdisjoint(answers.tolist())


def is_about_lists(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether an answer, or an entity in the query, is a page that is a list."""
    named = (number for entity in query.entities if (number := index.entity_number(entity)) is not None)
    entities = (number for number in answers.tolist() if number < index.entity_count)
    return has_list(index, (*named, *entities))


def has_list(index: GraphIndex, entities: Iterable[int]) -> bool:
    """Whether one of some entities is a page that is a list."""
    names = (index.entity_labels[number] or index.entity_ids[number] for number in entities)
    return any(name.startswith(_LIST) for name in names)
