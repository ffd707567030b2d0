"""The named inputs of assembly: shards, and the tables of the graph."""

from pathlib import Path

import ibis
import ibis.expr.types as ir

from rollcall.corpus.layout import SHARD_TABLES, arrow_schema
from rollcall.engine import Workbench

_KINDS = {"string": "string", "strings": "array<string>", "bool": "boolean"}


def ibis_columns(columns: dict[str, str]) -> dict[str, str]:
    return {name: _KINDS.get(kind, kind) for name, kind in columns.items()}


def shard_table(name: str) -> ir.Table:
    """One table of all shards."""
    return ibis.table(ibis_columns(SHARD_TABLES[name]), name=f"shard_{name}")


def graph_entities() -> ir.Table:
    columns = {"id": "string", "label": "string", "description": "string", "title": "string"}
    return ibis.table(columns, name="graph_entities")


def graph_facts() -> ir.Table:
    return ibis.table({"subject": "string", "relation": "string", "object": "string"}, name="graph_facts")


def name_inputs(bench: Workbench, shards: Path, graph: Path) -> None:
    """Name the shards and the graph's tables in the database."""
    for table, columns in SHARD_TABLES.items():
        pattern = f"*/*/*/{table}.parquet"
        if next(shards.glob(pattern), None) is None:
            bench.give(f"shard_{table}", arrow_schema(columns).empty_table())
        else:
            bench.read_parquet(f"shard_{table}", shards, pattern)
    bench.read_parquet("graph_entities", graph, "entities.parquet")
    bench.read_parquet("graph_facts", graph, "facts.parquet")
