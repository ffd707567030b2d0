"""The noun of a question, chosen from what pages call the answers of this one question.

The class of the answers may be a column's heading that fits some of its members only: under `country`, a
table of matches has teams. So a noun that the pages of the answers do not use gives way to the noun that
they share, or to *who* or *what*. If none of these describes the answers, there is no sensible question. The
new noun must hold for all answers, and must not let in others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.query import QUESTION, Edge, Pattern, Query, Variable
from rollcall.query.statements import TARGET, renamed
from rollcall.text.nouns import head_word, is_person, singular
from rollcall.wording.ends import is_name_used, members_of
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import Head, head_of, kind_of
from rollcall.wording.plan import NodePlan
from rollcall.wording.telling import Telling

_LEAST = 3
_SHARED = 0.75
_MOSTLY = 0.9
_MOST_LOOKED_AT = 400
_SAY_NOTHING = frozenset(("list", "name", "term", "word", "page", "member", "part", "one", "example", "news"))
_BODIES = frozenset(("person", "organization"))
_ENTRY = "entry "
"""The noun of a class of entries on something, which may be of any kind."""


class DescribedEntity(NamedTuple):
    """An entity's name, and the noun by which its page says what it is; empty if it does not."""

    name: str
    noun: str


def entities_asked_about(graph: Graph, query: Query) -> Iterator[str]:
    """The entities whose nouns decide how a query is worded."""
    for pattern in query.patterns:
        for variable in pattern.positive_variables:
            yield from _entities(graph, _asking_for(pattern, variable))
            if any(typing.node == variable for typing in pattern.typings):
                yield from _entities(graph, _asking_for(pattern, variable, typed=False))


class AnswerNouns:
    """Chooses the nouns of the variables of queries."""

    def __init__(self, graph: Graph, lexicon: Lexicon, naming: Naming, described: Mapping[str, str]):
        """`described` gives the nouns of entities by their pages."""
        self._graph, self._lexicon, self._naming = graph, lexicon, naming
        self._described = described
        self._is_used = cache(self._is_noun_of_members)

    def of(self, query: Query, answers: Iterable[str]) -> "list[dict[Variable, Head]] | None":
        """For each pattern the nouns that replace its own; None if nothing describes the answers."""
        answers = list(answers)
        nouns_by_pattern: list[dict[Variable, Head]] = []
        for pattern in query.patterns:
            telling = Telling(pattern, self._lexicon, self._naming)
            nouns: dict[Variable, Head] = {}
            for node in telling.nodes:
                if node.variable == QUESTION and self._is_on_wrong_list(telling, node, answers):
                    return None
                if node.denied_classes or not self._is_guess(telling, node, pattern):
                    continue
                noun = self._noun(pattern, node, telling.head(node), answers)
                if noun is None and node.variable == QUESTION:
                    return None
                if noun:
                    nouns[node.variable] = head_of(noun)
            nouns_by_pattern.append(nouns)
        if (
            len({nouns.get(QUESTION) for nouns in nouns_by_pattern}) > 1
        ):  # one question about several sets has one noun
            for nouns in nouns_by_pattern:
                nouns.pop(QUESTION, None)
        return nouns_by_pattern

    def _is_on_wrong_list(self, telling: Telling, node: NodePlan, answers: list[str]) -> bool:
        """Whether the answers are on a list of something else: under a list of champions, their countries."""
        if telling.membership(node) is None:
            return False
        head, entities = telling.head(node), [self._described_entity(answer) for answer in answers]
        nouns = [entity.noun for entity in entities if entity.noun]
        if (
            len(nouns) < _LEAST
            or len(nouns) * 2 < len(entities)
            or any(_fits(head, entity) for entity in entities)
        ):
            return False
        kinds = [kind_of(noun) for noun in nouns]
        listed = {kind_of(singular(word)) for word in head.one.split(" ")} - {""}
        if head.person or "person" in listed:
            return sum(kind not in ("", *_BODIES) for kind in kinds) * 2 > len(kinds)
        kind, times = Counter(kinds).most_common(1)[0]
        return kind in _BODIES - listed and times >= _MOSTLY * len(kinds)

    def _is_guess(self, telling: Telling, node: NodePlan, pattern: Pattern) -> bool:
        """Whether a noun comes from labels alone, or is missing: the lexicon may not say what is asked."""
        if telling.membership(node) is not None or len(node.classes) > 1:
            return False
        edges = [edge for edge in pattern.edges if node.variable in edge.nodes and not edge.negated]
        unknown = telling.head(node).one in ("thing", "person or thing")
        return bool(node.classes) or unknown or all(telling.entry(edge.relation).generic for edge in edges)

    def _noun(self, pattern: Pattern, node: NodePlan, head: Head, answers: list[str]) -> str | None:
        """The noun that replaces a node's own; empty to keep it, None if nothing describes the node."""
        members = dict.fromkeys(_entities(self._graph, _asking_for(pattern, node.variable)))
        if node.variable == QUESTION:
            members |= dict.fromkeys(answers)
        entities = [self._described_entity(member) for member in members]
        noun = noun_of(head, entities, used=not node.classes or self._is_used(node.classes[0], head.one))
        if not noun or not node.classes or head.one.startswith(_ENTRY):
            return noun
        wider = _asking_for(pattern, node.variable, typed=False)
        others = [entity for entity in _entities(self._graph, wider) if entity not in members]
        if wider is not None and not any(may_be(noun, self._described_entity(other)) for other in others):
            return noun
        return None if contradicts(head, entities) else ""

    def _is_noun_of_members(self, class_id: str, noun: str) -> bool:
        """Whether pages call some members of a class by its noun."""
        nouns = [self._described.get(member, "") for member in members_of(self._graph, class_id)]
        return is_name_used(noun, [text for text in nouns if text])

    def _described_entity(self, entity: str) -> DescribedEntity:
        name = self._naming.label(entity)
        return DescribedEntity(name, self._described.get(entity, "") or noun_in_name(name))


def noun_in_name(name: str) -> str:
    """The noun at the end of a name that describes what it names: `2010 Norr general election`."""
    start, _, last = name.rpartition(" ")
    return last if start and last.isalpha() and last.islower() and len(last) > 2 else ""


def noun_of(head: Head, entities: list[DescribedEntity], *, used: bool = True) -> str | None:
    """The noun that replaces a noun; empty to keep it, None if nothing describes the entities.

    A noun that pages use for other members of the class is kept if it may hold.
    """
    nouns = [entity.noun for entity in entities if entity.noun]
    enough = _LEAST
    if len(set(nouns)) == 1 and len(nouns) == len(entities):
        enough = 2 if head.is_specific or not kind_of(nouns[0]) else 1
    if len(nouns) < enough or len(nouns) * 2 < len(entities):
        return ""
    if head.one.startswith(_ENTRY):
        kinds = [kind_of(noun).replace("organization", "place") for noun in nouns]  # a school is at a place
        noun = _shared(nouns if len(set(nouns)) == 1 else kinds)
        return noun and noun + head.one[len(_ENTRY) - 1 :]
    against = contradicts(head, entities)
    fitting = sum(_fits(head, entity) for entity in entities)
    if head.is_specific and not against and (used or fitting * 4 >= len(nouns)):
        return ""
    if noun := _shared(["person" if is_person(noun) else noun for noun in nouns]):
        return noun if noun != head.one else ""
    if not head.is_specific and (noun := _shared([kind_of(noun) or noun for noun in nouns])):
        return noun if noun != head.one and noun != "person" else ""
    return "" if head.is_specific and not against else _who_or_what(head, nouns)


def _who_or_what(head: Head, nouns: list[str]) -> str | None:
    """`person` or `thing` instead of the noun; None if there are both among the entities."""
    kinds = [kind for noun in nouns if (kind := kind_of(noun))]
    people, bodies = kinds.count("person"), kinds.count("organization")
    if people <= (1 - _MOSTLY) * len(kinds):
        replacement = "thing"
    elif len(kinds) * 2 < len(nouns):
        return ""
    elif people >= _MOSTLY * len(kinds):
        replacement = "person"
    elif head.one == "person" and people * 2 >= len(kinds) and people + bodies >= _MOSTLY * len(kinds):
        replacement = "person"  # a team is somebody, too
    else:
        return None
    return "" if replacement == head.one else replacement


def _shared(nouns: list[str]) -> str:
    """The noun that most share, if no other is known to be something else; empty if there is none."""
    noun, times = Counter(nouns).most_common(1)[0]
    if times < _SHARED * len(nouns) or not noun.isalpha() or noun in _SAY_NOTHING:
        return ""
    return noun if all(other == noun or kind_of(other) in ("", noun) for other in nouns) else ""


def contradicts(head: Head, entities: list[DescribedEntity]) -> bool:
    """Whether pages call most entities something that the noun's bearers cannot be."""
    nouns = [entity.noun for entity in entities if entity.noun]
    if sum(_fits(head, entity) for entity in entities) * 2 >= len(nouns):
        return False
    kinds = [kind_of(noun) for noun in nouns]
    # An artist or an owner may be a person or an organization.
    own_kinds = (
        {"person", "organization"} if head.person else {kind_of(head.one) or kind_of(head_word(head.one))}
    )
    if own_kinds == {""}:
        return kinds.count("person") * 2 > len(kinds)
    return sum(kind not in own_kinds for kind in kinds if kind) * 2 > len(kinds)


def may_be(noun: str, entity: DescribedEntity) -> bool:
    """Whether an entity could be what a noun says, as far as its page tells."""
    kind = kind_of(entity.noun)
    if noun == "thing" or not kind:
        return True
    return noun == entity.noun or kind_of(noun) in (kind, "")


def _fits(head: Head, entity: DescribedEntity) -> bool:
    """Whether a page calls an entity so, or its own name does: `Miami Airport`."""
    last = head_word(head.one)
    if head.person and is_person(entity.noun):
        return True
    nouns = {entity.noun, kind_of(entity.noun), *(singular(word) for word in entity.name.lower().split(" "))}
    return last in nouns or entity.noun in head.one.split(" ")


def _asking_for(pattern: Pattern, variable: Variable, *, typed: bool = True) -> Query | None:
    """The query for what a variable of a pattern stands for, whatever value a superlative compares.

    Without its classes it may be a query for nothing in particular; there is none then.
    """
    swapped = {variable: QUESTION, QUESTION: variable}
    statements = tuple(
        renamed(statement, swapped) for statement in pattern.statements if TARGET not in statement.nodes
    )
    if not typed:
        statements = tuple(
            statement
            for statement in statements
            if isinstance(statement, Edge) or statement.node != QUESTION or statement.negated
        )
    try:
        return Query((replace(pattern, statements=statements),))
    except RollcallError:
        return None


def _entities(graph: Graph, query: Query | None) -> list[str]:
    """Some answers of a query that are entities, spread evenly."""
    if query is None:
        return []
    terms = answer_terms(graph.index, query)
    terms = terms[terms < graph.index.entity_count]
    positions = np.linspace(0, len(terms) - 1, min(_MOST_LOOKED_AT, len(terms))).astype(np.int64)
    return [graph.index.entity_ids[int(term)] for term in terms[positions]]
