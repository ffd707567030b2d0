"""The steps of the point evaluator: how one statement extends or filters the rows found so far.

A statement with one variable and a constant is a sorted list of candidates. A statement with two variables is
a pair of sorted arrays that can be followed in either direction. A comparison examines the values of its
subject.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from rollcall.graph.index import GraphIndex, Numbers, Pairs
from rollcall.graph.rows import (
    Mask,
    Ranges,
    Rows,
    contained,
    expand,
    found_between,
    ranges,
    slice_of,
    unique_sorted,
)
from rollcall.query.statements import Edge, Entity, Literal, Statement, Typing, Variable, variables_of
from rollcall.query.values import ValueBounds

_LISTED = 16
"""If rows have more facts than this on average, the wanted term is found among them by binary search."""
_SAMPLE = 256
"""The sample size for estimating the number of rows after following an edge."""


class StatementStep(Protocol):
    """One statement, ready to extend or filter rows; `size` is its own number of rows."""

    statement: Statement
    size: int

    @property
    def variables(self) -> tuple[Variable, ...]: ...
    def apply(self, rows: Rows) -> Rows: ...
    def fan_out(self, rows: Rows) -> int: ...


class CandidatesStep:
    """A statement about one variable, with its sorted candidates."""

    __slots__ = ("candidates", "size", "statement", "variable")

    def __init__(self, statement: Statement, variable: Variable, candidates: Numbers):
        self.statement = statement
        self.variable = variable
        self.candidates = candidates
        self.size = len(candidates)

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (self.variable,)

    def apply(self, rows: Rows) -> Rows:
        if self.variable in rows:
            return rows.take(self.holds(rows.columns[self.variable]))
        return rows.times(self.variable, self.candidates)

    def listed(self) -> Numbers:
        return self.candidates

    def holds(self, terms: Numbers) -> Mask:
        return contained(terms, self.candidates)

    def fan_out(self, rows: Rows) -> int:
        return self.size


class ConditionStep:
    """A statement without variables: it keeps all rows or none."""

    def __init__(self, statement: Statement, holds: bool):
        self.statement = statement
        self.variables: tuple[Variable, ...] = ()
        self.holds = holds
        self.size = 0

    def apply(self, rows: Rows) -> Rows:
        return rows if self.holds else rows.nothing()

    def fan_out(self, rows: Rows) -> int:
        return 0


class NothingStep:
    """A statement that nothing satisfies, because the graph has no such relation."""

    def __init__(self, statement: Statement, index: GraphIndex):
        self.statement = statement
        self.variables = variables_of(statement)
        self.dtype = index.dtype
        self.size = 0

    def apply(self, rows: Rows) -> Rows:
        empty = rows.nothing()
        for variable in self.variables:
            empty.columns[variable] = np.empty(0, dtype=self.dtype)
        return empty

    def fan_out(self, rows: Rows) -> int:
        return 0


class EdgeStep:
    """An edge between two variables."""

    def __init__(
        self, statement: Edge, subject: Variable, object_: Variable, forward: Pairs, backward: Pairs
    ):
        self.statement: Statement = statement
        self.subject, self.object = subject, object_
        self.variables: tuple[Variable, ...] = (subject, object_)
        self.forward, self.backward = forward, backward
        self.size = len(forward[0])

    def apply(self, rows: Rows) -> Rows:
        if self.subject in rows and self.object in rows:
            return self._filter(rows)
        if self.subject in rows:
            return _walk(rows, self.subject, self.object, self.forward)
        if self.object in rows:
            return _walk(rows, self.object, self.subject, self.backward)
        subjects, objects = self.forward
        return rows.crossed(Rows({self.subject: subjects, self.object: objects}, self.size))

    def fan_out(self, rows: Rows) -> int:
        """The approximate number of rows after following the edge from its known end."""
        start, pairs = (self.subject, self.forward) if self.subject in rows else (self.object, self.backward)
        column = rows.columns[start]
        stride = max(1, rows.size // _SAMPLE)
        starts, ends = ranges(pairs[0], column[::stride])
        return int((ends - starts).sum()) * stride

    def _filter(self, rows: Rows) -> Rows:
        subjects, objects = rows.columns[self.subject], rows.columns[self.object]
        from_subject, from_object = ranges(self.forward[0], subjects), ranges(self.backward[0], objects)
        behind, before = ((ends - starts).sum() for starts, ends in (from_subject, from_object))
        if behind <= before:
            return rows.take(_hits(from_subject, int(behind), self.forward[1], objects))
        return rows.take(_hits(from_object, int(before), self.backward[1], subjects))


def _hits(where: Ranges, size: int, others: Numbers, wanted: Numbers) -> Numbers | npt.NDArray[np.bool_]:
    """The rows whose wanted term is in their range of `others`; facts are unique, so each occurs once."""
    if size > _LISTED * len(wanted):
        return found_between(others, *where, wanted)
    rows, positions = expand(*where)
    hits: Numbers = rows[others[positions] == wanted[rows]]
    return hits


class ComparisonStep:
    """An edge to a literal with a comparator, from a variable."""

    def __init__(
        self, index: GraphIndex, statement: Edge, variable: Variable, relation: int, literal: Literal
    ):
        self.index = index
        self.statement: Statement = statement
        self.variable = variable
        self.variables: tuple[Variable, ...] = (variable,)
        self.forward, self.backward = index.forward(relation), index.backward(relation)
        self.literal = literal
        self.dimension = index.value_dimension(relation)
        self.size = len(self.forward[0])

    def apply(self, rows: Rows) -> Rows:
        if self.variable in rows:
            return rows.take(self.holds(rows.columns[self.variable]))
        return rows.times(self.variable, self.listed())

    def listed(self) -> Numbers:
        objects, subjects = self.backward
        return unique_sorted(subjects[satisfying(self.index, objects, self.literal, self.dimension)])

    def holds(self, terms: Numbers) -> Mask:
        matched, positions = expand(*ranges(self.forward[0], terms))
        keep = np.zeros(len(terms), dtype=np.bool_)
        values = self.forward[1][positions]
        keep[matched[satisfying(self.index, values, self.literal, self.dimension)]] = True
        return keep

    def fan_out(self, rows: Rows) -> int:
        return self.size


def _walk(rows: Rows, start: Variable, new: Variable, pairs: Pairs) -> Rows:
    matched, positions = expand(*ranges(pairs[0], rows.columns[start]))
    return rows.take(matched).with_column(new, pairs[1][positions])


def satisfying(index: GraphIndex, terms: Numbers, literal: Literal, dimension: int | None = None) -> Mask:
    """Which terms are values that satisfy the literal's comparator; `dimension` is theirs, if known."""
    bounds = literal.value.bounds
    if bounds is None or bounds.dimension not in index.dimensions:
        return np.zeros(len(terms), dtype=np.bool_)
    if dimension is not None:  # the usual case: only values, all of one dimension
        if index.dimensions[dimension] != bounds.dimension:
            return np.zeros(len(terms), dtype=np.bool_)
        return _ordered(index, terms - index.entity_count, literal.comparator, bounds)
    mask: Mask = terms >= index.entity_count
    literals = terms[mask] - index.entity_count
    same = index.literal_dimension[literals] == index.dimensions.index(bounds.dimension)
    mask[mask] = same & _ordered(index, literals, literal.comparator, bounds)
    return mask


def _ordered(index: GraphIndex, literals: Numbers, comparator: str, bounds: ValueBounds) -> Mask:
    mask: Mask
    if comparator == "<":
        mask = index.literal_high[literals] < bounds.low
    elif comparator == "<=":
        mask = index.literal_high[literals] <= bounds.high
    elif comparator == ">":
        mask = index.literal_low[literals] > bounds.high
    else:
        mask = index.literal_low[literals] >= bounds.low
    return mask


def step_for(index: GraphIndex, statement: Statement) -> StatementStep:
    """The step of a statement; a statement with a name unknown to the graph has no candidates."""
    if isinstance(statement, Typing):
        return _typing_step(index, statement)
    relation = index.relation_number(statement.relation)
    if relation is None:
        return NothingStep(statement, index)
    if isinstance(statement.object, Literal) and statement.object.comparator != "=":
        if isinstance(statement.subject, Variable):
            return ComparisonStep(index, statement, statement.subject, relation, statement.object)
        terms = _beside(index, index.forward(relation), statement.subject)
        return ConditionStep(statement, bool(satisfying(index, terms, statement.object).any()))
    return _edge_step(index, statement, relation)


def _typing_step(index: GraphIndex, typing: Typing) -> StatementStep:
    members = index.members(typing.class_id)
    if isinstance(typing.node, Variable):
        return CandidatesStep(typing, typing.node, members)
    entity = index.entity_number(typing.node.id)
    return ConditionStep(typing, entity is not None and bool(contained(np.array([entity]), members)[0]))


def _edge_step(index: GraphIndex, edge: Edge, relation: int) -> StatementStep:
    subject, object_ = edge.subject, edge.object
    if isinstance(subject, Variable):
        if not isinstance(object_, Variable):
            return CandidatesStep(edge, subject, _beside(index, index.backward(relation), object_))
        if subject != object_:
            return EdgeStep(edge, subject, object_, index.forward(relation), index.backward(relation))
        subjects, objects = index.forward(relation)
        return CandidatesStep(edge, subject, subjects[subjects == objects])
    objects = _beside(index, index.forward(relation), subject)
    if isinstance(object_, Variable):
        return CandidatesStep(edge, object_, objects)
    term = _term(index, object_)
    return ConditionStep(edge, term is not None and bool(contained(np.array([term]), objects)[0]))


def _beside(index: GraphIndex, pairs: Pairs, node: object) -> Numbers:
    """The terms paired with a constant in a relation; none if the graph does not have it."""
    term = _term(index, node)
    if term is None:
        return np.empty(0, dtype=index.dtype)
    return slice_of(pairs, term, index.dtype)


def _term(index: GraphIndex, node: object) -> int | None:
    if isinstance(node, Entity):
        return index.entity_number(node.id)
    if isinstance(node, Literal):
        return index.literal_number(node.value.text)
    raise TypeError(f"{node!r} is not a constant")
