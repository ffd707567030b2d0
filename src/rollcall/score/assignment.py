"""The best assignment of predicted names to gold answers where one name fits several answers.

A maximum matching by augmenting paths; the graphs have a handful of nodes, so the textbook method is
the fast one. Its size does not depend on the order of anything.
"""

from collections.abc import Sequence


def best_assignment(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each name the answer it gets, or None; as many names as possible get one of their choices.

    >>> best_assignment([[0, 1], [0]])
    [1, 0]
    """
    holder: dict[int, int] = {}
    for name in range(len(choices)):
        _place(name, choices, holder)
    assigned: list[int | None] = [None] * len(choices)
    for answer, name in holder.items():
        assigned[name] = answer
    return assigned


def _place(start: int, choices: Sequence[Sequence[int]], holder: dict[int, int]) -> None:
    """Give `start` an answer, moving others along an augmenting path found breadth first."""
    came_from: dict[int, int] = {}
    queue = [start]
    for name in queue:
        for answer in choices[name]:
            if answer in came_from:
                continue
            came_from[answer] = name
            if answer in holder:
                queue.append(holder[answer])
                continue
            _shift(answer, start, came_from, holder)
            return


def _shift(free: int, start: int, came_from: dict[int, int], holder: dict[int, int]) -> None:
    held = {name: answer for answer, name in holder.items()}
    answer = free
    while True:
        name = came_from[answer]
        previous = held.get(name)
        holder[answer] = name
        if name == start or previous is None:
            return
        answer = previous
