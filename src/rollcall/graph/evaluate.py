"""The point evaluator: the denotation of a query on the memory-mapped index.

It starts from the smallest set that a constant or a class gives, extends row by row along the edges with the
least fan-out, filters as soon as both ends are known, and forgets variables that nothing further needs.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import ROW, Mask, Rows, different, expand, ranges, unique_sorted
from rollcall.graph.steps import Step, step_for
from rollcall.graph.tree import Branch, Taken, grow_tree, members
from rollcall.query.pattern import Pattern, components
from rollcall.query.query import Query
from rollcall.query.statements import QUESTION, TARGET, Statement, Variable, variables_of
from rollcall.query.values import Number, Value


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
    """The denotation as sorted term numbers; for `count`, what is counted."""
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
    """Whether an edge makes sure that a variable's values can all be compared with each other."""
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

    The columns are the wanted variables, which must occur in a positive statement; all such unless given.
    """
    kept = set(pattern.positive_variables if wanted is None else wanted)
    columns = _PatternSearch(index, pattern).run(kept).columns
    return {variable: columns[variable] for variable in sorted(kept)}


def _question_terms(index: GraphIndex, pattern: Pattern, taken: Taken = None) -> Numbers:
    """The sorted values of the question node."""
    tree = _tree(index, pattern, pattern.statements)
    if tree is not None:
        return members(tree, taken)
    return unique_sorted(_PatternSearch(index, pattern, taken).run({QUESTION}).columns[QUESTION])


def _ordered_terms(
    index: GraphIndex, pattern: Pattern, ordered: Variable, taken: Taken = None
) -> tuple[Numbers, Numbers]:
    """The values of the question node, each with a value of the node that is compared."""
    if ordered == QUESTION:
        questions = _question_terms(index, pattern, taken)
        return questions, questions
    last = [edge for edge in pattern.edges if edge.object == TARGET]
    if len(last) == 1 and last[0].subject == QUESTION:
        rest = [statement for statement in pattern.statements if statement is not last[0]]
        tree = _tree(index, pattern, rest) if rest else None
        relation = index.relation_number(last[0].relation)
        if tree is not None and relation is not None and not _mentions(rest, TARGET):
            subjects, objects = index.forward(relation)
            questions = members(tree, taken)
            found, places = expand(*ranges(subjects, questions))
            if taken is not None:
                taken.append((last[0].text, len(found)))
            return questions[found], objects[places]
    rows = _PatternSearch(index, pattern, taken).run({QUESTION, TARGET})
    return rows.columns[QUESTION], rows.columns[TARGET]


def _tree(index: GraphIndex, pattern: Pattern, statements: Sequence[Statement]) -> Branch | None:
    """The statements as a tree of sets, where that is what they are."""
    if pattern.distinct or len(pattern.positive) < len(pattern.statements):
        return None
    return grow_tree(QUESTION, [step_for(index, statement) for statement in statements])


def _mentions(statements: Sequence[Statement], variable: Variable) -> bool:
    return any(variable in statement.nodes for statement in statements)


def _extreme(index: GraphIndex, terms: Numbers, *, least: bool) -> Mask:
    """The terms that no other term of their dimension certainly exceeds."""
    kept = np.zeros(len(terms), dtype=np.bool_)
    if not len(terms) or terms.max() < index.entity_count:
        return kept
    if terms.min() < index.entity_count:  # entities have no order; only the literals are compared
        literal = terms >= index.entity_count
        kept[literal] = _extreme(index, terms[literal], least=least)
        return kept
    literals = terms - index.entity_count
    dimensions = index.literal_dimension[literals]
    for dimension in unique_sorted(dimensions[dimensions >= 0]):
        same = dimensions == dimension
        kept[same] = _greatest(index, literals[same], least=least)
    return kept


def _greatest(index: GraphIndex, literals: Numbers, *, least: bool) -> Mask:
    """Those literals of one dimension that no other certainly exceeds, or undercuts."""
    low, high = index.literal_low[literals], index.literal_high[literals]
    best: Mask = low <= high.min() if least else high >= low.max()
    return best


def explain(index: GraphIndex, query: Query) -> list[tuple[str, int]]:
    """The statements in the order the evaluator takes them, with the number of rows after each."""
    taken: list[tuple[str, int]] = []
    ordered = TARGET if query.aggregate in ("argmax", "argmin") else QUESTION
    for pattern in query.patterns:
        _ordered_terms(index, pattern, ordered, taken)
    return taken


class _PatternSearch:
    """Solves one pattern; `taken` collects the steps for those who want to know."""

    def __init__(self, index: GraphIndex, pattern: Pattern, taken: Taken = None):
        self.index = index
        self.taken = taken
        self.pattern = pattern
        found = (index.entity_number(entity.id) for entity in pattern.entities) if pattern.distinct else ()
        self.constants = [constant for constant in found if constant is not None]

    def run(self, kept: set[Variable]) -> Rows:
        """The different values of the kept variables in all solutions."""
        parts = [self.pattern.statements] if self.pattern.distinct else _independent_parts(self.pattern)
        rows = Rows({}, 1)
        for part in parts:
            found = self._run_part(part, kept)
            if not found.size:
                return _empty(kept, self.index)
            rows = rows.crossed(found)
        return rows

    def _run_part(self, part: Sequence[Statement], kept: set[Variable]) -> Rows:
        groups = [group for group in self.pattern.negative_groups if group[0] in part]
        later = {v for group in groups for statement in group for v in variables_of(statement)} | kept
        rows = self._solve(Rows({}, 1), [s for s in part if not s.negated], later)
        for group in groups:
            rows = self._without_witness(rows, group)
        return rows.project(kept)

    def _without_witness(self, rows: Rows, group: Sequence[Statement]) -> Rows:
        if not rows.size:
            return rows
        own = {v for statement in group for v in variables_of(statement)}
        needed = rows.columns if self.pattern.distinct else own
        columns = {v: column for v, column in rows.columns.items() if v in needed}
        start = Rows({**columns, ROW: np.arange(rows.size)}, rows.size)
        witnesses = self._solve(start, group, {ROW})
        if not witnesses.size:
            return rows
        keep = np.ones(rows.size, dtype=np.bool_)
        keep[witnesses.columns[ROW]] = False
        return rows.take(keep)

    def _solve(self, rows: Rows, statements: Sequence[Statement], later: Iterable[Variable]) -> Rows:
        """Extend the rows by all statements, keeping only the variables that are needed later."""
        remaining = [step_for(self.index, statement) for statement in statements]
        wanted = set(later)
        while remaining:
            step = self._next(remaining, rows)
            remaining.remove(step)
            new = [v for v in step.variables if v not in rows]
            rows = step.apply(rows)
            if self.taken is not None:
                self.taken.append((step.statement.text, rows.size))
            if not rows.size:
                return _empty([*wanted, *rows.columns], self.index)
            if self.pattern.distinct:
                for variable in new:
                    rows = different(rows, variable, self.constants, self.index)
            else:
                needed = wanted.union(*(other.variables for other in remaining))
                rows = rows.project(needed)
        return rows

    @staticmethod
    def _next(remaining: list[Step], rows: Rows) -> Step:
        """The step that is cheapest now: filters, then along an edge, then the smallest fresh start."""
        if len(remaining) == 1:
            return remaining[0]

        def cost(step: Step) -> tuple[int, int]:
            known = sum(variable in rows for variable in step.variables)
            if known == len(step.variables):
                return (0, step.size)
            if known:
                return (1, step.fan_out(rows))
            return (2, step.size)

        return min(remaining, key=cost)


def _independent_parts(pattern: Pattern) -> list[tuple[Statement, ...]]:
    """The statements by what variables connect: parts that share only constants never need be paired."""
    return components(pattern.statements, lambda variable: True)


def _empty(variables: Iterable[Variable], index: GraphIndex) -> Rows:
    nothing = np.empty(0, dtype=index.dtype)
    return Rows(dict.fromkeys(variables, nothing), 0)
