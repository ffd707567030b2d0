"""A relation as one record: the kinds it connects, how often, and all its wordings in articles.

A wording is an English sentence with slots. `{S}` and `{O}` are subject and object, `{S's}` and `{O's}`
their possessives, `{a O}` the object with its indefinite article, `{on}` and `{date}` a date with and
without its preposition, `{start}` and `{end}` years of a statement, `{is}` `{has}` verbs whose tense depends
on whether the subject still exists, `{he}` `{his}` `{him}` the subject's pronouns.
"""

import re
from dataclasses import dataclass
from functools import cached_property

_SLOT = re.compile(r"\{([^}]*)\}")


@dataclass(frozen=True)
class SentencePattern:
    """One compiled wording: a `%`-format and the slots that fill it."""

    form: str
    slots: tuple[str, ...]

    @cached_property
    def opens(self) -> bool:
        """Whether it begins with a slot."""
        return self.form.startswith("%s")

    @cached_property
    def predicate(self) -> "SentencePattern":
        """The sentence without its subject."""
        return SentencePattern(self.form.removeprefix("%s "), self.slots[1:])

    @cached_property
    def opens_with_subject(self) -> bool:
        return self.form.startswith("%s") and self.slots[0] in ("S", "S's")

    @cached_property
    def opens_with_object(self) -> bool:
        return self.form.startswith("%s") and self.slots[0] in ("O", "O's")

    @cached_property
    def joinable(self) -> bool:
        """Whether another predicate can follow after "and": only after simple ones, `{S} was born in {O}.`"""
        return (
            self.form.startswith("%s ")
            and self.slots[0] == "S"
            and "," not in self.form
            and "S" not in self.slots[1:]
            and "%s who" not in self.form
            and " and " not in self.form
        )


def wordings(text: str) -> tuple[SentencePattern, ...]:
    """Compile the lines of a text, one wording per line."""
    found = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        slots = tuple(_SLOT.findall(line))
        found.append(SentencePattern(_SLOT.sub("%s", line.replace("%", "%%")), slots))
    return tuple(found)


@dataclass(frozen=True)
class Amount:
    """A quantity between two bounds, log-uniformly distributed, in its usual unit or another."""

    low: float
    high: float
    unit: str = ""
    others: tuple[tuple[str, float], ...] = ()
    """Other units of the dimension, with the size of the usual unit in them; used sometimes."""
    decimals: int = 0
    steps: int = 1
    """Amounts are rounded to a multiple of this."""


@dataclass(frozen=True)
class Moment:
    """A date in the year the subject begins (`year`) or ends (`end`)."""

    of: str


@dataclass(frozen=True)
class Words:
    """A text: `motto`, `native` (monolingual), `code` (plain string)."""

    of: str


Objects = str | Amount | Moment | Words


SECTORS = ("automotive industry", "shipbuilding", "software industry")
"""The sector of business number n is n modulo 6; businesses with another remainder are in any industry."""


@dataclass(frozen=True)
class Relation:
    """One relation for some kinds of subject; the same property may have several such records."""

    id: str
    label: str
    of: str
    """The kinds of its subjects, separated by `|`."""
    objects: Objects
    """Kinds (`human:actor..singer` for neighbouring professions, `*genre` for concepts), or a literal."""
    text: str
    """Its wordings, one per line; none if no article states it."""
    past: str = ""
    """Wordings of statements that have ended."""
    decoys: str = ""
    """Its own decoys, besides those for any relation: sentences that resemble it but do not state it."""
    clause: str = ""
    """Its form in the opening sentence: `directed by {O}`."""
    source: str = "drawn"
    """The source of values: drawn at random, or derived from another column."""
    chance: float = 1.0
    most: int = 1
    pool: str = ""
    """Subjects of one circle draw from a common pool of this name."""
    pool_size: int = 4
    near: bool = True
    """Whether objects of the subject's country are preferred."""
    at: int = 0
    """How many years after the subject's beginning the object must exist."""
    ends: float = 0.0
    """The share of statements with an end time."""
    back: bool = False
    """Whether the object's own page states it too (needs an index from objects to subjects)."""
    only: str = ""
    """The professions of its subjects, separated by `|`, if not all people have it."""
    dead: bool = False
    """Only subjects that have ended have it."""
    sector: int = -1
    """Which businesses can be its object (an index in SECTORS)."""
    section: int = 0
    infobox: str = ""
    key: str = ""
    """A unique name, set when the tables are combined."""

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        return tuple(self.of.split("|"))

    @cached_property
    def professions(self) -> tuple[str, ...]:
        return tuple(filter(None, self.only.split("|")))

    @cached_property
    def wordings(self) -> tuple[SentencePattern, ...]:
        return wordings(self.text)

    @cached_property
    def past_wordings(self) -> tuple[SentencePattern, ...]:
        return wordings(self.past)

    @cached_property
    def decoy_wordings(self) -> tuple[SentencePattern, ...]:
        return wordings(self.decoys)

    @cached_property
    def plural(self) -> int | None:
        """The number of a wording that can have several subjects of one object: `{O} directed {S}.`"""
        for number, wording in enumerate(self.wordings, 1):
            if wording.opens_with_object and wording.slots == ("O", "S") and wording.form.endswith("%s."):
                return number
        return None

    @cached_property
    def told_back(self) -> bool:
        """Whether the object's page can state it, in a sentence that begins with the object."""
        return self.back and any(wording.opens_with_object for wording in self.wordings)
