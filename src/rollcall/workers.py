"""Starting worker processes that end with their parent, however that ends.

A worker waits for work on a pipe that its fellows hold open too, so it would never learn that the main
process was killed. Each watches two things in a thread instead: the main process, and a pipe that the main
process closes to send its workers home at once, without waiting for what they are at.
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
    """A pool of processes; when it is left by an exception, its workers end at once.

    `initializer` is called in each worker, which by then ends with its parent. Processes are spawned unless
    another context is given.
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
    """Let the pool see the end of its results where a worker ended while it was sending one.

    The pool itself holds the pipe of results open and would wait for the rest for ever; it has no public way
    to say that nothing more will come.
    """
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()


def _begin(
    home: "connection.Connection", initializer: Callable[..., None] | None, initargs: tuple[Any, ...]
) -> None:
    """Prepare a worker: it ignores Ctrl-C, which is the main process's business, and watches its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch(signs: list[Any]) -> None:
        connection.wait(signs)
        os._exit(1)

    threading.Thread(target=watch, args=([parent.sentinel, home],), daemon=True).start()
    if initializer is not None:
        initializer(*initargs)
