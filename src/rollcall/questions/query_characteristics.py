"""The characteristics of a question that follow from its query: of questions that are built, and of published
ones.

Published files say little more than the query. Questions that are read from them get the same characteristics
as questions of a build, so that every figure by characteristics can be computed for both.
"""

from rollcall.query.query import Query, category
from rollcall.query.statements import QUESTION
from rollcall.questions.record import Characteristic


def query_characteristics(query: Query, answers: int) -> dict[str, Characteristic]:
    """What a query says about its question, which has this number of answers."""
    nodes = {
        node for pattern in query.patterns for statement in pattern.statements for node in statement.nodes
    }
    return {
        "edges": len(query.edges),
        "nodes": len(nodes),
        "constraints": sum(QUESTION in edge.nodes for edge in query.edges),
        "negated": sum(edge.negated for edge in query.edges),
        "function": query.function or "none",
        "category": category(query.function),
        "answers": answers,
        "relations": list(query.relations),
    }
