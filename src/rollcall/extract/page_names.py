"""Puts the names of one page together: those that a page uses for the same thing are one group.

Names are the same if they differ in case, marks or an article, if the reading says so, or if one is a short
form of exactly one other name of a fitting class on this page. Where the page says something of the one to
the other ("Albany is the seat of Albany County"), they are two.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from rollcall.extract.records import PageReading, Thing
from rollcall.extract.short_forms import is_short_for
from rollcall.extract.wordings import key_of

Fits = Callable[[str, str], bool]
"""Whether things of two classes may be the same."""


class NameGroup:
    """The names that one page uses for one thing."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.names: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()

    @property
    def class_(self) -> str:
        """The class that the page says most often, the first of equal ones."""
        return max(self.classes, key=lambda class_: self.classes[class_])

    @property
    def name(self) -> str:
        """The fullest name."""
        return max(self.names, key=lambda name: (len(key_of(name)), self.names[name], name))

    @property
    def keys(self) -> set[str]:
        return {key_of(name) for name in self.names}

    def take(self, other: "NameGroup") -> None:
        self.names += other.names
        self.classes += other.classes


class PageNames:
    """The groups of a page, and which group each name belongs to."""

    def __init__(self, page: str, readings: Iterable[PageReading], fits: Fits) -> None:
        self.page = page
        self._of_key: dict[str, NameGroup] = {}
        read = list(readings)
        for thing in (thing for reading in read for thing in reading.things):
            self._add(thing, fits)
        self._join_short_forms(fits, _told_apart(read))

    @property
    def groups(self) -> list[NameGroup]:
        """All groups, each once, in the order in which the page was read."""
        return list(dict.fromkeys(self._of_key.values()))

    def group_of(self, name: str) -> NameGroup | None:
        return self._of_key.get(key_of(name))

    def _add(self, thing: Thing, fits: Fits) -> None:
        known = self._of_key.get(key_of(thing.name))
        group = known or NameGroup(self.page)
        group.names[thing.name] += 1
        group.classes[thing.class_] += 1
        self._of_key[key_of(thing.name)] = group
        for name in thing.other_names:
            other = self._of_key.get(key_of(name))
            if other is None:
                group.names[name] += 1
                self._of_key[key_of(name)] = group
            elif other is not group and fits(other.class_, group.class_):
                self._join(group, other)

    def _join(self, kept: NameGroup, lost: NameGroup) -> None:
        kept.take(lost)
        for key, group in self._of_key.items():
            if group is lost:
                self._of_key[key] = kept

    def _join_short_forms(self, fits: Fits, apart: set[frozenset[str]]) -> None:
        for group in sorted(self.groups, key=lambda one: (-len(key_of(one.name)), one.name)):
            if group not in self.groups:
                continue
            longer = [
                other
                for other in self.groups
                if other is not group
                and fits(group.class_, other.class_)
                and any(is_short_for(key_of(group.name), key) for key in other.keys)
                and not any(frozenset((one, key)) in apart for one in group.keys for key in other.keys)
            ]
            if len(longer) == 1:
                self._join(longer[0], group)


def _told_apart(readings: Iterable[PageReading]) -> set[frozenset[str]]:
    """The pairs of names between which a page states something."""
    statements = (one for reading in readings for one in reading.statements if not one.literal)
    return {frozenset((key_of(one.subject), key_of(one.object))) for one in statements}
