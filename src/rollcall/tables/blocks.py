"""Python functions over blocks, in worker processes of this machine.

One pool serves a whole command: it starts with the second block of the first work that has one, and later
work finds it running. What a function needs besides its block is prepared once in each process.
"""

import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from rollcall.workers import worker_pool

Block = TypeVar("Block")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
_AHEAD = 2
"""For each process, this many blocks are given out before the first result is awaited."""


class LocalBlocks:
    """Runs functions over blocks in this process, or in others if that can be faster."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._open = ExitStack()
        self._pool: Any = None

    def map(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks."""
        waiting = iter(blocks)
        first = list(islice(waiting, 2))
        waiting = chain(first, waiting)
        if self._jobs == 1 or len(first) < 2:
            prepared = prepare() if first else None
            yield from (function(prepared, block) for block in waiting)  # type: ignore[arg-type]
            return
        yield from self._in_processes(function, waiting, prepare)

    def _in_processes(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterator[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        if self._pool is None:
            self._pool = self._open.enter_context(worker_pool(self._jobs))
        with tempfile.NamedTemporaryFile(prefix="rollcall-work-") as program:
            program.write(pickle.dumps((function, prepare), pickle.HIGHEST_PROTOCOL))
            program.flush()
            pending: deque[Future[Result]] = deque()
            for block in blocks:
                pending.append(self._pool.submit(_work, program.name, block))
                if len(pending) >= self._jobs * _AHEAD:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

    def close(self) -> None:
        self._open.close()
        self._pool = None


_programs: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""In a worker: the function and what it was prepared with, for the work at hand."""


def _work(program: str, block: Any) -> Any:
    if program not in _programs:
        function, prepare = pickle.loads(Path(program).read_bytes())
        _programs.clear()
        _programs[program] = (function, prepare())
    function, prepared = _programs[program]
    return function(prepared, block)
