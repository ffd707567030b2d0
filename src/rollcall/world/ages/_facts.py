"""The facts of a later age: those of the age before, changed by the fates that their relations drew.

Each relation of each entity draws one fate an age, so that the subject's page, the object's page, a list and
the dump all find the same change. Relations with a converse and those that follow from other columns do not
change, except that a child is born to its parents.

- `LaterSkeleton`: the columns of a later age. `StatementChange`: what can happen to a statement.
- `LaterFacts`, `LaterLabels`, `LaterAliases`: what holds in a later age.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from rollcall.world._chance import key, share, word
from rollcall.world._facts import PAIRED, WorldFact, WorldFacts
from rollcall.world._labels import TITLED, Bits, EntityLabels, given_name, surname
from rollcall.world._skeleton import NONE, NOW, Skeleton
from rollcall.world._sources import DateValue, Literal, Quantity, ValueSources, plain
from rollcall.world._titles import EntityAliases
from rollcall.world._vocabulary import CONCEPT_NUMBERS, EntityKind, Relation

# The columns of a later age: those of the age before, and its own where something came or changed.


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


# Other values that a statement could have: for one that is corrected, or one that is added.

_NEIGHBOURS = 24
_GROWN = 15
"""The age from which people do what statements tell of them."""


def another_literal(value: Literal, bits: int) -> Literal | None:
    """A date one or two years off, or a quantity some hundredths off; None for other values."""
    if isinstance(value, DateValue):
        shift = (-2, -1, 1, 2)[bits % 4]
        return DateValue(value.year + shift, value.month, value.day)
    if isinstance(value, Quantity):
        amount = float(value.amount)
        decimals = len(value.amount.partition(".")[2])
        changed = round(amount * (0.9, 0.95, 1.06, 1.12)[bits % 4], decimals)
        return Quantity(plain(changed), value.unit) if changed not in (amount, 0) else None
    return None


def another_object(
    sources: ValueSources,
    skeleton: LaterSkeleton,
    number: int,
    kind: EntityKind,
    relation: Relation,
    present: Collection[object],
    bits: int,
) -> int | None:
    """An object that a neighbour of the subject has, which fits the subject too; None if there is none."""
    for step in range(_NEIGHBOURS):
        other = _neighbour(skeleton, skeleton.model(number), kind, 1 + bits % 5 + step)
        for value in sources.values(other, kind, relation) if other is not None else ():
            if (
                isinstance(value, int)
                and value not in present
                and value != number
                and fits(skeleton, number, value)
            ):
                return value
    return None


def _neighbour(skeleton: LaterSkeleton, number: int, kind: EntityKind, step: int) -> int | None:
    """Another member of a kind: of people, one of the same or the next profession."""
    members = skeleton.census.range[kind.name]
    if number not in members or len(members) < 2:
        return None
    if kind.tier != "person":
        return members.start + (number - members.start + step) % len(members)
    ranks = skeleton.census.ranks
    rank = ranks.forth(number - members.start)
    return members.start + ranks.home((rank + step) % len(members))


def fits(skeleton: LaterSkeleton, number: int, value: int) -> bool:
    """Whether subject and object were there at the same time."""
    if value >= CONCEPT_NUMBERS:
        return True
    begin, end = int(skeleton["year"][number]), int(skeleton["end"][number])
    since, until = int(skeleton["year"][value]), int(skeleton["end"][value])
    if since != NONE and skeleton.census.kind(value).tier == "person":
        since += _GROWN
    if skeleton.census.kind(number).tier == "work":
        end = begin  # a work is made once
    comes_after = NONE not in (since, end) and since > end
    was_before = NONE not in (until, begin) and until < begin
    return not comes_after and not was_before


# What is known about entities that come with a later age: children of known people, and new works. A new
# work is made after an earlier one: by the same people, as far as they live, in the same place. So
# answers come to questions that are asked already.

_OF_A_CHILD = ("P21", "P569", "P19", "P27", "P22", "P25")
_OWN = ("country", "home", "sex", "external")
"""Sources whose values the columns of the newcomer itself give."""
_LIKE = 0.85
"""The share of an earlier work's objects that the new one has too."""
_OLDEST = 85


class Newcomers:
    """Finds the values of newcomers of one age: `first` are the sources of the first age, `own` of this."""

    def __init__(self, skeleton: LaterSkeleton, first: ValueSources, own: ValueSources):
        self.skeleton, self.first, self.own = skeleton, first, own
        self._like = key(skeleton.census.seed, "like its model")

    def values(self, number: int, kind: EntityKind, relation: Relation) -> Sequence[int | Literal]:
        """The values of one relation of a newcomer."""
        model = self.skeleton.model(number)
        if kind.tier == "person":
            return self._of_child(number, model, kind, relation) if relation.id in _OF_A_CHILD else ()
        if relation.id in PAIRED or model < 0:
            return ()
        if relation.source in _OWN or not relation.objects:
            return self.own.values(number, kind, relation)
        values = self.first.values(model, kind, relation)[: relation.most]
        return [value for value in values if isinstance(value, int) and self._shared(number, value, relation)]

    def _of_child(
        self, number: int, parent: int, kind: EntityKind, relation: Relation
    ) -> Sequence[int | Literal]:
        if relation.source in ("father", "mother"):
            female = parent >= 0 and self.skeleton.families.female(parent)
            return [parent] if parent >= 0 and female == (relation.source == "mother") else ()
        if relation.id == "P19":
            return self.first.values(parent, kind, relation)[:1] if parent >= 0 else ()
        return self.own.values(number, kind, relation)

    def _shared(self, number: int, value: int, relation: Relation) -> bool:
        if value < CONCEPT_NUMBERS:
            year, end = int(self.skeleton["year"][value]), int(self.skeleton["end"][value])
            created = int(self.skeleton["year"][number])
            person = self.skeleton.census.kind(value).tier == "person"
            if end != NONE or (person and year < created - _OLDEST):
                return False
        return share(self._like, number << 20 ^ value) < _LIKE


YEARS_AN_AGE = 2
_FATES = (
    (ADDED, 0.015),
    (CORRECTED, 0.010),
    (REMOVED, 0.006),
    (DEPRECATED, 0.006),
    (UNSAID, 0.010),
    (SAID, 0.030),
    (ENDED, 0.150),
)
"""The share of the relations of entities that draw a fate; often the one drawn does not apply."""
_FREE = ("drawn", "teams")
"""The sources of relations that no other statement depends on."""
_MOST = 7
"""Statements of one relation and entity have places 0 to 7; those that come later have the ones after."""

_REMEMBERED = 1 << 14

Step = tuple[list[WorldFact], list[StatementChange]]
"""The facts of one relation of an entity, and how they came to be from those of the age before."""


def first_year(age: int) -> int:
    """The first year of an age."""
    return NOW + YEARS_AN_AGE * (age - 2)


class LaterFacts(WorldFacts):
    """Finds the facts of any entity in one later age."""

    def __init__(self, before: WorldFacts, first: WorldFacts, skeleton: LaterSkeleton):
        super().__init__(skeleton, before.untold, unlisted=before.unlisted)
        self.before, self.first, self.later, self.age = before, first, skeleton, skeleton.age
        self._fates, self._which = key(self.seed, f"fate {self.age}"), key(self.seed, f"which {self.age}")
        self._newcomers = Newcomers(skeleton, first.sources, self.sources)
        self._steps: dict[tuple[int, str], Step] = {}

    def about(self, number: int, kind: EntityKind, relation: Relation) -> list[WorldFact]:
        return self.step(number, kind, relation)[0]

    def changes(self, number: int) -> list[StatementChange]:
        """What happened to the facts of an entity in this age."""
        kind = self.census.kind(number)
        return [
            change for relation in self.relations(number) for change in self.step(number, kind, relation)[1]
        ]

    def year_of(self, number: int) -> int:
        """The year in which something happens to an entity in this age."""
        return first_year(self.age) + word(self._which, number) % YEARS_AN_AGE

    def step(self, number: int, kind: EntityKind, relation: Relation) -> Step:
        """The facts of one relation in this age, and what has changed since the age before.

        The latest are remembered: the record, the article and the pages of objects ask for the same facts.
        """
        step = self._steps.get((number, relation.key))
        if step is None:
            if len(self._steps) >= _REMEMBERED:
                self._steps.clear()
            step = self._steps[number, relation.key] = self._step(number, kind, relation)
        return step

    def _step(self, number: int, kind: EntityKind, relation: Relation) -> Step:
        if number in self.later.newcomers:
            values = self._newcomers.values(number, kind, relation)
            facts = [
                replace(self.fact(number, kind, relation, slot, value, len(values)), elsewhere=False)
                for slot, value in enumerate(values)
            ]
            return facts, [StatementChange(BORN, None, fact) for fact in facts]
        facts = self.before.about(number, kind, relation)
        if kind.tier == "person" and (event := self._event(number, kind, relation)) is not None:
            return [*facts, event.fact], [event]
        if not _changes(relation):
            return facts, []
        if kind.tier == "person" and relation.ends and self.later.has_ended(number):
            return self._end_all(facts, int(self.later["end"][number]))
        return self._fate(number, kind, relation, facts)

    def _event(self, number: int, kind: EntityKind, relation: Relation) -> StatementChange | None:
        """A child that was born to a person, or the person's own death."""
        if relation.source == "children":
            child = self.later.child(number)
            if child is not None:
                return StatementChange(ADDED, None, self.fact(number, kind, relation, self._slot, child))
        if relation.date == "end" and self.later.has_ended(number):
            value = self.sources.values(number, kind, relation)[0]
            return StatementChange(DIED, None, self.fact(number, kind, relation, 0, value))
        return None

    @property
    def _slot(self) -> int:
        """The slot of a statement that came in this age."""
        return _MOST + self.age - 1

    def _end_all(self, facts: list[WorldFact], year: int) -> Step:
        now = [replace(fact, end=max(fact.start, year)) if fact.end == NONE else fact for fact in facts]
        pairs = zip(facts, now, strict=True)
        return now, [StatementChange(ENDED, fact, after) for fact, after in pairs if fact is not after]

    def _fate(self, number: int, kind: EntityKind, relation: Relation, facts: list[WorldFact]) -> Step:
        statement = self.statement_number(number, relation, 0)
        drawn = share(self._fates, statement)
        for fate, part in _FATES:
            if drawn < part:
                bits = word(self._which, statement)
                if fate == ADDED:
                    return self._add(number, kind, relation, facts, bits)
                return self._change(fate, number, kind, facts, bits)
            drawn -= part
        return facts, []

    def _add(
        self, number: int, kind: EntityKind, relation: Relation, facts: list[WorldFact], bits: int
    ) -> Step:
        room = len(facts) < relation.most and not (relation.ended and self._lives(number))
        value = self._object(number, kind, relation, facts, bits) if room else None
        if value is None:
            return facts, []
        fact = self.fact(number, kind, relation, self._slot, value)
        fact = replace(fact, elsewhere=False, start=NONE, end=NONE)
        if relation.ends:
            if not self._lives(number):
                return facts, []
            fact.start = self.year_of(number)
        return [*facts, fact], [StatementChange(ADDED, None, fact)]

    def _change(self, fate: str, number: int, kind: EntityKind, facts: list[WorldFact], bits: int) -> Step:
        """Apply a fate to one of the facts, if it can have it."""
        if not facts:
            return facts, []
        current = [fact for fact in facts if fact.end == NONE] if fate == ENDED else facts
        changing_fact = (current or facts)[bits % len(current or facts)]
        now = self._after(fate, number, kind, facts, changing_fact, bits >> 8)
        if now is changing_fact:
            return facts, []
        changed = [now if fact is changing_fact else fact for fact in facts]
        return [fact for fact in changed if fact is not None], [StatementChange(fate, changing_fact, now)]

    def _after(
        self, fate: str, number: int, kind: EntityKind, facts: list[WorldFact], fact: WorldFact, bits: int
    ) -> WorldFact | None:
        """A fact after its fate; the same object if nothing happened."""
        relation = fact.relation
        if fate in (REMOVED, DEPRECATED):
            return None
        if fate == ENDED and relation.ends and fact.end == NONE:
            return replace(fact, end=max(fact.start, self.year_of(number)))
        if fate == UNSAID and fact.told:
            return replace(fact, told=False, elsewhere=False)
        if fate == SAID and not fact.told:
            return replace(fact, told=True)
        if fate == CORRECTED:
            value = (
                self._object(number, kind, relation, facts, bits)
                if isinstance(fact.value, int)
                else another_literal(fact.value, bits)
            )
            if value is not None:
                return replace(fact, value=value, elsewhere=False)
        return fact

    def _object(
        self, number: int, kind: EntityKind, relation: Relation, facts: list[WorldFact], bits: int
    ) -> int | None:
        if not relation.objects:
            return None
        present = {fact.value for fact in facts}
        return another_object(self.first.sources, self.later, number, kind, relation, present, bits)

    def _lives(self, number: int) -> bool:
        return int(self.later["end"][number]) == NONE


def _changes(relation: Relation) -> bool:
    """Whether statements of a relation may change: those that no other statement depends on."""
    if not relation.text or relation.id in PAIRED or relation.most > _MOST:
        return False
    return relation.source in _FREE and not relation.words


# Labels and aliases of a later age: those of newcomers, and new ones of what was renamed. All other
# names stay as they were, also where they are made of a name that changed: the University of Marl keeps
# its name when Marl is renamed.

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


class LaterLabels(EntityLabels):
    """Names the entities of one later age."""

    def __init__(self, skeleton: LaterSkeleton, before: EntityLabels):
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
            first_names = self.before.label(number).rsplit(" ", 1)[0]
            return f"{first_names} {surname(bits, self.sounds(number))}"
        return self.before.patterned(number, kind, bits)

    def _bits(self, number: int, step: int) -> Bits:
        return self.bits(number + (self.later.age * 64 + step << 40))


class LaterAliases(EntityAliases):
    """Finds the aliases of one later age: a former label is the last of them."""

    def __init__(self, labels: LaterLabels, before: EntityAliases):
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
