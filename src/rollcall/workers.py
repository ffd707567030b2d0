"""Starting worker processes that end when their parent ends, even if it is killed.

A worker waits for work on a pipe that the other workers also hold open, so it would not notice that the main
process was killed. Each worker therefore watches two things in a thread: the main process, and a pipe that
the main process closes to stop its workers at once, without waiting for their current work.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.context import BaseContext
from typing import Any

from rollcall.errors import RollcallError


@contextmanager
def worker_pool(
    jobs: int,
    context: BaseContext | None = None,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes; if an exception leaves the block, the workers end at once.

    `initializer` is called in each worker, after the worker has begun to watch its parent. Processes are
    spawned unless another context is given.
    """
    context = context or multiprocessing.get_context("spawn")
    theirs, ours = connection.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(theirs, initializer, initargs)
    )
    try:
        yield pool
    except BrokenProcessPool:
        raise RollcallError(
            "a worker process was killed, perhaps for want of memory; run the same command again, with fewer "
            "--jobs"
        ) from None
    except BaseException:
        ours.close()
        _expect_no_more(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        ours.close()
        theirs.close()


def _expect_no_more(pool: ProcessPoolExecutor) -> None:
    """Let the pool see the end of its results if a worker ended while sending one.

    The pool itself holds the results pipe open and would wait for the rest forever. It has no public function
    to signal that no more results will come.
    """
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()


def _begin(
    home: "connection.Connection", initializer: Callable[..., None] | None, initargs: tuple[Any, ...]
) -> None:
    """Prepare a worker: it ignores Ctrl-C, which the main process handles, and watches its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch(signs: list[Any]) -> None:
        connection.wait(signs)
        os._exit(1)

    threading.Thread(target=watch, args=([parent.sentinel, home],), daemon=True).start()
    if initializer is not None:
        initializer(*initargs)
