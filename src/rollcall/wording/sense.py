"""Queries that make no sensible question: it cannot be understood, says nothing, or says one thing twice.

Such queries have answers. Builds leave them out; the realiser can still word them, so that any query can be
shown. Some of this only the graph knows: which relations are two names for one thing, and
which hold in both directions.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import Pairs
from rollcall.query import QUESTION, Edge, Entity, Pattern, Query, Variable
from rollcall.query.statements import TARGET, Node
from rollcall.text.nouns import singular
from rollcall.wording.ends import BELONGING, by_adjective, cannot_be_said, lies_within, name_a_land_twice
from rollcall.wording.entry import Entry
from rollcall.wording.frames import ADJECTIVES, ANSWERS, MANNERS
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.mismatches import Mismatches, names_no_thing
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import ClassNoun, Head, Nouns, head_of, kind_above, kind_of

# Sets that no graph has completely: all people of a land, all speakers of a language, all places there are. A
# question that counts or compares such a set (`who has the latest date of birth`), or asks for what its
# members have (`when were the people born who are Danish`), is answered rightly about the graph alone.

GENERAL = frozenset(("thing", "person", "person or thing", "place", "organization", "work", "event"))
"""Nouns that hardly narrow a set."""
_LIVES = frozenset(("was born in {object}", "died in {object}"))
_SUPERLATIVES = frozenset(("max", "min", "argmax", "argmin"))
_KINDS = frozenset(("language", "genre", "religion", "occupation", "ethnic group", "sport", "field"))
"""Nouns of what countless things or people share."""


class OpenSets:
    """Finds queries about sets that no graph has completely."""

    def __init__(self, lexicon: Lexicon, naming: Naming, incomplete: Collection[str]):
        """`incomplete` are classes that lack many members."""
        self._lexicon, self._naming, self._incomplete = lexicon, naming, incomplete

    def _entry(self, relation: str) -> Entry:
        naming = self._naming
        return self._lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def _noun(self, class_id: str) -> ClassNoun:
        return self._lexicon.class_noun(self._naming.class_label(class_id), class_id)

    def are_meant(self, query: Query) -> bool:
        """Whether a query counts or compares an open set, or asks for what its members have.

        The same holds of a class of which pages name many others. Without a class, nothing says what a
        superlative compares.
        """
        if query.function is not None and self._is_of_a_land_or_kind(query):
            return True
        if any(map(self._asks_through_many, query.patterns)):
            return True
        if query.function is None or query.entities:
            return False
        if not query.classes and query.function in _SUPERLATIVES:
            return True
        if any(class_id in self._incomplete for class_id in query.classes):
            return True
        nouns = [self._noun(class_id).one for class_id in query.classes]
        nouns = nouns or [self._entry(relation).subjects for relation in query.relations]
        return all(noun in GENERAL for noun in nouns)

    def _is_of_a_land_or_kind(self, query: Query) -> bool:
        """Whether all people, places or similar of a land, a language or a genre are counted or compared."""
        named_edges = [
            (pattern, edge) for pattern in query.patterns for edge in pattern.edges if _names_an_entity(edge)
        ]
        return bool(named_edges) and all(self._is_open(*pair) for pair in named_edges)

    def _is_open(self, pattern: Pattern, edge: Edge) -> bool:
        """Whether an edge says of people, places or similar what no graph knows of all of them."""
        if not isinstance(edge.subject, Variable) or not isinstance(edge.object, Entity):
            return False
        entry, filler = self._entry(edge.relation), self._naming.entity(edge.object.id)
        nouns = [self._noun(typing.class_id).one for typing in pattern.typings if typing.node == edge.subject]
        nouns = nouns or list(self._expected(pattern, edge.subject))
        belongs = entry.forward in BELONGING or by_adjective(entry, filler) or entry.objects in _KINDS
        return (belongs or entry.forward in _LIVES) and all(noun in GENERAL for noun in nouns)

    def _expected(self, pattern: Pattern, node: Variable) -> Iterator[str]:
        """What the relations around a node expect there."""
        for edge in pattern.edges:
            entry = self._entry(edge.relation)
            for end, noun in ((edge.subject, entry.subjects), (edge.object, entry.objects)):
                if end == node:
                    yield noun

    def _asks_through_many(self, pattern: Pattern) -> bool:
        """Whether the answers are only the dates or figures of whatever is of a land or kind.

        `What are the dates of birth of the people who are Danish`: no graph has all of those.
        """
        named_edges = [edge for edge in pattern.edges if _names_an_entity(edge)]
        asked_entries = [self._entry(edge.relation) for edge in pattern.edges if QUESTION in edge.nodes]
        return bool(named_edges and asked_entries) and all(
            (
                *(entry.is_literal for entry in asked_entries),
                *(not edge.negated and self._is_open(pattern, edge) for edge in named_edges),
            )
        )


def _names_an_entity(edge: Edge) -> bool:
    return TARGET not in edge.nodes and any(isinstance(node, Entity) for node in edge.nodes)


_LOCATED = ("is in ", "is located ", "is part of ")
_IN_PLACES = frozenset(("is in {object}", "is located in {object}"))
_FEW = 0.1
"""The share of answers that may be pages about no thing, where a table links a list beside things."""
_SAME_SHARE = 2 / 3
"""The share of facts from which one relation is taken for another, or for its own inverse."""


class Sense:
    """Decides which queries of a graph are worth asking in words."""

    def __init__(
        self,
        graph: object,
        lexicon: Lexicon,
        naming: Naming,
        described: Mapping[str, str] | None = None,
        incomplete: Collection[str] = (),
    ):
        """`described` gives the nouns of entities by their pages; `incomplete` classes lack many members."""
        self._mismatches = Mismatches(lexicon, naming, described or {})
        self._graph = graph if isinstance(graph, Graph) else None
        self._lexicon = lexicon
        self._naming = naming
        self._open_sets = OpenSets(lexicon, naming, incomplete)
        self._share = cache(self._shared_facts)

    def would_confuse(self, query: Query, nouns: Nouns = ()) -> bool:
        """Whether a query makes no sensible question; `nouns` replaces those of its variables."""
        nouns_by_pattern = nouns or [{}] * len(query.patterns)
        name = self._naming.entity
        if name_a_land_twice(query, name) or self._are_alike(query):
            return True
        if self._counts_one(query) or self._open_sets.are_meant(query):
            return True
        if any(self._means_others_too(*pair) for pair in zip(query.patterns, nouns_by_pattern, strict=True)):
            return True
        if any(cannot_be_said(edge, self._entry(edge.relation), name) for edge in query.edges):
            return True
        if self._graph is not None and lies_within(query, self._graph, self._entry):
            return True
        return any(
            _says_it_twice(pattern)
            or self._is_vague(pattern, pattern_nouns)
            or self._mismatches.has_any(pattern, pattern_nouns)
            or self._says_nothing(pattern)
            or self._repeats_a_fact(pattern)
            or self._goes_through_a_place(pattern)
            or self._denies_what_it_says(pattern)
            for pattern, pattern_nouns in zip(query.patterns, nouns_by_pattern, strict=True)
        )

    def cannot_be_said_well(self, query: Query) -> bool:
        """Whether no wording of a query is one that people would use.

        Its headings give no words (`“pos” values`), a thing in it has no name but *something*, its
        superlative compares what has no noun, its names say how (`watering`: `sparingly`), or it lists grades
        (*the complexities of the games*).
        """
        entries = {relation: self._entry(relation) for relation in query.relations}
        if any(
            "“" in entry.forward + entry.noun + entry.plural_noun
            for entry in entries.values()
            if entry.generic
        ):
            return True
        if query.function in _SUPERLATIVES and any(
            self._has_no_measure(edge, query) for edge in query.edges if entries[edge.relation].generic
        ):
            return True
        if any(entry.generic and entry.noun and entry.shape == MANNERS for entry in entries.values()):
            return True
        return any(
            entry.generic
            and isinstance(edge.object, Variable)
            and (
                entry.shape == ANSWERS
                or _lists_grades(edge, entry)
                or self._is_something(edge.object, pattern)
                or self._is_one_of_things(edge, entry, pattern)
            )
            for pattern in query.patterns
            for edge in pattern.edges
            if (entry := entries[edge.relation])
        )

    def _is_one_of_things(self, edge: Edge, entry: Entry, pattern: Pattern) -> bool:
        """Whether answers are `things that A depends on`, because something else is said of them, too."""
        if edge.object != QUESTION or entry.noun or entry.backward or not isinstance(edge.subject, Entity):
            return False
        others = (other for other in pattern.edges if QUESTION in other.nodes and other != edge)
        return any(
            other.relation != edge.relation or other.object != QUESTION or other.negated for other in others
        )

    def _has_no_measure(self, edge: Edge, query: Query) -> bool:
        """Whether a superlative compares the objects of an edge, and their relation has no noun."""
        entry = self._entry(edge.relation)
        if entry.noun or edge.object != (TARGET if query.function in ("argmax", "argmin") else QUESTION):
            return False
        return query.function in ("max", "min") or not entry.forward.endswith(" {on object}")

    def _is_something(self, node: Variable, pattern: Pattern) -> bool:
        """Whether nothing says what a variable stands for, besides conditions with clauses made from labels.

        `Which birds nest in something that A nests in` says it so.
        """
        if node in (QUESTION, TARGET) or any(typing.node == node for typing in pattern.typings):
            return False
        about = [edge for edge in pattern.edges if node in edge.nodes]
        nouns = [
            noun
            for edge in about
            for end, noun in (
                (edge.subject, self._entry(edge.relation).subjects),
                (edge.object, self._entry(edge.relation).noun or self._entry(edge.relation).objects),
            )
            if end == node
        ]
        return all(noun in ("", "thing", "person or thing") for noun in nouns)

    def are_no_names(self, answers: Iterable[str]) -> bool:
        """Whether an answer is a place named by an adjective (no country is called `Danish`), or answers are
        pages about no thing.
        """
        names = list(answers)
        if sum(names_no_thing(self._naming.label(answer)) for answer in names) > _FEW * len(names):
            return True
        return any(filler.adjective and filler.place for filler in map(self._naming.entity, names))

    def are_other_things(self, query: Query, answers: Iterable[str]) -> bool:
        """Whether more than a few answers are not what the question asks for, by their classes."""
        names = list(answers)
        different = [
            answer
            for answer in names
            if all(self._mismatches.are_others(pattern, answer) for pattern in query.patterns)
        ]
        return query.function is None and len(different) > _FEW * len(names)

    def _entry(self, relation: str) -> Entry:
        naming = self._naming
        return self._lexicon.entry(relation, naming.relation_label(relation), naming.ends(relation))

    def _noun(self, class_id: str) -> ClassNoun:
        return self._lexicon.class_noun(self._naming.class_label(class_id), class_id)

    # -- words that mean two things -------------------------------------------------------------------

    def _are_alike(self, query: Query) -> bool:
        """Whether two relations or two entities have the same words, or one is another's alias."""
        words = [(entry.noun, entry.forward) for entry in map(self._entry, query.relations)]
        names = [self._naming.entity(entity).name.casefold() for entity in query.entities]
        if len(set(words)) < len(words) or len(set(names)) < len(names):
            return True
        return any(
            namesake.id != entity and namesake.id in query.entities
            for entity in query.entities
            for namesake in (
                self._graph.find(self._naming.label(entity)) if self._graph and names[1:] else ()
            )
        )

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

    def _means_others_too(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether a class whose label is not said keeps out answers that the words let in.

        `Who is a citizen of A` is not a question for the recipients of an award alone.
        """
        if self._graph is None or QUESTION in nouns or pattern.has_target:
            return False
        for typing in pattern.typings:
            renamed = self._naming.is_renamed(typing.class_id)
            if typing.node != QUESTION or not renamed or self._noun(typing.class_id).one not in GENERAL:
                continue
            rest = tuple(statement for statement in pattern.statements if statement != typing)
            if not any(QUESTION in statement.nodes and not statement.negated for statement in rest):
                continue
            narrow, wider = Query((pattern,)), Query((replace(pattern, statements=rest),))
            index = self._graph.index
            if len(answer_terms(index, narrow)) < len(answer_terms(index, wider)):
                return True
        return False

    # -- words that say nothing -----------------------------------------------------------------------

    def _is_vague(self, pattern: Pattern, nouns: Mapping[Variable, Head]) -> bool:
        """Whether only a land or place is given, and nothing says what is asked for: `what is in A`."""
        about = [edge for edge in pattern.edges if QUESTION in edge.nodes]
        is_typed = QUESTION not in nouns and any(
            typing.node == QUESTION and self._noun(typing.class_id).one != "thing"
            for typing in pattern.typings
        )
        if is_typed or len(about) != 1:
            return False
        (edge,) = about
        entry = self._entry(edge.relation)
        noun = nouns[QUESTION].one if QUESTION in nouns else entry.subjects
        if edge.subject != QUESTION or head_of(noun).person or head_of(noun).is_specific:
            return False
        filler = self._naming.entity(edge.object.id) if isinstance(edge.object, Entity) else None
        by_land = entry.generic and entry.noun in ("country", "nation", "origin")
        return by_land or entry.forward in _IN_PLACES or (filler is not None and by_adjective(entry, filler))

    def _counts_one(self, query: Query) -> bool:
        """Whether a query counts what there is only one of: `how many places are where A died`."""
        if query.aggregate != "count":
            return False
        edges = [edge for edge in query.edges if edge.object == QUESTION and not edge.negated]
        return any(isinstance(edge.subject, Entity) and self._entry(edge.relation).single for edge in edges)

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
        return all(word in plain or word in GENERAL for word in nouns)

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
            if not turned and self._says_where(edge) and self._says_where(other):
                return True
            if not turned and self._is_named_in(edge.relation, other.relation):
                return True
        return False

    def _says_where(self, edge: Edge) -> bool:
        """Whether an edge says in which place a thing is: `is located in A and is part of A` repeats it."""
        entry = self._entry(edge.relation)
        if edge.subject != QUESTION or entry.generic or head_of(entry.subjects).person:
            return False
        return kind_of(entry.objects) == "place" or entry.forward.startswith(_LOCATED)

    def _goes_through_a_place(self, pattern: Pattern) -> bool:
        """Whether a place is said to be in another that is in a third: `in a place located in A` is in A.

        Nor is it asked where the places are that are in A. Labels without an entry say more: `the counties of
        the cities in A`.
        """
        where = [
            edge
            for edge in pattern.edges
            if not (entry := self._entry(edge.relation)).generic
            and not edge.negated
            and entry.forward.startswith(_LOCATED)
        ]
        return any(
            isinstance(via, Variable) and via in (edge.object, edge.subject) and via != QUESTION
            for edge, other in permutations(where, 2)
            for via in (other.subject,)
        )

    def _is_named_in(self, relation: str, other: str) -> bool:
        """Whether the noun of a relation is part of another's: `team` of `team or club`; only for labels."""
        entry, longer = self._entry(relation), self._entry(other)
        words = set(entry.noun.split(" "))
        are_labels = entry.generic and longer.generic and entry.noun
        return bool(are_labels) and words <= {singular(word) for word in longer.noun.split(" ")}

    def _shared_facts(self, relation: str, other: str, turned: bool) -> float:
        """The share of a relation's facts that hold of another relation, or of its inverse."""
        index = self._graph.index if self._graph is not None else None
        numbers = (index.relation_number(relation), index.relation_number(other)) if index else (None, None)
        if index is None or numbers[0] is None or numbers[1] is None:
            return 0.0
        pairs = _pairs(index.forward(numbers[0]))
        other_pairs = _pairs(index.backward(numbers[1]) if turned else index.forward(numbers[1]))
        return len(np.intersect1d(pairs, other_pairs)) / max(len(pairs), 1)


def _pairs(facts: Pairs) -> npt.NDArray[np.int64]:
    """One number for each pair of ends."""
    first, second = facts
    return first.astype(np.int64) << 32 | second.astype(np.int64)


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


_KEPT_IN = re.compile(r"is (?:in|on|at|under) the \{object\} ")


def _lists_grades(edge: Edge, entry: Entry) -> bool:
    """Whether answers are grades of several things with one each, or where these are kept.

    Nobody asks for the complexities of the games, nor for the sections of the tools that A uses.
    """
    single = entry.single and (entry.shape == ADJECTIVES or _KEPT_IN.match(entry.forward))
    return bool(single) and edge.object == QUESTION and isinstance(edge.subject, Variable)


def _others(edge: Edge) -> set[Node]:
    return {node for node in edge.nodes if node != QUESTION}
