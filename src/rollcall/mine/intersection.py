"""Mines intersections: two or three simple queries that share enough validated answers.

Input: a graph, the simple queries with their proofs, and the table `validated` of their proved answers.
Output: `queries` and `proofs`. `pairs` and `three_way` have the expressions for two and for three queries.
"""

from collections.abc import Sequence
from pathlib import Path

import ibis

from rollcall.mine import pairs, three_way
from rollcall.mine.mining import MiningResult, mining_bench
from rollcall.mine.options import IntersectionOptions
from rollcall.tables.engine import Engine
from rollcall.tables.mining import Answers, Proofs, Queries
from rollcall.tables.table import Rows, shaped


def mine_intersection(
    graph: Path,
    simple: Path,
    proofs: Path | Sequence[Path],
    validated: Path,
    out: Path,
    options: IntersectionOptions,
    engine: Engine,
) -> MiningResult:
    """Write `queries` and `proofs` of intersections of simple queries, given their validated answers."""
    with mining_bench(engine, out, graph) as bench:
        bench.read(Queries, simple, pairs.SIMPLE)
        bench.read(Proofs, proofs, pairs.SIMPLE_PROOFS)
        bench.read(Answers, validated, pairs.SIMPLE_VALIDATED)
        found, removed = pairs.keep_pairs(bench, options)
        queries, needed = pairs.queries, pairs.proofs
        if options.ways == 3:
            found += three_way.keep_triples(bench, options)
            queries, needed = _all_queries, _all_proofs
        bench.write(Queries, queries, out / "queries.parquet")
        bench.write(Proofs, needed, out / "proofs.parquet")
        return MiningResult(found, removed)


def _all_queries() -> Rows[Queries]:
    return shaped(Queries, ibis.union(pairs.queries(), three_way.queries()))


def _all_proofs() -> Rows[Proofs]:
    return shaped(Proofs, ibis.union(pairs.proofs(), three_way.proofs()))
