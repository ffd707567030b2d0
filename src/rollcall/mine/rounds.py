"""Many small attempts in numbered order, on any number of processes, with the same result for each.

Every attempt draws from chance of its own, seeded by the seed and its number. Attempts run in rounds of a
fixed size; what one round found may direct the next, and nothing depends on which process did what.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from rollcall.workers import worker_pool

Task = TypeVar("Task")
Result = TypeVar("Result")

_PIECES = 4
"""A round is handed out in this many pieces a process, so that a slow attempt does not hold up the rest."""

_state: dict[str, Any] = {}


def chance_of(seed: int, number: int, what: str = "") -> Random:
    """The chance of one attempt."""
    return Random(f"{seed}/{what}/{number}")


@contextmanager
def rounds(
    prepare: Callable[[], Any], attempt: Callable[[Any, Task], Result], jobs: int
) -> Iterator[Callable[[Sequence[Task]], Iterable[Result]]]:
    """A function that runs tasks and gives their results in order.

    `prepare` makes what attempts need, once a process; both it and `attempt` must be picklable.
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
