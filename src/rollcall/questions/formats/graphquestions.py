"""GraphQuestions: its question JSON, and its `.res` result files, which contain gold and predictions.

A question's id ends in six digits for its wording; the digits before them are the graph query, and all
wordings of one query are one cluster. Answers are lists that may repeat an answer, as the published scorer
counts them. `query_characteristics` are the characteristics that the paper gives its questions.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.query.query import Query, category
from rollcall.query.statements import QUESTION, GraphShape, friendly_names, shape_of
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.source import ExportedFile, ExportSource, Source, split_files, write_array
from rollcall.questions.record import Answer, Characteristic, QueryRecord, Question
from rollcall.questions.run import Prediction
from rollcall.text.nouns import counted

# The characteristics of a question that follow from its query: of questions that are built, and of
# published ones. Published files say little more than the query, and figures by characteristics can be
# computed for both.


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


NAME = "graphquestions"
KIND = "template"
RESULT_COLUMNS = 8


class GraphQuestionsRecord(msgspec.Struct):
    qid: str | int
    question: str = ""
    answer: list[str | int | float] = []
    function: str = "none"
    commonness: float | None = None
    num_node: int | None = None
    num_edge: int | None = None
    graph_query: dict[str, Any] | None = None
    sparql_query: str | None = None


class ResultLine(NamedTuple):
    """One line of a result file."""

    qid: str
    seconds: float
    answers: list[str]
    predictions: list[str]
    nodes: int
    edges: int
    function: str
    commonness: float


@FORMATS.register(NAME)
class GraphQuestions(QuestionFormat):
    """GraphQuestions: questions with their graph queries, or result files, which contain predictions too."""

    ending = ".json"

    @classmethod
    def recognises(cls, source: Source) -> bool:
        first = source.record
        return recognises_results(source) or (
            "qid" in first and ("graph_query" in first or "num_edge" in first)
        )

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        if source.shape == "table":
            questions, _, warnings = read_results(source)
            notes.warnings += warnings
            return questions
        return _sound(source, notes)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        ids = published_ids(questions)
        write_array([record(question, ids[question.id]) for question in questions], path)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        ids = published_ids(material.questions)  # numbered over all files, so that no number comes twice

        def write(members: Sequence[Question], path: Path) -> None:
            write_array([record(question, ids[question.id]) for question in members], path)

        return split_files(material, cls.ending, write)


def recognises_results(source: Source) -> bool:
    if source.shape != "table":
        return False
    return any(line.count(b"\t") == RESULT_COLUMNS - 1 for line in source.data.split(b"\n", 2)[:2])


def _sound(source: Source, notes: Notes) -> list[Question]:
    """The questions with a valid graph query; the others are left out and counted."""
    questions: list[Question] = []
    bad: list[str] = []
    for number, example in enumerate(source.records(GraphQuestionsRecord), 1):
        try:
            shapes = shape_of(example.graph_query) if example.graph_query else []
        except RollcallError as error:
            bad.append(f"record {number} (qid {example.qid}): {error}")
            continue
        questions.append(_question(example, shapes))
    if bad:
        notes.warnings.append(
            f"{source.where}: skipped {len(bad)} of {len(bad) + len(questions)} entries whose graph_query "
            f"is invalid; the first is {bad[0]}"
        )
    if bad and not questions:
        raise RollcallError(notes.warnings[-1])
    return questions


def read_results(source: Source) -> tuple[list[Question], list[Prediction], list[str]]:
    """Gold, predictions, and a warning for each line that is not a result (published files have some)."""
    questions, predictions, warnings = [], [], []
    for number, row in _rows(source):
        if isinstance(row, str):
            warnings.append(f"{source.where}:{number}: skipped, {row}")
            continue
        characteristics: dict[str, Characteristic] = {
            "edges": row.edges,
            "nodes": row.nodes,
            "function": row.function,
            "commonness": row.commonness,
        }
        questions.append(
            Question(
                id=row.qid,
                kind=KIND,
                characteristics=characteristics,
                cluster=_cluster(row.qid),
                answers=[Answer(name) for name in row.answers],
                provenance={"format": NAME},
            )
        )
        predictions.append(Prediction(row.qid, list(row.predictions), seconds=row.seconds))
    if not questions:
        raise RollcallError(
            f"{source.where}: holds no result line ({warnings[0] if warnings else 'no lines'})"
        )
    return questions, predictions, warnings


def _rows(source: Source) -> Iterator[tuple[int, ResultLine | str]]:
    names = msgspec.json.Decoder(list[str | int | float])
    for number, line in enumerate(source.data.split(b"\n"), 1):
        if not line.strip() or line.startswith(b"#"):
            continue
        cells = line.rstrip(b"\r").decode("utf-8", "replace").split("\t")
        if len(cells) != RESULT_COLUMNS:
            yield number, f"{counted(len(cells), 'column')} where {RESULT_COLUMNS} were expected"
            continue
        try:
            nodes, edges = cells[4].split(",")
            yield (
                number,
                ResultLine(
                    cells[0].strip(),
                    _finite(cells[1]),
                    [str(name) for name in names.decode(cells[2])],
                    [str(name) for name in names.decode(cells[3])],
                    int(nodes),
                    int(edges),
                    cells[5],
                    _finite(cells[7]),
                ),
            )
        except (ValueError, msgspec.DecodeError) as error:
            yield number, str(error)


def _finite(cell: str) -> float:
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError(f"not a finite number: {cell.strip()!r}")
    return number


def _question(example: GraphQuestionsRecord, shapes: Sequence[GraphShape]) -> Question:
    query, names = _query(example.graph_query), friendly_names(shapes)
    if query is not None:
        characteristics = query_characteristics(query, len(example.answer))
        classes, entities = query.classes, query.entities
    else:
        nodes = [node for shape in shapes for node in shape.nodes]
        relations = dict.fromkeys(edge.relation for shape in shapes for edge in shape.edges)
        characteristics = {"answers": len(example.answer), "relations": list(relations)}
        classes = tuple(dict.fromkeys(node.id for node in nodes if node.node_type == "class" and node.id))
        entities = tuple(dict.fromkeys(node.id for node in nodes if node.node_type == "entity"))
    characteristics["classes"] = [names.get(class_id, class_id) for class_id in classes]
    declared: dict[str, Characteristic] = {
        "edges": example.num_edge,
        "nodes": example.num_node,
        "function": example.function,
        "category": category(example.function),
        "commonness": example.commonness,
    }
    characteristics |= {name: value for name, value in declared.items() if value is not None}
    return Question(
        id=str(example.qid),
        question=example.question,
        kind=KIND,
        query=QueryRecord(query.text if query else "", example.graph_query, example.sparql_query),
        characteristics=characteristics,
        cluster=_cluster(str(example.qid)),
        answers=[Answer(str(name)) for name in example.answer],
        provenance={"format": NAME, "entities": [names.get(entity, entity) for entity in entities]},
    )


def _query(graph: dict[str, Any] | None) -> Query | None:
    """The query of a graph; None if there is none that Rollcall can read."""
    if not graph:
        return None
    from rollcall.query.notations import from_graph_json

    try:
        return from_graph_json(graph)
    except RollcallError:
        return None


def _cluster(qid: str) -> str | None:
    """The graph query's number: the id without its six digits for the sentence and entity wordings."""
    return (qid[:-6].lstrip("0") or "0") if qid.isdecimal() and qid.isascii() else None


# Writes GraphQuestions' published JSON, so that code made for that set can read any other set. A
# published id is a number whose last two digits count entity paraphrases, the four digits before them
# sentence paraphrases, and the others graph queries. Questions without such an id are numbered in the
# order of their clusters.

_NUMBER = re.compile(r"[0-9]{1,18}")
ENTITY_VARIANTS = 100
SENTENCES = 10_000


def published_id(query: int, sentence: int, variant: int) -> int:
    """The number of a question: which query, which sentence paraphrase, which entity paraphrase."""
    return (query * SENTENCES + sentence) * ENTITY_VARIANTS + variant


def published_ids(questions: Sequence[Question]) -> dict[str, int]:
    """The published number of each question of a set, by its id."""
    if all(_NUMBER.fullmatch(question.id) for question in questions):
        return {question.id: int(question.id) for question in questions}
    numbers: dict[str, int] = {}
    sentences: dict[str, int] = {}
    ids: dict[str, int] = {}
    for question in questions:
        query = question.cluster or question.id
        number = numbers.setdefault(query, len(numbers) + 1)
        ids[question.id] = published_id(number, sentences.get(query, 0), 0)
        sentences[query] = sentences.get(query, 0) + 1
    return ids


def record(question: Question, id_: int) -> dict[str, object]:
    """A question as a record of the published file."""
    characteristics = question.characteristics
    query = question.query
    graph = query.graph if query and isinstance(query.graph, dict) else {}
    return {
        "qid": id_,
        "question": question.question.lower(),
        "answer": [answer.label for answer in question.answers],
        "function": characteristics.get("function", "none"),
        "commonness": characteristics.get("commonness"),
        "num_node": characteristics.get("nodes", _count(graph, "nodes")),
        "num_edge": characteristics.get("edges", _count(graph, "edges")),
        "graph_query": graph or None,
        "sparql_query": query.sparql if query else None,
    }


def _count(graph: dict[str, object], key: str) -> int | None:
    listed = graph.get(key)
    return len(listed) or None if isinstance(listed, list) else None
