"""The best assignment of predicted names to gold answers if one name fits several answers.

A maximum matching by augmenting paths, one name at a time. The graphs have few nodes, so the textbook method
is fast. The size of the matching does not depend on any order.
"""

from collections.abc import Sequence


class Assignment:
    """Names and their answers so far: as many names as possible have one of their choices."""

    def __init__(self) -> None:
        self.answer_of: dict[int, int] = {}
        """The answer of each name, by the name's number in the order of adding."""
        self._choices: list[Sequence[int]] = []
        self._holder: dict[int, int] = {}

    def add(self, choices: Sequence[int]) -> bool:
        """Add one more name; return whether one more answer is found."""
        start = len(self._choices)
        self._choices.append(choices)
        came_from: dict[int, int] = {}
        queue = [start]
        for name in queue:
            for answer in self._choices[name]:
                if answer in came_from:
                    continue
                came_from[answer] = name
                if answer in self._holder:
                    queue.append(self._holder[answer])
                    continue
                self._shift(answer, start, came_from)
                return True
        return False

    def _shift(self, free: int, start: int, came_from: dict[int, int]) -> None:
        """Move the names along the path to `start`, the first of them to the free answer."""
        answer = free
        while True:
            name = came_from[answer]
            previous = self.answer_of.get(name)
            self._holder[answer], self.answer_of[name] = name, answer
            if name == start or previous is None:
                return
            answer = previous


def best_assignment(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each name its answer, or None; as many names as possible get one of their choices.

    >>> best_assignment([[0, 1], [0]])
    [1, 0]
    """
    assignment = Assignment()
    for one in choices:
        assignment.add(one)
    return [assignment.answer_of.get(name) for name in range(len(choices))]
