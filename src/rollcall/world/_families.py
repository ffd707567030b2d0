"""Families by arithmetic: eight people with consecutive numbers may be three generations of one family.

Roles in a family: 0 father, 1 mother, 2 to 4 their children, 5 the spouse of child 2, 6 and 7 the children of
2 and 5. So every relative is computed from a number alone, and kinship is reciprocal without a table.
"""

import numpy as np
from numpy.typing import NDArray

from rollcall.world._chance import Numbers, key, share, shares, word, words

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
