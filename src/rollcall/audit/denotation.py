"""Compares the answers of a question with the denotation of its query in a graph.

Entities are compared by id, values by all their written forms, because sets write units in different ways.
What lists say is in no graph, so questions about lists are not compared.
"""

from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.audit.parts import answer_names
from rollcall.query import Query, Value
from rollcall.query.values import Number
from rollcall.questions.record import Answer, Question, value_names
from rollcall.questions.splits import TABLES

if TYPE_CHECKING:
    from rollcall.graph import Graph


class DenotationDifference(NamedTuple):
    """How the answers of a question differ from the denotation of its query."""

    outside: list[Answer]
    """Gold answers that the denotation does not have."""
    missing: list[str]
    """Labels of answers that are in the denotation, and neither gold nor neutral."""
    size: int
    """The number of answers in the denotation."""


def compare(question: Question, query: Query | None, graph: "Graph") -> DenotationDifference | None:
    """The comparison for one question; None if its query cannot be answered from this graph."""
    if query is None or question.kind in TABLES:
        return None
    if any(graph.index.relation_number(relation) is None for relation in query.relations):
        return None
    try:
        denotation = graph.answers(query)
    except RollcallError:
        return None
    entities = {answer_ for answer_ in denotation if isinstance(answer_, str)}
    values = {answer_: _names(answer_, graph) for answer_ in denotation if not isinstance(answer_, str)}
    written = {name for names in values.values() for name in names}
    outside = []
    for answer in question.answers:
        right = (
            answer.id in entities if answer.id is not None else not written.isdisjoint(answer_names(answer))
        )
        if not right:
            outside.append(answer)
    known = [*question.answers, *question.neutral]
    ids = {answer.id for answer in known}
    labels = {name for answer in known if answer.id is None for name in answer_names(answer)}
    missing = [graph.label(entity) for entity in sorted(entities - ids)]
    missing += sorted(str(value) for value, names in values.items() if labels.isdisjoint(names))
    return DenotationDifference(outside, missing, len(denotation))


def _names(value: Value, graph: "Graph") -> list[str]:
    unit = value.unit if isinstance(value, Number) else None
    label = graph.label(unit) if unit is not None else ""
    return [str(value), *value_names(value, label if label != unit else "")]
