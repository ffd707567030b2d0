"""The tables that mining hands on: their columns, and the names they have in the database.

A query is described by parallel lists: its relations, which end of each relation's facts is asked for
(`subject` or `object`), and its entities. `proofs` has one row for every fact that an answer needs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

SEPARATOR = "\t"
"""Between the parts of a key before it is hashed."""

TABLES: dict[str, dict[str, str]] = {
    "queries": {
        "key": "string",
        "kind": "string",
        "relations": "array<string>",
        "directions": "array<string>",
        "entities": "array<string>",
        "class": "string",
        "answers": "int64",
        "query": "string",
    },
    "proofs": {
        "key": "string",
        "answer": "string",
        "literal": "boolean",
        "via": "string",
        "subject": "string",
        "relation": "string",
        "object": "string",
        "object_literal": "boolean",
    },
    "facts": {"subject": "string", "relation": "string", "object": "string", "literal": "boolean"},
    "validated": {"key": "string", "answer": "string", "literal": "boolean"},
}
TABLES["list_facts"] = {**TABLES["facts"], "text": "string"}
TABLES["related"] = {**TABLES["facts"], **{f"of_{name}": kind for name, kind in TABLES["facts"].items()}}
"""What a list tells, and the fact of the graph's relation that it stands for."""
TABLES["table_facts"] = {"subject": "string", "relation": "string", "object": "string"}
TABLES["table_values"] = {
    "subject": "string",
    "relation": "string",
    "value": "string",
    "kind": "string",
    "dimension": "string",
    "low": "float64",
    "high": "float64",
}
TABLES["kept"] = {**TABLES["queries"], "validated": "int64"}
"""Queries that passed validation carry how many of their answers were validated."""

GRAPH_TABLES: dict[str, dict[str, str]] = {
    "facts": {"subject": "string", "relation": "string", "object": "string"},
    "values": {"subject": "string", "relation": "string", "value": "string", "kind": "string"},
    "types": {"entity": "string", "class": "string", "direct": "boolean"},
    "classes": {"id": "string", "label": "string"},
    "relations": {"id": "string", "label": "string"},
    "entities": {"id": "string", "label": "string"},
    "aliases": {"entity": "string", "text": "string"},
}


def arrow_schema(columns: dict[str, str]) -> "pa.Schema":
    """The Arrow schema of a table."""
    import pyarrow as pa

    kinds: dict[str, pa.DataType] = {
        "string": pa.string(),
        "array<string>": pa.list_(pa.string()),
        "boolean": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
    }
    return pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
