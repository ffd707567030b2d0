"""Writes GraphQuestions' published JSON, so that code made for that set can read any other set.

A published id is a number whose last two digits count entity paraphrases, the four digits before them
sentence paraphrases, and the others graph queries. Questions without such an id are numbered in the order of
their clusters.
"""

import re
from collections.abc import Sequence

from rollcall.questions.record import Question

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
    said = question.characteristics
    query = question.query
    graph = query.graph if query and isinstance(query.graph, dict) else {}
    return {
        "qid": id_,
        "question": question.question.lower(),
        "answer": [answer.label for answer in question.answers],
        "function": said.get("function", "none"),
        "commonness": said.get("commonness"),
        "num_node": said.get("nodes", _count(graph, "nodes")),
        "num_edge": said.get("edges", _count(graph, "edges")),
        "graph_query": graph or None,
        "sparql_query": query.sparql if query else None,
    }


def _count(graph: dict[str, object], key: str) -> int | None:
    listed = graph.get(key)
    return len(listed) or None if isinstance(listed, list) else None
