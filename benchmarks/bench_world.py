"""How fast worlds are made, and whether ten times the entities take ten times the time.

    python benchmarks/bench_world.py [SIZE ...] [--jobs J]

Prints entities per second, peak memory and bytes an entity at each size (20,000 and 200,000 unless given),
and the ratio of the times, measured in one run; at most 11 is wanted for ten times the entities.
"""

import os
import tempfile
from argparse import Namespace
from itertools import pairwise
from pathlib import Path

from _harness import Arguments, Cost, Figures, measured_command, rollcall_command, run_benchmark


def made(size: int, jobs: int) -> Cost:
    """Write one world, print its figures, and return what it took."""
    with tempfile.TemporaryDirectory() as folder:
        world = ("world", folder, "--entities", size, "--seed", 1, "--jobs", jobs)
        cost = measured_command(rollcall_command(*world))
        size_on_disk = sum(path.stat().st_size for path in Path(folder).iterdir())
    print(
        f"{size:>10,} entities: {cost.seconds:8.1f} s, {size / cost.seconds:7,.0f} entities/s, "
        f"{size_on_disk / size:5.0f} bytes an entity, {cost.peak / 1e6:,.0f} MB at most in all processes",
        flush=True,
    )
    return cost


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[20_000, 200_000], smoke=[500, 1000])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    print(f"world generation with {options.jobs} processes")
    costs = {size: made(size, options.jobs) for size in options.sizes}
    figures["entities a second"] = {size: size / cost.seconds for size, cost in costs.items()}
    for less, more in pairwise(costs):
        ratio = costs[more].seconds / costs[less].seconds
        figures[f"time of {more} entities by that of {less}"] = ratio
        print(f"{more / less:.0f} times the entities took {ratio:.1f} times the time", end=" ")
        print("(wanted: at most 11 for 10)")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
