"""The point evaluator: the denotation of a query on the memory-mapped index.

A tree of positive statements is evaluated with sets (`rollcall.graph.tree`), any other pattern with rows
(`rollcall.graph.search`). This module combines the answers of patterns into those of the query.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import Mask, expand, ranges, unique_sorted
from rollcall.graph.search import PatternSearch
from rollcall.graph.steps import step_for
from rollcall.graph.tree import Branch, Taken, grow_tree, members
from rollcall.query.pattern import Pattern
from rollcall.query.query import Query
from rollcall.query.statements import QUESTION, TARGET, Statement, Variable
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
            found, places = expand(*ranges(subjects, questions))
            if taken is not None:
                taken.append((last[0].text, len(found)))
            return questions[found], objects[places]
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
