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

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import rollcall
from bench_corpus import peak_memory, processes_of, run
from rollcall.build.truth import evidence_states, in_denotation, verification
from rollcall.questions import QuestionSet

FILES = ("questions.jsonl", "manifest.json", "README.md")


def made_world(worlds: Path, size: int) -> Path:
    """The folder of a world with its graph and corpus, made if it is not there."""
    folder = worlds / str(size)
    if not (folder / "corpus" / "corpus.json").exists():
        run("world", folder / "world", "--entities", size)
        run("graph", folder / "world" / "wikidata.json.gz", "--out", folder / "graph")
        source = folder / "world" / "pages.xml.bz2"
        run("corpus", source, "--graph", folder / "graph", "--out", folder / "corpus")
    return folder


def build_command(folder: Path, out: Path, changes: list[str]) -> list[str]:
    command = ["build", "qampari", "--graph", folder / "graph", "--corpus", folder / "corpus", "--out", out]
    return [str(word) for word in (*command, *(word for change in changes for word in ("--set", change)))]


def measured(folder: Path, out: Path, changes: list[str]) -> float:
    """Build once; print what it took and how much of it is right; return the seconds."""
    started = time.perf_counter()
    peak = peak_memory(*build_command(folder, out, changes))
    taken = time.perf_counter() - started
    questions = QuestionSet.open(out)
    kinds = ", ".join(
        f"{sum(c.values()):,} {kind}" for kind, c in questions.manifest["counts"]["kinds"].items()
    )
    print(
        f"{folder.name:>8} entities: {taken:7.1f} s, {peak / 1e6:6.0f} MB at most, {len(questions):,} asked"
    )
    print(f"          {kinds}")
    truth = folder / "world" / "truth.parquet"
    if truth.exists():
        shares = {"answers in the denotation": in_denotation(questions, folder / "graph")}
        shares |= {f"evidence states its fact, {k}": v for k, v in evidence_states(questions, truth).items()}
        shares |= verification(out / ".build", truth)
        for name, share in shares.items():
            rate = f"{share.right / share.all:.2%}" if share.all else "–"
            print(f"          {name}: {rate} of {share.all:,}")
    sys.stdout.flush()
    return taken


class Seconds(NamedTuple):
    """How long something took: on the clock, and of core time of all its processes."""

    clock: float
    cores: float

    def over(self, other: "Seconds") -> str:
        ratios = (a / b if b else float("nan") for a, b in zip(self, other, strict=True))
        return " ".join(f"{ratio:5.2f}x" for ratio in ratios)

    def __str__(self) -> str:
        return f"{self.clock:7.1f} {self.cores:7.1f}"


def core_seconds(session: int) -> float:
    """The core time that the processes of a session, and those that ended among them, have used so far."""
    ticks = 0
    for pid in processes_of(session):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def stage_seconds(command: list[str], source: Path) -> dict[str, Seconds]:
    """Run a build with the code of a folder; the seconds of each stage, of the start and of everything."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rollcall.cli.main", *command],
        env={**os.environ, "PYTHONPATH": str(source)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    stage, found, began = "(start)", dict[str, Seconds](), Seconds(time.perf_counter(), 0.0)
    first = began
    for line in process.stderr:  # "STAGE …" before a stage, "STAGE: 12 rows in 3.4 s" after it
        name, _blank, rest = line.strip().partition(" ")
        if rest == "…" or (name == f"{stage}:" and " rows in " in rest):
            now = Seconds(time.perf_counter(), core_seconds(process.pid))
            if rest == "…":
                found[stage] = Seconds(*(b - a for a, b in zip(began, now, strict=True)))
                stage, began = name, now
            else:
                found["(all)"] = Seconds(*(b - a for a, b in zip(first, now, strict=True)))
                found[stage] = Seconds(*(b - a for a, b in zip(began, now, strict=True)))
    if process.wait():
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    found["(all)"] = found.pop("(all)")
    return found


def stages(folder: Path, scratch: Path, sources: list[Path], rounds: int, changes: list[str]) -> None:
    """Print the seconds of every stage, by one version of the code or by two in turn."""
    taken: list[list[dict[str, Seconds]]] = [[] for _ in sources]
    sets = [scratch / f"version{number}" for number in range(len(sources))]
    for _ in range(rounds):
        for source, out, kept in zip(sources, sets, taken, strict=True):
            shutil.rmtree(out, ignore_errors=True)
            kept.append(stage_seconds(build_command(folder, out, changes), source))
    medians = [
        {
            name: Seconds(
                *(statistics.median(part) for part in zip(*(one[name] for one in kept), strict=True))
            )
            for name in kept[0]
        }
        for kept in taken
    ]
    print(f"{folder.name} entities, {rounds} rounds; seconds on the clock and of core time")
    for name, ours in medians[0].items():
        if len(sources) == 1:
            print(f"{name:24}{ours} {ours.cores / medians[0]['(all)'].cores:7.1%}")
        elif name in medians[1]:
            theirs = medians[1][name]
            print(f"{name:24}{ours} {theirs} {theirs.over(ours)}")
    if len(sources) > 1:
        same = all((sets[0] / name).read_bytes() == (sets[1] / name).read_bytes() for name in FILES)
        print(f"the files of both sets: {'the same' if same else 'OTHER'} bytes")


def killed(folder: Path, scratch: Path, kills: int, changes: list[str]) -> None:
    """Kill builds at random moments, finish each by the same command, and compare with an undisturbed one."""
    whole, program = scratch / "whole", [sys.executable, "-m", "rollcall.cli.main"]
    started = time.perf_counter()
    subprocess.run([*program, *build_command(folder, whole, changes)], check=True, capture_output=True)
    taken = time.perf_counter() - started
    chance, same = random.Random(1), 0
    for number in range(kills):
        out = scratch / "killed"
        shutil.rmtree(out, ignore_errors=True)
        command = [*program, *build_command(folder, out, changes)]
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 4000])
    parser.add_argument("--worlds", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--stages", action="store_true", help="print the seconds of every stage")
    parser.add_argument("--against", type=Path, metavar="SRC", help="the src folder of another checkout")
    parser.add_argument("--rounds", type=int, default=1, help="how many times each version builds")
    parser.add_argument("--set", dest="changes", action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        worlds = options.worlds or scratch / "worlds"
        if options.kills:
            killed(made_world(worlds, options.sizes[0]), scratch, options.kills, options.changes)
            return
        if options.stages or options.against:
            sources = [Path(rollcall.__file__).parents[1], *([options.against] if options.against else [])]
            for size in options.sizes:
                stages(made_world(worlds, size), scratch, sources, options.rounds, options.changes)
            return
        seconds = {
            size: measured(made_world(worlds, size), scratch / f"set{size}", options.changes)
            for size in options.sizes
        }
        first, last = options.sizes[0], options.sizes[-1]
        if len(seconds) > 1:
            print(
                f"{last / first:g} times the entities took {seconds[last] / seconds[first]:.1f} times as long"
            )


if __name__ == "__main__":
    main()
