"""RoMQA's published JSON: clusters of questions, each with constraints, candidates and a complete answer.

The candidates are the closed setting, the complete answer is the open one. In files without texts, the URIs
serve as labels.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.query import QUESTION, Edge, Query
from rollcall.query import Entity as Entity_
from rollcall.query.statements import EdgeShape, NodeShape, shape_of
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.graphquestions import query_characteristics
from rollcall.questions.formats.source import Source, write_array
from rollcall.questions.record import Answer, Candidate, Characteristic, Evidence, QueryRecord, Question

NAME = "romqa"
KIND = "cluster"


class Span(msgspec.Struct):
    text: str = ""
    doc_id: str | int | None = None
    start: int | None = None
    end: int | None = None


class RomqaEntity(msgspec.Struct):
    uri: str | None = None
    text: str | None = None
    aliases: list[str] | None = None
    is_answer: bool | None = None
    evidence: list[Span | str] | None = None


class RomqaThing(msgspec.Struct):
    """A property or an entity; an id without a text is its own label."""

    uri: str | None = None
    text: str | None = None


class RomqaConstraint(msgspec.Struct):
    prop: RomqaThing | str | None = None
    truthy: bool = True
    prop_dir: str | None = None
    other_ent: RomqaThing | str | None = None


class RomqaRecord(msgspec.Struct):
    id: str | int
    question: str = ""
    cluster_id: str | int | None = None
    constraints: list[RomqaConstraint] | None = None
    candidates: list[RomqaEntity | str] | None = None
    complete_answer: list[RomqaEntity | str] | None = None


@FORMATS.register(NAME)
class Romqa(QuestionFormat):
    """RoMQA: clusters of questions with constraints, candidates and complete answers."""

    ending = ".json"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        first = source.record
        return "complete_answer" in first or {"candidates", "cluster_id"} <= first.keys()

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        return map(_question, source.records(RomqaRecord))

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_array([_published_record(question) for question in questions], path)


def _question(example: RomqaRecord) -> Question:
    constraints = example.constraints or []
    query = _query(constraints)
    names = {
        _uri(thing): _text(thing)
        for constraint in constraints
        for thing in (constraint.prop, constraint.other_ent)
    }
    candidates = [_candidate(entity) for entity in example.candidates or []]
    shown = {candidate.id: candidate.evidence for candidate in candidates if candidate.id is not None}
    answers = []
    for entity in example.complete_answer or []:
        answer = _answer(entity)
        if (isinstance(entity, str) or entity.evidence is None) and answer.id in shown:
            answer.evidence = [*shown[answer.id]]  # published files have evidence with candidates alone
        answers.append(answer)
    entities = (
        query.entities
        if query
        else tuple(dict.fromkeys(_uri(constraint.other_ent) for constraint in constraints))
    )
    return Question(
        id=str(example.id),
        question=example.question,
        kind=None if example.constraints is None else KIND,
        query=None if query is None else _record(query, names),
        cluster=None if example.cluster_id is None else str(example.cluster_id),
        characteristics=_characteristics(constraints, query, len(answers)),
        answers=answers,
        candidates=candidates,
        provenance={"format": NAME, "entities": [names.get(uri, uri) for uri in entities if uri]},
    )


def _characteristics(
    constraints: list[RomqaConstraint], query: Query | None, answers: int
) -> dict[str, Characteristic]:
    if query is not None:
        return {**query_characteristics(query, answers), "classes": []}
    if not constraints:
        return {}
    return {
        "constraints": len(constraints),
        "negated": sum(not constraint.truthy for constraint in constraints),
        "answers": answers,
        "relations": list(
            dict.fromkeys(_uri(constraint.prop) or _text(constraint.prop) for constraint in constraints)
        ),
    }


def _record(query: Query, names: dict[str, str]) -> QueryRecord:
    return QueryRecord(query.text, query.to_graph_json(lambda id_: names.get(id_, id_)))


def _query(constraints: list[RomqaConstraint]) -> Query | None:
    """The query of the constraints; None if one of them is incomplete."""
    edges: list[Edge] = []
    for constraint in constraints:
        relation, other = _uri(constraint.prop), _uri(constraint.other_ent)
        if not relation or not other or constraint.prop_dir not in ("subj", "obj"):
            return None
        ends = (QUESTION, Entity_(other)) if constraint.prop_dir == "subj" else (Entity_(other), QUESTION)
        edges.append(Edge(ends[0], relation, ends[1], not constraint.truthy))
    if all(edge.negated for edge in edges):
        return None
    return Query.of(edges)


def _uri(thing: RomqaThing | str | None) -> str:
    return (thing.uri or "") if isinstance(thing, RomqaThing) else thing or ""


def _text(thing: RomqaThing | str | None) -> str:
    return (thing.text or _uri(thing)) if isinstance(thing, RomqaThing) else thing or ""


def _answer(entity: RomqaEntity | str) -> Answer:
    if isinstance(entity, str):
        return Answer(label=entity, id=entity)
    label = entity.text if entity.text is not None else entity.uri or ""
    return Answer(label, entity.uri, entity.aliases or [], _evidence(entity.evidence or []))


def _evidence(pieces: list[Span | str]) -> list[Evidence]:
    spans = [Span(span) if isinstance(span, str) else span for span in pieces]
    return [
        Evidence(span.text, None if span.doc_id is None else str(span.doc_id), start=span.start, end=span.end)
        for span in spans
    ]


def _candidate(entity: RomqaEntity | str) -> Candidate:
    answer = _answer(entity)
    right = isinstance(entity, RomqaEntity) and bool(entity.is_answer)
    return Candidate(answer.label, answer.id, answer.aliases, answer.evidence, is_answer=right)


# Writes RoMQA's published JSON: clusters, constraints, candidates with gold evidence, complete answers.
# The constraints are the edges of the question's query at its question node. A question whose query has
# anything else (a variable, a value, a class) cannot be written in this form and is refused.


def _published_record(question: Question) -> dict[str, object]:
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
    if any(node.id or node.classes or node.not_classes or node.function != "none" for node in asked):
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
