"""The definition of a query's denotation, line by line: every assignment is tried.

It shares nothing with the evaluators but the query value itself, so that agreement means something.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rollcall.query import Edge, Entity, Literal, Pattern, Query, Typing, Value, Variable, number
from rollcall.query.statements import Node, Statement
from rollcall.query.values import holds

Term = str | Value
"""An entity's id or a value."""


@dataclass
class SmallGraph:
    """A graph small enough to look at as a whole."""

    entities: list[str]
    facts: set[tuple[str, str, str]] = field(default_factory=set)
    values: set[tuple[str, str, Value]] = field(default_factory=set)
    types: set[tuple[str, str]] = field(default_factory=set)
    subclasses: set[tuple[str, str]] = field(default_factory=set)

    @property
    def domain(self) -> list[Term]:
        return [*self.entities, *sorted({value for _, _, value in self.values}, key=lambda v: v.text)]

    def classes_of(self, entity: Term) -> set[str]:
        reached = {class_id for member, class_id in self.types if member == entity}
        while True:
            more = reached | {parent for child, parent in self.subclasses if child in reached}
            if more == reached:
                return reached
            reached = more


def denotation(graph: SmallGraph, query: Query) -> frozenset[Term]:
    solutions = [(s[Variable("x")], s.get(Variable("v"))) for p in query.patterns for s in solve(graph, p)]
    answers = {answer for answer, _ in solutions}
    if query.aggregate is None:
        return frozenset(answers)
    if query.aggregate == "count":
        return frozenset({number(len(answers))})
    greater = ">" if query.aggregate in ("max", "argmax") else "<"
    compared = [(answer, answer if query.aggregate in ("max", "min") else v) for answer, v in solutions]
    return frozenset(
        answer
        for answer, value in compared
        if bounds(value) is not None
        and not any(holds(bounds(other), greater, bounds(value)) for _, other in compared)
    )


def bounds(term):
    return None if term is None or isinstance(term, str) else term.bounds


def solve(graph: SmallGraph, pattern: Pattern) -> Iterator[dict[Variable, Term]]:
    """Assignments of the positive variables that satisfy everything positive and nothing denied."""
    entities = [entity.id for entity in pattern.entities]
    for assignment in assignments(graph, pattern.positive, {}, pattern.distinct, entities):
        if not any(
            next(assignments(graph, group, assignment, pattern.distinct, entities), None) is not None
            for group in negated_groups(pattern)
        ):
            yield assignment


def negated_groups(pattern: Pattern) -> list[list[Statement]]:
    """Negated statements that share a variable which no positive statement has are denied together."""
    positive = {node for s in pattern.statements if not s.negated for node in s.nodes}
    groups = [[s] for s in pattern.statements if s.negated]
    merged = True
    while merged:
        merged = False
        for one in groups:
            for other in groups:
                own = [
                    {n for s in g for n in s.nodes if isinstance(n, Variable)} - positive
                    for g in (one, other)
                ]
                if one is not other and own[0] & own[1]:
                    one += other
                    groups.remove(other)
                    merged = True
                    break
            if merged:
                break
    return groups


def assignments(graph, statements, given, distinct, constants) -> Iterator[dict[Variable, Term]]:
    """All ways to extend an assignment so that all statements (taken as positive) hold."""
    variables = list(dict.fromkeys(n for s in statements for n in s.nodes if isinstance(n, Variable)))
    missing = [variable for variable in variables if variable not in given]
    known = [s for s in statements if not {n for n in s.nodes if isinstance(n, Variable)} & set(missing)]
    if not all(is_true(graph, statement, given) for statement in known):
        return
    if not missing:
        yield dict(given)
        return
    for term in graph.domain:
        if distinct and isinstance(term, str) and (term in given.values() or term in constants):
            continue
        yield from assignments(graph, statements, {**given, missing[0]: term}, distinct, constants)


def is_true(graph: SmallGraph, statement: Statement, assignment: dict[Variable, Term]) -> bool:
    if isinstance(statement, Typing):
        term = value_of(statement.node, assignment)
        return isinstance(term, str) and statement.class_id in graph.classes_of(term)
    assert isinstance(statement, Edge)
    subject = value_of(statement.subject, assignment)
    if not isinstance(subject, str):
        return False
    if isinstance(statement.object, Literal) and statement.object.comparator != "=":
        limit = statement.object.value.bounds
        return any(
            holds(value.bounds, statement.object.comparator, limit)
            for s, relation, value in graph.values
            if s == subject and relation == statement.relation
        )
    triple = (subject, statement.relation, value_of(statement.object, assignment))
    return triple in graph.facts or triple in graph.values


def value_of(node: Node, assignment: dict[Variable, Term]) -> Term:
    if isinstance(node, Variable):
        return assignment[node]
    return node.id if isinstance(node, Entity) else node.value
