"""What is known about entities that come with a later age: children of known people, and new works.

A new work is made after an earlier one: by the same people, as far as they live, in the same place. So
answers come to questions that are asked already.
"""

from collections.abc import Sequence

from rollcall.world.ages.skeleton import LaterSkeleton
from rollcall.world.chance import key, share
from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.facts import PAIRED
from rollcall.world.families import NONE
from rollcall.world.kinds import Kind
from rollcall.world.relation import Relation
from rollcall.world.sources import Sources
from rollcall.world.values import Literal

_OF_A_CHILD = ("P21", "P569", "P19", "P27", "P22", "P25")
_OWN = ("country", "home", "sex", "external")
"""Sources whose values the columns of the newcomer itself give."""
_LIKE = 0.85
"""The share of an earlier work's objects that the new one has too."""
_OLDEST = 85


class Newcomers:
    """Finds the values of newcomers of one age: `first` are the sources of the first age, `own` of this."""

    def __init__(self, skeleton: LaterSkeleton, first: Sources, own: Sources):
        self.skeleton, self.first, self.own = skeleton, first, own
        self._like = key(skeleton.census.seed, "like its model")

    def values(self, number: int, kind: Kind, relation: Relation) -> Sequence[int | Literal]:
        """The values of one relation of a newcomer."""
        model = self.skeleton.model(number)
        if kind.tier == "person":
            return self._of_child(number, model, kind, relation) if relation.id in _OF_A_CHILD else ()
        if relation.id in PAIRED or model < 0:
            return ()
        if relation.source in _OWN or not isinstance(relation.objects, str):
            return self.own.values(number, kind, relation)
        found = self.first.values(model, kind, relation)[: relation.most]
        return [value for value in found if isinstance(value, int) and self._shared(number, value, relation)]

    def _of_child(self, number: int, parent: int, kind: Kind, relation: Relation) -> Sequence[int | Literal]:
        if relation.source in ("father", "mother"):
            female = parent >= 0 and self.skeleton.families.female(parent)
            return [parent] if parent >= 0 and female == (relation.source == "mother") else ()
        if relation.id == "P19":
            return self.first.values(parent, kind, relation)[:1] if parent >= 0 else ()
        return self.own.values(number, kind, relation)

    def _shared(self, number: int, value: int, relation: Relation) -> bool:
        if value < CONCEPT_NUMBERS:
            year, end = int(self.skeleton["year"][value]), int(self.skeleton["end"][value])
            made = int(self.skeleton["year"][number])
            person = self.skeleton.census.kind(value).tier == "person"
            if end != NONE or (person and year < made - _OLDEST):
                return False
        return share(self._like, number << 20 ^ value) < _LIKE
