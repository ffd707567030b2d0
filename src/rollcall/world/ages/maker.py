"""Makes the blocks of a later age: records and articles of the age before, edited, and those of newcomers."""

from pathlib import Path

from rollcall.world.ages.facts import YEARS_AN_AGE, LaterFacts, first_year
from rollcall.world.ages.labels import LaterAliases, LaterLabels
from rollcall.world.ages.page_edits import PageEdits
from rollcall.world.ages.record_edits import edit_record, sign
from rollcall.world.ages.skeleton import LaterSkeleton
from rollcall.world.article import Draft, Page
from rollcall.world.block import Maker, Settings
from rollcall.world.census import BLOCK_SIZE
from rollcall.world.chance import Dice, key
from rollcall.world.facts import Fact, Facts
from rollcall.world.kinds import Kind
from rollcall.world.mention import Name
from rollcall.world.values import Snak

_REDIRECT_PLACE = 3
"""The place of the redirect from a former title among the small pages of an article."""


class LaterMaker(Maker):
    """Makes the blocks of one later age."""

    def __init__(self, settings: Settings, age: int):
        self.age = age
        self.before = Maker(settings) if age == 2 else LaterMaker(settings, age - 1)
        self.first: Facts = self.before.facts
        if isinstance(self.before, LaterMaker):
            self.first = self.before.first
        self.later = LaterSkeleton(self.before.skeleton, age_folder(settings.folder, age), age)
        self.later_labels = LaterLabels(self.later, self.before.labels)
        self.later_facts = LaterFacts(self.before.facts, self.first, self.later)
        aliases = LaterAliases(self.later_labels, self.before.titles.aliases)
        self._put_together(settings, self.later_labels, aliases, self.later_facts)
        self._edits = key(settings.seed, f"edits {age}")
        self._entries = key(settings.seed, f"entries {age}")

    @property
    def year(self) -> int:
        """The year of the dump."""
        return first_year(self.age) + YEARS_AN_AGE - 1

    @property
    def entities(self) -> int:
        return self.later.newcomers.stop

    @property
    def blocks(self) -> int:
        return self.before.blocks + -(-len(self.later.newcomers) // BLOCK_SIZE)

    def numbers(self, index: int) -> list[int]:
        """The entities of one block; newcomers follow the others."""
        if index < self.before.blocks:
            return self.before.numbers(index)
        start = (index - self.before.blocks) * BLOCK_SIZE
        newcomers = self.later.newcomers[start : start + BLOCK_SIZE]
        return sorted(newcomers, key=self.census.scrambled)

    def record(self, number: int, facts: list[Fact]) -> Snak:
        if number in self.later.newcomers:
            record = super().record(number, facts)
            sign(record, self.year)
            return record
        record = self.before.record(number, self.before.facts.of(number))
        changes = self.later_facts.changes(number)
        former = self.former(number)
        renamed = (former, self.names.of(number)) if former is not None else None
        if edit_record(record, changes, self.dump, Dice(self._entries, number), renamed):
            sign(record, self.year)
        return record

    def draft(self, number: int, facts: list[Fact], alive: bool) -> Draft:
        if number in self.later.newcomers:
            return super().draft(number, facts, alive)
        draft = self.before.draft(number, self.before.facts.of(number), alive)
        edits = PageEdits(self.articles, draft, facts, alive)
        other_facts = bool(self.later_facts.changes(number))
        return edits.edited(self.former(number), other_facts, Dice(self._edits, number))

    def former(self, number: int) -> Name | None:
        """The name that an entity had before this age, if it was renamed in it."""
        return None if self.later.renaming(number) is None else self.before.names.of(number)

    def around(self, number: int, title: str) -> list[tuple[int, Page]]:
        found = super().around(number, title)
        moved = self._former_title(number)
        if moved is not None:
            text = f"#REDIRECT [[{title}]]\n\n{{{{R from move}}}}"
            found.append((_REDIRECT_PLACE, Page(moved, text, redirect=title)))
        return found

    def _former_title(self, number: int) -> str | None:
        """The title under which the article was before it was moved, in this age or an earlier one."""
        former = self.former(number)
        if former is not None:
            return former.title
        return self.before._former_title(number) if isinstance(self.before, LaterMaker) else None

    def class_of(self, number: int, kind: Kind) -> str:
        if number in self.later.newcomers:
            return super().class_of(number, kind)
        return self.before.class_of(number, kind)


def age_folder(work: Path, age: int) -> Path:
    """The folder for the columns of a later age."""
    return work / f"age-{age}"
