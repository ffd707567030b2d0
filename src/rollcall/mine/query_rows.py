"""The tables of template, cluster and set-operation queries: their columns, and a writer for their rows.

All have the columns that miners share, followed by those of the kind. Rows are sorted by all columns that are
not lists, so that the bytes of a file depend only on the rows.
"""

from collections.abc import Iterable, Mapping
from hashlib import md5
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rollcall.files import replacing
from rollcall.query import Query

_STRINGS = pa.list_(pa.string())

QUERIES = {
    "key": pa.string(),
    "kind": pa.string(),
    "relations": _STRINGS,
    "directions": _STRINGS,
    "entities": _STRINGS,
    "class": pa.string(),
    "answers": pa.int64(),
    "query": pa.string(),
}
PROOFS = {
    "key": pa.string(),
    "answer": pa.string(),
    "literal": pa.bool_(),
    "via": pa.string(),
    "subject": pa.string(),
    "relation": pa.string(),
    "object": pa.string(),
    "object_literal": pa.bool_(),
}
FACTS = {"subject": pa.string(), "relation": pa.string(), "object": pa.string(), "literal": pa.bool_()}
ANSWERS = {"key": pa.string(), "answer": pa.string(), "literal": pa.bool_()}

Columns = Mapping[str, Any]
Row = Mapping[str, Any]


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


def write_rows(path: Path, columns: Columns, rows: Iterable[Row]) -> int:
    """Write rows, sorted and each once, as a Parquet file; returns the number written."""
    scalars = [name for name, kind in columns.items() if not pa.types.is_list(kind)]
    listed = [name for name in columns if name not in scalars]

    def order(row: Row) -> tuple[Any, ...]:
        return tuple((row[name] is not None, row[name]) for name in scalars)

    unique = {(order(row), *(tuple(row[name] or ()) for name in listed)): row for row in rows}
    ordered = [unique[key] for key in sorted(unique)]
    table = pa.table(
        {name: pa.array([row[name] for row in ordered], kind) for name, kind in columns.items()},
        schema=pa.schema(list(columns.items())),
    )
    with replacing(path) as partial:
        pq.write_table(table, partial, compression="zstd")
    return len(ordered)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a small Parquet file."""
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows
