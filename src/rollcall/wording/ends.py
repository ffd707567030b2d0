"""What stands at the ends of a graph's relations: the nouns by which questions name subjects and objects.

A few facts of each relation, spread evenly over all of them, are enough: their ends are named by their types,
and entities without a type by the first sentence of their page, if there is one. Nouns that most of them
share are used, or nouns that cover them; otherwise only whether they are people, things or values.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import numpy as np

from rollcall.english.nouns import head_word, is_person
from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.wording.class_nouns import ClassNoun, class_noun
from rollcall.wording.generic import Ends
from rollcall.wording.heads import kind_above

_SAMPLE = 40
_LEAST = 3
_MOST_SHARE = 0.9
_MOST_PEOPLE = 0.8
_LEAST_DESCRIBED = 5
_OF_TEXTS = ("list", "name", "term", "word", "page")
_MOST_MEMBERS = 0.6
_PARTS = frozenset(
    (
        "awardee", "holder", "honoree", "incumbent", "member", "nominee", "predecessor", "recipient",
        "representative", "runner-up", "successor", "winner",
    )
)  # fmt: skip
"""Nouns for the part that somebody has in something; alone they do not say in what."""


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
        return Ends(self._common(subjects), self._common([term for term in objects if term not in values]))

    def _ends(self, relation: int) -> tuple[list[int], list[int]]:
        subjects, _ = self._index.forward(relation)
        objects, _ = self._index.backward(relation)
        return _spread(subjects), _spread(objects)

    def _kind_of_value(self, terms: list[int]) -> str:
        dimensions = Counter(
            int(self._index.literal_dimension[term - self._index.entity_count]) for term in terms
        )
        place = dimensions.most_common(1)[0][0]
        if place < 0:
            return "text"
        name = self._index.dimensions[place]
        return name if name in ("date", "number") else "quantity"

    def _common(self, entities: list[int]) -> str:
        nouns = [noun for entity in entities if (noun := self._noun(entity))]
        if len(nouns) < _LEAST or len(nouns) * 4 < len(entities):
            return ""
        people = sum(noun == "person" for noun in nouns) / len(nouns)
        if people >= _MOST_PEOPLE:
            return "person"
        for named in (nouns, [kind_above(noun) for noun in nouns]):
            noun, times = Counter(named).most_common(1)[0]
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


def better_name(own: ClassNoun, described: list[str]) -> str:
    """The noun by which pages call the members of a class, if its label is never used so; empty otherwise.

    The members of a class made from a column's heading may be anything: those of `rival` are teams.
    """
    nouns = [noun for noun in described if noun]
    if len(nouns) < _LEAST_DESCRIBED or len(nouns) * 2 < len(described):
        return ""
    people = sum(map(is_person, nouns)) / len(nouns)
    if head_word(own.one) in _PARTS and people >= _MOST_MEMBERS:
        return "person"
    if own.person and people > 0.5:
        return ""
    noun, times = Counter(nouns).most_common(1)[0]
    if (
        noun in _OF_TEXTS
        or is_name_used(own.one, nouns)
        or times < _MOST_MEMBERS * len(nouns)
        or kind_above(noun) == own.one
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
    places = np.linspace(0, len(different) - 1, min(_SAMPLE, len(different))).astype(np.int64)
    return [int(term) for term in different[places]]
