"""Several rows at a time on one GPU, each trained and asked by a process of its own.

The networks are small, so one process leaves most of a large GPU idle. What needs the passages of the trained
retriever waits for it.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from paper_tables.learn import Limits, is_done
from paper_tables.place import Place
from paper_tables.profile import PROFILES
from paper_tables.rows import DPR, needs_dpr, trainings

_PAUSE = 0.2
"""Seconds between two looks at what has ended."""


def learn_together(place: Place, processes: int, limits: Limits, given: Sequence[str]) -> bool:
    """Learn what is missing with so many processes; `given` are the options of each. Returns whether all
    ended well.

    What is printed goes to a file for each row.
    """
    profile, stop_after = PROFILES[place.data.profile], limits.stop_after
    waiting = [] if place.run("dense").exists() else ["dense"]
    needing = {one.name for one in trainings(profile) if needs_dpr(one, profile)}
    for training in trainings(profile):
        if not all(is_done(place, training, profile, split) for split in limits.splits):
            waiting.append(training.name)
    waiting = [one for one in waiting if not limits.only or one in limits.only]
    running: dict[str, subprocess.Popen[bytes]] = {}
    logs = place.folder / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    began, good = time.monotonic(), True
    while waiting or running:
        for name in [name for name, process in running.items() if process.poll() is not None]:
            code = running.pop(name).returncode
            good = good and not code
            took = time.monotonic() - began
            print(f"{took:6.0f} s  {name} {'failed' if code else 'done'}", file=sys.stderr, flush=True)
        late = stop_after is not None and time.monotonic() - began >= stop_after
        retrieved = not {DPR} & {*waiting, *running}
        ready = [one for one in waiting if retrieved or one not in needing]
        if late and not running:
            return False
        if not late and ready and len(running) < processes:
            waiting.remove(ready[0])
            running[ready[0]] = _started(place, ready[0], given, logs / f"{ready[0]}.txt")
        else:
            time.sleep(_PAUSE)
    return good


def _started(place: Place, name: str, given: Sequence[str], log: Path) -> "subprocess.Popen[bytes]":
    script = Path(sys.argv[0]).resolve()
    command = [sys.executable, str(script), "learn", str(place.folder), "--only", name, *given]
    with log.open("wb") as stream:
        return subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
