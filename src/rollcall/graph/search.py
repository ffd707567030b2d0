"""The solutions of one pattern, as rows of terms.

The search starts from the smallest set that a constant or a class gives, extends the rows along the edge with
the least fan-out, filters as soon as both ends are known, and drops variables that are no longer needed.
Where there would be many rows, it proceeds piece by piece, with a sample first. Rows whose wanted variables
already have a solution are left out, so that one solution for each is enough, however many there are.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import ROW, Rows, check_size, different, joined, row_keys
from rollcall.graph.steps import Step, step_for
from rollcall.graph.tree import Taken
from rollcall.query.pattern import Pattern, components
from rollcall.query.statements import Statement, Variable, variables_of

_ROWS_AT_ONCE = 500_000
_WORTH_A_SAMPLE = 20_000
"""If a step would give more rows than this, a sample of the rows is solved completely first."""
_FEW = 32
"""This few rows are never split."""
_LISTED_MATCHES = {1: 50_000, 2: 1_000}
"""The most rows for which all matches are listed, by the number of variables of a match."""
_MOST_VISITED = 50_000_000

Group = Sequence[Statement]
"""Statements that are negated together. A match is a solution of all of them, which excludes the row."""


class PatternSearch:
    """Solves one pattern; if given, `taken` collects the steps.

    `valued` is a variable whose values are compared: solutions in which it is an entity are left out.
    """

    def __init__(
        self, index: GraphIndex, pattern: Pattern, taken: Taken = None, valued: Variable | None = None
    ):
        self.index = index
        self.valued = valued
        self.taken = taken
        self.distinct = pattern.distinct
        self.pattern = pattern
        self.outer = frozenset(pattern.positive_variables)
        found = (index.entity_number(entity.id) for entity in pattern.entities) if pattern.distinct else ()
        self.constants = [constant for constant in found if constant is not None]
        self.visited = 0

    def run(self, kept: set[Variable]) -> Rows:
        """The different values of the kept variables in all solutions."""
        if self.valued is not None and self.pattern.is_entity_variable(self.valued):
            return self._empty(kept)
        # Parts that share no variable need not be paired, unless their entities must differ.
        whole = [self.pattern.statements]
        parts = whole if self.distinct else components(self.pattern.statements, lambda variable: True)
        rows = Rows({}, 1)
        for part in parts:
            groups = [group for group in self.pattern.negative_groups if group[0] in part]
            positive = [statement for statement in part if not statement.negated]
            own = {variable for statement in positive for variable in variables_of(statement)}
            rows = rows.crossed(self._solutions(Rows({}, 1), positive, groups, kept & own))
            if not rows.size:
                return self._empty(kept)
        return rows

    def _solutions(
        self, start: Rows, statements: Iterable[Statement], groups: Sequence[Group], kept: set[Variable]
    ) -> Rows:
        """The kept variables of the rows, extended by all statements, for which no group has a match."""
        found: list[Rows] = []
        steps = [step_for(self.index, statement) for statement in statements]
        self._search(start, steps, groups, kept, found)
        return joined(found) if found else self._empty(kept)

    def _search(
        self,
        rows: Rows,
        steps: list[Step],
        groups: Sequence[Group],
        kept: set[Variable],
        found: list[Rows],
        *,
        is_piece: bool = False,
    ) -> None:
        steps, groups = list(steps), list(groups)
        while rows.size:
            step = self._next(steps, rows) if steps else None
            group = self._next_group(groups, rows, step)
            if group is not None:
                groups.remove(group)
                rows = self._without_match(rows, group)
            elif step is None:
                found.append(rows.project(kept))
                return
            elif (expected := self._expected(step, rows)) > (_ROWS_AT_ONCE if is_piece else _WORTH_A_SAMPLE):
                for group in groups if self.distinct and not is_piece else ():
                    rows = self._without_certain_match(rows, group)
                first = next((variable for variable in rows.columns if variable in kept), None)
                for piece in rows.pieces(1 + expected // _ROWS_AT_ONCE, first):
                    left = self._not_yet_found(piece, kept, found)
                    self._search(left, steps, groups, kept, found, is_piece=True)
                return
            else:
                steps.remove(step)
                rows, is_piece = self._extended(rows, step), False
                if not self.distinct:
                    needed = kept.union(*(other.variables for other in steps), *map(_variables, groups))
                    rows = rows.project(needed)

    def _extended(self, rows: Rows, step: Step) -> Rows:
        new = [variable for variable in step.variables if variable not in rows]
        rows = step.apply(rows)
        self.visited += rows.size
        check_size(self.visited, most=_MOST_VISITED)
        if self.taken is not None:
            self.taken.append((step.statement.text, rows.size))
        if self.valued in new:
            rows = rows.take(rows.columns[self.valued] >= self.index.entity_count)
        if self.distinct:
            for variable in new:
                rows = different(rows, variable, self.constants, self.index)
        return rows

    def _without_match(self, rows: Rows, group: Group) -> Rows:
        needed = rows.columns if self.distinct else _variables(group)
        asked, place_of = rows.different_values([v for v in rows.columns if v in needed])
        asked.columns[ROW] = np.arange(asked.size)
        matches = self._solutions(asked, group, (), {ROW})
        if not matches.size:
            return rows
        keep = np.ones(asked.size, dtype=np.bool_)
        keep[matches.columns[ROW]] = False
        return rows.take(keep if place_of is None else keep[place_of])

    def _without_certain_match(self, rows: Rows, group: Group) -> Rows:
        """The rows without those that certainly have a match that differs from all nodes, known and unknown.

        A match is certain if each of the group's own variables has more values than there are other nodes.
        """
        own = _variables(group)
        if not own & self.outer <= rows.columns.keys():
            return rows
        asked, place_of = rows.different_values([v for v in rows.columns if v in own])
        asked.columns[ROW] = np.arange(asked.size)
        inner = sorted(own - self.outer)
        if asked.size > _LISTED_MATCHES.get(len(inner), 0):
            return rows
        matches = self._solutions(asked, group, (), {ROW, *inner})
        others = len(self.outer - own)
        columns = [matches.columns[variable] for variable in (ROW, *inner)]
        while len(columns) > 1:
            columns.pop()
            _, first, counts = np.unique(row_keys(columns), return_index=True, return_counts=True)
            columns = [column[first[counts > others]] for column in columns]
        keep = np.ones(asked.size, dtype=np.bool_)
        keep[columns[0]] = False
        return rows.take(keep if place_of is None else keep[place_of])

    def _next_group(self, groups: list[Group], rows: Rows, step: Step | None) -> Group | None:
        """A group that can be checked now: no step is cheaper, and all its outer variables are known."""
        if step is None:
            return groups[0] if groups else None
        if not groups or all(variable in rows for variable in step.variables):
            return None
        known = rows.columns.keys()
        for group in groups:
            own = _variables(group)
            # If a match must differ from every node, all nodes must be known first.
            if own <= known if self.distinct else own & self.outer <= known:
                return group
        return None

    @staticmethod
    def _expected(step: Step, rows: Rows) -> int:
        """The approximate number of rows after a step; 0 if the step cannot add rows or the rows are few."""
        known = sum(variable in rows for variable in step.variables)
        if rows.size <= _FEW or known == len(step.variables):
            return 0
        return step.fan_out(rows) if known else rows.size * step.size

    def _not_yet_found(self, rows: Rows, kept: set[Variable], found: Sequence[Rows]) -> Rows:
        """The rows that may lead to solutions not yet found."""
        order = sorted(kept)
        if not found or len(order) > 2 or not all(variable in rows for variable in order):
            return rows
        if not order:  # only the existence of a solution was asked for
            return rows.nothing()
        known = np.concatenate([self._keys(part, order) for part in found])
        return rows.take(~np.isin(self._keys(rows, order), known))

    def _keys(self, rows: Rows, order: Sequence[Variable]) -> Numbers:
        if len(order) == 1:
            return rows.columns[order[0]]
        first, second = (rows.columns[variable].astype(np.int64) for variable in order)
        keys: Numbers = first * (self.index.entity_count + self.index.literal_count) + second
        return keys

    @staticmethod
    def _next(steps: list[Step], rows: Rows) -> Step:
        """The cheapest next step: filters first, then edges from known variables, then the smallest other."""
        if len(steps) == 1:
            return steps[0]

        def cost(step: Step) -> tuple[int, int]:
            known = sum(variable in rows for variable in step.variables)
            if known == len(step.variables):
                return (0, step.size)
            if known:
                return (1, step.fan_out(rows))
            return (2, step.size)

        return min(steps, key=cost)

    def _empty(self, variables: Iterable[Variable]) -> Rows:
        nothing = np.empty(0, dtype=self.index.dtype)
        return Rows(dict.fromkeys(variables, nothing), 0)


def _variables(statements: Iterable[Statement]) -> set[Variable]:
    return {variable for statement in statements for variable in variables_of(statement)}
