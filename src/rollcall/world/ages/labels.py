"""Labels and aliases of a later age: those of newcomers, and new ones of what was renamed.

All other names stay as they were, also where they are made of a name that changed: the University of Marl
keeps its name when Marl is renamed.
"""

from rollcall.world.ages.skeleton import STEP, LaterSkeleton
from rollcall.world.aliases import Aliases
from rollcall.world.labels import TITLED, Labels
from rollcall.world.name_making import Bits, given_name, surname

RENAMED_KINDS = (
    "human",
    "business",
    "sports team",
    "musical group",
    "university",
    "museum",
    "stadium",
    "political party",
    "studio",
    "record label",
    "publisher",
)
STEPS = 24
"""How many labels are tried until one is free."""


class LaterLabels(Labels):
    """Names the entities of one later age."""

    def __init__(self, skeleton: LaterSkeleton, before: Labels):
        super().__init__(skeleton)
        self.before, self.later = before, skeleton

    def _label(self, number: int) -> str:
        if number in self.later.newcomers:
            return self.first(number, int(self.later.own(STEP)[number - self.later.newcomers.start]))
        step = self.later.renaming(number)
        return self.before.label(number) if step is None else self.new(number, step)

    def first(self, number: int, step: int) -> str:
        """A label for a newcomer; after so many steps, one that nothing else can have."""
        kind, bits = self.census.kind(number).name, self._bits(number, step)
        label = self.title(number, kind, bits) if kind in TITLED else self._child(number, bits)
        return label if step < STEPS else f"{label} {number}"

    def _child(self, number: int, bits: Bits) -> str:
        female, sounds = self.skeleton.families.female(number), self.sounds(number)
        parent = self.later.model(number)
        last = self.before.surname(parent) if parent >= 0 else surname(bits, sounds)
        return f"{given_name(bits, sounds, female)} {last}"

    def new(self, number: int, step: int) -> str:
        """Another label for an entity: a person gets another surname."""
        kind, bits = self.census.kind(number).name, self._bits(number, step)
        if kind == "human":
            given = self.before.label(number).rsplit(" ", 1)[0]
            return f"{given} {surname(bits, self.sounds(number))}"
        return self.before.patterned(number, kind, bits)

    def _bits(self, number: int, step: int) -> Bits:
        return self.bits(number + (self.later.age * 64 + step << 40))


class LaterAliases(Aliases):
    """Finds the aliases of one later age: a former label is the last of them."""

    def __init__(self, labels: LaterLabels, before: Aliases):
        super().__init__(labels)
        self.before, self.later = before, labels.later

    def of(self, number: int) -> tuple[str, ...]:
        if number in self.later.newcomers:
            return super().of(number)
        aliases = self.before.of(number)
        if self.later.renaming(number) is None:
            return aliases
        label = self.labels.label(number)
        former = self.before.labels.label(number)
        return (*(alias for alias in aliases if alias not in (label, former)), former)
