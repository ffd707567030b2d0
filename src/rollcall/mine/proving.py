"""Lists the facts that prove each answer: the solutions of a query, read from the graph.

Input: a graph index and queries. Output: `answers`, `proofs` and `facts` (`write_answers`), or their rows.
For every answer some solutions are kept, each under its own `via` (the values of the other variables). An
answer is proved if all facts of one solution are proved. A negated statement has no fact to prove. A count is
proved by what it counts, so its rows have the counted things as answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import numpy as np

from rollcall.graph.evaluate import answer_terms, solutions
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained, slice_of
from rollcall.graph.steps import satisfying
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, Variable
from rollcall.query.pattern import Pattern
from rollcall.tables.build import Proofs, ProvableFacts, QueryAnswers
from rollcall.tables.files import write_records

DERIVATIONS = 3
"""The most solutions that are kept for one answer."""

Assignment = dict[Variable, int]


def query_key(query: Query) -> str:
    """The stable key of a query: the md5 of its canonical text."""
    return md5(query.text.encode(), usedforsecurity=False).hexdigest()


def query_row(query: Query, kind: str, answers: int, class_id: str | None) -> dict[str, Any]:
    """The columns that the queries of all miners share."""
    return {
        "key": query_key(query),
        "kind": kind,
        "query": query.text,
        "class": class_id or None,
        "answers": answers,
    }


def write_answers(index: GraphIndex, queries: Iterable[Query], out: Path) -> None:
    """Write the `answers` of queries, their `proofs`, and the `facts` that these need."""
    answers: list[dict[str, Any]] = []
    proofs: list[dict[str, Any]] = []
    for query in queries:
        answers += answer_rows(index, query)
        proofs += proof_rows(index, query)
    write_records(QueryAnswers, out / "answers.parquet", answers)
    write_records(Proofs, out / "proofs.parquet", proofs)
    write_records(ProvableFacts, out / "facts.parquet", map(_needed_fact, proofs))


def _needed_fact(proof: dict[str, Any]) -> dict[str, Any]:
    """The fact of a row of proofs."""
    return {
        "subject": proof["subject"],
        "relation": proof["relation"],
        "object": proof["object"],
        "literal": proof["object_literal"],
    }


def answer_rows(index: GraphIndex, query: Query) -> Iterator[dict[str, Any]]:
    """The answers of a query; for a count, what is counted."""
    key = query_key(query)
    for term in answer_terms(index, query).tolist():
        yield {"key": key, "answer": index.term_text(term), "literal": term >= index.entity_count}


def proof_rows(index: GraphIndex, query: Query) -> Iterator[dict[str, Any]]:
    """One row for each fact that an answer needs, for some solutions of each answer."""
    key = query_key(query)
    answers = answer_terms(index, query)
    shown: Counter[int] = Counter()
    for pattern in query.patterns:
        for assignment in assignments(index, pattern, answers):
            answer = assignment[QUESTION]
            if shown[answer] >= DERIVATIONS:
                continue
            shown[answer] += 1
            via_terms = [
                index.term_text(term) for variable, term in assignment.items() if variable != QUESTION
            ]
            about = {
                "key": key,
                "answer": index.term_text(answer),
                "literal": answer >= index.entity_count,
                "via": "\t".join(via_terms),
            }
            for subject, relation, object_ in facts_of(index, pattern, assignment):
                yield about | {
                    "subject": index.term_text(subject),
                    "relation": relation,
                    "object": index.term_text(object_),
                    "object_literal": object_ >= index.entity_count,
                }


def assignments(index: GraphIndex, pattern: Pattern, answers: Numbers) -> Iterator[Assignment]:
    """The solutions whose question node is one of the wanted answers, in the order of their terms."""
    columns = solutions(index, pattern)
    variables = list(columns)
    rows = np.stack([columns[variable].astype(np.int64) for variable in variables], axis=1)
    rows = rows[contained(columns[QUESTION], answers)]
    for row in rows[np.lexsort(rows.T[::-1])].tolist():
        yield dict(zip(variables, row, strict=True))


def facts_of(index: GraphIndex, pattern: Pattern, assignment: Assignment) -> Iterator[tuple[int, str, int]]:
    """The facts of a solution: subject, relation and object of every edge that is not negated."""
    for edge in pattern.edges:
        if edge.negated:
            continue
        subject = _term(index, edge.subject, assignment)
        if isinstance(edge.object, Literal) and edge.object.comparator != "=":
            yield subject, edge.relation, _passing(index, edge, subject, edge.object)
        else:
            yield subject, edge.relation, _term(index, edge.object, assignment)


def _term(index: GraphIndex, node: Variable | Entity | Literal, assignment: Assignment) -> int:
    if isinstance(node, Variable):
        return assignment[node]
    term = index.entity_number(node.id) if isinstance(node, Entity) else index.literal_number(node.value.text)
    if term is None:
        raise KeyError(f"{node.text} is in a solution but not in the graph")
    return term


def _passing(index: GraphIndex, edge: Edge, subject: int, literal: Literal) -> int:
    """The first value of a subject that satisfies the literal's comparison."""
    relation = index.relation_number(edge.relation)
    if relation is None:
        raise KeyError(f"{edge.relation} is in a solution but not in the graph")
    values = slice_of(index.forward(relation), subject, index.dtype)
    return int(values[satisfying(index, values, literal)][0])
