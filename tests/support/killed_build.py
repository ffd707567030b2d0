"""Builds a set again and again, and kills the builder at seeded moments: a program for the crash test.

    python killed_build.py GRAPH CORPUS OUT SEED KILLS CHANGE...

A moment is a number of audit events (files opened and renamed, modules imported, and much else), so that it
does not depend on how fast the machine is. Every attempt is a process of its own and is ended by SIGKILL; the
last one is left in peace. Prints for each attempt how it ended and which stages it finished.
"""

import json
import os
import random
import signal
import sys
from pathlib import Path

import ibis  # noqa: F401  what is slow to load is loaded once, before the forks

from rollcall._core.workers import collect_rarely
from rollcall.build import (  # noqa: F401  loaded once, before the forks
    Build,
    assembling,
    make,
    pipeline,
    releasing,
)
from rollcall.build.runner import Finished
from rollcall.text.nouns import plural

plural("mouse")  # loads the library of nouns
UNDISTURBED = 1 << 60


def attempt(arguments: list[str], log: Path, moment: int) -> int:
    """Build in a process of its own that kills itself at a moment; its exit status, negative for a signal."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    seen = 0

    def count(event: str, given: tuple[object, ...]) -> None:
        nonlocal seen
        seen += 1
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    def tell(stage: str, finished: Finished | None) -> None:
        if finished is not None and finished.done_now:
            with log.open("a") as stream:
                stream.write(f"{stage}\n")

    graph, corpus, out, *changes = arguments
    sys.addaudithook(count)
    try:
        Build("qampari", graph=graph, corpus=corpus, out=out, changes=changes, jobs=1).run(report=tell)
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
        os._exit(1)
    log.with_suffix(".events").write_text(str(seen))
    os._exit(0)


def main() -> None:
    graph, corpus, out, seed, kills, *changes = sys.argv[1:]
    collect_rarely()
    log = Path(f"{out}.log")
    chance = random.Random(int(seed))
    limit = int(Path(f"{out}.limit").read_text()) if Path(f"{out}.limit").exists() else 0
    ended = []
    for _ in range(int(kills)):
        ended.append(attempt([graph, corpus, out, *changes], log, chance.randrange(1, limit)))
    ended.append(attempt([graph, corpus, out, *changes], log, UNDISTURBED))
    events = log.with_suffix(".events")
    print(json.dumps({"ended": ended, "stages": log.read_text().split(), "events": int(events.read_text())}))


if __name__ == "__main__":
    main()
