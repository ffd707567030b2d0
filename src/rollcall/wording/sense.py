"""Queries that make no sensible question: nobody could understand it, or it says nothing, or one thing twice.

Such queries have answers. Builds leave them out; the realiser can still word them, so that any query can be
shown. Some of this only the graph knows: which relations are two names for one thing, and
which hold in both directions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from rollcall.english.nouns import head_word, singular
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import Pairs
from rollcall.query import QUESTION, Edge, Entity, Pattern, Query, Variable
from rollcall.query.statements import TARGET, Node
from rollcall.wording.class_nouns import ClassNoun
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head, Nouns, head_of, kind_above, kind_of
from rollcall.wording.lands import by_adjective, cannot_be_said, lies_within, name_a_land_twice
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.naming import Naming

_NO_BODIES = frozenset(
    (
        "class", "language", "position", "occupation", "ethnic group", "religion", "genre", "award",
        "musical instrument",
    )
)  # fmt: skip
"""Nouns for what is neither a place nor an organization."""
_TIMES = frozenset(("year", "date", "time", "day"))
"""Nouns of time; no entity is one, whatever column it stands in."""
_GENERAL = frozenset(("thing", "person", "person or thing", "place", "organization", "work", "event"))
_APART = frozenset(("person", "place", "work", "event"))
"""Kinds of which nothing is two; organizations may also be places, works or somebody."""
_NO_PEOPLE = frozenset(("place", "work", "event", "vehicle"))
_OF_PEOPLE = frozenset(
    ("position", "nationality", "citizenship", "country of citizenship", "occupation", "profession")
)
"""What only people have; a team with a position is the team of somebody who has it."""
_LANDS = frozenset(("country", "continent", "city"))
_SUPERLATIVES = frozenset(("max", "min", "argmax", "argmin"))
_IN_PLACES = frozenset(("is in {object}", "is located in {object}"))
_SAME_SHARE = 2 / 3
"""The share of facts from which one relation is taken for another, or for its own inverse."""


class Sense:
    """Decides which queries of a graph are worth asking in words."""

    def __init__(
        self, graph: object, lexicon: Lexicon, naming: Naming, described: Mapping[str, str] | None = None
    ):
        """`described` gives the nouns of entities by their pages."""
        self._described = described or {}
        self._graph = graph if isinstance(graph, Graph) else None
        self._lexicon = lexicon
        self._naming = naming
        self._share = cache(self._shared_facts)

    def would_confuse(self, query: Query, nouns: Nouns = ()) -> bool:
        """Whether a query makes no sensible question; `nouns` replaces those of its variables."""
        given = nouns or [{}] * len(query.patterns)
        name = self._naming.entity
        if name_a_land_twice(query, name) or self._are_alike(query):
            return True
        if self._counts_one(query) or self._compares_everything(query):
            return True
        if any(self._means_others_too(*one) for one in zip(query.patterns, given, strict=True)):
            return True
        if any(cannot_be_said(edge, self._entry(edge.relation), name) for edge in query.edges):
            return True
        if self._graph is not None and lies_within(query, self._graph, self._entry):
            return True
        return any(
            _says_it_twice(pattern)
            or self._is_vague(pattern, own)
            or self._names_no_things(pattern)
            or self._means_two_kinds(pattern)
            or self._names_no_land(pattern)
            or self._expects_other_things(pattern, own)
            or self._says_nothing(pattern)
            or self._repeats_a_fact(pattern)
            or self._denies_what_it_says(pattern)
            for pattern, own in zip(query.patterns, given, strict=True)
        )

    def are_no_names(self, answers: Iterable[str]) -> bool:
        """Whether an answer is a place named by an adjective: no country is called `Danish`."""
        return any(filler.adjective and filler.place for filler in map(self._naming.entity, answers))

    def _entry(self, relation: str) -> Entry:
        naming = self._naming
        return self._lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def _noun(self, class_id: str) -> ClassNoun:
        return self._lexicon.class_noun(self._naming.class_label(class_id), class_id)

    # -- words that mean two things -------------------------------------------------------------------

    def _are_alike(self, query: Query) -> bool:
        """Whether two relations or two entities have the same words."""
        said = [(entry.noun, entry.forward) for entry in map(self._entry, query.relations)]
        names = [self._naming.entity(entity).name for entity in query.entities]
        return len(set(said)) < len(said) or len(set(names)) < len(names)

    def _denies_what_it_says(self, pattern: Pattern) -> bool:
        """Whether a thing is said and denied in the same words."""
        return any(
            self._clause(edge) == self._clause(other)
            for edge in pattern.edges
            for other in pattern.edges
            if edge.negated and not other.negated and _others(edge) & _others(other)
        )

    def _clause(self, edge: Edge) -> str:
        """An edge as it is said of the question; being located in a place is being in it."""
        entry = self._entry(edge.relation)
        clause = entry.forward if edge.subject == QUESTION else entry.object_clause
        return clause.replace("{subject}", "{object}").replace("located ", "")

    def _expects_other_things(self, pattern: Pattern, given: Mapping[Variable, Head]) -> bool:
        """Whether a class is at an end at which a relation of the lexicon expects something else."""
        for typing in pattern.typings:
            replaced = given.get(typing.node) if isinstance(typing.node, Variable) else None
            noun = ClassNoun(*replaced) if replaced is not None else self._noun(typing.class_id)
            for edge in pattern.edges if not typing.negated else ():
                entry = self._entry(edge.relation)
                ends = [(edge.subject, entry.subjects), (edge.object, entry.objects)]
                is_body = kind_of(noun.one) in (*_NO_PEOPLE, "organization")
                if is_body and entry.noun in _OF_PEOPLE and edge.subject == typing.node:
                    return True
                if entry.generic:
                    continue
                expected = [one for node, one in ends if node == typing.node]
                if any(_cannot_be(noun, head_of(one)) for one in expected):
                    return True
        return False

    def _means_others_too(self, pattern: Pattern, given: Mapping[Variable, Head]) -> bool:
        """Whether a class whose label is not said keeps out answers that the words let in.

        `Who is a citizen of A` is no question for the recipients of an award alone.
        """
        if self._graph is None or QUESTION in given or pattern.has_target:
            return False
        for typing in pattern.typings:
            renamed = self._naming.is_renamed(typing.class_id)
            if typing.node != QUESTION or not renamed or self._noun(typing.class_id).one not in _GENERAL:
                continue
            rest = tuple(one for one in pattern.statements if one != typing)
            if not any(QUESTION in one.nodes and not one.negated for one in rest):
                continue
            own, wider = Query((pattern,)), Query((replace(pattern, statements=rest),))
            index = self._graph.index
            if len(answer_terms(index, own)) < len(answer_terms(index, wider)):
                return True
        return False

    def _names_no_things(self, pattern: Pattern) -> bool:
        """Whether a class is a column of times (`event year`), or a heading is of two columns."""
        classes = [head_word(self._noun(typing.class_id).one) for typing in pattern.typings]
        entries = [self._entry(edge.relation) for edge in pattern.edges]
        mixed = (entry.noun.split(" ") for entry in entries if entry.generic and " or " in entry.noun)
        return bool(_TIMES & set(classes)) or any(any(map(is_participle, words)) for words in mixed)

    def _means_two_kinds(self, pattern: Pattern) -> bool:
        """Whether the lexicon expects different kinds of things of a variable without a class.

        A graph that has both of one thing took two things for one: `a capital that is a subsidiary of A`.
        """
        typed = {typing.node for typing in pattern.typings}
        kinds: dict[Node, set[str]] = {}
        for edge in pattern.edges if not pattern.has_target else ():
            entry = self._entry(edge.relation)
            for node, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if isinstance(node, Variable) and node not in typed and not entry.generic:
                    kinds.setdefault(node, set()).update((kind_of(noun), noun))
        return any(
            len(some & _APART) > 1 or ("organization" in some and some & _LANDS) for some in kinds.values()
        )

    def _names_no_land(self, pattern: Pattern) -> bool:
        """Whether a land is asked for that is none by its page: `have the Navy of A as their country`."""
        for edge in pattern.edges:
            entry = self._entry(edge.relation)
            land = entry.generic and entry.noun in {"country", "nation", *word_list("parts_of_land")}
            if land and isinstance(edge.object, Entity):
                kind = kind_of(self._described.get(edge.object.id, ""))
                if kind not in ("", "place"):
                    return True
        return False

    # -- words that say nothing -----------------------------------------------------------------------

    def _is_vague(self, pattern: Pattern, given: Mapping[Variable, Head]) -> bool:
        """Whether only a land or place is given, and nothing says what is asked for: `what is in A`."""
        about = [edge for edge in pattern.edges if QUESTION in edge.nodes]
        is_typed = QUESTION not in given and any(typing.node == QUESTION for typing in pattern.typings)
        if is_typed or len(about) != 1:
            return False
        (edge,) = about
        entry = self._entry(edge.relation)
        noun = given[QUESTION].one if QUESTION in given else entry.subjects
        if edge.subject != QUESTION or head_of(noun).person or head_of(noun).is_specific:
            return False
        filler = self._naming.entity(edge.object.id) if isinstance(edge.object, Entity) else None
        return entry.forward in _IN_PLACES or (filler is not None and by_adjective(entry, filler))

    def _counts_one(self, query: Query) -> bool:
        """Whether a query counts what there is only one of: `how many places are where A died`."""
        if query.aggregate != "count":
            return False
        asked = [edge for edge in query.edges if edge.object == QUESTION and not edge.negated]
        return any(isinstance(edge.subject, Entity) and self._entry(edge.relation).single for edge in asked)

    def _compares_everything(self, query: Query) -> bool:
        """Whether a query compares all people or places there are: `who has the latest date of birth`.

        No graph has all of them, so that the answer would only be right about the graph. Without a class,
        nothing says which things a superlative compares.
        """
        if query.function in (None, "count") or query.entities:
            return False
        if not query.classes and query.function in _SUPERLATIVES:
            return True
        nouns = [self._noun(class_id).one for class_id in query.classes]
        nouns = nouns or [self._entry(relation).subjects for relation in query.relations]
        return all(noun in _GENERAL for noun in nouns)

    def _says_nothing(self, pattern: Pattern) -> bool:
        """Whether a condition only asks for any fact: `is in a place`, `fought in a conflict`."""
        if len(pattern.edges) < 2:
            return False
        for edge in pattern.edges:
            entry = self._entry(edge.relation)
            for node, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if not isinstance(node, Variable) or node in (QUESTION, TARGET):
                    continue
                if sum(node in other.nodes for other in pattern.edges) == 1 and self._is_any(
                    pattern, node, noun, entry
                ):
                    return True
        return False

    def _is_any(self, pattern: Pattern, node: Variable, noun: str, entry: Entry) -> bool:
        """Whether the classes of a node say no more of it than its only relation does."""
        plain = {"thing", noun, kind_above(noun), entry.noun, kind_above(entry.noun)}
        nouns = [self._noun(typing.class_id).one for typing in pattern.typings if typing.node == node]
        return all(one in plain or one in _GENERAL for one in nouns)

    def _repeats_a_fact(self, pattern: Pattern) -> bool:
        """Whether two conditions about the question mean the same in this graph.

        `is a sibling of A and has B as a sibling` uses both directions of one relation; `is located in A and
        is in A` two relations with mostly the same facts, or with the same noun in their labels.
        """
        about = [
            edge
            for edge in pattern.edges
            if QUESTION in edge.nodes and not edge.negated and set(edge.nodes) & set(pattern.entities)
        ]
        for edge, other in permutations(about, 2):
            turned = (edge.subject == QUESTION) != (other.subject == QUESTION)
            alike = edge.relation == other.relation if turned else _others(edge) == _others(other)
            if not alike:
                continue
            if self._share(edge.relation, other.relation, turned) >= _SAME_SHARE:
                return True
            if not turned and self._is_named_in(edge.relation, other.relation):
                return True
        return False

    def _is_named_in(self, relation: str, other: str) -> bool:
        """Whether the noun of a relation is part of another's: `team` of `team or club`; only for labels."""
        entry, longer = self._entry(relation), self._entry(other)
        words = set(entry.noun.split(" "))
        both = entry.generic and longer.generic and entry.noun
        return bool(both) and words <= {singular(word) for word in longer.noun.split(" ")}

    def _shared_facts(self, relation: str, other: str, turned: bool) -> float:
        """The share of a relation's facts that hold of another relation, or of its inverse."""
        index = self._graph.index if self._graph is not None else None
        numbers = (index.relation_number(relation), index.relation_number(other)) if index else (None, None)
        if index is None or numbers[0] is None or numbers[1] is None:
            return 0.0
        own = _pairs(index.forward(numbers[0]))
        others = _pairs(index.backward(numbers[1]) if turned else index.forward(numbers[1]))
        return len(np.intersect1d(own, others)) / max(len(own), 1)


def _pairs(facts: Pairs) -> npt.NDArray[np.int64]:
    """One number for each pair of ends."""
    first, second = facts
    return first.astype(np.int64) << 32 | second.astype(np.int64)


def _cannot_be(noun: ClassNoun, expected: Head) -> bool:
    """Whether members of a class cannot be what a relation expects: people a work, a place a language."""
    if noun.person:
        return expected.is_specific and not expected.person
    if expected.one == "person" and kind_of(noun.one) in _NO_PEOPLE:
        return True
    if noun.one == "organization" and expected.one in _LANDS:
        return True
    if noun.one in ("place", "organization") and kind_of(expected.one) == "work":
        return True
    return noun.one in ("place", "organization") and expected.one in _NO_BODIES


def _says_it_twice(pattern: Pattern) -> bool:
    """Whether one entity is named twice for what graphs rarely tell apart.

    `runs on iOS but is not available for iOS` asks for facts that are missing; `is a legislative body of A
    and is in A` says a thing from both sides.
    """
    about = [
        edge for edge in pattern.edges if QUESTION in edge.nodes and set(edge.nodes) & set(pattern.entities)
    ]
    for edge, other in permutations(about, 2):
        if edge.negated or edge.relation == other.relation or _others(edge) != _others(other):
            continue
        if other.negated or (edge.subject == QUESTION) != (other.subject == QUESTION):
            return True
    return False


def _others(edge: Edge) -> set[Node]:
    return {node for node in edge.nodes if node != QUESTION}
