"""Answers a query from facts of any source: those of text, of lists, or all of them with the graph.

The question is then which answers a source alone would give, or which ones further facts add. Classes and
comparisons of values are always the graph's. It is a plain search from bound nodes outwards, one binding at
a time: a source has few facts about a question, and each answer must come with the facts that it rests on.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from rollcall.graph import Graph
from rollcall.graph.rows import slice_of
from rollcall.graph.steps import satisfying
from rollcall.query import QUESTION, Edge, Entity, Literal, Pattern, Query, Variable
from rollcall.query.statements import Node, Typing

MOST_BINDINGS = 5_000
"""So many bindings of one pattern are tried; a question with more is too wide to be listed anyway."""


class Fact(NamedTuple):
    """A fact between two entities."""

    subject: str
    relation: str
    object: str


class Facts(Protocol):
    """What a source says: the other ends of a relation, and whether it has a fact."""

    def objects(self, subject: str, relation: str) -> Iterable[str]: ...
    def subjects(self, relation: str, object_: str) -> Iterable[str]: ...


class SomeFacts:
    """Facts held in memory."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._objects: dict[tuple[str, str], list[str]] = {}
        self._subjects: dict[tuple[str, str], list[str]] = {}
        for fact in facts:
            self._objects.setdefault((fact.subject, fact.relation), []).append(fact.object)
            self._subjects.setdefault((fact.object, fact.relation), []).append(fact.subject)

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return self._objects.get((subject, relation), ())

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return self._subjects.get((object_, relation), ())


class GraphFacts:
    """The facts of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._index = graph.index

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return self._other(subject, relation, forward=True)

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return self._other(object_, relation, forward=False)

    def _other(self, entity: str, relation: str, *, forward: bool) -> Iterable[str]:
        index = self._index
        number, kind = index.entity_number(entity), index.relation_number(relation)
        if number is None or kind is None:
            return ()
        terms = slice_of(index.forward(kind) if forward else index.backward(kind), number, index.dtype)
        return index.entity_ids.take(terms[terms < index.entity_count])


class AllFacts:
    """The facts of several sources together."""

    def __init__(self, *parts: Facts) -> None:
        self._parts = parts

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return dict.fromkeys(one for part in self._parts for one in part.objects(subject, relation))

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return dict.fromkeys(one for part in self._parts for one in part.subjects(relation, object_))


Binding = dict[Variable, str]


class Derived(NamedTuple):
    """An answer and the facts by which it is one."""

    answer: str
    facts: tuple[Fact, ...]


class Evaluator:
    """Answers queries whose answers are entities; the graph decides on classes and values."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._classes: dict[str, set[str] | None] = {}

    def derive(self, query: Query, facts: Facts) -> Iterator[Derived]:
        """The answers that the facts give, each with the facts it needs; one answer may come several ways."""
        for pattern in query.patterns:
            bindings = self._bindings(pattern, facts, {}, list(pattern.positive))
            for binding in islice(bindings, MOST_BINDINGS):
                if QUESTION in binding and self._allowed(pattern, binding, facts):
                    yield Derived(binding[QUESTION], tuple(_used(pattern, binding)))

    def is_of(self, entity: str, class_id: str) -> bool | None:
        """Whether the graph puts an entity in a class; None if it has no class for it."""
        known = self._classes_of(entity)
        return None if known is None else class_id in known

    def _bindings(
        self, pattern: Pattern, facts: Facts, binding: Binding, left: list[Edge | Typing]
    ) -> Iterator[Binding]:
        """All ways to satisfy the statements that are left, nearest to what is bound first."""
        if not left:
            yield binding
            return
        statement = min(left, key=lambda one: _loose(one, binding))
        rest = [one for one in left if one is not statement]
        for more in self._satisfying(statement, facts, binding):
            if not (pattern.distinct and _repeats(pattern, more)):
                yield from self._bindings(pattern, facts, more, rest)

    def _satisfying(self, statement: Edge | Typing, facts: Facts, binding: Binding) -> Iterator[Binding]:
        if isinstance(statement, Typing):
            entity = _bound(statement.node, binding)
            # An entity without any class may be of this one; whoever judges the answer decides.
            if entity is not None and self.is_of(entity, statement.class_id) is not False:
                yield binding
            return
        subject, object_ = _bound(statement.subject, binding), _bound(statement.object, binding)
        if isinstance(statement.object, Literal):
            if subject is not None and self._has_value(subject, statement.relation, statement.object):
                yield binding
        elif subject is not None and object_ is not None:
            if object_ in facts.objects(subject, statement.relation):
                yield binding
        elif subject is not None and isinstance(statement.object, Variable):
            for other in facts.objects(subject, statement.relation):
                yield {**binding, statement.object: other}
        elif object_ is not None and isinstance(statement.subject, Variable):
            for other in facts.subjects(statement.relation, object_):
                yield {**binding, statement.subject: other}

    def _allowed(self, pattern: Pattern, binding: Binding, facts: Facts) -> bool:
        """Whether nothing that the pattern denies is known; what the graph knows counts too."""
        sources: tuple[Facts, ...] = (facts, GraphFacts(self._graph))
        for group in pattern.negative_groups:
            for known in sources:
                own = [_positive(statement) for statement in group]
                if next(self._bindings(pattern, known, dict(binding), own), None) is not None:
                    return False
        return True

    def _has_value(self, subject: str, relation: str, wanted: Literal) -> bool:
        index = self._graph.index
        number, kind = index.entity_number(subject), index.relation_number(relation)
        if number is None or kind is None:
            return False
        terms = slice_of(index.forward(kind), number, index.dtype)
        if wanted.comparator != "=":
            return bool(satisfying(index, terms, wanted).any())
        literal = index.literal_number(wanted.value.text)
        return literal is not None and bool((terms == literal).any())

    def _classes_of(self, entity: str) -> set[str] | None:
        if entity not in self._classes:
            index = self._graph.index
            number = index.entity_number(entity)
            found: set[str] | None = None
            if number is not None:
                entities, classes = index.types_forward()
                start, end = np.searchsorted(entities, [number, number + 1])
                found = set(index.class_ids.take(classes[start:end])) or None
            self._classes[entity] = found
        return self._classes[entity]


def _bound(node: Node, binding: Binding) -> str | None:
    if isinstance(node, Entity):
        return node.id
    return binding.get(node) if isinstance(node, Variable) else None


def _loose(statement: Edge | Typing, binding: Binding) -> tuple[int, bool]:
    """How many nodes are not bound; classes are asked after facts."""
    nodes = [node for node in statement.nodes if not isinstance(node, Literal)]
    return sum(_bound(node, binding) is None for node in nodes), isinstance(statement, Typing)


def _repeats(pattern: Pattern, binding: Binding) -> bool:
    named = [*binding.values(), *(entity.id for entity in pattern.entities)]
    return len(set(named)) < len(named)


def _positive(statement: Edge | Typing) -> Edge | Typing:
    if isinstance(statement, Typing):
        return Typing(statement.node, statement.class_id)
    return Edge(statement.subject, statement.relation, statement.object)


def _used(pattern: Pattern, binding: Binding) -> Iterator[Fact]:
    for edge in pattern.edges:
        subject, object_ = _bound(edge.subject, binding), _bound(edge.object, binding)
        if not edge.negated and subject is not None and object_ is not None:
            yield Fact(subject, edge.relation, object_)
