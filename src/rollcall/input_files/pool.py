"""Worker processes that read blocks out of shared memory.

The main process decompresses directly into a fixed set of buffers, and waits when none is free. So memory use
is bounded for a dump of any size, and a block is never copied through a pipe.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.shared_memory import SharedMemory
from typing import Any

from rollcall.workers import worker_pool

Done = Callable[[Any], None]
ReadBlock = Callable[[Any, bytes], Any]
NO_BUFFER = 1
"""The size of a block where work is passed as arguments only."""


def _no_reader(piece: Any, block: bytes) -> Any:
    raise NotImplementedError("these workers were started without anything that reads blocks")


class InProcess:
    """Reads every piece immediately, in this process."""

    def __init__(self, block_bytes: int, read: ReadBlock) -> None:
        self._buffer = bytearray(block_bytes)
        self._read_block = read

    def free_buffer(self) -> memoryview:
        return memoryview(self._buffer)

    def read(self, piece: Any, length: int, done: Done) -> None:
        done(self._read_block(piece, bytes(memoryview(self._buffer)[:length])))

    def run(self, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]) -> None:
        done(function(*arguments))

    def finish(self) -> None:
        """Wait until everything given so far is done."""


class Workers:
    """Reads pieces in worker processes; results arrive while further work is given, or at `finish`."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int, block_bytes: int, read: ReadBlock) -> None:
        self._read_block = read
        self._limit = jobs + 1
        self._pool = pool
        self._buffers = [SharedMemory(create=True, size=block_bytes) for _ in range(self._limit)]
        self._free = list(range(self._limit))
        self._pending: dict[Future[Any], tuple[int | None, Callable[[Any], None]]] = {}

    def close(self) -> None:
        """Release the shared memory, after the workers have ended."""
        for buffer in self._buffers:
            buffer.close()
            buffer.unlink()

    def free_buffer(self) -> memoryview:
        """A buffer to fill; the next call of `read` passes it to a worker."""
        while not self._free:
            self._collect()
        return _content(self._buffers[self._free[-1]])

    def read(self, piece: Any, length: int, done: Done) -> None:
        """Have a worker read the first bytes of the buffer that `free_buffer` gave last."""
        number = self._free.pop()
        name = self._buffers[number].name
        future = self._pool.submit(_read_shared_block, self._read_block, piece, name, length)
        self._pending[future] = (number, done)

    def run(self, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]) -> None:
        while len(self._pending) >= self._limit:
            self._collect()
        self._pending[self._pool.submit(function, *arguments)] = (None, done)

    def finish(self) -> None:
        """Wait until everything given so far is done."""
        while self._pending:
            self._collect()

    def _collect(self) -> None:
        for future in wait(self._pending, return_when=FIRST_COMPLETED).done:
            buffer, done = self._pending.pop(future)
            if buffer is not None:
                self._free.append(buffer)
            done(future.result())


@contextmanager
def workers(
    jobs: int,
    block_bytes: int = NO_BUFFER,
    read: ReadBlock = _no_reader,
    preload: Sequence[str] = (),
    shared: Any = None,
) -> Iterator[InProcess | Workers]:
    """Worker processes, or this process alone for one job; `read` is what they do with a block.

    `preload` names modules that are loaded once, before workers are forked; `shared` is sent to each worker
    once, and the work gets it by calling `shared()`.
    """
    if jobs == 1:
        _share(shared)
        yield InProcess(block_bytes, read)
        return
    context = multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload([__name__, *preload])
        _start_undisturbed()
    with ExitStack() as last, worker_pool(jobs, context, _share, (shared,)) as executor:
        pool = Workers(executor, jobs, block_bytes, read)
        last.callback(pool.close)
        yield pool


_shared: Any = None


def shared() -> Any:
    """The value that all work of this process shares."""
    return _shared


def _share(value: Any) -> None:
    global _shared
    _shared = value


def _read_shared_block(read: ReadBlock, piece: Any, name: str, length: int) -> Any:
    return read(piece, bytes(_content(_attached(name))[:length]))


def _content(memory: SharedMemory) -> memoryview:
    assert memory.buf is not None  # only after it is closed
    return memory.buf


_attachments: dict[str, SharedMemory] = {}


def _attached(name: str) -> SharedMemory:
    if name not in _attachments:
        _attachments[name] = SharedMemory(name)
    return _attachments[name]


def _start_undisturbed() -> None:
    """Start the fork server with Ctrl-C blocked, since Ctrl-C would end its imports with a traceback."""
    resource_tracker.ensure_running()  # first, because starting it unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
