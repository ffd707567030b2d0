"""How text refers to an entity: linked or not, by which name, with article, italics and possessive.

All text is produced in two forms at once, as wikitext and as the plain text that a reader sees, so that the
truth about a page never depends on parsing it.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.verbs import conjugated
from rollcall.world.aliases import Aliases
from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.families import NONE, NOW
from rollcall.world.labels import Labels
from rollcall.world.titles import Titles
from rollcall.world.vocabulary import WORDS


class Written(NamedTuple):
    """A piece of text as wikitext and as a reader sees it."""

    wiki: str
    plain: str


@dataclass(frozen=True, slots=True)
class Name:
    """The information needed to mention an entity in text."""

    number: int
    label: str
    title: str
    aliases: tuple[str, ...]
    tier: str
    style: str
    the: bool
    female: bool
    forms: tuple[str, ...]
    """The aliases that running text uses; codes are for forms and tables."""
    plural: bool = False
    """Whether a verb after the name is plural: `the Oster Hills are`."""

    @property
    def pronouns(self) -> tuple[str, str, str, str]:
        """he, his, him, himself."""
        if self.tier != "person":
            return ("it", "its", "it", "itself")
        return ("she", "her", "her", "herself") if self.female else ("he", "his", "him", "himself")


class Names:
    """Looks up names and caches the latest ones."""

    def __init__(self, labels: Labels, aliases: Aliases, titles: Titles):
        self.labels, self.aliases, self.titles, self.census = labels, aliases, titles, labels.census
        self.of = lru_cache(maxsize=1 << 15)(self._of)

    def lives(self, number: int) -> bool:
        """Whether an entity has not ended."""
        return number >= CONCEPT_NUMBERS or int(self.labels.skeleton["end"][number]) == NONE

    def span(self, number: int) -> tuple[int, int]:
        """The years in which events can happen: of a person, the adult years; of a thing, since it exists."""
        year, end = int(self.labels.skeleton["year"][number]), int(self.labels.skeleton["end"][number])
        last = end if end != NONE else NOW - 1
        if year == NONE or last < 1850:
            return 1900, NOW - 1
        first = year + 25 if self.census.kind(number).tier == "person" else max(year, 1850)
        return min(first, last), last

    def _of(self, number: int) -> Name:
        label = self.labels.label(number)
        aliases = self.aliases.of(number)
        if number >= CONCEPT_NUMBERS:
            return Name(
                number, label, self.titles.title(number), aliases, "concept", "", False, False, aliases
            )
        kind = self.census.kind(number)
        female = kind.tier == "person" and self.labels.skeleton.families.female(number)
        forms = tuple(form for form in aliases if kind.name != "country" or len(form) > 3)
        title = self.titles.title(number)
        plural = kind.name == "mountain range" or (
            kind.name == "musical group" and label.rsplit(" ", 1)[-1] in _PLURALS
        )
        return Name(number, label, title, aliases, kind.tier, kind.style, kind.the, female, forms, plural)


_PLURALS = frozenset(WORDS["plural"])
_OF = ("University of ", "Isle of ", "Kingdom of ", "Republic of ")


def mention(name: Name, form: str, linked: bool, opens: bool, bare: bool = False) -> Written:
    """An entity by a name, in running text, at the beginning of a sentence, or (`bare`) in a table."""
    article = ""
    if bare:
        pass
    elif (name.the and not form.startswith("The ")) or form.startswith(_OF):
        article = "The " if opens else "the "
    if not linked:
        core = form
    elif form[1:] == name.title[1:] and form[0].upper() == name.title[0]:
        core = f"[[{form}]]"
    elif form.startswith(name.title) and form[len(name.title) :].isalpha():
        core = f"[[{name.title}]]{form[len(name.title) :]}"
    else:
        core = f"[[{name.title}|{form}]]"
    if name.style == "italic":
        return Written(f"{article}''{core}''", article + form)
    if name.style == "quoted":
        return Written(f'{article}"{core}"', f'{article}"{form}"')
    return Written(article + core, article + form)


def possessive(written: Written) -> Written:
    """`Marl's`, `the Oster Hills'`; after italics a template is used, since apostrophes would merge."""
    ending = "'" if written.plain.endswith("s") else "'s"
    wiki = written.wiki + ("{{" + ending + "}}" if written.wiki.endswith("''") else ending)
    return Written(wiki, written.plain + ending)


def plural_verb(predicate: str) -> str:
    """A predicate in the plural: `is in Marl` becomes `are in Marl`."""
    verb, blank, rest = predicate.partition(" ")
    return conjugated(verb, rest, many=True, denied=False) + blank + rest


def indefinite(written: Written) -> Written:
    """With `a` or `an`."""
    # By letter and not by sound, so that a seed always gives the same world, byte for byte.
    article = "an " if written.plain[0] in "aeioAEIO" else "a "
    return Written(article + written.wiki, article + written.plain)
