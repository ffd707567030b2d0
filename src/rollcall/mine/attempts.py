"""What the miners that make random attempts share: rounds of attempts, and answers that readers find absurd.

- `Rounds`: many small attempts in numbered order. `chance_of`: the random generator of one attempt.
- `names_an_answer`, `is_about_lists`: queries that miners drop because of their answers.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from random import Random
from time import perf_counter
from typing import Generic, TypeVar

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query import Query
from rollcall.tables.engine import Engine

# Runs many small attempts in numbered order; the results are the same on any engine. Every attempt has
# its own random generator, seeded by the seed and its number. Attempts run in rounds of a fixed size.
# The results of one round may direct the next, and nothing depends on which process made which attempt.
# The first seconds of work are done in this process, because many searches are over by then, and
# starting others would take longer.

Prepared = TypeVar("Prepared")
Task = TypeVar("Task")
Result = TypeVar("Result")

_PIECES = 4
"""A round is divided into this many blocks for each process, so that one slow attempt does not delay the
rest.
"""
ALONE_SECONDS = 3.0
"""How long attempts run in this process before others are asked."""


def chance_of(seed: int, number: int, purpose: str = "") -> Random:
    """The random generator of one attempt."""
    return Random(f"{seed}/{purpose}/{number}")


class Rounds(Generic[Prepared, Task, Result]):
    """Runs one round of tasks after the other.

    `prepare` makes what attempts need, once in each process. It and `attempt` must be picklable.
    """

    def __init__(
        self,
        engine: Engine,
        prepare: Callable[[], Prepared],
        attempt: Callable[[Prepared, Task], Result],
    ) -> None:
        self._engine = engine
        self._prepare = prepare
        self._attempt = attempt
        self._each = partial(_attempt_each, attempt)
        self._seconds_left = ALONE_SECONDS
        self._prepared: Prepared | None = None

    def run(self, tasks: Sequence[Task]) -> list[Result]:
        """The results of the tasks of a round, in order."""
        first_results = self._run_here(tasks)
        if len(first_results) == len(tasks):
            return first_results
        remaining = tasks[len(first_results) :]
        size = max(1, len(remaining) // (self._engine.jobs * _PIECES))
        blocks = [remaining[start : start + size] for start in range(0, len(remaining), size)]
        results = self._engine.map_blocks(self._each, blocks, self._prepare)
        return [*first_results, *chain.from_iterable(results)]

    def _run_here(self, tasks: Sequence[Task]) -> list[Result]:
        """The results of the first tasks, as many as the time allows."""
        results: list[Result] = []
        if self._seconds_left <= 0:
            return results
        if self._prepared is None:
            self._prepared = self._prepare()
        for task in tasks:
            began = perf_counter()
            results.append(self._attempt(self._prepared, task))
            self._seconds_left -= perf_counter() - began
            if self._seconds_left <= 0:
                self._prepared = None
                break
        return results


def _attempt_each(
    attempt: Callable[[Prepared, Task], Result], prepared: Prepared, tasks: Sequence[Task]
) -> list[Result]:
    return [attempt(prepared, task) for task in tasks]


# Finds queries whose answers a reader would find absurd, so that miners drop them. Such answers are
# correct in the graph: X for "which countries have no relations with X?", or the page "List of rivers of
# X", to which a table linked, for a country or a film.

_LIST = "List of "


def names_an_answer(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether one of the answers (numbers of the index) is an entity in the query."""
    query_entities = {index.entity_number(entity) for entity in query.entities}
    return not query_entities.isdisjoint(answers.tolist())


def is_about_lists(index: GraphIndex, query: Query, answers: Numbers) -> bool:
    """Whether an answer, or an entity in the query, is a page that is a list."""
    query_entities = (
        number for entity in query.entities if (number := index.entity_number(entity)) is not None
    )
    entities = (number for number in answers.tolist() if number < index.entity_count)
    return has_list(index, (*query_entities, *entities))


def has_list(index: GraphIndex, entities: Iterable[int]) -> bool:
    """Whether one of some entities is a page that is a list."""
    names = (index.entity_labels[number] or index.entity_ids[number] for number in entities)
    return any(name.startswith(_LIST) for name in names)
