"""Runs benchmarks one after another: `make bench`, or `python benchmarks [--smoke] [NAME ...]`.

A benchmark that fails does not stop the others; the exit status is 1 then, and the last lines name it. One
that needs what this machine lacks says what to install, and is skipped. With `--json DIR`, each writes its
figures to DIR/NAME.json.
"""

import subprocess
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from _harness import SKIPPED

FOLDER = Path(__file__).parent
ENDS = {0: "done", SKIPPED: "skipped"}


def benchmarks() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("bench_*.py"))


def main() -> int:
    parser = ArgumentParser(
        prog="benchmarks", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="these alone, such as bench_world")
    parser.add_argument("--smoke", action="store_true", help="a tiny size, to see that all of them run")
    parser.add_argument("--json", type=Path, metavar="DIR", help="write the figures to files of this folder")
    options = parser.parse_args()
    if unknown := set(options.names) - set(benchmarks()):
        parser.error(f"{', '.join(sorted(unknown))}: expected one of {', '.join(benchmarks())}")
    if options.json:
        options.json.mkdir(parents=True, exist_ok=True)
    ends: dict[str, list[str]] = {}
    for name in options.names or benchmarks():
        print(f"== {name}", flush=True)
        command = [sys.executable, FOLDER / f"{name}.py", *(["--smoke"] if options.smoke else [])]
        command += ["--json", options.json / f"{name}.json"] if options.json else []
        started = time.perf_counter()
        status = subprocess.run(command).returncode
        end = ENDS.get(status, f"FAILED with status {status}")
        ends.setdefault(end.partition(" ")[0], []).append(name)
        print(f"== {name}: {end}, {time.perf_counter() - started:.1f} s", flush=True)
    print("== " + "; ".join(f"{len(names)} {end}" for end, names in ends.items()))
    for end in ("skipped", "FAILED"):
        if end in ends:
            print(f"== {end}: {', '.join(ends[end])}")
    return 1 if "FAILED" in ends else 0


if __name__ == "__main__":
    sys.exit(main())
