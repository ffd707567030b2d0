"""The title of every page: the label, or the label with a parenthesis if it would not be unique.

Labels and the aliases that need a redirect are hashed once for the whole world; sorting the hashes finds
every homonym with eight bytes per entity. Each group of homonyms then gets parentheses that differ.
"""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from rollcall.text.words import without_accents
from rollcall.world._chance import key, share, word
from rollcall.world._labels import TITLED, Bits, EntityLabels, place_name
from rollcall.world._skeleton import NONE, Census, Skeleton
from rollcall.world._vocabulary import CONCEPT_NUMBERS, CONCEPTS, PROFESSIONS, WORDS

# The other names of an entity: initials, surnames, nicknames, abbreviations, former names, variants.

_ABBREVIATED = ("university", "political party", "sports league", "museum")
_SHORTENED = ("business", "publisher", "studio", "record label", "broadcaster")
_RENAMED = ("city", "region", "university", "sports team")


class EntityAliases:
    """Finds the aliases of the entities of one world."""

    def __init__(self, labels: EntityLabels):
        self.labels, self.census = labels, labels.census
        self._aliases = key(labels.census.seed, "aliases")

    def of(self, number: int) -> tuple[str, ...]:
        """Other names, the best known first; never the label itself, never twice."""
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].aliases
        kind, label = self.census.kind(number).name, self.labels.label(number)
        bits = Bits(word(self._aliases, number))
        aliases = (
            self._of_person(number, label, bits)
            if kind == "human"
            else self._of_thing(number, kind, label, bits)
        )
        plain = without_accents(label)
        if plain != label and bits.below(3):
            aliases.append(plain)
        return tuple(dict.fromkeys(alias for alias in aliases if alias and alias != label))

    def _of_person(self, number: int, label: str, bits: Bits) -> list[str]:
        *first_names, last = label.split(" ")
        aliases = []
        if bits.below(10) < 5:
            aliases.append(" ".join([f"{name[0]}." for name in first_names] + [last]))
        if bits.below(10) < 3:
            aliases.append(last)
        if bits.below(10) < 2 and len(first_names[0]) > 4:
            aliases.append(f"{first_names[0][:3]}{'y' if first_names[0][2] not in 'aeiouyé' else 'n'} {last}")
        if len(first_names) > 1 and bits.below(2):
            aliases.append(f"{first_names[0]} {last}")
        families = self.labels.skeleton.families
        if families.female(number) and families.spouse(number) and bits.below(2):
            aliases.append(f"{first_names[0]} {self.labels.surname(families.spouse(number)[0])}")
        return aliases

    def _of_thing(self, number: int, kind: str, label: str, bits: Bits) -> list[str]:
        aliases = []
        if kind in _ABBREVIATED and bits.below(10) < 8:
            aliases.append("".join(part[0] for part in label.split() if part[0].isupper()))
        if kind in _SHORTENED:
            aliases += _shortened(label, bits)
        if kind in _RENAMED and bits.below(10) < 2:
            former = place_name(bits, self.labels.sounds(number), long=True)
            aliases.append(f"{former} University" if kind == "university" else former)
        if (
            kind in (*TITLED, "musical group", "newspaper")
            and label.startswith("The ")
            and bits.below(10) < 4
        ):
            aliases.append(label[4:])
        if kind in ("film", "television series", "video game") and bits.below(10) < 1:
            aliases.append(f"Project {bits.of(WORDS['noun'])}")
        aliases += _of_kind(kind, label, bits)
        if "our" in label and bits.below(2):
            aliases.append(label.replace("our", "or"))
        return aliases


def _shortened(label: str, bits: Bits) -> list[str]:
    """A company's name without its legal form, or with a longer form."""
    aliases = []
    short = label.rsplit(" ", 1)[0].removesuffix(" &")
    if bits.below(10) < 5 and len(short) > 4:
        aliases.append(short)
    if bits.below(10) < 2 and not label.endswith(("Company", "Ltd.")):
        aliases.append(f"{label} Company")
    return aliases


def _of_kind(kind: str, label: str, bits: Bits) -> list[str]:
    """Names derived from the label by the rules of a kind."""
    if kind == "country":
        return [f"{('Republic', 'Kingdom')[bits.below(2)]} of {label}", label[:3].upper()]
    if kind == "river":
        return [label.removesuffix(" River") if label.endswith(" River") else f"{label} River"]
    if kind == "mountain" and label.startswith("Mount "):
        return [label.replace("Mount ", "Mt. ")]
    if kind == "ship":
        return [f"{('MV', 'SS')[bits.below(2)]} {label}"]
    if kind == "asteroid":
        return [label.split(" ", 1)[1]]
    if kind == "language" and bits.below(2):
        return [f"{label} language"]
    return []


ALONE, BY_KIND, BY_YEAR, BY_COUNTRY, NUMBERED = 0, 1, 2, 3, 4
"""The detail of a title's parenthesis; from NUMBERED on, it numbers homonyms that are equal otherwise."""


def title_hash(text: str) -> int:
    """A hash of a title; MediaWiki does not distinguish the case of the first letter."""
    return int.from_bytes(blake2b((text[:1].upper() + text[1:]).encode(), digest_size=8).digest(), "little")


class PageTitles:
    """Gives the title of any page of one world."""

    def __init__(self, labels: EntityLabels, aliases: EntityAliases):
        self.aliases = aliases
        self.labels, self.skeleton, self.census = labels, labels.skeleton, labels.census
        self._redirects = key(self.census.seed, "redirect")
        self._forced = key(self.census.seed, "parenthesis")

    def redirect_alias(self, number: int) -> str:
        """The alias that needs a redirect, if there is one."""
        if share(self._redirects, number) > 0.45:
            return ""
        aliases = self.aliases.of(number)
        return aliases[0] if aliases else ""

    def title(self, number: int) -> str:
        label = self.labels.label(number)
        if number >= CONCEPT_NUMBERS:
            return label[0].upper() + label[1:]
        level = int(self.skeleton["level"][number])
        return label if level == ALONE else f"{label} ({self.qualifier(number, level)})"

    def has_redirect(self, number: int) -> bool:
        return bool(self.skeleton["redirect"][number])

    def homonyms(self, number: int) -> list[int]:
        """The group of homonyms that an entity belongs to, including itself; empty if its label is unique."""
        members = self.skeleton["homonyms"]
        group = self.skeleton["homonym group"]
        where = np.searchsorted(self.skeleton["homonym order"], number)
        if where == len(group) or self.skeleton["homonym order"][where] != number:
            return []
        which = self.skeleton["homonym of"][where]
        low, high = np.searchsorted(group, [which, which + 1])
        group_members: list[int] = members[low:high].tolist()
        return group_members

    def qualifier(self, number: int, level: int) -> str:
        return qualifier(self.skeleton, self.labels, number, level)

    def forced(self, number: int) -> bool:
        """Whether a title has a parenthesis although its name is unique, which happens sometimes."""
        return share(self._forced, number) < 0.02


def qualifier(skeleton: Skeleton, labels: EntityLabels, number: int, level: int) -> str:
    """The text in the parenthesis: `film`, `1987 film`, `1987 Vellish film`."""
    census = skeleton.census
    kind, noun = census.kind(number).name, census.kind(number).noun
    year = int(skeleton["year"][number])
    if kind == "human":
        noun = PROFESSIONS[census.profession(number)].name
    country = int(skeleton["country"][number])
    dated = f"{noun}, born {year}" if kind == "human" else f"{year} {noun}" if year != NONE else noun
    if census.kind(number).tier == "place" and country >= 0:
        home = int(skeleton["home"][number])
        where = str(labels.label(home if level >= BY_COUNTRY and home >= 0 else country))
        text = where if level <= BY_KIND else f"{noun}, {where}"
        return text if level < NUMBERED else f"{text}, {level - NUMBERED + 1}"
    if level <= BY_KIND:
        return noun
    if level == BY_YEAR:
        return dated
    placed = f"{dated}, {labels.label(country)}" if country >= 0 else dated
    return placed if level == BY_COUNTRY else f"{placed}, {level - NUMBERED + 1}"


def settle(
    skeleton: Skeleton, titles: PageTitles, hashes: NDArray[np.uint64], aliases: NDArray[np.uint64]
) -> None:
    """Find homonyms among all labels; write the parenthesis level of all titles and possible redirects."""
    concepts = np.array([title_hash(concept.label) for concept in CONCEPTS], np.uint64)
    everything = np.sort(np.concatenate([hashes, concepts]))
    doubled = everything[1:][everything[1:] == everything[:-1]]
    members = np.nonzero(np.isin(hashes, doubled))[0]
    members = members[np.argsort(hashes[members], kind="stable")]
    group = np.unique(hashes[members], return_inverse=True)[1].astype(np.int32)
    level = np.zeros(skeleton.census.total, np.uint8)
    starts = np.searchsorted(group, np.arange(group[-1] + 2)) if len(group) else np.zeros(1, np.int64)
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        _tell_apart(skeleton, titles, members[low:high].tolist(), level)
    _force(titles, level, np.isin(hashes, doubled))
    order = np.argsort(members, kind="stable")
    skeleton.put("level", level)
    skeleton.put("homonyms", members.astype(np.int32))
    skeleton.put("homonym group", group)
    skeleton.put("homonym order", members[order].astype(np.int32))
    skeleton.put("homonym of", group[order])
    alias_hashes, counts = np.unique(aliases[aliases != 0], return_counts=True)
    free = alias_hashes[(counts == 1) & ~np.isin(alias_hashes, everything)]
    skeleton.put("redirect", np.isin(aliases, free))
    skeleton.put("taken", np.union1d(everything, alias_hashes))


def _tell_apart(skeleton: Skeleton, titles: PageTitles, group: list[int], level: NDArray[np.uint8]) -> None:
    """Give each of a group of homonyms the shortest parenthesis that differs from the others'."""
    for depth in (BY_KIND, BY_YEAR, BY_COUNTRY):
        texts = [titles.qualifier(number, depth) for number in group]
        if len(set(texts)) == len(texts):
            break
    counts: dict[str, int] = {}
    for number, text in zip(group, texts, strict=True):
        level[number] = depth
        if text in counts:
            level[number] = min(255, NUMBERED + counts[text])
        counts[text] = counts.get(text, 0) + 1


def _force(titles: PageTitles, level: NDArray[np.uint8], doubled: NDArray[np.bool_]) -> None:
    census: Census = titles.census
    for kind in (
        "film",
        "album",
        "literary work",
        "song",
        "video game",
        "television series",
        "musical group",
    ):
        members = census.range[kind]
        for number in members:
            if not doubled[number] and titles.forced(number):
                level[number] = BY_KIND
