"""Set operations on unions of patterns: how `&`, `-`, `>>` and `<<` become statements.

Intersection and following a relation distribute over the union. Subtraction moves the negation down to the
statements by De Morgan's laws. A condition that cannot be expressed with negated statements, because it
already contains a negation, is refused with an explanation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from rollcall.errors import RollcallError
from rollcall.query.pattern import Pattern, components
from rollcall.query.statements import QUESTION, TARGET, Edge, Entity, Literal, Statement, Variable, renamed
from rollcall.query.values import COMPARATORS, Value

Patterns = tuple[Pattern, ...]


def intersection(left: Patterns, right: Patterns) -> Patterns:
    """Every pair of patterns joined at the question node."""
    return tuple(
        Pattern((*one.statements, *_apart(other.statements, "right"))) for one, other in product(left, right)
    )


def difference(left: Patterns, right: Patterns) -> Patterns:
    """Each left pattern with, for every right pattern, one of that pattern's conditions negated."""
    choices = list(product(*(_denials(pattern) for pattern in right)))
    joined = [_with_denied(pattern, denied) for pattern in left for denied in choices]
    # A pattern that contradicts itself has no answer; it is left out if any other pattern remains.
    sensible = [pattern for pattern in joined if not _contradicts_itself(pattern)]
    return tuple(sensible or joined)


def _with_denied(pattern: Pattern, denied: Iterable[Sequence[Statement]]) -> Pattern:
    statements: list[Statement] = list(pattern.statements)
    for number, condition in enumerate(denied):
        statements += _apart(condition, f"right{number}_")
    return Pattern(tuple(statements))


def _contradicts_itself(pattern: Pattern) -> bool:
    said = set(pattern.positive)
    return any(
        all(replace(statement, negated=False) in said for statement in group)
        for group in pattern.negative_groups
    )


def follow(patterns: Patterns, relation: str, *, forward: bool) -> Patterns:
    """Move the question node along a relation; the old one becomes a variable."""
    start = Variable("start")
    edge = Edge(start, relation, QUESTION) if forward else Edge(QUESTION, relation, start)
    return tuple(
        Pattern((edge, *(renamed(statement, {QUESTION: start}) for statement in pattern.statements)))
        for pattern in patterns
    )


def constrained(patterns: Patterns, relation: str, object_: str | Value, comparator: str) -> Patterns:
    """Each pattern with one more edge from the question node to a grounded node."""
    if comparator not in ("=", *COMPARATORS):
        raise RollcallError(f"{comparator!r} is not a comparator; there are =, {', '.join(COMPARATORS)}")
    if isinstance(object_, str) and comparator != "=":
        raise RollcallError(f"{comparator} compares values; {object_!r} is an entity id")
    node = Entity(object_) if isinstance(object_, str) else Literal(object_, comparator)
    return with_edge(patterns, Edge(QUESTION, relation, node))


def with_edge(patterns: Patterns, edge: Edge) -> Patterns:
    """Each pattern with one more edge."""
    return tuple(replace(pattern, statements=(*pattern.statements, edge)) for pattern in patterns)


def _apart(statements: Iterable[Statement], prefix: str) -> list[Statement]:
    """The statements with all variables except the question node renamed, so that they are unique."""
    found = list(statements)
    nodes = {node for statement in found for node in statement.nodes if isinstance(node, Variable)}
    names = {v: Variable(prefix + v.name) for v in nodes if v not in (QUESTION, TARGET)}
    return [renamed(statement, names) for statement in found]


def _denials(pattern: Pattern) -> list[Sequence[Statement]]:
    """The conditions of a pattern, each negated."""
    return [_deny(part) for part in components(pattern.statements, lambda variable: variable != QUESTION)]


def _deny(condition: Sequence[Statement]) -> list[Statement]:
    negated = [statement.negated for statement in condition]
    if any(negated) and not all(negated):
        words = "; ".join(statement.text for statement in condition)
        raise RollcallError(f"cannot subtract a condition that itself denies something: {words}")
    return [replace(statement, negated=not statement.negated) for statement in condition]
