"""Mining on a generated world: what each step finds, its time and the peak of memory, in one run.

    python benchmarks/bench_mine.py [--entities 3000] [--world FOLDER] [--triples 20000000]

FOLDER holds `graph`, `corpus` and `world/truth.parquet`; without it a world is made. A fact counts as
validated when the truth says that a sentence tells it, so that the steps after validation have real input.
`--triples` also mines the simple queries of a synthetic graph of that many facts.
"""

import tempfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from _harness import Arguments, Figures, made_world, measured, run_benchmark
from rollcall.evidence.lists import find_list_evidence
from rollcall.evidence.validation import validate
from rollcall.mine.composition import CompositionOptions, mine_composition
from rollcall.mine.intersection import IntersectionOptions, mine_intersection
from rollcall.mine.joins import write_facts
from rollcall.mine.kinds import Proved
from rollcall.mine.lists.mine import mine_lists
from rollcall.mine.lists.queries import ListQueryOptions
from rollcall.mine.simple import SimpleOptions, mine_simple
from rollcall.tables.build import EvidenceRows
from rollcall.tables.engine import Engine
from rollcall.tables.engines.duckdb import DuckDB
from rollcall.tables.files import write_records
from rollcall.tables.graph import GRAPH_TABLES, Facts, Relations
from rollcall.tables.table import columns, declaration, schema


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=3000, smoke=500)
    parser.add_argument("--world", type=Path, metavar="FOLDER", help="instead of a new world")
    parser.add_argument("--triples", type=int, default=0, smoke=2000, help="of a synthetic graph")
    parser.add_argument("--memory", default="1GB")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        engine = DuckDB(memory=options.memory)
        step = Steps(figures).step
        mine_world(options.world or made_world(out / "made", options.entities), out / "mined", engine, step)
        if options.triples:
            graph = synthetic_graph(out / "synthetic", options.triples)
            step(
                "simple, synthetic",
                lambda: mine_simple(graph, out / "big", SimpleOptions(), engine=engine),
            )


class Steps:
    """Does steps one after another, and prints what each cost."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def step(self, name: str, work: Callable[[], Any]) -> None:
        """Do a step and print what it gave, its time, and the highest memory so far."""
        cost, mined = measured(work)
        queries = getattr(mined, "queries", mined)
        self._figures[f"{name}, rows and seconds"] = [queries, cost.seconds]
        print(f"{name:<24} {queries:>10,} {cost.seconds:8.1f} s {cost.peak / 1e6:8.0f} MB", flush=True)
        for why, count in getattr(mined, "removed", {}).items():
            print(f"    {count:>10,} {why.why}")


def mine_world(
    folder: Path, out: Path, engine: Engine, step: Callable[[str, Callable[[], Any]], None]
) -> None:
    graph, corpus, truth = folder / "graph", folder / "corpus", folder / "world" / "truth.parquet"
    simple, lists = out / "simple", out / "lists"
    step("simple and typed", lambda: mine_simple(graph, simple, SimpleOptions(), engine=engine))
    step("facts to prove", lambda: write_facts([simple / "proofs.parquet"], simple, engine=engine))
    true_evidence(simple, truth)
    validated = [simple / f"{name}.parquet" for name in ("queries", "proofs", "evidence")]
    step("validated", lambda: validate(*validated, simple, engine=engine))
    proved = Proved(
        queries=simple / "kept.parquet",
        answers=simple / "validated.parquet",
        groups=[simple / "groups.parquet"],
        proofs=[simple / "proofs.parquet"],
        facts=simple / "facts.parquet",
    )
    step(
        "composition",
        lambda: mine_composition(
            graph,
            proved,
            out / "composition",
            CompositionOptions(),
            engine=engine,
        ),
    )
    step(
        "intersection",
        lambda: mine_intersection(
            graph,
            proved,
            out / "intersection",
            IntersectionOptions(ways=3),
            engine=engine,
        ),
    )
    step("tables", lambda: mine_lists(corpus, lists, ListQueryOptions(), engine=engine))
    list_facts, proofs = lists / "list_facts.parquet", lists / "proofs.parquet"
    step(
        "evidence of tables",
        lambda: find_list_evidence(graph, corpus, list_facts, lists, proofs=proofs, engine=engine),
    )
    tables = [lists / f"{name}.parquet" for name in ("queries", "proofs", "evidence")]
    step("tables validated", lambda: validate(*tables, lists, engine=engine))


def true_evidence(folder: Path, truth: Path) -> None:
    """Evidence as the truth has it: a fact is validated when some sentence tells it."""
    rows = pq.read_table(
        truth, columns=["subject", "relation", "object", "sentence"], filters=[("kind", "=", "fact")]
    )
    told = {
        (row["subject"], row["relation"], row["object"])
        for row in rows.to_pylist()
        if row["sentence"] is not None
    }
    facts = pq.read_table(folder / "facts.parquet").to_pylist()
    blank = dict.fromkeys(columns(EvidenceRows))
    found = [
        blank | fact | {"validated": (fact["subject"], fact["relation"], fact["object"]) in told}
        for fact in facts
    ]
    write_records(EvidenceRows, folder / "evidence.parquet", found)


def synthetic_graph(folder: Path, facts: int) -> Path:
    """The tables of a graph without types: forty relations, each with objects of skewed popularity."""
    folder.mkdir()
    chance = np.random.default_rng(1)
    entities = max(1000, facts // 6)
    for table in GRAPH_TABLES:
        pq.write_table(schema(table).empty_table(), folder / f"{declaration(table).name}.parquet")
    names = [f"relation {chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(40)]
    known = pa.table({"id": names}).to_pylist()
    pq.write_table(pa.Table.from_pylist(known, schema(Relations)), folder / "relations.parquet")
    sizes = np.exp(chance.uniform(np.log(20), np.log(entities / 5), 40)).astype(int)
    starts = chance.integers(0, entities - sizes)
    with pq.ParquetWriter(folder / "facts.parquet", schema(Facts)) as file:
        for start in range(0, facts, 1 << 20):
            count = min(1 << 20, facts - start)
            number = chance.integers(0, 40, count)
            objects = starts[number] + (sizes[number] * chance.random(count) ** 2).astype(int)
            columns = {
                "subject": np.char.add("Q", chance.integers(0, entities, count).astype(str)),
                "relation": np.array(names)[number],
                "object": np.char.add("Q", objects.astype(str)),
            }
            file.write_table(pa.table(columns, schema=schema(Facts)))
    return folder


if __name__ == "__main__":
    run_benchmark(arguments(), main)
