"""Worker processes of this machine, and how much memory a process may have.

- `in_bytes`, `fitting_memory`: amounts of memory, and whether a process may have so much.
- `Workers`: each runs one task after another, and ends when its parent ends.

Every worker has its own pipe, which no other process holds. The end of a pipe therefore shows each side at
once that the other side has ended, however that happened, and the exit code of a worker says why. In a
worker, a thread takes tasks from the pipe: the next task is there when the one before it is finished, and a
parent that closes the pipe or is killed ends the worker in the middle of its work.
"""

import gc
import itertools
import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from queue import SimpleQueue
from typing import Any, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.registry import keep_places

# Amounts of memory as people write them (600MB, 2GB), and whether a process may have so much.

_UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_BINARY = {"KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}
_RESERVED = 2_250_000_000
"""The address space that Python, Arrow and a database reserve, most of which is never used."""


def in_bytes(memory: str) -> int:
    """An amount of memory in bytes."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", memory.upper())
    unit = (_UNITS | _BINARY).get(match[2]) if match else None
    if not match or unit is None:
        raise RollcallError(f"{memory!r} is not an amount of memory (--memory); write 600MB or 2GB")
    return int(float(match[1]) * unit)


def address_space() -> int | None:
    """The limit of this process's address space (`ulimit -v`); None if there is none."""
    with suppress(ImportError):  # not on Windows
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return None if limit == resource.RLIM_INFINITY else limit
    return None


def fitting_memory(most: str, least: str) -> str:
    """The memory of a database, at most `most`, for which this process has the address space."""
    limit = address_space()
    if limit is None or limit >= in_bytes(most) + _RESERVED:
        return most
    free = limit - _RESERVED
    if free < in_bytes(least):
        needed = (in_bytes(least) + _RESERVED) / 1e9
        raise RollcallError(
            f"too little memory: this process may use {limit / 1e9:.1f} GB of address space (ulimit -v), and "
            f"a database needs {needed:.1f} GB; raise that limit"
        )
    return f"{free // 1_000_000}MB"


def check_address_space(memory: str) -> None:
    """Refuse to open a database for which this process may not have the memory: it would crash."""
    limit, needed = address_space(), in_bytes(memory) + _RESERVED
    if limit is not None and limit < needed:
        raise RollcallError(
            f"too little memory: this process may use {limit / 1e9:.1f} GB of address space (ulimit -v), and "
            f"a database with {memory} (--memory) needs {needed / 1e9:.1f} GB; raise that limit, or lower "
            "--memory"
        )


_TASKS_PER_WORKER = 2
"""A worker has one task at work, and one that waits in its memory."""
_SECONDS_TO_END = 10
_GUARD = 'a script that starts workers must do so under `if __name__ == "__main__":`'


class Program(NamedTuple):
    """What workers do with blocks."""

    number: int
    preparation: int
    """Programs with the same number here share what was prepared."""
    content: bytes
    """The function and `prepare`, pickled."""


class Workers:
    """Up to `jobs` worker processes, started when tasks need them."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._numbers = itertools.count()
        self._results: dict[int, tuple[bool, bytes]] = {}
        self._unwanted: set[int] = set()

    def give(self, program: Program, block: object) -> int:
        """Have a block worked on; returns the number of the task. Waits while all workers have enough."""
        content, number = pickle.dumps(block, pickle.HIGHEST_PROTOCOL), next(self._numbers)
        with self._in_whole_messages():
            worker = self._free_worker()
            if program.number not in worker.programs:
                worker.programs.add(program.number)
                worker.send(("program", program.number, program.preparation), program.content)
            worker.tasks.add(number)
            worker.send(("task", number, program.number), content)
        return number

    def is_done(self, number: int) -> bool:
        """Whether the result of a task is here."""
        self._receive(wait=False)
        return number in self._results

    def result(self, number: int) -> Any:
        """The result of a task, after waiting for it; an exception of the task is raised."""
        while number not in self._results:
            if not any(number in worker.tasks for worker in self._workers):
                raise RollcallError("the worker processes were ended before all their results were taken")
            self._receive(wait=True)
        succeeded, content = self._results.pop(number)
        result = pickle.loads(content)
        if not succeeded:
            raise result
        return result

    def forget(self, program: Program, tasks: Iterable[int]) -> None:
        """Forget a program, and the results of tasks no longer wanted; those not started are left."""
        for number in tasks:
            if self._results.pop(number, None) is None:
                self._unwanted.add(number)
        with self._in_whole_messages():
            for worker in self._workers:
                if program.number in worker.programs:
                    worker.programs.discard(program.number)
                    worker.send(("forget", program.number))

    def end(self) -> None:
        """End all workers; those at work are killed."""
        workers, self._workers = self._workers, []
        self._results.clear()
        self._unwanted.clear()
        for worker in workers:
            worker.end()

    def _free_worker(self) -> "_Worker":
        self._receive(wait=False)
        while True:
            least = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
            if least is not None and not least.tasks:
                return least
            if len(self._workers) < self._jobs:
                self._workers.append(_Worker())
                return self._workers[-1]
            if least is not None and len(least.tasks) < _TASKS_PER_WORKER:
                return least
            self._receive(wait=True)

    def _receive(self, wait: bool) -> None:
        """Take the results that have arrived; with `wait`, at least one message."""
        with self._in_whole_messages():
            ready = connection.wait([worker.pipe for worker in self._workers], None if wait else 0)
            for worker in [worker for worker in self._workers if worker.pipe in ready]:
                header, content = worker.receive()
                if header is None:
                    continue
                number, succeeded = header
                worker.tasks.discard(number)
                if number in self._unwanted:
                    self._unwanted.discard(number)
                else:
                    self._results[number] = (succeeded, content)

    @contextmanager
    def _in_whole_messages(self) -> Iterator[None]:
        """End all workers if an error or Ctrl-C cuts a message in two, as the rest would be misread."""
        try:
            yield
        except BaseException:
            self.end()
            raise


def end_if_starting() -> None:
    """End this process if it is a worker that still imports its script; its parent reports why it ends."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(1)


class _Worker:
    """One worker process, as its parent sees it."""

    def __init__(self) -> None:
        end_if_starting()
        self.pipe, theirs = connection.Pipe()
        self._process = _context().Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._has_started = False
        self.programs: set[int] = set()
        self.tasks: set[int] = set()
        """The tasks without a reply; each task gets one."""

    def send(self, header: tuple[Any, ...], content: bytes = b"") -> None:
        try:
            self.pipe.send(header)
            self.pipe.send_bytes(content)
        except OSError:
            raise self._why_it_ended() from None

    def receive(self) -> tuple[Any, bytes]:
        """The next reply: the number of a task with whether it succeeded, or None when the worker starts."""
        try:
            header, content = self.pipe.recv(), self.pipe.recv_bytes()
        except (EOFError, OSError):
            raise self._why_it_ended() from None
        self._has_started = True
        return header, content

    def end(self) -> None:
        if self.tasks:
            self._process.kill()
        self.pipe.close()
        self._process.join()

    def _why_it_ended(self) -> RollcallError:
        self._process.join(_SECONDS_TO_END)
        code = self._process.exitcode
        if code is not None and code < 0:
            return _killed(-code)
        if not self._has_started:
            return RollcallError(f"worker processes could not start (exit code {code}); {_GUARD}")
        return RollcallError(f"a worker process ended with exit code {code} in the middle of its work")


def _killed(number: int) -> RollcallError:
    signal_names = {entry.value: entry.name for entry in signal.Signals}
    name = signal_names.get(number, f"signal {number}")
    if name in ("SIGKILL", "SIGSEGV", "SIGBUS", "SIGABRT"):
        return RollcallError(
            f"a worker process was killed ({name}), perhaps because it was out of memory; run the same "
            "command again, with fewer --jobs"
        )
    return RollcallError(f"a worker process was ended by {name}; run the same command again")


def start_server(preload: list[str]) -> None:
    """Start the process that workers are forked from, with modules that they all need.

    It starts with Ctrl-C blocked, also for the workers: otherwise Ctrl-C would end imports with a traceback.
    """
    if os.name == "nt":
        return
    from multiprocessing import forkserver, resource_tracker

    _context().set_forkserver_preload([__name__, *preload])
    resource_tracker.ensure_running()  # first, because starting it unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> Any:
    return multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")


def _work(pipe: "connection.Connection") -> None:
    """What a worker does: its tasks in order, with one reply to each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    messages: SimpleQueue[tuple[tuple[Any, ...], bytes]] = SimpleQueue()
    forgotten: set[int] = set()
    threading.Thread(target=_take, args=(pipe, messages, forgotten), daemon=True).start()
    _reply(pipe, None, b"")
    programs = _Programs()
    while True:
        header, content = messages.get()
        match header:
            case ("program", number, preparation):
                programs.add(number, preparation, content)
            case ("forget", number):
                programs.forget(number)
                forgotten.discard(number)
            case (_, task, number):
                if number in forgotten:
                    _reply(pipe, (task, False), b"")
                else:
                    succeeded, result = _performed(programs, number, content)
                    _reply(pipe, (task, succeeded), result)
                    content = result = b""  # frees their memory while this process waits


def _take(
    pipe: "connection.Connection",
    messages: "SimpleQueue[tuple[tuple[Any, ...], bytes]]",
    forgotten: set[int],
) -> None:
    """Take messages as they come; when the parent closes the pipe or ends, end this process at once."""
    try:
        while True:
            header, content = pipe.recv(), pipe.recv_bytes()
            if header[0] == "forget":
                forgotten.add(header[1])
            messages.put((header, content))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)


def _reply(pipe: "connection.Connection", header: tuple[int, bool] | None, content: bytes) -> None:
    """Send a reply; a parent that has closed the pipe or ended wants none, and no traceback either."""
    try:
        pipe.send(header)
        pipe.send_bytes(content)
    except OSError:
        os._exit(0)


class _Programs:
    """In a worker: the programs that it was given, and what the last one prepared."""

    def __init__(self) -> None:
        self._given: dict[int, tuple[int, bytes]] = {}
        self._loaded: dict[int, tuple[Callable[[Any, Any], Any], Callable[[], Any]]] = {}
        self._preparation: int | None = None
        self._prepared: Any = None

    def add(self, number: int, preparation: int, content: bytes) -> None:
        self._given[number] = (preparation, content)

    def forget(self, number: int) -> None:
        self._given.pop(number, None)
        self._loaded.pop(number, None)

    def perform(self, number: int, block: bytes) -> Any:
        preparation, content = self._given[number]
        if number not in self._loaded:
            self._loaded[number] = pickle.loads(content)
        function, prepare = self._loaded[number]
        if self._preparation != preparation:
            self._preparation = self._prepared = None  # free its memory first
            self._prepared = prepare()
            self._preparation = preparation
        return function(self._prepared, pickle.loads(block))


def _performed(programs: _Programs, number: int, block: bytes) -> tuple[bool, bytes]:
    """Whether a task succeeded, and its result or its exception, pickled."""
    try:
        return True, pickle.dumps(programs.perform(number, block), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        return False, _pickled(error)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _pickled(error: BaseException) -> bytes:
    """An exception as it can be raised in the parent, with the place that it comes from."""
    keep_places(error)
    trace = "".join(traceback.format_exception(error))
    error.add_note(f"\nIn a worker process:\n{trace}")
    try:
        content = pickle.dumps(error)
        pickle.loads(content)  # some exceptions can be written and not read
        return content
    except Exception:
        return pickle.dumps(RuntimeError(trace))


# Pausing garbage collection while very many records are created, and collecting rarely in a command.
# Neither records nor the objects of a search contain reference cycles, so there is nothing to collect.
# Repeated collection took half the time of reading ten thousand questions, and a sixth of the time of a
# small build, whose queries are compiled from many objects.

_OBJECTS = 50_000
"""After so many new objects garbage is collected; by default it is a few hundred."""


def collect_rarely() -> None:
    """Collect garbage only after many new objects, for a process that ends with its task."""
    gc.set_threshold(_OBJECTS, 20, 20)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Switch garbage collection off inside the block, and restore its state afterwards."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
