"""Runs many small attempts in numbered order; the results are the same for any number of processes.

Every attempt has its own random generator, seeded by the seed and its number. Attempts run in rounds of a
fixed size. The results of one round may direct the next, and nothing depends on which process made which
attempt.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from rollcall.workers import worker_pool

Task = TypeVar("Task")
Result = TypeVar("Result")

_PIECES = 4
"""A round is divided into this many pieces for each process, so that one slow attempt does not delay the
rest.
"""

_state: dict[str, Any] = {}


def chance_of(seed: int, number: int, what: str = "") -> Random:
    """The random generator of one attempt."""
    return Random(f"{seed}/{what}/{number}")


@contextmanager
def rounds(
    prepare: Callable[[], Any], attempt: Callable[[Any, Task], Result], jobs: int
) -> Iterator[Callable[[Sequence[Task]], Iterable[Result]]]:
    """A function that runs tasks and gives their results in order.

    `prepare` makes what attempts need, once in each process. It and `attempt` must be picklable.
    """
    if jobs == 1:
        ready = prepare()
        yield lambda tasks: [attempt(ready, task) for task in tasks]
        return
    with worker_pool(jobs, initializer=_prepare, initargs=(prepare, attempt)) as pool:
        yield lambda tasks: pool.map(_attempt, tasks, chunksize=max(1, len(tasks) // (jobs * _PIECES)))


def _prepare(prepare: Callable[[], Any], attempt: Callable[[Any, Any], Any]) -> None:
    _state["ready"], _state["attempt"] = prepare(), attempt


def _attempt(task: Any) -> Any:
    return _state["attempt"](_state["ready"], task)
