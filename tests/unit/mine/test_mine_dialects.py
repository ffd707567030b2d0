"""Every query that mining and building run can be said in the SQL of each engine.

The queries are noted while a small graph is mined, so that none is forgotten. Compiling needs neither Spark
nor Java.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from random_mining import proved_in
from rollcall.build import build
from rollcall.mine.composition import CompositionOptions, mine_composition
from rollcall.mine.intersection import IntersectionOptions, mine_intersection
from rollcall.mine.joins import write_facts
from rollcall.mine.lists.mine import mine_lists, relate_lists
from rollcall.mine.lists.queries import ListQueryOptions
from rollcall.mine.relations import Ontology
from rollcall.mine.simple import SimpleOptions, mine_simple
from rollcall.tables.build import Proofs, ValidatedAnswers
from rollcall.tables.engine import ROWS_PER_BATCH, Query, Workbench, compiled
from rollcall.tables.engines.duckdb import DuckDB, DuckDBWorkbench
from rollcall.tables.files import read, write_sorted
from rollcall.tables.table import DeclaredTable, columns

CHANGES = {
    "qampari": ["intersection.ways=3", "answers.least=3", "tables.membership=false", "answers.validated=0.5"],
    "mixed": ["templates.queries=10", "clusters.clusters=3", "sets.per_operation=2"],
}


class NotingWorkbench(DuckDBWorkbench):
    """Runs queries, and says the SQL that another engine would run."""

    def __init__(self, said: list[str], scratch: Path) -> None:
        super().__init__("1GB", 1, scratch)
        self._said = said

    def keep(self, table: type[DeclaredTable], query: Query, name: str | None = None) -> None:
        self._said.append(compiled(query, table, "pyspark"))
        super().keep(table, query, name)

    def stream(self, query: Query, rows: int = ROWS_PER_BATCH) -> Iterator[pa.RecordBatch]:
        self._said.append(compiled(query, None, "pyspark"))
        return super().stream(query, rows)


class Noting(DuckDB):
    def __init__(self) -> None:
        super().__init__(jobs=1)
        self.said: list[str] = []

    def workbench(self, scratch: Path) -> Workbench:
        return NotingWorkbench(self.said, scratch)


def check(said: list[str]) -> None:
    assert len(set(said)) > 20
    for sql in said:
        assert "FIRST(" not in sql, "which row is the first depends on the engine"


@pytest.mark.slow
def test_every_query_of_mining_compiles_for_spark(small_world: Path, tmp_path: Path) -> None:
    graph, corpus = small_world / "graph", small_world / "corpus"
    simple, lists = tmp_path / "simple", tmp_path / "lists"
    proofs = simple / "proofs.parquet"
    with Noting() as engine:
        mine_simple(graph, simple, SimpleOptions(types={"P31": ["film"]}), engine)
        write_facts([proofs], simple, engine)
        answers = (
            read(Proofs, proofs)
            .select(columns(ValidatedAnswers))
            .group_by(list(columns(ValidatedAnswers)))
            .aggregate([])
        )
        write_sorted(ValidatedAnswers, simple / "validated.parquet", answers)
        proved = proved_in(simple, "queries", "", "vague_")
        mine_composition(graph, proved, tmp_path / "composition", CompositionOptions(), engine)
        mine_intersection(graph, proved, tmp_path / "intersection", IntersectionOptions(ways=3), engine)
        mine_lists(corpus, lists, ListQueryOptions(), engine)
        relate_lists(graph, lists / "list_facts.parquet", lists / "proofs.parquet", lists, engine)
        Ontology.of(graph, engine, tmp_path)
    check(engine.said)
    assert not any("$'" in sql for sql in engine.said), "in Java, $ also matches before a last line break"
    assert not any(r"\d" in sql for sql in engine.said), "in Sail, \\d matches the digits of all scripts"


@pytest.mark.slow
@pytest.mark.parametrize("recipe", CHANGES)
def test_every_query_of_a_build_compiles_for_spark(recipe: str, small_world: Path, tmp_path: Path) -> None:
    with Noting() as engine:
        build(
            recipe,
            graph=small_world / "graph",
            corpus=small_world / "corpus",
            out=tmp_path / "set",
            changes=[*CHANGES[recipe], "evidence.verifier=none"],
            engine=engine,
        )
    check(engine.said)
