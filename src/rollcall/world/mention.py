"""How text refers to an entity: linked or not, by its label or another name, with article, italics and possessive.

Everything written is made twice at once, as wikitext and as the plain text a reader sees, so that the truth about a
page never depends on parsing it.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rollcall.world.concepts import CONCEPT_NUMBERS
from rollcall.world.labels import Labels
from rollcall.world.titles import Titles


class Written(NamedTuple):
    """A piece of text as wikitext and as a reader sees it."""

    wiki: str
    plain: str


@dataclass(frozen=True, slots=True)
class Name:
    """What text needs to know to mention an entity."""

    number: int
    label: str
    title: str
    aliases: tuple[str, ...]
    tier: str
    style: str
    the: bool
    female: bool

    @property
    def pronouns(self) -> tuple[str, str, str, str]:
        """he, his, him, himself."""
        if self.tier != "person":
            return ("it", "its", "it", "itself")
        return ("she", "her", "her", "herself") if self.female else ("he", "his", "him", "himself")


class Names:
    """Looks up names, remembering the latest ones."""

    def __init__(self, labels: Labels, titles: Titles):
        self.labels, self.titles, self.census = labels, titles, labels.census
        self.of = lru_cache(maxsize=1 << 15)(self._of)

    def _of(self, number: int) -> Name:
        label = str(self.labels.label(number))
        aliases = self.labels.aliases(number)
        if number >= CONCEPT_NUMBERS:
            return Name(number, label, self.titles.title(number), aliases, "concept", "", False, False)
        kind = self.census.kind(number)
        female = kind.tier == "person" and self.labels.skeleton.families.female(number)
        return Name(
            number, label, self.titles.title(number), aliases, kind.tier, kind.style, kind.the, female
        )


def mention(name: Name, form: str, linked: bool, opens: bool) -> Written:
    """An entity by one of its names, in running text or (`opens`) at the beginning of a sentence."""
    article = ""
    if (name.the and not form.startswith("The ")) or form.startswith(("University of ", "Isle of ")):
        article = "The " if opens else "the "
    if not linked:
        core = form
    elif form == name.title:
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
    """`Marl's`, `the Oster Hills'`; after italics by template, since apostrophes would run together."""
    ending = "'" if written.plain.endswith("s") else "'s"
    wiki = written.wiki + ("{{" + ending + "}}" if written.wiki.endswith("''") else ending)
    return Written(wiki, written.plain + ending)


def indefinite(written: Written) -> Written:
    """With `a` or `an`."""
    article = "an " if written.plain[0] in "aeioAEIO" else "a "
    return Written(article + written.wiki, article + written.plain)
