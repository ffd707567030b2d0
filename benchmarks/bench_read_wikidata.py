"""How fast a Wikidata dump is read: `rollcall graph` against decompressing and parsing the same lines.

The baseline does the least any reader must: one process decompresses and hands blocks of lines, through the
same `map_blocks`, to as many processes as the reader uses, which call `orjson.loads` on every line and keep
nothing. It takes turns with the reader on the same file, because other work on the machine comes and goes;
for the same reason processor time is shown too. Target: at most 4 times the baseline, and under 1.5 GB
for all processes together. Run with

    python benchmarks/bench_read_wikidata.py [--entities N] [--dump FILE] [--jobs J] [--rounds 2]
"""

import os
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import orjson

from _harness import (
    Arguments,
    Cost,
    Figures,
    in_turns,
    measured_command,
    median_cost,
    rollcall_command,
    run_benchmark,
)
from rollcall.input_files.file_source import LineBlocks
from rollcall.input_files.ingestion import BLOCK_BYTES
from rollcall.input_files.input_file import input_file
from rollcall.tables.engine import nothing, opened
from rollcall.world import write_world

LEAST = "decompress, orjson.loads"


def parse_lines(_: None, block: bytes) -> int:
    count = 0
    for line in block.split(b"\n"):
        text = line.strip(b" \t\r,")
        if text not in (b"", b"[", b"]"):
            orjson.loads(text)
            count += 1
    return count


def baseline(dump: Path, jobs: int) -> None:
    """Decompress and parse every line, and keep nothing."""
    with opened(jobs=jobs) as engine:
        print(f"  {sum(engine.map_blocks(parse_lines, blocks_of(dump), nothing)):,} lines")


def blocks_of(dump: Path) -> Iterator[bytes]:
    buffer = memoryview(bytearray(BLOCK_BYTES))
    with LineBlocks(input_file(dump)) as blocks:
        while length := blocks.fill(buffer):
            yield bytes(buffer[:length])


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=200_000, smoke=500)
    parser.add_argument("--dump", type=Path, help="a dump to read instead of a generated world")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=2, smoke=1)
    parser.add_argument("--baseline", action="store_true", help="do only what it is compared with")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    if options.baseline:
        baseline(options.dump, options.jobs)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        dump = options.dump or write_world(folder, options.entities, seed=1).wikidata
        print(f"{dump}: {dump.stat().st_size / 1e6:,.0f} MB, {options.jobs} processes", flush=True)
        jobs = ("--jobs", options.jobs)
        least = [sys.executable, __file__, "--baseline", "--dump", dump, *jobs]
        out = folder / "graph"

        def read() -> Cost:
            shutil.rmtree(out, ignore_errors=True)
            return measured_command(rollcall_command("graph", dump, "--out", out, *jobs))

        costs = in_turns({LEAST: lambda: measured_command(least), "rollcall graph": read}, options.rounds)
    for name, rounds in costs.items():
        cost = median_cost(rounds)
        print(f"{name:>24}: {cost.seconds:6.1f} s, processor {cost.core_seconds:6.1f} s", end="")
        print(f", memory {cost.peak / 1e6:,.0f} MB")
    parsing, reading = (median_cost(rounds) for rounds in costs.values())
    figures["ratio by the clock"] = reading.seconds / parsing.seconds
    figures["ratio in processor time"] = reading.core_seconds / parsing.core_seconds
    figures["greatest memory, MB"] = reading.peak / 1e6
    print(f"ratio: {figures['ratio by the clock']:.2f} by the clock (target: at most 4), ", end="")
    print(f"{figures['ratio in processor time']:.2f} in processor time")
    print(f"greatest memory: {reading.peak / 1e6:,.0f} MB (target: under 1,500 MB)")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
