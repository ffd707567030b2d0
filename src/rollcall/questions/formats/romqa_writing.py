"""Writes RoMQA's published JSON: clusters, constraints, candidates with gold evidence, complete answers.

The constraints are the edges of the question's query at its question node. A question whose query has
anything else (a variable, a value, a class) cannot be written in this form and is refused.
"""

from collections.abc import Iterable

from rollcall.errors import RollcallError
from rollcall.query.graph_shape import EdgeShape, NodeShape, shape_of
from rollcall.questions.record import Answer, Candidate, Evidence, Question


def records(questions: Iterable[Question]) -> list[dict[str, object]]:
    """Questions as the records of the published file."""
    return [_record(question) for question in questions]


def _record(question: Question) -> dict[str, object]:
    return {
        "id": question.id,
        "cluster_id": question.cluster,
        "question": question.question,
        "constraints": _constraints(question),
        "candidates": [
            {**_entity(candidate), "is_answer": candidate.is_answer} for candidate in question.candidates
        ],
        "complete_answer": [_entity(answer) for answer in question.answers],
    }


def _constraints(question: Question) -> list[dict[str, object]]:
    try:
        graphs = shape_of(question.query.graph if question.query else None)
    except RollcallError:
        graphs = []
    if len(graphs) != 1:
        raise RollcallError(
            f"question {question.id}: has no query of one graph, so RoMQA's form cannot hold it"
        )
    nodes = {node.nid: node for node in graphs[0].nodes}
    asked = [node for node in graphs[0].nodes if node.question_node]
    if any(one.id or one.classes or one.not_classes or one.function != "none" for one in asked):
        raise RollcallError(
            f"question {question.id}: has a class or a function, so RoMQA's form cannot hold its query"
        )
    return [_constraint(question, edge, nodes) for edge in graphs[0].edges]


def _constraint(question: Question, edge: EdgeShape, nodes: dict[int, NodeShape]) -> dict[str, object]:
    start, end = nodes.get(edge.start), nodes.get(edge.end)
    asked, other = (start, end) if start and start.question_node else (end, start)
    if not asked or not other or not asked.question_node or other.node_type != "entity":
        raise RollcallError(
            f"question {question.id}: {edge.relation} does not tie its answer to an entity,"
            " as RoMQA's form asks"
        )
    return {
        "prop": {"uri": edge.relation, "text": edge.friendly_name},
        "prop_dir": "subj" if asked is start else "obj",
        "other_ent": {"uri": other.id, "text": other.friendly_name},
        "truthy": not edge.negated,
    }


def _entity(answer: Answer | Candidate) -> dict[str, object]:
    return {
        "uri": answer.id,
        "text": answer.label,
        "aliases": answer.aliases,
        "desc": "",
        "evidence": [_span(piece) for piece in answer.evidence],
    }


def _span(piece: Evidence) -> dict[str, object]:
    return {
        "doc_id": piece.passage or piece.title,
        "start": piece.start,
        "end": piece.end,
        "text": piece.text,
    }
