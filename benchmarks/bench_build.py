"""What a build must show, measured on generated worlds: time and memory at two sizes, and what is right.

    python benchmarks/bench_build.py [--sizes 1000 4000] [--worlds DIR] [--set KEY=VALUE]...
    python benchmarks/bench_build.py --sizes 10000 100000      # what the project promises: 12-fold, 4 GB
    python benchmarks/bench_build.py --kills 10                # SIGKILL at ten moments of as many builds
    python benchmarks/bench_build.py --sizes 10000 --stages    # seconds of every stage, and its share
    python benchmarks/bench_build.py --sizes 10000 --against OTHER/src [--rounds 3]

Worlds are made in a temporary folder, or found as DIR/SIZE with world, graph and corpus in it. Memory is the
largest sum of what all processes of the build held at one time. With `--against`, builds by this checkout and
by another one alternate, so that both meet the same machine. The medians of their seconds, on the clock and
of core time of all processes, stand beside each other with their ratios (this checkout first, then how many
times as long the other one took), and the files of both sets are compared.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from functools import partial
from pathlib import Path

import rollcall
from _harness import (
    Arguments,
    Cost,
    Figures,
    core_seconds,
    in_turns,
    made_world,
    measured_command,
    median_cost,
    processes_of,
    rollcall_command,
    run_benchmark,
)
from rollcall.build.truth import evidence_states, in_denotation, verification
from rollcall.questions import QuestionSet

FILES = ("questions.jsonl", "manifest.json", "README.md")


def build_command(folder: Path, out: Path, changes: list[str]) -> list[str]:
    command = ["build", "qampari", "--graph", folder / "graph", "--corpus", folder / "corpus", "--out", out]
    return rollcall_command(*command, *(word for change in changes for word in ("--set", change)))


def built(folder: Path, out: Path, changes: list[str], figures: Figures) -> Cost:
    """Build once; print what it took and how much of it is right; return what it took."""
    cost = measured_command(build_command(folder, out, changes))
    figures[f"{folder.name} entities"] = cost
    questions = QuestionSet.open(out)
    kinds = ", ".join(
        f"{sum(c.values()):,} {kind}" for kind, c in questions.manifest["counts"]["kinds"].items()
    )
    print(
        f"{folder.name:>8} entities: {cost.seconds:7.1f} s, {cost.core_seconds:7.1f} s of core time, "
        f"{cost.peak / 1e6:6.0f} MB at most, {len(questions):,} asked"
    )
    print(f"          {kinds}")
    truth = folder / "world" / "truth.parquet"
    if truth.exists():
        shares = {"answers in the denotation": in_denotation(questions, folder / "graph")}
        shares |= {f"evidence states its fact, {k}": v for k, v in evidence_states(questions, truth).items()}
        shares |= verification(out / ".build", truth)
        for name, share in shares.items():
            figures[f"{folder.name} entities, {name}"] = [share.right, share.all]
            rate = f"{share.right / share.all:.2%}" if share.all else "–"
            print(f"          {name}: {rate} of {share.all:,}")
    sys.stdout.flush()
    return cost


def shown(cost: Cost) -> str:
    return f"{cost.seconds:7.1f} {cost.core_seconds:7.1f}"


def over(cost: Cost, other: Cost) -> str:
    """How many times as long as another, on the clock and of core time."""
    ratios = (a / b if b else float("nan") for a, b in zip(cost[:2], other[:2], strict=True))
    return " ".join(f"{ratio:5.2f}x" for ratio in ratios)


def stage_costs(command: list[str], source: Path) -> dict[str, Cost]:
    """Run a build with the code of a folder; what each stage, the start and everything took."""
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    stage, found, began = "(start)", dict[str, Cost](), Cost(time.perf_counter(), 0.0)
    first = began
    for line in process.stderr:  # "STAGE …" before a stage, "STAGE: 12 rows in 3.4 s" after it
        name, _blank, rest = line.strip().partition(" ")
        if rest == "…" or (name == f"{stage}:" and " rows in " in rest):
            now = Cost(time.perf_counter(), core_seconds(processes_of(process.pid)))
            found[stage] = Cost(*(b - a for a, b in zip(began, now, strict=True)))
            if rest == "…":
                stage, began = name, now
            else:
                found["(all)"] = Cost(*(b - a for a, b in zip(first, now, strict=True)))
    if process.wait():
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    found["(all)"] = found.pop("(all)")
    return found


def stages(folder: Path, scratch: Path, sources: list[Path], rounds: int, changes: list[str]) -> None:
    """Print the seconds of every stage, by one version of the code or by two in turn."""
    sets = [scratch / f"version{number}" for number in range(len(sources))]

    def once(source: Path, out: Path) -> dict[str, Cost]:
        shutil.rmtree(out, ignore_errors=True)
        return stage_costs(build_command(folder, out, changes), source)

    ways = {str(out): partial(once, source, out) for source, out in zip(sources, sets, strict=True)}
    medians = [
        {name: median_cost([one[name] for one in builds]) for name in builds[0]}
        for builds in in_turns(ways, rounds).values()
    ]
    print(f"{folder.name} entities, {rounds} rounds; seconds on the clock and of core time")
    for name, ours in medians[0].items():
        if len(sources) == 1:
            share = ours.core_seconds / medians[0]["(all)"].core_seconds
            print(f"{name:24}{shown(ours)} {share:7.1%}")
        elif name in medians[1]:
            theirs = medians[1][name]
            print(f"{name:24}{shown(ours)} {shown(theirs)} {over(theirs, ours)}")
    if len(sources) > 1:
        same = all((sets[0] / name).read_bytes() == (sets[1] / name).read_bytes() for name in FILES)
        print(f"the files of both sets: {'the same' if same else 'OTHER'} bytes")


def killed(folder: Path, scratch: Path, kills: int, changes: list[str]) -> None:
    """Kill builds at random moments, finish each by the same command, and compare with an undisturbed one."""
    whole = scratch / "whole"
    taken = measured_command(build_command(folder, whole, changes)).seconds
    chance, same = random.Random(1), 0
    for number in range(kills):
        out = scratch / "killed"
        shutil.rmtree(out, ignore_errors=True)
        command = build_command(folder, out, changes)
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(chance.uniform(0.5, taken))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = sorted(path.parent.name for path in (out / ".build").glob("*/stage.json"))
        subprocess.run(command, check=True, capture_output=True)
        equal = all((out / name).read_bytes() == (whole / name).read_bytes() for name in FILES)
        same += equal
        print(
            f"kill {number + 1}: {len(done)} stages were done; {'the same' if equal else 'OTHER'} bytes",
            flush=True,
        )
    print(f"{same} of {kills} killed builds gave the bytes of an undisturbed one")


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000], smoke=[500])
    parser.add_argument("--worlds", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--stages", action="store_true", help="print the seconds of every stage")
    parser.add_argument("--against", type=Path, metavar="SRC", help="the src folder of another checkout")
    parser.add_argument("--rounds", type=int, default=1, help="how many times each version builds")
    parser.add_argument("--set", dest="changes", action="append", default=[])
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        worlds = options.worlds or scratch / "worlds"

        def world_of(size: int) -> Path:
            return made_world(worlds / str(size), size)

        if options.kills:
            killed(world_of(options.sizes[0]), scratch, options.kills, options.changes)
            return
        if options.stages or options.against:
            sources = [Path(rollcall.__file__).parents[1], *([options.against] if options.against else [])]
            for size in options.sizes:
                stages(world_of(size), scratch, sources, options.rounds, options.changes)
            return
        costs = {
            size: built(world_of(size), scratch / f"set{size}", options.changes, figures)
            for size in options.sizes
        }
        first, last = options.sizes[0], options.sizes[-1]
        if len(costs) > 1:
            longer = costs[last].seconds / costs[first].seconds
            print(f"{last / first:g} times the entities took {longer:.1f} times as long")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
