"""How fast worlds are made, and whether ten times the entities take ten times the time.

    python benchmarks/bench_world.py [SIZE ...] [--jobs J]

Prints entities per second, peak memory and bytes an entity at each size (20,000 and 200,000 unless given),
and the ratio of the times, measured in one run; at most 11 is wanted for ten times the entities.
"""

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from rollcall.world import write_world


def measure(size: int, jobs: int) -> float:
    """Write one world, print its figures, and return the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        world = write_world(Path(folder), size, seed=1, jobs=jobs, show=False)
        seconds = time.perf_counter() - start
        size_on_disk = sum(path.stat().st_size for path in (world.wikidata, world.pages, world.truth))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    largest_worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{size:>10,} entities: {seconds:8.1f} s, {size / seconds:7,.0f} entities/s, "
        f"{size_on_disk / size:5.0f} bytes an entity, "
        f"peak {own:,.0f} MB in the parent, {largest_worker:,.0f} MB in a worker",
        flush=True,
    )
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[20_000, 200_000])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(f"world generation with {options.jobs} processes")
    seconds = [measure(size, options.jobs) for size in options.sizes]
    for place in range(1, len(seconds)):
        times = options.sizes[place] / options.sizes[place - 1]
        ratio = seconds[place] / seconds[place - 1]
        print(f"{times:.0f} times the entities took {ratio:.1f} times the time (wanted: at most 11 for 10)")


if __name__ == "__main__":
    main()
