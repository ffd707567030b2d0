"""The facts of a later age: those of the age before, changed by what the fates of their relation say.

Each relation of each entity draws one fate an age, so that the subject's page, the object's page, a list and
the dump all find the same change. Relations with a converse and those that follow from other columns do not
change, except that a child is born to its parents.
"""

from dataclasses import replace

from rollcall.world.ages.change import (
    ADDED,
    BORN,
    CORRECTED,
    DEPRECATED,
    DIED,
    ENDED,
    REMOVED,
    SAID,
    UNSAID,
    Change,
)
from rollcall.world.ages.newcomers import Newcomers
from rollcall.world.ages.skeleton import LaterSkeleton
from rollcall.world.ages.values import another_literal, another_object
from rollcall.world.chance import key, share, word
from rollcall.world.facts import PAIRED, Fact, Facts
from rollcall.world.families import NONE, NOW
from rollcall.world.kinds import Kind
from rollcall.world.relation import Amount, Moment, Relation

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
"""The share of the relations of entities that draw a fate; many cannot suffer the one they drew."""
_FREE = ("drawn", "teams")
"""The sources of relations that no other statement depends on."""
_MOST = 7
"""Statements of one relation and entity have places 0 to 7; those that come later have the ones after."""

_REMEMBERED = 1 << 14

Step = tuple[list[Fact], list[Change]]
"""The facts of one relation of an entity, and how they came to be from those of the age before."""


def first_year(age: int) -> int:
    """The first year of an age."""
    return NOW + YEARS_AN_AGE * (age - 2)


class LaterFacts(Facts):
    """Finds the facts of any entity in one later age."""

    def __init__(self, before: Facts, first: Facts, skeleton: LaterSkeleton):
        super().__init__(skeleton, before.untold, unlisted=before.unlisted)
        self.before, self.first, self.later, self.age = before, first, skeleton, skeleton.age
        self._fates, self._which = key(self.seed, f"fate {self.age}"), key(self.seed, f"which {self.age}")
        self._newcomers = Newcomers(skeleton, first.sources, self.sources)
        self._steps: dict[tuple[int, str], Step] = {}

    def about(self, number: int, kind: Kind, relation: Relation) -> list[Fact]:
        return self.step(number, kind, relation)[0]

    def changes(self, number: int) -> list[Change]:
        """What happened to the facts of an entity in this age."""
        kind = self.census.kind(number)
        return [
            change for relation in self.relations(number) for change in self.step(number, kind, relation)[1]
        ]

    def year_of(self, number: int) -> int:
        """The year in which something happens to an entity in this age."""
        return first_year(self.age) + word(self._which, number) % YEARS_AN_AGE

    def step(self, number: int, kind: Kind, relation: Relation) -> Step:
        """The facts of one relation in this age, and what has changed since the age before.

        The latest are remembered: the record, the article and the pages of objects ask for the same facts.
        """
        found = self._steps.get((number, relation.key))
        if found is None:
            if len(self._steps) >= _REMEMBERED:
                self._steps.clear()
            found = self._steps[number, relation.key] = self._step(number, kind, relation)
        return found

    def _step(self, number: int, kind: Kind, relation: Relation) -> Step:
        if number in self.later.newcomers:
            values = self._newcomers.values(number, kind, relation)
            facts = [
                replace(self.fact(number, kind, relation, slot, value, len(values)), elsewhere=False)
                for slot, value in enumerate(values)
            ]
            return facts, [Change(BORN, None, fact) for fact in facts]
        facts = self.before.about(number, kind, relation)
        if kind.tier == "person" and (event := self._event(number, kind, relation)) is not None:
            return [*facts, event.fact], [event]
        if not _changes(relation):
            return facts, []
        if kind.tier == "person" and relation.ends and self.later.has_ended(number):
            return self._end_all(facts, int(self.later["end"][number]))
        return self._fate(number, kind, relation, facts)

    def _event(self, number: int, kind: Kind, relation: Relation) -> Change | None:
        """A child that was born to a person, or the person's own death."""
        if relation.source == "children":
            child = self.later.child(number)
            if child is not None:
                return Change(ADDED, None, self.fact(number, kind, relation, self._slot, child))
        if relation.objects == Moment("end") and self.later.has_ended(number):
            value = self.sources.values(number, kind, relation)[0]
            return Change(DIED, None, self.fact(number, kind, relation, 0, value))
        return None

    @property
    def _slot(self) -> int:
        """The place of a statement that came in this age among those of its relation."""
        return _MOST + self.age - 1

    def _end_all(self, facts: list[Fact], year: int) -> Step:
        now = [replace(fact, end=max(fact.start, year)) if fact.end == NONE else fact for fact in facts]
        pairs = zip(facts, now, strict=True)
        return now, [Change(ENDED, fact, after) for fact, after in pairs if fact is not after]

    def _fate(self, number: int, kind: Kind, relation: Relation, facts: list[Fact]) -> Step:
        place = self.place(number, relation, 0)
        drawn = share(self._fates, place)
        for fate, part in _FATES:
            if drawn < part:
                bits = word(self._which, place)
                if fate == ADDED:
                    return self._add(number, kind, relation, facts, bits)
                return self._change(fate, number, kind, facts, bits)
            drawn -= part
        return facts, []

    def _add(self, number: int, kind: Kind, relation: Relation, facts: list[Fact], bits: int) -> Step:
        room = len(facts) < relation.most and not (relation.dead and self._lives(number))
        value = self._object(number, kind, relation, facts, bits) if room else None
        if value is None:
            return facts, []
        fact = self.fact(number, kind, relation, self._slot, value)
        fact = replace(fact, elsewhere=False, start=NONE, end=NONE)
        if relation.ends:
            if not self._lives(number):
                return facts, []
            fact.start = self.year_of(number)
        return [*facts, fact], [Change(ADDED, None, fact)]

    def _change(self, fate: str, number: int, kind: Kind, facts: list[Fact], bits: int) -> Step:
        """Let one of the facts suffer a fate, if it can."""
        if not facts:
            return facts, []
        current = [fact for fact in facts if fact.end == NONE] if fate == ENDED else facts
        chosen = (current or facts)[bits % len(current or facts)]
        now = self._after(fate, number, kind, facts, chosen, bits >> 8)
        if now is chosen:
            return facts, []
        kept = [now if fact is chosen else fact for fact in facts]
        return [fact for fact in kept if fact is not None], [Change(fate, chosen, now)]

    def _after(
        self, fate: str, number: int, kind: Kind, facts: list[Fact], fact: Fact, bits: int
    ) -> Fact | None:
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
        self, number: int, kind: Kind, relation: Relation, facts: list[Fact], bits: int
    ) -> int | None:
        if not isinstance(relation.objects, str):
            return None
        present = {fact.value for fact in facts}
        return another_object(self.first.sources, self.later, number, kind, relation, present, bits)

    def _lives(self, number: int) -> bool:
        return int(self.later["end"][number]) == NONE


def _changes(relation: Relation) -> bool:
    """Whether statements of a relation may change: those that no other statement depends on."""
    if not relation.text or relation.id in PAIRED or relation.most > _MOST:
        return False
    return relation.source in _FREE and isinstance(relation.objects, str | Amount | Moment)
