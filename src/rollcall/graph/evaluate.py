"""The point evaluator: the denotation of a query on the memory-mapped index.

A tree of positive statements is evaluated with sets (`rollcall.graph.evaluate`), any other pattern with rows
(`rollcall.graph.evaluate`). This module combines the answers of patterns into those of the query.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers, Pairs
from rollcall.graph.rows import (
    ROW,
    Mask,
    Rows,
    check_size,
    contained,
    different,
    expand,
    joined,
    ranges,
    row_keys,
    unique_sorted,
    within,
)
from rollcall.graph.steps import CandidatesStep, ComparisonStep, EdgeStep, StatementStep, step_for
from rollcall.query.pattern import Pattern, components
from rollcall.query.query import Query
from rollcall.query.statements import QUESTION, TARGET, Statement, Variable, variables_of
from rollcall.query.values import Number, Value

# The fast evaluation of tree-shaped patterns: sets of terms instead of rows. If only the values of the
# question node are wanted and the pattern has no cycle, each variable's values are a sorted set, and an
# edge maps the set of one variable to the set of the next. The smallest set is computed first; the
# others are checked from there if that is cheaper than listing them.

_UNKNOWN = 2**62
_PATIENCE = 4
"""The members behind an edge are listed only if they are fewer than the current terms by this factor."""

_MOST_VARIABLES = 200
"""A tree is evaluated by recursion; a tree that may be too deep for Python is left to the search by rows."""


class Branch:
    """A variable, the conditions on it alone, and the branches of its child variables."""

    __slots__ = ("children", "conditions", "size")

    def __init__(self) -> None:
        self.conditions: list[CandidatesStep | ComparisonStep] = []
        self.children: list[Child] = []
        self.size = _UNKNOWN
        """An upper limit: the number of terms of the smallest statement in this branch."""


class Child(NamedTuple):
    """A branch below another: the pairs that lead there, and the pairs that lead back."""

    statement: Statement
    there: Pairs
    back: Pairs
    branch: Branch


def grow_tree(root: Variable, steps: Sequence[StatementStep]) -> Branch | None:
    """The steps as a tree with this root variable, or None if they are not a tree."""
    branches: defaultdict[Variable, Branch] = defaultdict(Branch)
    branches[root] = Branch()
    links: list[EdgeStep] = []
    for step in steps:
        if isinstance(step, (CandidatesStep, ComparisonStep)):
            branches[step.variable].conditions.append(step)
        elif isinstance(step, EdgeStep):
            links.append(step)
        else:
            return None
    for link in links:
        for variable in link.variables:
            branches[variable]  # a variable without other conditions
    if not _is_tree(root, links, len(branches)):
        return None
    _hang(root, branches[root], links, branches)
    return branches[root]


def _is_tree(root: Variable, links: Sequence[EdgeStep], variables: int) -> bool:
    """Whether the links lead from the root to every variable, without a cycle."""
    # Both must be checked: with a cycle and a separate part, the number of links can still be right.
    if len(links) != variables - 1 or variables > _MOST_VARIABLES:
        return False
    reached, remaining = {root}, links
    while remaining:
        near = [link for link in remaining if link.subject in reached or link.object in reached]
        if not near:
            return False
        reached.update(variable for link in near for variable in link.variables)
        remaining = [link for link in remaining if link not in near]
    return len(reached) == variables


def _hang(
    variable: Variable, branch: Branch, links: list[EdgeStep], branches: dict[Variable, Branch]
) -> None:
    """Move the links at a variable into its branch, recursively; the smallest come first."""
    if branch.conditions:
        branch.conditions.sort(key=_size)
        branch.size = branch.conditions[0].size
    for link in [link for link in links if variable in (link.subject, link.object)] if links else ():
        links.remove(link)
        if link.subject == variable:
            other, there, back = link.object, link.forward, link.backward
        else:
            other, there, back = link.subject, link.backward, link.forward
        child = branches[other]
        _hang(other, child, links, branches)
        branch.children.append(Child(link.statement, there, back, child))
        branch.size = min(branch.size, child.size)
    if len(branch.children) > 1:
        branch.children.sort(key=lambda child: child.branch.size)


_size = attrgetter("size")


Taken = list[tuple[str, int]] | None
"""An optional list that collects the steps: the statement's text, and the number of terms after it."""


def members(branch: Branch, taken: Taken = None) -> Numbers:
    """The sorted terms that satisfy everything in the branch."""
    own_size = branch.conditions[0].size if branch.conditions else _UNKNOWN
    if branch.children and branch.children[0].branch.size * _PATIENCE < own_size:
        nearest, *rest = branch.children
        terms = carried(members(nearest.branch, taken), nearest.back)
        _note(taken, nearest, terms)
        return _checked(terms, branch.conditions, rest, taken)
    if branch.conditions:
        first, *conditions = branch.conditions
        terms = first.listed()
        _note(taken, first, terms)
        return _checked(terms, conditions, branch.children, taken)
    # The variable has only edges: start from the terms at the end of the shortest one.
    shortest = min((child.there[0] for child in branch.children), key=len)
    return _checked(unique_sorted(shortest), (), branch.children, taken)


def _note(taken: Taken, step: "CandidatesStep | ComparisonStep | Child", terms: Numbers) -> None:
    if taken is not None:
        taken.append((step.statement.text, len(terms)))


def _checked(
    terms: Numbers,
    conditions: Sequence[CandidatesStep | ComparisonStep],
    children: Sequence[Child],
    taken: Taken,
) -> Numbers:
    """The sorted terms that satisfy the conditions and all children."""
    for condition in conditions:
        if not len(terms):
            return terms
        terms = terms[condition.holds(terms)]
        _note(taken, condition, terms)
    for child in children:
        if not len(terms):
            return terms
        terms = _having(terms, child, taken)
        _note(taken, child, terms)
    return terms


def _having(terms: Numbers, child: Child, taken: Taken) -> Numbers:
    """The sorted terms from which an edge leads to a member of the child's branch."""
    branch = child.branch
    if branch.size * _PATIENCE < len(terms):
        return terms[contained(terms, carried(members(branch, taken), child.back))]
    starts, ends = ranges(child.there[0], terms)
    if not branch.conditions and not branch.children:
        return terms[starts < ends]
    rows, positions = expand(starts, ends)
    reached = child.there[1][positions]
    good = _checked(unique_sorted(reached), branch.conditions, branch.children, taken)
    keep = np.zeros(len(terms), dtype=np.bool_)
    keep[rows[contained(reached, good)]] = True
    return terms[keep]


def carried(terms: Numbers, pairs: Pairs) -> Numbers:
    """The terms that an edge leads to from a sorted set of terms, as a sorted set."""
    starts, ends = ranges(pairs[0], terms)
    if len(terms) == 1:
        return pairs[1][starts[0] : ends[0]]
    return unique_sorted(pairs[1][within(starts, ends)])


# The solutions of one pattern, as rows of terms. The search starts from the smallest set that a constant
# or a class gives, extends the rows along the edge with the least fan-out, filters as soon as both ends
# are known, and drops variables that are no longer needed. Where there would be many rows, it proceeds
# piece by piece, with a sample first. Rows whose wanted variables already have a solution are left out,
# so that one solution for each is enough, however many there are.

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
        numbers = (index.entity_number(entity.id) for entity in pattern.entities) if pattern.distinct else ()
        self.constants = [constant for constant in numbers if constant is not None]
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
            own_variables = {variable for statement in positive for variable in variables_of(statement)}
            rows = rows.crossed(self._solutions(Rows({}, 1), positive, groups, kept & own_variables))
            if not rows.size:
                return self._empty(kept)
        return rows

    def _solutions(
        self, start: Rows, statements: Iterable[Statement], groups: Sequence[Group], kept: set[Variable]
    ) -> Rows:
        """The kept variables of the rows, extended by all statements, for which no group has a match."""
        parts: list[Rows] = []
        steps = [step_for(self.index, statement) for statement in statements]
        self._search(start, steps, groups, kept, parts)
        return joined(parts) if parts else self._empty(kept)

    def _search(
        self,
        rows: Rows,
        steps: list[StatementStep],
        groups: Sequence[Group],
        kept: set[Variable],
        parts: list[Rows],
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
                parts.append(rows.project(kept))
                return
            elif (expected := self._expected(step, rows)) > (_ROWS_AT_ONCE if is_piece else _WORTH_A_SAMPLE):
                for group in groups if self.distinct and not is_piece else ():
                    rows = self._without_certain_match(rows, group)
                first = next((variable for variable in rows.columns if variable in kept), None)
                for piece in rows.pieces(1 + expected // _ROWS_AT_ONCE, first):
                    remaining = self._not_yet_found(piece, kept, parts)
                    self._search(remaining, steps, groups, kept, parts, is_piece=True)
                return
            else:
                steps.remove(step)
                rows, is_piece = self._extended(rows, step), False
                if not self.distinct:
                    needed = kept.union(*(other.variables for other in steps), *map(_variables, groups))
                    rows = rows.project(needed)

    def _extended(self, rows: Rows, step: StatementStep) -> Rows:
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
        distinct_rows, place_of = rows.different_values(
            [variable for variable in rows.columns if variable in needed]
        )
        distinct_rows.columns[ROW] = np.arange(distinct_rows.size)
        matches = self._solutions(distinct_rows, group, (), {ROW})
        if not matches.size:
            return rows
        keep = np.ones(distinct_rows.size, dtype=np.bool_)
        keep[matches.columns[ROW]] = False
        return rows.take(keep if place_of is None else keep[place_of])

    def _without_certain_match(self, rows: Rows, group: Group) -> Rows:
        """The rows without those that certainly have a match that differs from all nodes, known and unknown.

        A match is certain if each of the group's own variables has more values than there are other nodes.
        """
        group_variables = _variables(group)
        if not group_variables & self.outer <= rows.columns.keys():
            return rows
        distinct_rows, place_of = rows.different_values(
            [variable for variable in rows.columns if variable in group_variables]
        )
        distinct_rows.columns[ROW] = np.arange(distinct_rows.size)
        inner = sorted(group_variables - self.outer)
        if distinct_rows.size > _LISTED_MATCHES.get(len(inner), 0):
            return rows
        matches = self._solutions(distinct_rows, group, (), {ROW, *inner})
        other_count = len(self.outer - group_variables)
        columns = [matches.columns[variable] for variable in (ROW, *inner)]
        while len(columns) > 1:
            columns.pop()
            _, first, counts = np.unique(row_keys(columns), return_index=True, return_counts=True)
            columns = [column[first[counts > other_count]] for column in columns]
        keep = np.ones(distinct_rows.size, dtype=np.bool_)
        keep[columns[0]] = False
        return rows.take(keep if place_of is None else keep[place_of])

    def _next_group(self, groups: list[Group], rows: Rows, step: StatementStep | None) -> Group | None:
        """A group that can be checked now: no step is cheaper, and all its outer variables are known."""
        if step is None:
            return groups[0] if groups else None
        if not groups or all(variable in rows for variable in step.variables):
            return None
        bound = rows.columns.keys()
        for group in groups:
            group_variables = _variables(group)
            # If a match must differ from every node, all nodes must be known first.
            if group_variables <= bound if self.distinct else group_variables & self.outer <= bound:
                return group
        return None

    @staticmethod
    def _expected(step: StatementStep, rows: Rows) -> int:
        """The approximate number of rows after a step; 0 if the step cannot add rows or the rows are few."""
        bound = sum(variable in rows for variable in step.variables)
        if rows.size <= _FEW or bound == len(step.variables):
            return 0
        return step.fan_out(rows) if bound else rows.size * step.size

    def _not_yet_found(self, rows: Rows, kept: set[Variable], parts: Sequence[Rows]) -> Rows:
        """The rows that may lead to solutions not yet found."""
        order = sorted(kept)
        if not parts or len(order) > 2 or not all(variable in rows for variable in order):
            return rows
        if not order:  # only the existence of a solution was asked for
            return rows.nothing()
        known_keys = np.concatenate([self._keys(part, order) for part in parts])
        return rows.take(~np.isin(self._keys(rows, order), known_keys))

    def _keys(self, rows: Rows, order: Sequence[Variable]) -> Numbers:
        if len(order) == 1:
            return rows.columns[order[0]]
        first, second = (rows.columns[variable].astype(np.int64) for variable in order)
        keys: Numbers = first * (self.index.entity_count + self.index.literal_count) + second
        return keys

    @staticmethod
    def _next(steps: list[StatementStep], rows: Rows) -> StatementStep:
        """The cheapest next step: filters first, then edges from known variables, then the smallest other."""
        if len(steps) == 1:
            return steps[0]

        def cost(step: StatementStep) -> tuple[int, int]:
            bound = sum(variable in rows for variable in step.variables)
            if bound == len(step.variables):
                return (0, step.size)
            if bound:
                return (1, step.fan_out(rows))
            return (2, step.size)

        return min(steps, key=cost)

    def _empty(self, variables: Iterable[Variable]) -> Rows:
        nothing = np.empty(0, dtype=self.index.dtype)
        return Rows(dict.fromkeys(variables, nothing), 0)


def _variables(statements: Iterable[Statement]) -> set[Variable]:
    return {variable for statement in statements for variable in variables_of(statement)}


def answers(index: GraphIndex, query: Query) -> frozenset[str | Value]:
    """The denotation of a query: entities by id, values as values."""
    terms = answer_terms(index, query)
    if query.aggregate == "count":
        return frozenset({Number(Decimal(len(terms)))})
    if not len(terms) or terms[-1] < index.entity_count:
        return frozenset(index.entity_ids.take(terms))
    first_literal = int(terms.searchsorted(index.dtype.type(index.entity_count)))
    values = map(index.value, terms[first_literal:].tolist())
    return frozenset([*index.entity_ids.take(terms[:first_literal]), *values])


def answer_terms(index: GraphIndex, query: Query) -> Numbers:
    """The denotation as sorted term numbers; for `count`, the terms that are counted."""
    patterns, aggregate = query.patterns, query.aggregate
    if aggregate is None or aggregate == "count":
        if len(patterns) == 1:
            return _question_terms(index, patterns[0])
        return unique_sorted(np.concatenate([_question_terms(index, pattern) for pattern in patterns]))
    ordered = QUESTION if aggregate in ("max", "min") else TARGET
    least = aggregate in ("min", "argmin")
    if len(patterns) == 1:
        questions, values = _ordered_terms(index, patterns[0], ordered)
        if len(values) and _one_dimension(index, patterns[0], ordered):
            return unique_sorted(questions[_greatest(index, values - index.entity_count, least=least)])
    else:
        pairs = [_ordered_terms(index, pattern, ordered) for pattern in patterns]
        questions, values = (np.concatenate(column) for column in zip(*pairs, strict=True))
    return unique_sorted(questions[_extreme(index, values, least=least)])


def _one_dimension(index: GraphIndex, pattern: Pattern, variable: Variable) -> bool:
    """Whether an edge guarantees that all values of a variable can be compared with each other."""
    for edge in pattern.edges:
        if edge.object == variable and not edge.negated:
            relation = index.relation_number(edge.relation)
            if relation is not None and index.value_dimension(relation) is not None:
                return True
    return False


def solutions(
    index: GraphIndex, pattern: Pattern, wanted: Iterable[Variable] | None = None
) -> dict[Variable, Numbers]:
    """The solutions of a pattern as columns of terms, each different row once.

    The columns are the given variables, which must occur in a positive statement (default: all that do).
    """
    kept = set(pattern.positive_variables if wanted is None else wanted)
    columns = PatternSearch(index, pattern).run(kept).columns
    return {variable: columns[variable] for variable in sorted(kept)}


def _question_terms(
    index: GraphIndex, pattern: Pattern, taken: Taken = None, valued: Variable | None = None
) -> Numbers:
    """The sorted values of the question node."""
    tree = _tree(index, pattern, pattern.statements)
    if tree is not None:
        return members(tree, taken)
    return unique_sorted(PatternSearch(index, pattern, taken, valued).run({QUESTION}).columns[QUESTION])


def _ordered_terms(
    index: GraphIndex, pattern: Pattern, ordered: Variable, taken: Taken = None
) -> tuple[Numbers, Numbers]:
    """The values of the question node, each with a value of the node that is compared."""
    if ordered == QUESTION:
        questions = _question_terms(index, pattern, taken, valued=QUESTION)
        return questions, questions
    last = [edge for edge in pattern.edges if edge.object == TARGET]
    if len(last) == 1 and last[0].subject == QUESTION:
        rest = [statement for statement in pattern.statements if statement is not last[0]]
        tree = _tree(index, pattern, rest) if rest else None
        relation = index.relation_number(last[0].relation)
        if tree is not None and relation is not None and not _mentions(rest, TARGET):
            subjects, objects = index.forward(relation)
            questions = members(tree, taken)
            matched, positions = expand(*ranges(subjects, questions))
            if taken is not None:
                taken.append((last[0].text, len(matched)))
            return questions[matched], objects[positions]
    rows = PatternSearch(index, pattern, taken, valued=TARGET).run({QUESTION, TARGET})
    return rows.columns[QUESTION], rows.columns[TARGET]


def _tree(index: GraphIndex, pattern: Pattern, statements: Sequence[Statement]) -> Branch | None:
    """The statements as a tree of sets, or None if they are not a tree."""
    if pattern.distinct or len(pattern.positive) < len(pattern.statements):
        return None
    return grow_tree(QUESTION, [step_for(index, statement) for statement in statements])


def _mentions(statements: Sequence[Statement], variable: Variable) -> bool:
    return any(variable in statement.nodes for statement in statements)


def _extreme(index: GraphIndex, terms: Numbers, *, least: bool) -> Mask:
    """The terms that no other term of their dimension certainly exceeds."""
    is_kept = np.zeros(len(terms), dtype=np.bool_)
    if not len(terms) or terms.max() < index.entity_count:
        return is_kept
    if terms.min() < index.entity_count:  # entities have no order; only the literals are compared
        literal = terms >= index.entity_count
        is_kept[literal] = _extreme(index, terms[literal], least=least)
        return is_kept
    literals = terms - index.entity_count
    dimensions = index.literal_dimension[literals]
    for dimension in unique_sorted(dimensions[dimensions >= 0]):
        same = dimensions == dimension
        is_kept[same] = _greatest(index, literals[same], least=least)
    return is_kept


def _greatest(index: GraphIndex, literals: Numbers, *, least: bool) -> Mask:
    """The literals of one dimension that no other is certainly greater than, or less than."""
    low, high = index.literal_low[literals], index.literal_high[literals]
    best: Mask = low <= high.min() if least else high >= low.max()
    return best


def explain(index: GraphIndex, query: Query) -> list[tuple[str, int]]:
    """The statements in the order the evaluator takes them, with the number of rows after each."""
    taken: list[tuple[str, int]] = []
    for pattern in query.patterns:
        if query.aggregate in (None, "count"):
            _question_terms(index, pattern, taken)
        else:
            ordered = TARGET if query.aggregate in ("argmax", "argmin") else QUESTION
            _ordered_terms(index, pattern, ordered, taken)
    return taken
