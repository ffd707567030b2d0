"""Mines intersections: two or three simple queries that share enough validated answers.

Input: a graph, the simple queries with their proofs, and the table `validated` of their proved answers.
Output: `queries` and `proofs`. `pairs` and `three_way` have the expressions for two and for three queries.
"""

from pathlib import Path

import ibis

from rollcall.mine import pairs, three_way
from rollcall.mine.mining import Mining, MiningResult
from rollcall.mine.options import IntersectionOptions


def mine_intersection(
    graph: Path,
    simple: Path,
    proofs: Path,
    validated: Path,
    out: Path,
    options: IntersectionOptions,
    *,
    memory: str = "1GB",
    threads: int | None = None,
) -> MiningResult:
    """Write `queries` and `proofs` of intersections of simple queries, given their validated answers."""
    with Mining(out, graph, memory=memory, threads=threads) as mining:
        mining.read("simple", simple)
        mining.read("simple_proofs", proofs)
        mining.read("simple_validated", validated)
        found, removed = pairs.keep_pairs(mining, options)
        if options.ways == 3:
            found += three_way.keep_triples(mining, options)
            mining.write("queries", lambda: ibis.union(pairs.queries(), three_way.queries()))
            mining.write("proofs", lambda: ibis.union(pairs.proofs(), three_way.proofs()))
        else:
            mining.write("queries", pairs.queries, order=["key"])
            mining.write("proofs", pairs.proofs)
        return MiningResult(found, removed)
