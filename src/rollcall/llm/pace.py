"""When to retry and how long to wait: back-off with jitter, the server's own wait times, one gate for all.

When a server reports too many requests, this concerns all requests, so all of them wait at one gate. Time and
random numbers are passed in, so that tests are fast and deterministic.
"""

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class Clock:
    """Time as the client sees it."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class Retries:
    """How often to retry, and how long to wait before each retry: doubling from `first` to `most` seconds."""

    attempts: int = 6
    first: float = 1.0
    most: float = 60.0
    longest_told: float = 600.0
    """If a server asks for a longer total wait than this for one request, the request is given up."""
    chance: Callable[[], float] = field(default=random.random)

    def delay(self, attempt: int) -> float:
        """The wait after attempt number `attempt` (from 1): between half and all of the back-off."""
        backed_off = min(self.most, self.first * 2.0 ** (attempt - 1))
        return float(backed_off * (0.5 + 0.5 * self.chance()))


def told_to_wait(headers: Mapping[str, str], today: float) -> float | None:
    """The seconds a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if seconds is None:
            return None
        return max(0.0, float(seconds))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(seconds or "").timestamp() - today)
    except (ValueError, TypeError):
        return None


class Gate:
    """Every request passes the gate before it is sent. It spaces requests, and can be closed for a time."""

    def __init__(self, clock: Clock, per_minute: float | None = None) -> None:
        self._clock = clock
        self._space = 60.0 / per_minute if per_minute else 0.0
        self._lock = threading.Lock()
        self._opens = float("-inf")

    def shut(self, seconds: float) -> None:
        """Let no request through for this many seconds."""
        with self._lock:
            self._opens = max(self._opens, self._clock.now() + seconds)

    def wait(self) -> None:
        """Wait until the request may be sent."""
        while True:
            with self._lock:
                left = self._opens - self._clock.now()
                if left <= 0:
                    self._opens = self._clock.now() + self._space if self._space else self._opens
                    return
            self._clock.sleep(left)
