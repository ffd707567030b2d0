"""The columns of a later age: those of the age before, and its own where something came or changed."""

from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.world._facts import WorldFact
from rollcall.world._skeleton import Skeleton
from rollcall.world._vocabulary import Relation

OWN = frozenset({"year", "end", "country", "home", "level", "redirect", "taken"})
"""The columns of a world of which every later age has its own version, longer by its newcomers."""
MODEL, STEP, RENAMED, RENAMED_STEP = "model", "label step", "renamed", "renamed step"
OBJECTS, SUBJECTS = "added objects", "added subjects"


class LaterSkeleton(Skeleton):
    """The columns of one later age."""

    def __init__(self, before: Skeleton, folder: Path, age: int):
        super().__init__(before.census, folder)
        self.before, self.age = before, age
        self.newcomers = self.census.newcomers(age)

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return self.own(name) if name in OWN else self.before[name]

    def own(self, name: str) -> NDArray[np.generic]:
        """A column of this age."""
        return super().__getitem__(name)

    def model(self, number: int) -> int:
        """The entity after which a newcomer is made: the parent of a person, an earlier work; or itself."""
        if number < self.census.total:
            return number
        if number not in self.newcomers:
            assert isinstance(self.before, LaterSkeleton)
            return self.before.model(number)
        return int(self.own(MODEL)[number - self.newcomers.start])

    def child(self, number: int) -> int | None:
        """The child of a person that came with this age."""
        return self._children.get(number)

    @cached_property
    def _children(self) -> dict[int, int]:
        models = self.own(MODEL).tolist()
        people = self.census.people
        return {
            model: number for number, model in zip(self.newcomers, models, strict=True) if model in people
        }

    def has_ended(self, number: int) -> bool:
        """Whether an entity of an earlier age came to its end in this one."""
        return number not in self.newcomers and int(self["end"][number]) != int(self.before["end"][number])

    def renaming(self, number: int) -> int | None:
        """Which of the possible new labels an entity got in this age; None if it was not renamed."""
        renamed = self.own(RENAMED)
        index = int(np.searchsorted(renamed, number))
        if index == len(renamed) or int(renamed[index]) != number:
            return None
        return int(self.own(RENAMED_STEP)[index])

    def subjects(self, relation: Relation, number: int) -> list[int]:
        subjects = self.before.subjects(relation, number)
        objects = self.own(f"{OBJECTS} {relation.key}")
        low, high = np.searchsorted(objects, [number, number + 1]).tolist()
        if low == high:
            return subjects
        return sorted({*subjects, *self.own(f"{SUBJECTS} {relation.key}")[low:high].tolist()})

    def degree(self, relation: Relation, number: int) -> int:
        return self.before.degree(relation, number)

    def look_ahead(self, numbers: list[int]) -> None:
        self.before.look_ahead(numbers)


# What can happen to a statement between one dump of a world and the next.

ADDED, CORRECTED, REMOVED, DEPRECATED, ENDED = "added", "corrected", "removed", "deprecated", "ended"
SAID, UNSAID, BORN, DIED, RENAMED_ENTITY = "said", "unsaid", "born", "died", "renamed"

KINDS = {
    BORN: "a new entity came, with this statement",
    DIED: "a person died: the date of death was added",
    RENAMED_ENTITY: "the label changed; the old one is an alias, and the title of the page is a redirect",
    ADDED: "a statement was added",
    CORRECTED: "the value of a statement was replaced, under the same id",
    REMOVED: "a statement was removed",
    DEPRECATED: "a statement got the rank `deprecated`",
    ENDED: "a statement got an end time",
    SAID: "text began to state a fact that was in the dump before",
    UNSAID: "text no longer states a fact that is still in the dump",
}


class StatementChange(msgspec.Struct, frozen=True, eq=False):
    """One change of a statement: how it was, and how it is."""

    kind: str
    before: WorldFact | None
    after: WorldFact | None

    @property
    def fact(self) -> WorldFact:
        """The statement, as it is if it still is there."""
        fact = self.after or self.before
        assert fact is not None
        return fact
