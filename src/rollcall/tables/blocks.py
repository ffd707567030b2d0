"""Python functions over blocks, in worker processes of this machine.

One group of workers serves a whole command: it starts with the second block of the first work that has one,
and later work finds it running. What a function needs besides its block is prepared once in each process.
"""

import itertools
import multiprocessing
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

from rollcall._core.workers import Program, Workers, start_server

Block = TypeVar("Block")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
_PROTOCOL = pickle.HIGHEST_PROTOCOL
_AHEAD = 4
"""For each process, so many blocks are taken before the first of their results is used."""


class LocalBlocks:
    """Runs functions over blocks in this process, or in others if that can be faster."""

    def __init__(self, jobs: int) -> None:
        # A worker of any pool may not start processes of its own.
        self._jobs = 1 if multiprocessing.current_process().daemon else jobs
        self._workers: Workers | None = None
        self._numbers = itertools.count()
        self._prepare_here: object = None
        self._prepared_here: Any = None
        self._prepare_there: object = None
        self._preparation = 0

    def map(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks.

        If `prepare` is the same object as in the call before, what it prepared is used again.
        """
        waiting = iter(blocks)
        first = list(islice(waiting, 2))
        fewest = 1 if self._prepare_there is prepare else 2
        in_workers = self._jobs > 1 and len(first) >= fewest
        waiting = chain(first, waiting)
        del first  # what blocks need in memory ends with their use
        if in_workers:
            yield from self._in_workers(function, waiting, prepare)
            return
        for block in waiting:
            yield function(self._prepared(prepare), block)

    def _prepared(self, prepare: Callable[[], Prepared]) -> Prepared:
        """What was prepared in this process."""
        if self._prepare_here is not prepare:
            self._prepare_here = self._prepared_here = None  # free its memory first
            self._prepared_here = prepare()
            self._prepare_here = prepare
        prepared: Prepared = self._prepared_here
        return prepared

    def _in_workers(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterator[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        if self._workers is None:
            start_server(_modules(function, prepare))
            self._workers = Workers(self._jobs)
        workers = self._workers
        number = next(self._numbers)
        if self._prepare_there is not prepare:
            self._prepare_there, self._preparation = prepare, number
        program = Program(number, self._preparation, pickle.dumps((function, prepare), _PROTOCOL))
        tasks: deque[int] = deque()
        try:
            for block in blocks:
                tasks.append(workers.give(program, block))
                while len(tasks) >= self._jobs * _AHEAD or (tasks and workers.is_done(tasks[0])):
                    yield workers.result(tasks.popleft())
            while tasks:
                yield workers.result(tasks.popleft())
        finally:
            workers.forget(program, tasks)

    def close(self) -> None:
        """End the workers, and forget what was prepared."""
        if self._workers is not None:
            self._workers.end()
            self._workers = None
        self._prepare_here = self._prepared_here = self._prepare_there = None


def _modules(*functions: Callable[..., object]) -> list[str]:
    """The modules of functions; only Rollcall's, since a user's module may change while this process runs."""
    plain = [function.func if isinstance(function, partial) else function for function in functions]
    names = {getattr(function, "__module__", None) or "" for function in plain}
    return sorted(name for name in names if name.startswith("rollcall."))
