"""What a target is: how a case is drawn, and what must hold of it."""

import hashlib
import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOUND = Path(__file__).parents[1] / "data" / "found"
SECONDS = 60
"""A case that takes longer has hung, whatever the machine: each is meant to take milliseconds."""


@dataclass(frozen=True)
class Target:
    """One thing to attack: `draw` makes a case (plain JSON), `check` raises where something does not hold.

    `share` is chosen so that so many cases take a second or two; `make test` tries half of them, and
    `make test-all` twice as many.
    """

    name: str
    draw: Callable[[random.Random], Any]
    check: Callable[[Any], None]
    share: int

    def case(self, seed: str, number: int) -> Any:
        """Case `number` of a seed: the same in every process, and as it will be read back from a file."""
        drawn = self.draw(random.Random(f"{seed}:{self.name}:{number}"))
        return json.loads(json.dumps(drawn))

    def attack(self, case: Any) -> None:
        """Check a case, and take one that does not end for a fault."""
        with _time_limit():
            self.check(case)

    def found(self) -> Iterator[Path]:
        """The cases that broke this target once."""
        yield from sorted((FOUND / self.name).glob("*.json"))

    def keep(self, case: Any) -> Path:
        """Store a case that broke this target."""
        text = json.dumps(case, indent=1, ensure_ascii=True)
        path = FOUND / self.name / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
        return path


def in_one_line(error: Exception) -> None:
    """Hold a refusal to its form: one line, which says something and is not too long to read."""
    assert 0 < len(str(error)) < 5000, repr(str(error))
    assert "\n" not in str(error), repr(str(error))


class HungError(Exception):
    """A case did not end."""


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(number: int, frame: object) -> None:
        raise HungError(f"not done after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
