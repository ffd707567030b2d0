"""One name for every variable and one order for the statements, so that equal graphs are equal values.

Variables are distinguished by the statements around them. Where several cannot be distinguished, each is
tried and the smallest text is chosen (`rollcall.query.labelling` explains how most trials are avoided).
"""

from collections.abc import Iterable

from rollcall.query.labelling import labellings
from rollcall.query.statements import QUESTION, TARGET, Edge, Statement, Variable, renamed, variables_of


def canonical_statements(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The same statements, without repetitions, with variables renamed and in canonical order."""
    unique = tuple(dict.fromkeys(statements))
    variables = sorted({v for statement in unique for v in variables_of(statement)}, key=lambda v: v.name)
    if sum(v not in (QUESTION, TARGET) for v in variables) <= 1:  # only one possible order
        return _named(unique, variables)
    return min((_named(unique, ordered) for ordered in labellings(unique, variables)), key=_sort_key)


def _sort_key(statements: tuple[Statement, ...]) -> list[tuple[bool, bool, bool, str]]:
    return [_statement_key(statement) for statement in statements]


def _statement_key(statement: Statement) -> tuple[bool, bool, bool, str]:
    """Positive before negated, classes before edges, the question node's own first, then by text."""
    return (
        statement.negated,
        isinstance(statement, Edge),
        QUESTION not in statement.nodes,
        statement.text,
    )


def _named(statements: tuple[Statement, ...], ordered: list[Variable]) -> tuple[Statement, ...]:
    others = [variable for variable in ordered if variable not in (QUESTION, TARGET)]
    names = {variable: Variable(str(number)) for number, variable in enumerate(others, start=1)}
    return tuple(sorted((renamed(statement, names) for statement in statements), key=_statement_key))
