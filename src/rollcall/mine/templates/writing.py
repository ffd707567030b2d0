"""Writes mined templates as tables: `queries` with their characteristics, `answers`, `proofs` and `facts`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from rollcall.graph import Graph
from rollcall.mine.proving import answer_rows, proof_rows
from rollcall.mine.query_rows import ANSWERS, FACTS, PROOFS, QUERIES, query_row, write_rows
from rollcall.mine.templates.attempt import Grown
from rollcall.query import Query

KIND = "template"

TEMPLATE_QUERIES = QUERIES | {
    "template": pa.string(),
    "edges": pa.int64(),
    "nodes": pa.int64(),
    "function": pa.string(),
    "category": pa.string(),
    "commonness": pa.float64(),
    "redundant": pa.bool_(),
}


def write_templates(graph: Graph, grown: Iterable[Grown], out: Path) -> int:
    """Write `queries`, `answers`, `proofs` and `facts`; returns the number of queries."""
    queries: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    proofs: list[dict[str, Any]] = []
    for member in grown:
        query = Query.parse(member.query)
        queries.append(_query_row(query, member))
        answers += answer_rows(graph.index, query)
        proofs += proof_rows(graph.index, query)
    write_rows(out / "answers.parquet", ANSWERS, answers)
    write_rows(out / "proofs.parquet", PROOFS, proofs)
    write_rows(out / "facts.parquet", FACTS, (needed_fact(row) for row in proofs))
    return write_rows(out / "queries.parquet", TEMPLATE_QUERIES, queries)


def needed_fact(proof: dict[str, Any]) -> dict[str, Any]:
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
