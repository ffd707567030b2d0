"""How fast a Wikidata dump is read: `rollcall graph` against decompressing and parsing the same lines.

The baseline does the least any reader must: one process decompresses and hands blocks of lines to as many
processes as the reader uses, which call `orjson.loads` on every line and keep nothing. Both are timed in
this run, on the same file. Target: at most 4 times the baseline, and under 1.5 GB for all processes
together. Run with `python benchmarks/bench_read_wikidata.py [--entities N] [--dump FILE] [--jobs J]`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import orjson

from rollcall.graph.read.blocks import LineBlocks
from rollcall.graph.read.reading import BLOCK_BYTES

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


def parse_lines(block: bytes) -> int:
    count = 0
    for line in block.split(b"\n"):
        text = line.strip(b" \t\r,")
        if text not in (b"", b"[", b"]"):
            orjson.loads(text)
            count += 1
    return count


def baseline(dump: Path, jobs: int) -> tuple[float, int]:
    """Seconds to decompress and parse every line, and how many lines there are."""
    started, lines = time.perf_counter(), 0
    buffer = memoryview(bytearray(BLOCK_BYTES))
    pending: set[Future[int]] = set()
    with ProcessPoolExecutor(jobs) as pool, LineBlocks(dump) as blocks:
        while length := blocks.fill(buffer):
            pending.add(pool.submit(parse_lines, bytes(buffer[:length])))
            while len(pending) > jobs:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                lines += sum(future.result() for future in done)
        lines += sum(future.result() for future in pending)
    return time.perf_counter() - started, lines


def read_graph(dump: Path, jobs: int) -> tuple[float, int]:
    """Seconds that `rollcall graph` takes, and the peak memory of all its processes together in bytes."""
    out = CACHE / f"graph-{os.getpid()}"
    command = [*ROLLCALL, "graph", str(dump), "--out", str(out), "--jobs", str(jobs)]
    started = time.perf_counter()
    with subprocess.Popen(command) as process:
        peak = [0]
        watcher = threading.Thread(target=watch_memory, args=(process, peak))
        watcher.start()
        process.wait()
    seconds = time.perf_counter() - started
    watcher.join()
    shutil.rmtree(out, ignore_errors=True)
    if process.returncode:
        sys.exit(process.returncode)
    return seconds, peak[0]


def watch_memory(process: subprocess.Popen[bytes], peak: list[int]) -> None:
    """Note the greatest memory of a process and its descendants, each shared page counted once."""
    while process.poll() is None:
        peak[0] = max(peak[0], sum(proportional_memory(pid) for pid in descendants(process.pid)))
        time.sleep(0.05)


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


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--entities", type=int, default=200_000)
    arguments.add_argument("--dump", type=Path, help="a dump to read instead of a generated world")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = arguments.parse_args()
    dump = given.dump or world(given.entities)
    print(f"{dump}: {dump.stat().st_size / 1e6:,.0f} MB, {given.jobs} processes")
    least, lines = baseline(dump, given.jobs)
    print(f"decompress and orjson.loads: {least:6.1f} s  ({lines:,} lines)")
    seconds, peak = read_graph(dump, given.jobs)
    print(f"rollcall graph:              {seconds:6.1f} s  (peak memory {peak / 1e6:,.0f} MB)")
    print(f"ratio: {seconds / least:.2f} (target: at most 4); memory target: under 1,500 MB")


if __name__ == "__main__":
    main()
