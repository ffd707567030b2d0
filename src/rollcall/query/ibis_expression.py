"""A query as an Ibis expression over a graph's tables: the set-at-a-time evaluator.

Every statement becomes a table whose columns are its variables, and a pattern becomes their natural join. A
variable that may be a value has a second column that says whether it is one, because an entity's id may look
like a value's text. The result has the columns `answer` and `literal`, each answer once, in no particular
order.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, Protocol

import ibis

from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
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

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ORDER = ("dimension", "low", "high")


class QueriedTables(Protocol):
    """The three tables of a graph that queries are about."""

    @property
    def facts(self) -> "ir.Table": ...
    @property
    def values(self) -> "ir.Table": ...
    @property
    def types(self) -> "ir.Table": ...


def to_ibis(query: Query, tables: QueriedTables) -> "ir.Table":
    """The denotation of the query as a table of `answer` and `literal`."""
    ordered = {"max": QUESTION, "min": QUESTION, "argmax": TARGET, "argmin": TARGET}.get(
        query.aggregate or ""
    )
    parts = [_PatternTables(pattern, tables, ordered).answers() for pattern in query.patterns]
    answers = reduce(lambda left, right: left.union(right), parts)
    if query.aggregate == "count":
        counted = answers.select("answer", "literal").distinct().aggregate(answer=ibis._.count())
        return counted.select(answer=counted.answer.cast("string"), literal=ibis.literal(True))
    if ordered is not None:
        answers = _extreme(answers, least=query.aggregate in ("min", "argmin"))
    return answers.select("answer", "literal").distinct()


def _extreme(answers: "ir.Table", *, least: bool) -> "ir.Table":
    """The rows that no other row of their dimension certainly exceeds."""
    best = answers.high.min() if least else answers.low.max()
    bests = answers.group_by("dimension").aggregate(best=best)
    joined = answers.join(bests, "dimension")
    return joined.filter(joined.low <= joined.best if least else joined.high >= joined.best)


class _PatternTables:
    """Builds the join of one pattern."""

    def __init__(self, pattern: Pattern, tables: QueriedTables, ordered: Variable | None):
        self.pattern = pattern
        self.tables = tables
        self.ordered = ordered

    def answers(self) -> "ir.Table":
        table = self._joined(self.pattern.positive)
        if self.pattern.distinct:
            table = self._different(table, self.pattern.positive_variables, ())
        for group in self.pattern.negative_groups:
            table = self._without(table, group)
        literal = ibis.literal(False) if self._is_entity(QUESTION) else table[_flag(QUESTION)]
        columns = {"answer": table[_column(QUESTION)], "literal": literal}
        if self.ordered is None:
            return table.select(**columns).distinct()
        if self._is_entity(self.ordered):  # nothing to order: an entity has no value
            nothing = {
                "dimension": ibis.literal(""),
                "low": ibis.literal(0.0),
                "high": ibis.literal(0.0),
            }
            return table.select(**columns, **nothing).filter(ibis.literal(False))
        table = table.filter(table.dimension.notnull())
        return table.select(**columns, **{name: table[name] for name in _ORDER}).distinct()

    def _without(self, table: "ir.Table", group: Sequence[Statement]) -> "ir.Table":
        """The rows for which the negated group has no solution."""
        denied = self._joined(group, negated=True)
        inner = [
            variable for variable in _variables(group) if variable not in self.pattern.positive_variables
        ]
        shared = [name for name in denied.columns if name in table.columns]
        if self.pattern.distinct and inner:
            # The nodes of a solution must differ from all other nodes, so solutions are found row by row.
            matches = _natural_join(table, denied)
            matches = self._different(matches, inner, self.pattern.positive_variables)
            shared = [name for name in table.columns if name not in _ORDER]
            denied = matches
        if not shared:  # the group shares no variable with the rows: it holds for all rows or for none
            table, denied, shared = table.mutate(always=1), denied.mutate(always=1), ["always"]
            return table.anti_join(denied.select("always").distinct(), shared).drop("always")
        return table.anti_join(denied.select(shared).distinct(), shared)

    def _joined(self, statements: Sequence[Statement], *, negated: bool = False) -> "ir.Table":
        """The natural join of all statements; the order column comes from the first that has it."""
        parts = []
        needs_order = not negated
        for statement in statements:
            part = self._statement(statement, with_order=needs_order)
            needs_order = needs_order and "low" not in part.columns
            parts.append(part)
        return _join_connected(parts)

    def _statement(self, statement: Statement, *, with_order: bool) -> "ir.Table":
        if isinstance(statement, Typing):
            types = self.tables.types
            types = types.filter(types["class"] == statement.class_id)
            return _select(types, [(statement.node, types.entity)], **self._flags(statement.node))
        if isinstance(statement.object, Literal):
            return self._literal_edge(statement, statement.object)
        facts = self.tables.facts
        facts = facts.filter(facts.relation == statement.relation)
        ends = [(statement.subject, facts.subject), (statement.object, facts.object)]
        flags = self._flags(statement.subject)
        object_ = statement.object
        if isinstance(object_, Entity) or self._is_entity(object_) or object_ == statement.subject:
            return _select(facts, ends, **flags)
        values = self.tables.values
        values = values.filter(values.relation == statement.relation)
        flag, order = _flag(object_), with_order and object_ == self.ordered
        nulls = {"dimension": ibis.null("string"), "low": ibis.null("float64"), "high": ibis.null("float64")}
        entities = _select(facts, ends, **flags, **{flag: ibis.literal(False)}, **(nulls if order else {}))
        ends = [(statement.subject, values.subject), (object_, values.value)]
        extra = {name: values[name] for name in _ORDER} if order else {}
        return entities.union(_select(values, ends, **flags, **{flag: ibis.literal(True)}, **extra))

    def _flags(self, subject: Variable | Entity) -> "dict[str, ir.Value]":
        """The flag of a subject: always an entity, even if elsewhere the variable could be a value."""
        if isinstance(subject, Entity) or self._is_entity(subject):
            return {}
        return {_flag(subject): ibis.literal(False)}

    def _literal_edge(self, edge: Edge, literal: Literal) -> "ir.Table":
        values = self.tables.values
        values = values.filter(values.relation == edge.relation)
        bounds = literal.value.bounds
        if literal.comparator == "=" or bounds is None:
            values = values.filter(values.value == literal.value.text)
        else:
            condition = {
                "<": values.high < bounds.low,
                "<=": values.high <= bounds.high,
                ">": values.low > bounds.high,
                ">=": values.low >= bounds.low,
            }[literal.comparator]
            values = values.filter(values.dimension == bounds.dimension, condition)
        return _select(values, [(edge.subject, values.subject)], **self._flags(edge.subject))

    def _different(
        self, table: "ir.Table", own: Sequence[Variable], others: Sequence[Variable]
    ) -> "ir.Table":
        """Rows in which these variables' entities differ from each other, the others' and the constants."""
        pairs = [*combinations(own, 2), *((mine, other) for mine in own for other in others)]
        for left, right in pairs:
            same = table[_column(left)] == table[_column(right)]
            for variable in (left, right):
                if not self._is_entity(variable):
                    same = same & ~table[_flag(variable)]
            table = table.filter(~same)
        ids = [entity.id for entity in self.pattern.entities]
        for variable in own if ids else ():
            is_constant = table[_column(variable)].isin(ids)
            table = table.filter(
                ~(is_constant if self._is_entity(variable) else is_constant & ~table[_flag(variable)])
            )
        return table

    def _is_entity(self, variable: Variable) -> bool:
        return self.pattern.is_entity_variable(variable)


def _column(variable: Variable) -> str:
    return "node_" + variable.name


def _flag(variable: Variable) -> str:
    return "literal_" + variable.name


def _variables(statements: Sequence[Statement]) -> list[Variable]:
    return list(dict.fromkeys(variable for statement in statements for variable in variables_of(statement)))


def _select(
    table: "ir.Table", ends: "Sequence[tuple[Variable | Entity, ir.Column]]", **extra: "ir.Value"
) -> "ir.Table":
    """The rows that match the nodes, as a table of the variables; without variables, it has one column."""
    columns: dict[str, ir.Value] = {}
    for node, column in ends:
        if isinstance(node, Entity):
            table = table.filter(column == node.id)
        elif _column(node) in columns:
            table = table.filter(column == columns[_column(node)])
        else:
            columns[_column(node)] = column
    columns.update(extra)
    if not columns:
        columns["holds"] = ibis.literal(1)
    return table.select(**columns).distinct()


def _join_connected(parts: "list[ir.Table]") -> "ir.Table":
    """Join tables; if possible, the next table shares a column with those already joined."""
    joined, *rest = parts
    while rest:
        sharing = (part for part in rest if set(part.columns) & set(joined.columns))
        next_part = next(sharing, rest[0])
        rest = [part for part in rest if part is not next_part]
        joined = _natural_join(joined, next_part)
    return joined


def _natural_join(left: "ir.Table", right: "ir.Table") -> "ir.Table":
    if right.columns == ("holds",):  # a statement without variables: all rows or none
        right = right.select(holds_=right.holds).limit(1)
        return left.cross_join(right).drop("holds_")
    shared = [name for name in left.columns if name in right.columns]
    joined = left.join(right.view(), shared) if shared else left.cross_join(right.view())
    return joined.select(*dict.fromkeys([*left.columns, *right.columns]))
