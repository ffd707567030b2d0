"""The named inputs of assembly: shards, and the tables of the graph."""

from pathlib import Path

from rollcall.tables.corpus import SHARD_TABLES
from rollcall.tables.engine import Workbench
from rollcall.tables.graph import Entities, Facts
from rollcall.tables.table import file_name


def name_inputs(bench: Workbench, shards: Path, graph: Path | None) -> None:
    """Name the shards and the graph's tables in the engine; without a graph, its tables are empty."""
    for name, table in SHARD_TABLES.items():
        bench.read(table, sorted(shards.glob(f"*/*/*/{name}.parquet")))
    for table in (Entities, Facts):
        bench.read(table, [] if graph is None else graph / file_name(table))
