"""What benchmarks share: options, rounds in turns, costs, medians, generated worlds, and figures as JSON.

A benchmark is a script with two functions, and runs without arguments:

    def arguments() -> Arguments:
        parser = Arguments(__doc__)
        parser.add_argument("--entities", type=int, default=3000, smoke=500)
        return parser

    def main(options: Namespace, figures: Figures) -> None:
        world = made_world(folder, options.entities)
        figures["ratio"] = …

    if __name__ == "__main__":
        run_benchmark(arguments(), main)

Imports that only some machines can do belong into `main`, so that the options are known everywhere: a test
compares them with the commands of the documentation. `python benchmarks` runs all benchmarks.
"""

import json
import math
import os
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from rollcall._core.errors import RollcallError

PROJECT = Path(__file__).resolve().parents[1]
SKIPPED = 77
"""The exit status of a benchmark that cannot run on this machine, as automake and Meson have it."""

T = TypeVar("T")
Figures = dict[str, Any]
"""What a benchmark measured, by name; `--json` writes it."""


# Options


class Arguments(ArgumentParser):
    """The options of a benchmark. Each may have another default for `--smoke`, given as `smoke=`."""

    def __init__(self, description: str | None) -> None:
        self._smoke: dict[str, object] = {}
        form = RawDescriptionHelpFormatter
        super().__init__(description=description, formatter_class=form, allow_abbrev=False)
        self.add_argument("--smoke", action="store_true", help="a tiny size, to see that it runs")
        self.add_argument("--json", type=Path, metavar="FILE", help="write the figures to a file, too")

    def add_argument(self, *names: Any, **settings: Any) -> Any:
        has_smoke, smoke = "smoke" in settings, settings.pop("smoke", None)
        action = super().add_argument(*names, **settings)
        if has_smoke:
            self._smoke[action.dest] = smoke
        return action

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        if "--smoke" in words:
            self.set_defaults(**self._smoke)
        return super().parse_known_args(words, namespace)


class Skipped(Exception):  # noqa: N818
    """Raised where a benchmark cannot run on this machine; its text says what to install."""


def run_benchmark(parser: ArgumentParser, main: Callable[[Namespace, Figures], None]) -> None:
    """Run a benchmark with the options of the command line."""
    options = parser.parse_args()
    if options.smoke:
        print("a tiny size, to see that this runs: the figures say nothing", flush=True)
    figures: Figures = {}
    try:
        cost, _ = measured(lambda: main(options, figures))
    except Skipped as reason:
        print(f"skipped: {reason}")
        raise SystemExit(SKIPPED) from None
    except RollcallError as error:
        raise SystemExit(str(error)) from None
    if options.json is not None:
        record = {
            "benchmark": Path(sys.argv[0]).stem,
            "options": {name: value for name, value in vars(options).items() if name != "json"},
            "seconds": cost.seconds,
            "peak_memory": max(peak_memory(), peak_memory(of_children=True)),
            "figures": figures,
        }
        options.json.write_text(json.dumps(record, indent=1, default=_plain) + "\n", encoding="utf-8")


def _plain(value: Any) -> Any:
    """Paths as text, and NumPy's numbers as Python's."""
    return str(value) if isinstance(value, Path) else value.item()


def installed(*modules: str, pip: str = "") -> bool:
    """Whether the libraries of a row can be imported; if not, prints what to install."""
    if all(find_spec(name) for name in modules):
        return True
    print(f"{modules[0]}: skipped, not installed (pip install {pip or ' '.join(modules)})", flush=True)
    return False


def needs(*modules: str, pip: str = "") -> None:
    """Skip the whole benchmark unless these libraries can be imported."""
    if not all(find_spec(name) for name in modules):
        raise Skipped(f"{' and '.join(modules)} not installed (pip install {pip or ' '.join(modules)})")


# What things cost


class Cost(NamedTuple):
    """What something took: seconds on the clock and of the processor, and the greatest memory in bytes."""

    seconds: float
    core_seconds: float
    peak: int = 0


class Median(NamedTuple):
    """A median, with the interval that holds the true one in at least 95 % of cases.

    With fewer than six values no such interval exists, and it is their range.
    """

    value: float
    low: float
    high: float

    @staticmethod
    def of(values: Iterable[float]) -> "Median":
        ordered = sorted(values)
        count, outside, rank = len(ordered), 0.0, 0
        while (outside := outside + math.comb(count, rank) / 2**count) <= 0.025:
            rank += 1
        rank = max(rank - 1, 0)
        return Median(statistics.median(ordered), ordered[rank], ordered[count - 1 - rank])

    def __format__(self, spec: str) -> str:
        return f"{self.value:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"


def median_cost(costs: Sequence[Cost]) -> Cost:
    """The median of each column."""
    seconds, core_seconds, peaks = zip(*costs, strict=True)
    return Cost(statistics.median(seconds), statistics.median(core_seconds), max(peaks))


def in_turns(ways: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """What each way returns in each round; the machine's speed changes, in turns it does for all of them."""
    results: dict[str, list[T]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, work in ways.items():
            results[name].append(work())
    return results


def measured(work: Callable[[], T]) -> tuple[Cost, T]:
    """What a function took in this process, without others that it starts, and what it returned."""
    started, processor = time.perf_counter(), time.process_time()
    result = work()
    processor = time.process_time() - processor
    return Cost(time.perf_counter() - started, processor, peak_memory()), result


def measured_command(command: Sequence[object], env: Mapping[str, str] | None = None) -> Cost:
    """What a command took with all its processes; its memory is the largest sum of what they held at once."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        [str(word) for word in command],
        env=None if env is None else {**os.environ, **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with Watch(process.pid) as watch:
        _, told = process.communicate()
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        words = " ".join(str(word) for word in command)
        raise SystemExit(f"{words} ended with {process.returncode}:\n{told.decode()[-2000:]}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # Processes that others started and nobody waited for are missing there, but were seen alive.
    return Cost(seconds, max(spent, watch.core_seconds), watch.peak)


class Watch:
    """Looks at the processes of a session ten times a second, from another thread."""

    def __init__(self, session: int) -> None:
        self._session, self._stop = session, threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.peak = 0
        """The greatest memory of all of them together, in bytes; may be set to 0 between two steps."""
        self.core_seconds = 0.0
        """What they have used so far, with those that ended."""

    def look(self) -> None:
        processes = list(processes_of(self._session))
        self.core_seconds = max(self.core_seconds, core_seconds(processes))
        self.peak = max(self.peak, sum(map(private_memory, processes)))

    def _look(self) -> None:
        while not self._stop.wait(0.1):
            self.look()

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def processes_of(session: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                if os.getsid(int(entry.name)) == session:
                    yield int(entry.name)
            except OSError:
                continue  # it ended just now


def core_seconds(processes: Iterable[int]) -> float:
    """The core time that processes, and those that ended among their children, have used so far."""
    ticks = 0
    for pid in processes:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def private_memory(pid: int) -> int:
    """Memory of one process; what it shares is counted in part, mapped files not at all."""
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(kilobytes) for kilobytes in _PRIVATE.findall(rows)) * 1024


_PRIVATE = re.compile(r"^Pss_(?:Anon|Shmem):\s+(\d+)", re.MULTILINE)


def peak_memory(*, of_children: bool = False) -> int:
    """The greatest memory of this process so far, or of the largest of its children, in bytes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN if of_children else resource.RUSAGE_SELF)
    return usage.ru_maxrss * (1024 if sys.platform == "linux" else 1)


# What is measured


def rollcall_command(*words: object) -> list[str]:
    """A command of Rollcall as a process of this Python."""
    return [sys.executable, "-m", "rollcall.cli.main", *map(str, words)]


def real_data(*parts: str) -> Path | None:
    """A file or folder of the real data that may lie beside the project."""
    path = PROJECT.parent.joinpath("shared", "real", *parts)
    return path if path.exists() else None


def made_world(folder: Path, entities: int, seed: int = 1, *, corpus: bool = True) -> Path:
    """A folder with `world`, `graph` and `corpus` of a generated world; what is there already is kept."""
    from rollcall.corpus import make_corpus
    from rollcall.graph import make_graph
    from rollcall.world import write_world

    world, graph = folder / "world", folder / "graph"
    jobs = 1 if entities <= 2000 else None  # where starting other processes takes longer than the work
    if not (world / "truth.parquet").exists():
        write_world(world, entities=entities, seed=seed, jobs=jobs, show=False)
    if not (graph / "graph.json").exists():
        make_graph([world / "wikidata.json.gz"], graph, jobs=jobs, show_progress=False)
    if corpus and not (folder / "corpus" / "corpus.json").exists():
        make_corpus([world / "pages.xml.bz2"], folder / "corpus", graph=graph, jobs=jobs, show_progress=False)
    return folder


def made_set(folder: Path, entities: int, seed: int = 1, changes: Sequence[str] = ()) -> Path:
    """A folder as `made_world` makes it, with `set`: what the recipe `qampari` builds from it."""
    from rollcall.build import build

    made_world(folder, entities, seed)
    graph, corpus, out = folder / "graph", folder / "corpus", folder / "set"
    if not (out / "questions.jsonl").exists():
        build("qampari", graph=graph, corpus=corpus, out=out, changes=list(changes))
    return folder
