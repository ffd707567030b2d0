"""The skeleton of a world: home, years and relations of every entity, as numpy columns.

Drawing whole columns at once is fast. The columns are in memory-mapped files (a few dozen bytes per entity),
so that every worker can look up any entity while memory use stays constant. Text is made later, block by
block.

- `Families`: kinship by arithmetic. `Census`: how many entities of each kind there are.
- `Skeleton`: the columns of one world.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollcall.world._chance import Numbers, Shuffle, key, share, shares, word, words
from rollcall.world._vocabulary import (
    CONCEPT_NUMBERS,
    CONCEPTS,
    KIND,
    KINDS,
    PROFESSIONS,
    RELATIONS,
    EntityKind,
    Relation,
)

# Families by arithmetic: eight people with consecutive numbers may be three generations of one family.
#
# Roles in a family: 0 father, 1 mother, 2 to 4 their children, 5 the spouse of child 2, 6 and 7 the children
# of 2 and 5. So every relative is computed from a number alone, and kinship is reciprocal without a table.

SIZE = 8
NOW = 2024
NONE = -32768
"""No such year."""


class Families:
    """Kinship, sex and life spans of the people numbered `first` and up."""

    def __init__(self, seed: int, first: int, count: int):
        self.first, self.count, self._linked = first, count, key(seed, "family linked")
        self._seed = seed
        self._sex = key(seed, "sex")
        self._surnames = key(seed, "surname")

    def linked(self, number: int) -> bool:
        """Whether a person's group of eight is a family; otherwise the eight are not related."""
        group = (number - self.first) // SIZE
        return (group + 1) * SIZE <= self.count and share(self._linked, group) < 0.55

    def female(self, number: int) -> bool:
        index = number - self.first
        role = index % SIZE
        if self.linked(number):
            if role < 2:
                return role == 1
            if role == 5:
                return not self.female(number - 3)
        return word(self._sex, index) % 100 < 46

    def _person(self, number: int, role: int) -> int:
        return number - (number - self.first) % SIZE + role

    def father(self, number: int) -> list[int]:
        return self._parents(number, female=False)

    def mother(self, number: int) -> list[int]:
        return self._parents(number, female=True)

    def _parents(self, number: int, female: bool) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (0, 1, 5):
            return []
        if role in (2, 3, 4):
            return [self._person(number, 1 if female else 0)]
        return [
            parent
            for parent in (self._person(number, 2), self._person(number, 5))
            if self.female(parent) == female
        ]

    def children(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (3, 4, 6, 7):
            return []
        return [self._person(number, child) for child in ((2, 3, 4) if role < 2 else (6, 7))]

    def siblings(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (0, 1, 5):
            return []
        brood = (2, 3, 4) if role < 5 else (6, 7)
        return [self._person(number, other) for other in brood if other != role]

    def spouse(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        partner = {0: 1, 1: 0, 2: 5, 5: 2}.get(role)
        return [] if partner is None or not self.linked(number) else [self._person(number, partner)]

    def marriage(self, number: int) -> int:
        """A number that both spouses share."""
        return self._person(number, 0) * 2 + ((number - self.first) % SIZE in (2, 5))

    def surname(self, number: int) -> int:
        """A number that people of one surname share."""
        index = number - self.first
        role = index % SIZE
        if not self.linked(number) or role in (1, 5):
            return word(self._surnames, index + (1 << 32))
        if role > 5 and self.female(self._person(number, 2)):
            return self.surname(self._person(number, 5))
        return word(self._surnames, index // SIZE)

    def years(self, low: int, high: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The years of birth and death of all people; NONE for those still alive."""
        index = np.arange(self.count, dtype=np.int64)
        group, role = index // SIZE, index % SIZE
        linked = (shares(self._linked, group) < 0.55) & ((group + 1) * SIZE <= self.count)
        birth = np.where(linked, self._family_births(group, role), self._single_births(index, low, high))
        ages = words(key(self._seed, "age"), index)
        death = (
            birth
            + 39
            + (ages % np.uint64(31)).astype(np.int64)
            + (ages >> np.uint64(20)).astype(np.int64) % 29
        )
        return birth.astype(np.int16), np.where(death >= NOW, NONE, death).astype(np.int16)

    def _single_births(self, index: Numbers, low: int, high: int) -> Numbers:
        draws = shares(key(self._seed, "birth"), index)
        return low + (np.sqrt(draws) * (high - low)).astype(np.int64)

    def _family_births(self, group: Numbers, role: Numbers) -> Numbers:
        def dice(name: str, sides: int) -> Numbers:
            return (words(key(self._seed, name), group) % np.uint64(sides)).astype(np.int64)

        base = 1872 + dice("family base", 64)
        eldest = base + 20 + dice("eldest", 8)
        second = eldest + 1 + dice("second", 4)
        partner = eldest - 3 + dice("partner", 6)
        grandchild = np.maximum(eldest, partner) + 21 + dice("grandchild", 8)
        births = [
            base,
            base - 1 + dice("wife", 3),
            eldest,
            second,
            second + 1 + dice("third", 4),
            partner,
            grandchild,
            grandchild + 1 + dice("last", 4),
        ]
        result: Numbers = np.choose(role, births)
        return result


# The numbering of entities: which numbers belong to which kind, and the Q-id of each number. Each kind
# has consecutive numbers. A block of output takes an equal slice of every kind, so that all blocks cost
# the same and the dump mixes all kinds. Q-ids are scrambled, so that their order has no meaning.

FIRST_ID = 200_000_001
BLOCK_SIZE = 400
_NEWCOMERS_A_HUNDRED = 2
"""How many entities come with each later age, for every hundred of the first."""
_NEWCOMERS = (
    *("human", "human", "human", "film", "film", "film", "literary work", "literary work", "album"),
    *("television series", "painting", "video game"),
)
"""The kinds of the entities that come with a later age, each as often as it is named."""


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
        self._profession_starts = _bounds([profession.share for profession in PROFESSIONS], len(self.people))

    def kind(self, number: int) -> EntityKind:
        if number >= self.total:
            return KIND[_NEWCOMERS[word(self._newcomers, number) % len(_NEWCOMERS)]]
        return KINDS[bisect_right(self._starts, number) - 1]

    def newcomers(self, age: int) -> range:
        """The numbers of the entities that come with an age; those of the first age come with none."""
        count = max(len(_NEWCOMERS), self.total * _NEWCOMERS_A_HUNDRED // 100)
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
        order = [profession.name for profession in PROFESSIONS]
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


def _count(kind: EntityKind, entities: int) -> int:
    return min(kind.most, max(kind.least, round(kind.share * entities)))


def _bounds(shares: list[float], size: int) -> list[int]:
    bounds, passed, total = [], 0.0, sum(shares)
    for part in shares:
        bounds.append(round(passed / total * size))
        passed += part
    return bounds


Column = NDArray[np.int32]
Years = NDArray[np.int16]


class Skeleton:
    """The columns of a world: built once, then opened by every worker."""

    def __init__(self, census: Census, folder: Path):
        self.census, self.folder = census, folder
        self.families = Families(census.seed, census.people.start, len(census.people))
        self._open: dict[str, NDArray[np.generic]] = {}
        self._spans: dict[str, dict[int, tuple[int, int]]] = {}

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        column = self._open.get(name)
        if column is None:
            mapped = np.load(self.folder / f"{name}.npy", mmap_mode="r")
            column = self._open[name] = mapped.view(
                np.ndarray
            )  # indexing a plain view is several times faster
        return column

    def put(self, name: str, column: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", column)
        self._open.pop(name, None)

    def objects(self, relation: Relation, kind: str, number: int) -> list[int]:
        """The objects of a relation that is stored as a column."""
        row = self[f"{relation.key}.{kind}"][number - self.census.range[kind].start]
        return [value for value in row.tolist() if value >= 0]

    def subjects(self, relation: Relation, number: int) -> list[int]:
        """The subjects whose object is `number`, in order of their numbers."""
        low, high = self._span(relation.key, number)
        return [] if low == high else self[f"{relation.key}.subjects"][low:high].tolist()

    def degree(self, relation: Relation, number: int) -> int:
        """How many subjects an object has."""
        low, high = self._span(relation.key, number)
        return high - low

    def _span(self, key: str, number: int) -> tuple[int, int]:
        spans = self._spans.get(key)
        if spans is not None and number in spans:
            return spans[number]
        low, high = np.searchsorted(self[f"{key}.objects"], [number, number + 1]).tolist()
        return low, high

    def look_ahead(self, numbers: list[int]) -> None:
        """Find the positions of the subjects of many objects at once; drops those found before."""
        array = np.array(numbers)
        self._spans = {}
        for relation in RELATIONS:
            if is_indexed(relation):
                ranges = [self.census.range[kind] for kind in relation.object_kinds]
                mine = array[
                    np.any(
                        [(array >= span.start) & (array < span.stop) for span in ranges],
                        axis=0,
                    )
                ]
                objects = self[f"{relation.key}.objects"]
                lows, highs = np.searchsorted(objects, mine), np.searchsorted(objects, mine + 1)
                spans = zip(lows.tolist(), highs.tolist(), strict=True)
                self._spans[relation.key] = dict(zip(mine.tolist(), spans, strict=True))


def is_indexed(relation: Relation) -> bool:
    """Whether a relation can be looked up by its object."""
    return relation.back or relation.source == "home"


# Circles: entities with neighbouring numbers that work together, so that a world has collaborators.

CIRCLE = 64
"""How many consecutive numbers share circles of collaborators."""


def circles(census: Census, kind: EntityKind, index: Numbers) -> Numbers:
    """The circle of each member: a few dozen consecutive numbers form one large and some small circles."""
    if kind.name == "human":
        family = index // SIZE
        return index // CIRCLE * 4 + (shares(key(census.seed, "circle"), family) > 0.7)
    draws = shares(key(census.seed, f"circle {kind.name}"), index)
    return index // CIRCLE * 4 + (draws * draws * 4).astype(np.int64)
