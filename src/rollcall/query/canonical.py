"""One name for every variable and one order for the statements, so that equal graphs are equal values.

Variables are told apart by what is around them, refined until nothing changes; where several remain alike,
each is tried and the smallest text wins. Exchangeable twins (swapping them changes nothing) are tried once,
so that a star of equal leaves does not cost a factorial.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from rollcall.query.statements import (
    QUESTION,
    TARGET,
    Edge,
    Entity,
    Literal,
    Statement,
    Typing,
    Variable,
    variables_of,
)

AnyNode = TypeVar("AnyNode", Variable | Entity, Variable | Entity | Literal)
Colours = dict[Variable, int]


def canonical_statements(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The same statements, without repetitions, with variables renamed and in canonical order."""
    unique = tuple(dict.fromkeys(statements))
    variables = sorted({v for statement in unique for v in variables_of(statement)}, key=lambda v: v.name)
    if sum(v not in (QUESTION, TARGET) for v in variables) <= 1:  # nothing to choose between
        return _named(unique, variables)
    colours = {v: 0 if v == QUESTION else 1 if v == TARGET else 2 for v in variables}
    return min(_labelings(unique, _refine(unique, colours)), key=_sort_key)


def renamed(statement: Statement, names: Mapping[Variable, Variable]) -> Statement:
    """The statement with its variables replaced; variables without a new name stay."""

    if isinstance(statement, Typing):
        return Typing(_rename(statement.node, names), statement.class_id, statement.negated)
    subject, object_ = _rename(statement.subject, names), _rename(statement.object, names)
    return Edge(subject, statement.relation, object_, statement.negated)


def _rename(node: AnyNode, names: Mapping[Variable, Variable]) -> AnyNode | Variable:
    return names.get(node, node) if isinstance(node, Variable) else node


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


def _refine(statements: tuple[Statement, ...], colours: Colours) -> Colours:
    """Split colours by the colours around each variable until the number of colours is stable."""
    while True:
        # The old colour comes first in the key, so that refinement never reorders what was settled.
        seen = {
            variable: (
                colour,
                tuple(sorted(_seen_from(variable, s, colours) for s in statements if variable in s.nodes)),
            )
            for variable, colour in colours.items()
        }
        rank = {key: place for place, key in enumerate(sorted(set(seen.values())))}
        refined = {variable: rank[key] for variable, key in seen.items()}
        if len(rank) == len(set(colours.values())):
            return refined
        colours = refined


def _seen_from(variable: Variable, statement: Statement, colours: Colours) -> str:
    """How a statement looks from one of its variables: itself as `*`, others by colour."""
    names = {v: Variable("*" if v == variable else f"~{colours[v]}") for v in variables_of(statement)}
    return renamed(statement, names).text


def _labelings(statements: tuple[Statement, ...], colours: Colours) -> list[tuple[Statement, ...]]:
    """Every candidate canonical form: one where colours are all different, else one per choice."""
    cells: dict[int, list[Variable]] = {}
    for variable in sorted(colours, key=lambda v: (colours[v], v.name)):
        cells.setdefault(colours[variable], []).append(variable)
    open_cell = next((cell for _, cell in sorted(cells.items()) if len(cell) > 1), None)
    if open_cell is None:
        return [_named(statements, sorted(colours, key=lambda v: colours[v]))]
    found: list[tuple[Statement, ...]] = []
    tried: list[Variable] = []
    for chosen in open_cell:
        if any(_are_twins(statements, chosen, other) for other in tried):
            continue
        tried.append(chosen)
        split = {v: 2 * colour + (v in open_cell and v != chosen) for v, colour in colours.items()}
        found += _labelings(statements, _refine(statements, split))
    return found


def _are_twins(statements: tuple[Statement, ...], left: Variable, right: Variable) -> bool:
    swap = {left: right, right: left}
    return {renamed(statement, swap) for statement in statements} == set(statements)


def _named(statements: tuple[Statement, ...], ordered: list[Variable]) -> tuple[Statement, ...]:
    others = [variable for variable in ordered if variable not in (QUESTION, TARGET)]
    names = {variable: Variable(str(number)) for number, variable in enumerate(others, start=1)}
    return tuple(sorted((renamed(statement, names) for statement in statements), key=_statement_key))
