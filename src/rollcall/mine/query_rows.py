"""The rows of template, cluster and set-operation queries: the columns that all of them share."""

from hashlib import md5
from typing import Any

from rollcall.query import Query


def query_key(query: Query) -> str:
    """The stable key of a query: the md5 of its canonical text."""
    return md5(query.text.encode(), usedforsecurity=False).hexdigest()


def query_row(query: Query, kind: str, answers: int, class_id: str | None) -> dict[str, Any]:
    """The columns that the queries of all miners share."""
    return {
        "key": query_key(query),
        "kind": kind,
        "relations": list(query.relations),
        "directions": [],
        "entities": list(query.entities),
        "class": class_id or None,
        "answers": answers,
        "query": query.text,
    }
