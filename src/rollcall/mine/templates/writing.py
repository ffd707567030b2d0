"""Writes mined templates as tables: `queries` with their characteristics, `answers`, `proofs` and `facts`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex
from rollcall.mine.proving import answer_rows, proof_rows
from rollcall.mine.query_rows import query_row
from rollcall.mine.templates.attempt import Grown
from rollcall.query import Query
from rollcall.tables.mining import Proofs, ProvableFacts, QueryAnswers, TemplateQueries
from rollcall.tables.writer import write_records

KIND = "template"


def write_templates(graph: Graph, grown: Iterable[Grown], out: Path) -> int:
    """Write `queries`, `answers`, `proofs` and `facts`; returns the number of queries."""
    members = {Query.parse(member.query): member for member in grown}
    write_answers(graph.index, members, out)
    rows = (_query_row(query, member) for query, member in members.items())
    return write_records(TemplateQueries, out / "queries.parquet", rows)


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


def _query_row(query: Query, member: Grown) -> dict[str, Any]:
    return query_row(query, KIND, member.answers, member.class_id) | {
        "template": member.template,
        "edges": member.edges,
        "nodes": member.nodes,
        "function": member.function,
        "category": member.category,
        "commonness": member.commonness,
        "redundant": member.redundant,
    }
