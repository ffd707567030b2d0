"""The tables that mining writes and reads: their names and columns.

A query is described by parallel lists: its relations, the end of each relation's facts that is asked for
(`subject` or `object`), and its entities. `proofs` has one row for every fact that an answer needs; rows with
the same `via` belong to one derivation of the answer.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

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
"""A fact that a list states, and the fact with a relation of the graph that means the same."""
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
"""Queries that passed validation, with the number of their validated answers."""


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
