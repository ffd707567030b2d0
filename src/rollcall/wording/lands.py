"""Belonging to a land, and places named by an adjective (`French`): what can be said, and what cannot.

That something belongs to a land can be said with the adjective: `is French`. Any other statement about a
place named so reads as a mistake (`was born in French`). A question with both `France` and `French`, or with
a place and the land around it, says one thing twice.
"""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from rollcall.english.demonyms import demonyms, land_of, one_name
from rollcall.english.nouns import head_word
from rollcall.english.word_lists import word_list
from rollcall.graph import Graph
from rollcall.query import QUESTION, Edge, Entity, Query
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head, is_part_of_land, kind_above
from rollcall.wording.names_in_text import name_in_text
from rollcall.wording.phrases import Filler

BELONGING = frozenset(
    (
        "is in {object}",
        "is located in {object}",
        "comes from {object}",
        "is [a citizen|citizens] of {object}",
    )
)
_NOUNS = frozenset(("nationality", "country", "citizenship", "country of citizenship", "country of origin"))
_FAITHS = frozenset(("religion", "faith", "denomination", "ethnic group", "ethnicity"))


_WARS = {
    **dict.fromkeys(("First World War", "Great War", "World War One", "WWI"), "World War I"),
    **dict.fromkeys(("Second World War", "World War Two", "WWII"), "World War II"),
}
"""Wars that have several names, as lands have; text uses all of them."""


def by_adjective(entry: Entry, filler: Filler) -> bool:
    """Whether a relation says only that its subject belongs to a land or faith, named by an adjective."""
    if filler.adjective in word_list("faith_adjectives"):
        return entry.noun in _FAITHS
    return bool(filler.adjective) and (entry.forward in BELONGING or entry.noun in _NOUNS)


def belonging(filler: Filler, head: Head) -> tuple[str, Filler]:
    """The clause and the words for what belongs to a land named by its adjective.

    People and works are French; places are in France.
    """
    land = land_of(filler.adjective)
    if land and kind_above(head_word(head.one)) == "place":
        return "is in {object}", Filler(name_in_text(land, ("country",)))
    return "is {object}", Filler(filler.adjective)


def is_said_by_place(entry: Entry, head: Head) -> bool:
    """Whether a relation without an entry names the land in which a place or an organization is."""
    land = entry.noun == "country" or is_part_of_land(entry.noun)
    named = entry.generic and land and not entry.is_literal
    return named and kind_above(head_word(head.one)) in ("place", "organization")


def is_said_by_origin(entry: Entry, head: Head) -> bool:
    """Whether a relation without an entry names the country of people, works or vehicles: `is from A`."""
    named = entry.generic and entry.noun == "country"
    return named and (head.person or kind_above(head_word(head.one)) in ("work", "vehicle"))


def land_in_text(content: str, entry: Entry, head: Head) -> tuple[str, Filler] | None:
    """The clause and the name for a text that is a land or its adjective: `is from France`, `is French`."""
    if land_of(content):
        return ("is {object}", Filler(content)) if entry.noun in _NOUNS else None
    if content not in demonyms() or not entry.generic:
        return None
    name = Filler(name_in_text(content, ("country",)))
    if is_said_by_place(entry, head):
        return "is in {object}", name
    return ("is from {object}", name) if is_said_by_origin(entry, head) else None


def cannot_be_said(edge: Edge, entry: Entry, name: Callable[[str], Filler]) -> bool:
    """Whether an end of an edge is a place named by an adjective, and the edge does not say belonging."""
    for end, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
        filler = name(end.id) if isinstance(end, Entity) else None
        if filler is None or not filler.adjective or (end == edge.object and by_adjective(entry, filler)):
            continue
        if filler.place or kind_above(noun) == "place":
            return True
    return False


def lies_within(query: Query, graph: Graph, entry_of: Callable[[str], Entry]) -> bool:
    """Whether the answers of a query are to be in two places, one of which is in the other in the graph."""
    for pattern in query.patterns:
        located = [
            (edge, edge.object)
            for edge in pattern.edges
            if edge.subject == QUESTION
            and isinstance(edge.object, Entity)
            and entry_of(edge.relation).forward in BELONGING
        ]
        for (inner, small), (outer, large) in permutations(located, 2):
            if small == large and not inner.negated:  # `is located in A and is in A`
                return True
            both = {inner.relation, outer.relation}
            if not inner.negated and any(_holds(graph, small.id, one, large.id) for one in both):
                return True
    return False


def _holds(graph: Graph, subject: str, relation: str, object_: str) -> bool:
    index = graph.index
    numbers = index.entity_number(subject), index.relation_number(relation), index.entity_number(object_)
    if numbers[0] is None or numbers[1] is None or numbers[2] is None:
        return False
    subjects, objects = index.forward(numbers[1])
    first, last = np.searchsorted(subjects, [numbers[0], numbers[0] + 1])
    return bool((objects[first:last] == numbers[2]).any())


def name_a_land_twice(query: Query, name: Callable[[str], Filler]) -> bool:
    """Whether a query has a land or war by two names, or a land's adjective in two statements."""
    named = {node.id for edge in query.edges for node in edge.nodes if isinstance(node, Entity)}
    fillers = [name(id_) for id_ in named]
    lands = [one_name(land_of(filler.adjective) or filler.name) for filler in fillers]
    lands = [_WARS.get(name.rstrip("."), name) for name in lands]
    ends = [node.id for edge in query.edges for node in edge.nodes if isinstance(node, Entity)]
    twice = any(name(end).adjective and ends.count(end) > 1 for end in ends)
    return twice or len(set(lands)) < len(lands)
