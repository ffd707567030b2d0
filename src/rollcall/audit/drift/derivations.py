"""The statements on which an answer rests in a graph, and whether a statement holds in another graph."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import slice_of
from rollcall.mine.proving import Assignment, assignments, facts_of
from rollcall.query import QUESTION, Edge, Entity, Literal, Query
from rollcall.query.pattern import Pattern
from rollcall.query.statements import Statement, Typing, Variable

Derivation = tuple[Statement, ...]
"""Statements without variables."""
MOST = 5
"""How many derivations of an answer are looked at."""


def denotation(index: GraphIndex, query: Query) -> set[str]:
    """The answers by their texts: ids, and values as they are written; of a count, what is counted."""
    return {index.term_text(term) for term in answer_terms(index, query).tolist()}


def derivations(index: GraphIndex, query: Query, answers: Collection[str]) -> dict[str, list[Derivation]]:
    """Some derivations of each answer; an answer that the query does not have in this graph has none."""
    return _collected(index, query.patterns, answers)


def denials(index: GraphIndex, query: Query, answers: Collection[str]) -> dict[str, list[Derivation]]:
    """Ways in which a graph states what the query denies, for each answer that meets all else it asks."""
    stated = [
        Pattern((*pattern.positive, *map(_positive, group)), pattern.distinct)
        for pattern in query.patterns
        for group in pattern.negative_groups
    ]
    return _collected(index, stated, answers)


def _collected(
    index: GraphIndex, patterns: Sequence[Pattern], answers: Collection[str]
) -> dict[str, list[Derivation]]:
    numbers = {number: answer for answer in answers if (number := term(index, answer)) is not None}
    wanted = np.array(sorted(numbers), index.dtype)
    found: dict[str, dict[Derivation, None]] = {answer: {} for answer in answers}
    for pattern in patterns if len(wanted) else ():
        for assignment in assignments(index, pattern, wanted):
            kept = found[numbers[assignment[QUESTION]]]
            if len(kept) < MOST:
                kept[_ground(index, pattern, assignment)] = None
    return {answer: list(kept) for answer, kept in found.items()}


def holds(index: GraphIndex, statement: Statement) -> bool:
    """Whether a graph has a statement that has no variables."""
    if isinstance(statement, Typing):
        assert isinstance(statement.node, Entity)
        number = index.entity_number(statement.node.id)
        return number is not None and _among(index.members(statement.class_id), number)
    assert isinstance(statement.subject, Entity)
    relation, subject = index.relation_number(statement.relation), index.entity_number(statement.subject.id)
    object_ = (
        index.entity_number(statement.object.id)
        if isinstance(statement.object, Entity)
        else index.literal_number(statement.object.value.text)
        if isinstance(statement.object, Literal)
        else None
    )
    if relation is None or subject is None or object_ is None:
        return False
    return _among(slice_of(index.forward(relation), subject, index.dtype), object_)


def _among(numbers: Numbers, number: int) -> bool:
    """Whether a number is among sorted ones."""
    place = int(numbers.searchsorted(numbers.dtype.type(number)))
    return place < len(numbers) and int(numbers[place]) == number


def statements_of(index: GraphIndex, entity: str) -> set[Statement]:
    """All statements of a graph about an entity, without its classes."""
    number = index.entity_number(entity)
    if number is None:
        return set()
    return {
        Edge(Entity(entity), relation_id, _node(index, int(object_)))
        for relation, relation_id in enumerate(index.relation_ids)
        for object_ in slice_of(index.forward(relation), number, index.dtype)
    }


def term(index: GraphIndex, answer: str) -> int | None:
    """The number of an entity or value by its text."""
    number = index.entity_number(answer)
    return number if number is not None else index.literal_number(answer)


def _positive(statement: Statement) -> Statement:
    if isinstance(statement, Typing):
        return Typing(statement.node, statement.class_id)
    return Edge(statement.subject, statement.relation, statement.object)


def _ground(index: GraphIndex, pattern: Pattern, assignment: Assignment) -> Derivation:
    edges = [
        Edge(Entity(index.term_text(subject)), relation, _node(index, object_))
        for subject, relation, object_ in facts_of(index, pattern, assignment)
    ]
    return (*edges, *_typings(index, pattern, assignment))


def _node(index: GraphIndex, number: int) -> Entity | Literal:
    if number < index.entity_count:
        return Entity(index.term_text(number))
    return Literal(index.value(number))


def _typings(index: GraphIndex, pattern: Pattern, assignment: Assignment) -> Iterator[Typing]:
    for typing in pattern.typings:
        node = typing.node
        if typing.negated:
            continue
        if isinstance(node, Variable):
            yield Typing(Entity(index.term_text(assignment[node])), typing.class_id)
        else:
            yield typing
