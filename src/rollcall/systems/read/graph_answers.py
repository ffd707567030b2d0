"""Answers of a query as a run has them, sorted by name."""

from collections.abc import Iterable

from rollcall.graph import Graph
from rollcall.query import Value
from rollcall.questions.run import EntityAnswer
from rollcall.systems.interfaces import Answers


def listed_answers(graph: Graph, denotation: "Iterable[str | Value]") -> Answers:
    """Entities with their labels, and values as texts."""
    answers: Answers = [
        EntityAnswer(answer, graph.label(answer)) if isinstance(answer, str) else str(answer)
        for answer in denotation
    ]
    return sorted(
        answers, key=lambda answer: (answer, "") if isinstance(answer, str) else (answer.label, answer.id)
    )
