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
        first = int(terms.searchsorted(self._index.entity_count))
        values = [fold(str(self._index.value(one))) in self._texts for one in terms[first:].tolist()]
        return [*contained(terms[:first], self.entities).tolist(), *values]

    def reward(self, terms: Numbers) -> float:
        """The F1 of some sorted terms."""
        many = len(terms) - int(terms.searchsorted(self._index.entity_count))
        if not len(terms) or (many and (not self._texts or many > _MOST_VALUES * (self.count + 1))):
            return 0.0
        hits = min(sum(self.right(terms)), self.count)
        return 2.0 * hits / (len(terms) + self.count)

    def reward_of_count(self, count: int) -> float:
        """Whether a number of things is the answer."""
        return float(fold(str(Number(Decimal(count)))) in self._texts) if self.count == 1 else 0.0
