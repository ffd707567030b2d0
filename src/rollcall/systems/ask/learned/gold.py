"""The right answers to a question, as terms of a graph, and the reward of a candidate: the F1 of its answers.

Entities are compared by id, or by name where the set gives no ids; values by their text.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from rollcall.english.folding import fold
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.query.values import Number
from rollcall.questions.record import Answer

_MOST_VALUES = 20
"""A set of values that is so many times larger than the gold earns nothing."""


class Gold:
    """The answers to one question."""

    def __init__(self, index: GraphIndex, answers: Sequence[Answer]) -> None:
        self._index = index
        self.count = len(answers)
        entities: set[int] = set()
        texts: set[str] = set()
        for answer in answers:
            number = index.entity_number(answer.id) if answer.id else None
            if number is not None:
                entities.add(number)
            else:
                entities.update(index.named(fold(answer.label)).tolist())
                texts.update(map(fold, (answer.label, *answer.aliases)))
        self.entities: Numbers = np.array(sorted(entities), dtype=index.dtype)
        self._texts = texts

    def right(self, terms: Numbers) -> "list[bool]":
        """Which of some sorted terms are answers."""
        first = self._first_value(terms)
        return [*contained(terms[:first], self.entities).tolist(), *self._right_values(terms[first:])]

    def reward(self, terms: Numbers) -> float:
        """The F1 of some sorted terms."""
        first = self._first_value(terms)
        hits = int(contained(terms[:first], self.entities).sum())
        if self._texts and len(terms) - first <= _MOST_VALUES * (self.count + 1):
            hits += sum(self._right_values(terms[first:]))
        return 2.0 * min(hits, self.count) / (len(terms) + self.count) if hits else 0.0

    def _first_value(self, terms: Numbers) -> int:
        return int(terms.searchsorted(self._index.entity_count))

    def _right_values(self, values: Numbers) -> list[bool]:
        return [fold(str(self._index.value(one))) in self._texts for one in values.tolist()]

    def reward_of_count(self, count: int) -> float:
        """Whether a number of things is the answer."""
        return float(fold(str(Number(Decimal(count)))) in self._texts) if self.count == 1 else 0.0
