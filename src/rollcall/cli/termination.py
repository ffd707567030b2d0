"""Termination on request: SIGTERM and a closed terminal end a command as Ctrl-C does.

Unfinished files are removed, worker processes end, and locks are released. The exit code is then 128 plus the
number of the signal, as for a program without a handler. A second signal ends the command at once.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def ending_on_request() -> Iterator[list[int]]:
    """Turn requests to terminate into `KeyboardInterrupt`; the list then has the exit code for the signal."""
    codes: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        codes.append(128 + number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield codes
        return
    handled = [number for number in _SIGNALS if signal.getsignal(number) == signal.SIG_DFL]
    for number in handled:
        signal.signal(number, end)
    try:
        yield codes
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
