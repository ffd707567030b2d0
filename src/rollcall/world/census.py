"""The numbering of entities: which numbers belong to which kind, and the Q-id of each number.

Each kind has consecutive numbers. A block of output takes an equal slice of every kind, so that all blocks
cost the same and the dump mixes all kinds. Q-ids are scrambled, so that their order has no meaning.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from rollcall.world.chance import Shuffle, key, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS
from rollcall.world.kinds import KIND, KINDS, NEWCOMERS, PROFESSIONS, Kind

FIRST_ID = 200_000_001
BLOCK_SIZE = 400
_NEWCOMERS_A_HUNDRED = 2
"""How many entities come with each later age, for every hundred of the first."""


class Census:
    """The numbering of a world of a given size."""

    def __init__(self, entities: int, seed: int):
        self.entities, self.seed = entities, seed
        counts = {kind.name: _count(kind, entities) for kind in KINDS}
        counts["human"] = max(entities - sum(counts.values()) + counts["human"], 64)
        self.range: dict[str, range] = {}
        start = 0
        for kind in KINDS:
            self.range[kind.name] = range(start, start + counts[kind.name])
            start += counts[kind.name]
        self.total = start
        self._starts = [self.range[kind.name].start for kind in KINDS]
        self.blocks = max(1, math.ceil(self.total / BLOCK_SIZE))
        self._bits = max(12, self.total.bit_length() + 1)
        self._newcomers = key(seed, "newcomer")
        self._odd = word(key(seed, "ids"), 0) | 1
        self._shift = word(key(seed, "ids"), 1)
        self.id = lru_cache(maxsize=1 << 16)(self._id)
        """The Q-id of a number."""
        self.people = self.range["human"]
        self.ranks = Shuffle(seed, "ranks", len(self.people))
        self._profession_starts = _bounds([share for _, _, share in PROFESSIONS], len(self.people))

    def kind(self, number: int) -> Kind:
        if number >= self.total:
            return KIND[NEWCOMERS[word(self._newcomers, number) % len(NEWCOMERS)]]
        return KINDS[bisect_right(self._starts, number) - 1]

    def newcomers(self, age: int) -> range:
        """The numbers of the entities that come with an age; those of the first age come with none."""
        count = max(len(NEWCOMERS), self.total * _NEWCOMERS_A_HUNDRED // 100)
        start = self.total + (age - 2) * count
        return range(start, start + count)

    def scrambled(self, number: int) -> int:
        """A unique number for every entity, in an order without visible pattern."""
        mask = (1 << self._bits) - 1
        value = (number + self._shift) & mask
        value = value * self._odd & mask
        value ^= value >> (self._bits // 2)
        return value * self._odd & mask

    def _id(self, number: int) -> str:
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].id
        return f"Q{FIRST_ID + self.scrambled(number)}"

    def profession(self, number: int) -> int:
        """The index in PROFESSIONS of a person's first profession."""
        return bisect_right(self._profession_starts, self.ranks.forth(number - self.people.start)) - 1

    def profession_ranks(self, names: tuple[str, ...]) -> range:
        """The ranks of people of neighbouring professions, first to last."""
        order = [name for name, _, _ in PROFESSIONS]
        first, last = order.index(names[0]), order.index(names[-1])
        bounds = [*self._profession_starts, len(self.people)]
        return range(bounds[first], bounds[last + 1])

    def block(self, index: int) -> list[int]:
        """The numbers of one block: a slice of every kind, in the order of their ids."""
        return sorted(self._slices(index), key=self.scrambled)

    def _slices(self, index: int) -> Iterator[int]:
        for kind in KINDS:
            members = self.range[kind.name]
            yield from members[
                len(members) * index // self.blocks : len(members) * (index + 1) // self.blocks
            ]


def _count(kind: Kind, entities: int) -> int:
    return min(kind.most, max(kind.least, round(kind.share * entities)))


def _bounds(shares: list[float], size: int) -> list[int]:
    bounds, passed, total = [], 0.0, sum(shares)
    for part in shares:
        bounds.append(round(passed / total * size))
        passed += part
    return bounds
