"""Answers of a query as a run has them, sorted by name."""

from collections.abc import Iterable

from rollcall.graph import Graph
from rollcall.query import Value
from rollcall.questions.run import EntityAnswer
from rollcall.systems.interfaces import Answers


def listed_answers(graph: Graph, denotation: "Iterable[str | Value]") -> Answers:
    """Entities with their labels, and values as texts."""
    answers: Answers = [
        EntityAnswer(one, graph.label(one)) if isinstance(one, str) else str(one) for one in denotation
    ]
    return sorted(answers, key=lambda one: (one, "") if isinstance(one, str) else (one.label, one.id))
