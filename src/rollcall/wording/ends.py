"""What stands at the ends of a graph's relations: the nouns by which questions name subjects and objects.

A few facts of each relation, spread evenly over all of them, are enough: their ends are named by their types,
and entities without a type by the first sentence of their page, if there is one. Nouns that most of them
share are used, or nouns that cover them; otherwise only whether they are people, things or values.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations

import numpy as np

from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.query import QUESTION, Edge, Entity, Query
from rollcall.text.nouns import demonyms, head_word, is_person, land_of, one_name, singular
from rollcall.text.words import word_list
from rollcall.wording.entry import Entry
from rollcall.wording.frames import LANDS, shape_of
from rollcall.wording.generic import Ends
from rollcall.wording.naming import name_in_text
from rollcall.wording.nouns import ClassNoun, Head, class_noun, is_part_of_land, kind_above
from rollcall.wording.phrases import Filler

_SAMPLE = 40
_LEAST = 3
_MOST_SHARE = 0.9
_MOST_PEOPLE = 0.8
_LEAST_DESCRIBED = 5
_LEAST_FACTS = 8
_OFTEN = 0.2
"""The share of subjects with several objects from which a relation is said to have several."""
_OF_TEXTS = ("list", "name", "term", "word", "page")
_MOST_MEMBERS = 0.6
_PARTS = frozenset(
    (
        "awardee", "holder", "honoree", "incumbent", "member", "nominee", "predecessor", "recipient",
        "representative", "runner-up", "successor", "winner",
    )
)  # fmt: skip
"""Nouns for the part that a person has in something; alone they do not say in what."""


_GROUPS_OF_PEOPLE = frozenset((
    "adult", "beginner", "couple", "crowd", "expert", "family", "household", "individual",
    "novice", "patient", "teen",
))  # fmt: skip


class EndNouns:
    """The nouns of the ends of relations, by relation."""

    def __init__(self, graph: Graph, described: Mapping[str, str] | None = None):
        """`described` gives the nouns of entities without a type."""
        self._graph, self._index = graph, graph.index
        self._described = described or {}
        self.of = cache(self._of)

    def untyped(self, relations: Iterable[str]) -> Iterator[str]:
        """The entities whose nouns decide about some relations, and which have no type."""
        for relation in relations:
            number = self._index.relation_number(relation)
            for end in self._ends(number) if number is not None else ():
                for entity in end:
                    if entity < self._index.entity_count and not len(self._index.direct_types(entity)):
                        yield self._index.entity_ids[entity]

    def _of(self, relation: str) -> Ends:
        number = self._index.relation_number(relation)
        if number is None:
            return Ends()
        subjects, objects = self._ends(number)
        values = [term for term in objects if term >= self._index.entity_count]
        if len(values) * 2 > len(objects):
            return Ends(self._common(subjects), self._kind_of_value(values))
        entities = [term for term in objects if term not in values]
        labels = [self._graph.label(self._index.entity_ids[entity]) for entity in entities]
        shape, small = shape_of(labels), _are_small(labels)
        noun = self._common(entities) or ("country" if shape == LANDS else "")
        if small and not noun:
            noun = _noun_of_small(labels)
        return Ends(self._common(subjects), noun, shape, self._is_single(number), small)

    def _is_single(self, relation: int) -> bool | None:
        """Whether every subject of a relation has one object; False if many have several."""
        subjects, _objects = self._index.forward(relation)
        if len(subjects) < _LEAST_FACTS:
            return None
        _different, counts = np.unique(subjects, return_counts=True)
        if (counts == 1).all():
            return True
        return False if (counts > 1).mean() >= _OFTEN else None

    def _ends(self, relation: int) -> tuple[list[int], list[int]]:
        subjects, _ = self._index.forward(relation)
        objects, _ = self._index.backward(relation)
        return _spread(subjects), _spread(objects)

    def _kind_of_value(self, terms: list[int]) -> str:
        dimensions = Counter(
            int(self._index.literal_dimension[term - self._index.entity_count]) for term in terms
        )
        dimension = dimensions.most_common(1)[0][0]
        if dimension < 0:
            return "text"
        name = self._index.dimensions[dimension]
        return name if name in ("date", "number") else "quantity"

    def _common(self, entities: list[int]) -> str:
        nouns = [noun for entity in entities if (noun := self._noun(entity))]
        if len(nouns) < _LEAST or len(nouns) * 4 < len(entities):
            return ""
        people = sum(noun == "person" for noun in nouns) / len(nouns)
        if people >= _MOST_PEOPLE:
            return "person"
        for noun_list in (nouns, [kind_above(noun) for noun in nouns]):
            noun, times = Counter(noun_list).most_common(1)[0]
            if noun and times >= _MOST_SHARE * len(nouns):
                return noun
        return "thing" if people <= 1 - _MOST_PEOPLE else "person or thing"

    def _noun(self, entity: int) -> str:
        types = self._index.direct_types(entity).tolist()
        if not types:
            return self._described.get(self._index.entity_ids[entity], "")
        nouns = [
            class_noun(self._graph.class_label(id_), id_)
            for id_ in sorted(self._index.class_ids[number] for number in types)
        ]
        if any(noun.person for noun in nouns):
            return "person"
        return min((noun.one for noun in nouns if _is_plain(noun.one)), default="thing")


def _are_small(names: Sequence[str]) -> bool:
    """Whether names are common nouns, as far as their capitals say."""
    return len(names) > 1 and sum(
        name.islower() and not re.search(r"\d", name) for name in names
    ) >= _MOST_PEOPLE * len(names)


def _noun_of_small(names: Sequence[str]) -> str:
    """Whether common nouns mean people: `children`, `slugs`; empty if some do."""
    heads = [singular(head_word(name)) for name in names]
    people = sum(is_person(head) or head in _GROUPS_OF_PEOPLE for head in heads) / len(names)
    if people >= _MOST_PEOPLE:
        return "person"
    return "thing" if people <= 1 - _MOST_PEOPLE else ""


def better_name(own_noun: ClassNoun, described: list[str]) -> str:
    """The noun by which pages call the members of a class, if its label is never used so; empty otherwise.

    The members of a class made from a column's heading may be anything: those of `rival` are teams.
    """
    nouns = [noun for noun in described if noun]
    if len(nouns) < _LEAST_DESCRIBED or len(nouns) * 2 < len(described):
        return ""
    people = sum(map(is_person, nouns)) / len(nouns)
    if head_word(own_noun.one) in _PARTS and people >= _MOST_MEMBERS:
        return "person"
    if own_noun.person and people > 0.5:
        return ""
    noun, times = Counter(nouns).most_common(1)[0]
    if (
        noun in _OF_TEXTS
        or is_name_used(own_noun.one, nouns)
        or times < _MOST_MEMBERS * len(nouns)
        or kind_above(noun) == own_noun.one
    ):
        return ""
    return "person" if is_person(noun) else noun


def is_name_used(name: str, nouns: list[str]) -> bool:
    """Whether a class's noun is among those by which pages call its members."""
    return sum(noun in name.split(" ") for noun in nouns) * 20 >= len(nouns)


def members_of(graph: Graph, class_id: str) -> list[str]:
    """Some members of a class, spread evenly."""
    return [graph.index.entity_ids[number] for number in _spread(graph.index.members(class_id))]


def described_as(noun: str) -> str:
    """The noun by which questions name a thing that its page calls so: people are people."""
    return "person" if is_person(noun) else noun if _is_plain(noun) else ""


def _is_plain(noun: str) -> bool:
    return noun.replace(" ", "").isalpha() and len(noun.split(" ")) < 4


def _spread(terms: Numbers) -> list[int]:
    """Some of the different terms of a sorted array, spread evenly."""
    if len(terms) > _SAMPLE * 8:
        terms = terms[np.linspace(0, len(terms) - 1, _SAMPLE * 8).astype(np.int64)]
    different = np.unique(terms)
    positions = np.linspace(0, len(different) - 1, min(_SAMPLE, len(different))).astype(np.int64)
    return [int(term) for term in different[positions]]


# Belonging to a land, and places named by an adjective (`French`): what can be said, and what cannot.
# That something belongs to a land can be said with the adjective: `is French`. Any other statement about
# a place named so reads as a mistake (`was born in French`). A question with both `France` and `French`,
# or with a place and the land around it, says one thing twice.

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
    names_land = entry.generic and land and not entry.is_literal
    return names_land and kind_above(head_word(head.one)) in ("place", "organization")


def is_said_by_origin(entry: Entry, head: Head) -> bool:
    """Whether a relation without an entry names the country of people, works or vehicles: `is from A`."""
    names_country = entry.generic and entry.noun == "country"
    return names_country and (head.person or kind_above(head_word(head.one)) in ("work", "vehicle"))


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
            relations = {inner.relation, outer.relation}
            if not inner.negated and any(
                _holds(graph, small.id, relation, large.id) for relation in relations
            ):
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
    ids = {node.id for edge in query.edges for node in edge.nodes if isinstance(node, Entity)}
    fillers = [name(id_) for id_ in ids]
    lands = [one_name(land_of(filler.adjective) or filler.name) for filler in fillers]
    lands = [_WARS.get(name.rstrip("."), name) for name in lands]
    ends = [node.id for edge in query.edges for node in edge.nodes if isinstance(node, Entity)]
    has_repeated_adjective = any(name(end).adjective and ends.count(end) > 1 for end in ends)
    return has_repeated_adjective or len(set(lands)) < len(lands)
