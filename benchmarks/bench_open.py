"""Opening a graph: with the check of its index, without, and beside it the mere reading of the same bytes.

    python benchmarks/bench_open.py [--facts 5000000]

The graph is that of `bench_queries.py`. Every way opens it afresh in a process of its own, as a command does,
and answers one query; the files lie in the system's cache. The ways take turns in seven rounds. Printed: the
median seconds of each, and as ratios what the check adds to an opening and how long it takes beside one pass
over the bytes, and beside SHA-256 in the place of CRC-32.
"""

import statistics
import subprocess
import sys
import tempfile
from argparse import Namespace
from functools import partial
from pathlib import Path

from _harness import Arguments, Figures, Median, in_turns, run_benchmark
from bench_queries import synthetic_graph

_OPEN = "graph = Graph.open(folder, check={check}); graph.answers(Query.parse('?x r0 ?y'))"
WAYS = {
    "opened without the check": _OPEN.format(check=False),
    "opened": _OPEN.format(check=True),
    "the check alone": "checksums.refuse_damaged(folder, files, '')",
    "one pass over the bytes": "[passed(folder / name) for name in files]",
    "SHA-256 instead": "checksums.damaged(folder, files, checksums.sha256)",
}
PROGRAM = """
import json, sys, time
from pathlib import Path
from rollcall._core import checksums
from rollcall.graph import Graph
from rollcall.query import Query
import rollcall.graph.evaluate
folder = Path(sys.argv[1])
recorded = checksums.files_of(json.loads((folder / "graph.json").read_bytes()))
files = {name: known for name, known in recorded.items() if name.startswith("index/")}
buffer = bytearray(1 << 20)
def passed(path):
    with path.open("rb", buffering=0) as stream:
        while stream.readinto(buffer):
            pass
began = time.perf_counter()
WORK
print(time.perf_counter() - began)
"""


def seconds(work: str, folder: Path) -> float:
    program = PROGRAM.replace("WORK", work)
    told = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, check=True)
    return float(told.stdout)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--facts", type=int, default=5_000_000, smoke=5000)
    parser.add_argument("--rounds", type=int, default=7, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = synthetic_graph(Path(temporary), options.facts, 1).folder
        size = sum(path.stat().st_size for path in (folder / "index").iterdir())
        print(f"{options.facts:,} facts, an index of {size / 1e6:,.0f} MB")
        ways = {way: partial(seconds, work, folder) for way, work in WAYS.items()}
        rounds = in_turns(ways, options.rounds)
    taken = {way: statistics.median(times) for way, times in rounds.items()}
    for way, times in rounds.items():
        figures[f"{way}, seconds"] = Median.of(times)
        print(f"{way:>26}: {Median.of(times):.4f} s  {size / taken[way] / 1e9:6.2f} GB/s")
    check = taken["the check alone"]
    print(f"the check adds {taken['opened'] - taken['opened without the check']:.4f} s to an opening")
    for other in ("one pass over the bytes", "SHA-256 instead"):
        figures[f"check / {other}"] = check / taken[other]
        print(f"check / {other}: {check / taken[other]:.2f}")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
