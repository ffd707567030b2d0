"""One attempt: grow a template towards a goal, add its function, ground it, minimise it, describe the result.

Input: a `Goal`. Output: a `Grown` query with its characteristics, or `Missed` with the reason. An attempt may
miss its goal and still give a good query: the characteristics are those of the final query, never those of
the goal.
"""

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms, solutions
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.mine.attempts import chance_of, is_about_lists, names_an_answer
from rollcall.mine.commonness import Commonness
from rollcall.mine.relations import UNTYPED, AskableRelations, Ontology
from rollcall.mine.templates.quotas import TemplateOptions
from rollcall.mine.templates.sketch import Grounding, Terrain, begin, grow, template_text
from rollcall.query import QUESTION, Edge, Literal, Query
from rollcall.query.pattern import Pattern
from rollcall.query.query import FUNCTIONS, category, minimise, without_distinct
from rollcall.query.statements import TARGET, Statement, Variable
from rollcall.query.values import Date, Number, Value, parse_value

# Chooses the value of a comparative: between the values of the candidates, and as round as possible.
# People say "before 1960" and "over 2,000 metres", not "before 1960-05-17" and "over 1,987.4 metres".
# The value is chosen so that a wanted number of candidates pass, and then rounded as far as that number
# allows.

_MOST_PASSING = 20


def threshold(index: GraphIndex, chance: Random, values: Numbers, comparator: str) -> Value | None:
    """A value for the comparator that some of the values (terms, with repetitions) pass and some do not."""
    literals = _one_dimension(index, values[values >= index.entity_count] - index.entity_count)
    upward = comparator in (">", ">=")
    order = np.argsort(index.literal_low[literals] if upward else index.literal_high[literals], kind="stable")
    ranked = literals[order[::-1] if upward else order]
    if len(ranked) < 2:
        return None
    passing = 1 if chance.random() < 0.4 else chance.randint(1, min(_MOST_PASSING, len(ranked) - 1))
    inside, outside = (parse_value(index.literals[int(ranked[rank])]) for rank in (passing - 1, passing))
    return _between(inside, outside, comparator)


def _one_dimension(index: GraphIndex, literals: Numbers) -> Numbers:
    """The literals of the most frequent dimension that has an order."""
    dimensions = index.literal_dimension[literals]
    ordered = dimensions >= 0
    if not ordered.any():
        return literals[:0]
    commonest = np.bincount(dimensions[ordered]).argmax()
    same_dimension: Numbers = literals[dimensions == commonest]
    return same_dimension


def _between(inside: Value, outside: Value, comparator: str) -> Value | None:
    """The roundest value that the inner value passes and the outer value does not; None if there is none."""
    if isinstance(inside, Date) and isinstance(outside, Date):
        return _date_between(inside, outside, comparator)
    if isinstance(inside, Number) and isinstance(outside, Number) and inside.unit == outside.unit:
        return _number_between(inside, outside, comparator)
    return None


def _date_between(inside: Date, outside: Date, comparator: str) -> Date | None:
    shift = {"<": 1, "<=": 0, ">": -1, ">=": 0}[comparator]
    year = inside.year + shift
    if inside.precision not in ("year", "month", "day") or (outside.year == inside.year):
        return None
    return Date(year)


def _number_between(inside: Number, outside: Number, comparator: str) -> Number | None:
    low, high = sorted((inside.amount, outside.amount))
    if low == high:
        return None
    # The bound may be a candidate's value: not the inner one if the comparator is strict, else not the outer.
    strict = comparator in ("<", ">")
    for digits in range(1, 8):
        rounded = _rounded(inside.amount, digits, upward=comparator in ("<", "<="))
        fits = low <= rounded <= high and rounded != (inside.amount if strict else outside.amount)
        if fits:
            return Number(rounded, inside.unit)
    return None


def _rounded(amount: Decimal, digits: int, *, upward: bool) -> Decimal:
    """The next number with the given number of digits, rounded up or down."""
    if not amount:
        return amount
    unit = Decimal(1).scaleb(amount.adjusted() - digits + 1)
    rounding = ROUND_CEILING if upward else ROUND_FLOOR
    return (amount / unit).to_integral_value(rounding) * unit


class Goal(NamedTuple):
    """The characteristics an attempt aims at; its number seeds the random generator."""

    number: int
    edges: int
    function: str
    class_id: str | None = None


class Grown(msgspec.Struct, frozen=True):
    """A query with its characteristics."""

    number: int
    query: str
    template: str
    edges: int
    nodes: int
    function: str
    answers: int
    commonness: float
    class_id: str
    redundant: bool = False

    @property
    def category(self) -> str:
        return category(self.function)


class Missed(msgspec.Struct, frozen=True):
    """The reason why an attempt gave no query."""

    number: int
    reason: str


class Prepared(NamedTuple):
    """The data that attempts read."""

    terrain: Terrain
    commonness: Commonness
    options: TemplateOptions
    seed: int


@dataclass(frozen=True)
class Preparation:
    """Prepares the data for attempts, in any process."""

    graph: Path
    corpus: Path | None
    ontology: Ontology
    relations: AskableRelations
    options: TemplateOptions
    seed: int

    def __call__(self) -> Prepared:
        graph, options = Graph.open(self.graph), self.options
        terrain = Terrain(
            graph,
            self.ontology,
            self.relations,
            options.excluded,
            options.least_instances,
            options.class_share,
        )
        corpus = None if self.corpus is None else Corpus.open(self.corpus)
        commonness = Commonness.of_corpus(graph, corpus, options.smoothing)
        return Prepared(terrain, commonness, options, self.seed)


class _MissError(Exception):
    """Ends an attempt, with the reason."""


def attempt(prepared: Prepared, goal: Goal) -> Grown | Missed:
    """Make one attempt."""
    chance = chance_of(prepared.seed, goal.number, "template")
    try:
        query = _grown_query(prepared, chance, goal)
        return _refined(prepared, chance, goal, query)
    except _MissError as miss:
        return Missed(goal.number, str(miss))
    except RollcallError:  # more partial solutions than the evaluator accepts
        return Missed(goal.number, "too many partial solutions")


def _grown_query(prepared: Prepared, chance: Random, goal: Goal) -> Query:
    terrain = prepared.terrain
    function = chance.choice(FUNCTIONS[goal.function]) if FUNCTIONS[goal.function] else None
    compares = goal.function in ("superlative", "comparative")
    from_value = function in ("max", "min") or (function is None and chance.random() < _VALUE_ASKED)
    to_value = compares or from_value
    start = terrain.start(chance, measured=to_value, class_id=goal.class_id)
    if start is None:
        raise _MissError("no relation to compare" if compares else "no relation of this class")
    class_id, along = start
    sketch = begin(terrain, chance, class_id, along, to_value=to_value, from_value=from_value)
    if sketch is None or not grow(terrain, chance, sketch, goal.edges):
        raise _MissError("no fact to grow from" if sketch is None else "the surroundings have too few facts")
    grounding = Grounding(
        terrain,
        chance,
        sketch,
        class_id if class_id != UNTYPED else None,
        measured=_MEASURED if compares and not from_value else None,
        free=sketch.edges[0][0]
        if function in ("max", "min")
        else None,  # the values of one thing have no greatest
    )
    return _with_function(prepared, chance, grounding, function)


_VALUE_ASKED = 0.12
_MEASURED = 1
"""In a template with a function, the second node is the value that the function compares."""


def _with_function(prepared: Prepared, chance: Random, grounding: Grounding, function: str | None) -> Query:
    distinct = prepared.options.distinct
    edges = grounding.edges()
    if any(
        not isinstance(edge.subject, Variable) and not isinstance(edge.object, Variable) for edge in edges
    ):
        raise _MissError("a fact between grounded nodes")  # it says nothing about the question node
    statements: list[Statement] = [*grounding.typings(), *edges]
    if function in ("argmax", "argmin", "max", "min"):
        return Query.of(statements, distinct=distinct, aggregate=function)
    if function in FUNCTIONS["comparative"]:
        assert function is not None
        return _compared(prepared, chance, statements, function)
    if not grounding.is_grounded:
        raise _MissError("nothing is grounded")
    return Query.of(statements, distinct=distinct, aggregate=function)


def _compared(prepared: Prepared, chance: Random, statements: list[Statement], comparator: str) -> Query:
    """The query in which the compared edge has a value that some candidates satisfy and others do not."""
    index, distinct = prepared.terrain.index, prepared.options.distinct
    (edge,) = [
        statement for statement in statements if isinstance(statement, Edge) and statement.object == TARGET
    ]
    subject = edge.subject
    if not isinstance(subject, Variable):
        raise _MissError("nothing to compare")
    columns = solutions(index, Pattern(tuple(statements), distinct), {QUESTION, TARGET})
    value = threshold(index, chance, columns[TARGET], comparator)
    if value is None:
        raise _MissError("no round value between the candidates")
    rest = [statement for statement in statements if statement is not edge]
    return Query.of([*rest, Edge(subject, edge.relation, Literal(value, comparator))], distinct=distinct)


class _Answers:
    """Answers as one comparable value, without the conversion of numbers to names."""

    def __init__(self, prepared: Prepared) -> None:
        self._index = prepared.terrain.index

    def answers(self, query: Query) -> frozenset[object]:
        terms = answer_terms(self._index, query)
        return frozenset({len(terms) if query.aggregate == "count" else terms.tobytes()})

    def are_same(self, query: Query, other: Query) -> bool:
        return self.answers(query) == self.answers(other)


def _refined(prepared: Prepared, chance: Random, goal: Goal, query: Query) -> Grown | Missed:
    options, index = prepared.options, prepared.terrain.index
    answer_count = len(answer_terms(index, query))
    counted = query.aggregate == "count"
    if answer_count < (options.least_counted if counted else 1):
        raise _MissError("too few to count" if counted else "no answer")
    if answer_count > (options.most_counted if counted else options.most_answers):
        raise _MissError("too many answers")
    if (
        query.aggregate in ("max", "min")
        and len(answer_terms(index, replace(query, aggregate=None))) == answer_count
    ):
        raise _MissError("the function changes nothing")
    smaller = minimise(query, _Answers(prepared))
    redundant = smaller != query and chance.random() < options.redundant
    final = query if redundant else smaller
    if category(final.function) in ("none", "count") and not (final.entities or _has_literal(final)):
        raise _MissError("nothing is grounded")
    if final.aggregate and not _Answers(prepared).are_same(final, without_distinct(final)):
        raise _MissError("another node of the query would be counted or compared, too")
    if names_an_answer(index, final, answer_terms(index, final)):
        raise _MissError("an answer is named in the question")
    if is_about_lists(index, final, answer_terms(index, final)):
        raise _MissError("an answer or a name is a list")
    commonness = prepared.commonness.of(final)
    if commonness < options.commonness:
        raise _MissError(f"too rare (below {options.commonness:g})")
    nodes = {node for statement in final.patterns[0].statements for node in statement.nodes}
    return Grown(
        goal.number,
        final.text,
        template_text(final),
        len(final.edges),
        len(nodes),
        final.function or "none",
        1 if counted else answer_count,
        commonness,
        question_class(final),
        redundant,
    )


def _has_literal(query: Query) -> bool:
    return any(isinstance(edge.object, Literal) for edge in query.edges)


def question_class(query: Query) -> str:
    """The class of the question node, or "" if it has none."""
    return next(
        (
            typing.class_id
            for pattern in query.patterns
            for typing in pattern.typings
            if typing.node == QUESTION
        ),
        "",
    )
