"""How fast a Wikidata dump is read: `rollcall graph` against decompressing and parsing the same lines.

The baseline does the least any reader must: one process decompresses and hands blocks of lines, through the
same `map_blocks`, to as many processes as the reader uses, which call `orjson.loads` on every line and keep
nothing. It is run before and after the reader on the same file, because other work on the machine comes and
goes; for the same reason processor time is shown too. Target: at most 4 times the baseline, and under 1.5 GB
for all processes together. Run with

    python benchmarks/bench_read_wikidata.py [--entities N] [--dump FILE] [--jobs J]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from rollcall.input_files.file_source import LineBlocks
from rollcall.input_files.ingestion import BLOCK_BYTES
from rollcall.input_files.input_file import input_file
from rollcall.tables.engine import nothing, opened

CACHE = Path(tempfile.gettempdir()) / "rollcall-benchmarks"
ROLLCALL = [sys.executable, "-m", "rollcall.cli.main"]


def world(entities: int) -> Path:
    """The dump of a generated world, kept between runs."""
    folder = CACHE / f"world-{entities}-1"
    if not (folder / "wikidata.json.gz").exists():
        print(f"generating a world of {entities:,} entities in {folder} …")
        subprocess.run(
            [*ROLLCALL, "world", str(folder), "--entities", str(entities), "--seed", "1"], check=True
        )
    return folder / "wikidata.json.gz"


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


class Cost(NamedTuple):
    """What a command and all its processes took: seconds, seconds of processor time, greatest memory."""

    seconds: float
    processor: float
    memory: int

    def __str__(self) -> str:
        return f"{self.seconds:6.1f} s, processor {self.processor:6.1f} s, memory {self.memory / 1e6:,.0f} MB"


def measure(command: list[str]) -> Cost:
    """Run a command, looking at its processes twenty times a second."""
    processor: dict[int, float] = {}
    memory = 0
    started = time.perf_counter()
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            family = descendants(process.pid)
            processor |= {pid: seconds for pid in family if (seconds := processor_seconds(pid))}
            memory = max(memory, sum(proportional_memory(pid) for pid in family))
            time.sleep(0.05)
    if process.returncode:
        sys.exit(process.returncode)
    return Cost(time.perf_counter() - started, sum(processor.values()), memory)


def descendants(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(below for child in children for below in descendants(int(child)))]


def proportional_memory(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # it ended just now
    return 0


def processor_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--entities", type=int, default=200_000)
    arguments.add_argument("--dump", type=Path, help="a dump to read instead of a generated world")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--baseline", action="store_true", help="do only what it is compared with")
    given = arguments.parse_args()
    dump = given.dump or world(given.entities)
    if given.baseline:
        baseline(dump, given.jobs)
        return
    print(f"{dump}: {dump.stat().st_size / 1e6:,.0f} MB, {given.jobs} processes")
    least = [sys.executable, __file__, "--baseline", "--dump", str(dump), "--jobs", str(given.jobs)]
    out = CACHE / f"graph-{os.getpid()}"
    read = [*ROLLCALL, "graph", str(dump), "--out", str(out), "--jobs", str(given.jobs)]
    before, graph, after = measure(least), measure(read), measure(least)
    shutil.rmtree(out, ignore_errors=True)
    for name, cost in (("decompress, orjson.loads", before), ("again", after), ("rollcall graph", graph)):
        print(f"{name:>24}: {cost}")
    ratio = graph.seconds / ((before.seconds + after.seconds) / 2)
    processor = graph.processor / ((before.processor + after.processor) / 2)
    print(f"ratio: {ratio:.2f} by the clock (target: at most 4), {processor:.2f} in processor time")
    print(f"greatest memory: {graph.memory / 1e6:,.0f} MB (target: under 1,500 MB)")


if __name__ == "__main__":
    main()
