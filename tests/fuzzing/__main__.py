"""`make fuzz MINUTES=60`: attack every target in turn until the time is up, and say what was tried and found.

One process a core; each takes the next batch of cases of the target that was tried for the shortest time.
A process that dies (out of memory, a fault in compiled code) is a finding too: the case it was at is drawn
again and kept.
"""

import argparse
import multiprocessing
import os
import secrets
import sys
import time
import traceback
from collections import Counter
from multiprocessing.connection import Connection, wait

from fuzzing.target import Target
from fuzzing.targets import all_targets

BATCH_SECONDS = 10
REPORT_SECONDS = 60


def work(pipe: Connection, seed: str) -> None:
    """Do as told: attack cases of a target from a number on, and tell each case before it is tried."""
    targets = all_targets()
    while (job := pipe.recv()) is not None:
        name, first = job
        number, end = first, time.monotonic() + BATCH_SECONDS
        while time.monotonic() < end:
            pipe.send(("at", name, number))
            try:
                case = targets[name].case(seed, number)
                targets[name].attack(case)
            except Exception:
                pipe.send(("broken", name, number, traceback.format_exc()))
            number += 1
        pipe.send(("done", name, number))


class Campaign:
    """The processes, what each is at, and what was tried and found so far."""

    def __init__(self, targets: dict[str, Target], seed: str, jobs: int) -> None:
        self.targets = targets
        self.seed = seed
        self.tried: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self._spent = dict.fromkeys(targets, 0.0)
        self._next = dict.fromkeys(targets, 0)
        self._at: dict[Connection, tuple[str, int]] = {}
        self._pipes = [self._start() for _ in range(jobs)]

    def run(self, minutes: float) -> None:
        end = time.monotonic() + 60 * minutes
        said = time.monotonic()
        working = list(self._pipes)
        for pipe in working:
            self._give(pipe)
        while working:
            for pipe in wait(working, timeout=1):
                assert isinstance(pipe, Connection)
                if not self._hear(pipe):
                    working.remove(pipe)
                    if time.monotonic() < end:
                        working.append(self._start())
                        self._give(working[-1])
                elif pipe not in self._at:
                    if time.monotonic() < end:
                        self._give(pipe)
                    else:
                        pipe.send(None)
                        working.remove(pipe)
            if time.monotonic() - said > REPORT_SECONDS:
                said = time.monotonic()
                print(self.summary(), flush=True)

    def summary(self) -> str:
        return ", ".join(
            f"{name} {self.tried[name]:,}" + (f" ({self.found[name]} FOUND)" if self.found[name] else "")
            for name in self.targets
        )

    def _start(self) -> Connection:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(
            target=work, args=(theirs, self.seed), daemon=True
        )
        process.start()
        theirs.close()
        return ours

    def _give(self, pipe: Connection) -> None:
        name = min(self.targets, key=lambda name: (self._spent[name], name))
        first = self._next[name]
        self._spent[name] += BATCH_SECONDS
        self._next[name] += 1_000_000  # further than a batch gets: two processes may be at one target
        self._at[pipe] = (name, first)
        pipe.send((name, first))

    def _hear(self, pipe: Connection) -> bool:
        """Take one message; False where the process is gone."""
        try:
            kind, name, number, *more = pipe.recv()
        except EOFError:
            name, number = self._at.pop(pipe)
            self._report(name, number, "the process died\n")
            return False
        if kind == "done":
            del self._at[pipe]
        elif kind == "at":
            self._at[pipe] = (name, number)
            self.tried[name] += 1
        else:
            self._report(name, number, more[0])
        return True

    def _report(self, name: str, number: int, what: str) -> None:
        self.found[name] += 1
        kept = self.targets[name].keep(self.targets[name].case(self.seed, number))
        print(f"FOUND by {name}, case {number} of seed {self.seed}: {kept}\n{what}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--target", action="append", help="attack these only (default: all)")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    targets = all_targets()
    if unknown := set(options.target or ()) - set(targets):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(targets)}")
    chosen = {
        name: target for name, target in targets.items() if not options.target or name in options.target
    }
    campaign = Campaign(chosen, options.seed, options.jobs)
    print(f"seed {options.seed}, {len(chosen)} targets, {options.minutes:g} minutes", flush=True)
    campaign.run(options.minutes)
    print(f"tried: {campaign.summary()}")
    print(f"{campaign.tried.total():,} tried, {campaign.found.total():,} found")
    return 1 if campaign.found else 0


if __name__ == "__main__":
    sys.exit(main())
