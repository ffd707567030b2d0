"""Ending on request: SIGTERM and a closed terminal end a command as Ctrl-C does.

What is unfinished is removed, worker processes end, and locks are given back; then the exit code is 128 and
the number of the signal, as of a program that does not listen. A second signal ends it at once.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def ending_on_request() -> Iterator[list[int]]:
    """Turn requests to end into `KeyboardInterrupt`; the list then holds the exit code they call for."""
    codes: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        codes.append(128 + number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield codes
        return
    heard = [number for number in _SIGNALS if signal.getsignal(number) == signal.SIG_DFL]
    for number in heard:
        signal.signal(number, end)
    try:
        yield codes
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)
