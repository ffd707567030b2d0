"""What a build must show, measured on generated worlds: time and memory at two sizes, and what is right.

    python benchmarks/bench_build.py [--sizes 1000 4000] [--worlds DIR] [--set KEY=VALUE]...
    python benchmarks/bench_build.py --sizes 10000 100000      # what the project promises: 12-fold, 4 GB
    python benchmarks/bench_build.py --kills 10                # SIGKILL at ten moments of as many builds

Worlds are made in a temporary folder, or found as DIR/SIZE with world, graph and corpus in it. Memory is the
largest sum of what all processes of the build held at one time.
"""

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_corpus import peak_memory, run
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
    parser.add_argument("--set", dest="changes", action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        worlds = options.worlds or scratch / "worlds"
        if options.kills:
            killed(made_world(worlds, options.sizes[0]), scratch, options.kills, options.changes)
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
