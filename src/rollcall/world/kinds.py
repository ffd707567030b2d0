"""The kinds of entity in a world: their classes, their number, and how their names are written in text.

Each kind has a share of all entities, within bounds; the rest are people. If a kind has several classes, the
first is the usual one. `home` says what links its members to a country: a city, a region, a country, or the
circle of people they come from.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rollcall.world.chance import Numbers, key, share, shares, word, words

_SECTIONS = {
    "person": ("Early life", "Career", "Personal life", "Legacy"),
    "work": ("Background", "Production", "Reception"),
    "place": ("Geography", "History", "Culture"),
    "organization": ("History", "Operations", "Reputation"),
    "musical group": ("History", "Music", "Reception"),
    "thing": ("History", "Description", "Legacy"),
}


@dataclass(frozen=True)
class Kind:
    """One kind of entity; numbers of one kind are consecutive."""

    name: str
    tier: str
    """person, work, place, organization or thing: it determines the sections of articles and the decoys."""
    class_ids: str
    """The classes of its members, separated by blanks."""
    share: float
    home: str = ""
    years: tuple[int, int] = (0, 0)
    """The years in which members begin (birth, release, foundation); (0, 0) means no beginning."""
    ending: float = 0.0
    """The share of members that come to an end (dissolved, retired)."""
    style: str = ""
    """`italic` or `quoted` for the names of works and ships."""
    the: bool = False
    """Whether running text puts the definite article before the name."""
    least: int = 1
    most: int = 1 << 40
    short: str = ""
    """The short noun for a member in articles (`the film`), if it is not the name of the kind."""

    @property
    def classes(self) -> list[str]:
        return self.class_ids.split()

    @property
    def sections(self) -> tuple[str, ...]:
        return _SECTIONS.get(self.name) or _SECTIONS[self.tier]

    @property
    def noun(self) -> str:
        return self.short or self.name


KINDS: tuple[Kind, ...] = (
    Kind("continent", "place", "Q5107", 0.0, "", least=6, most=6),
    Kind("country", "place", "Q6256", 0.006, "", least=9, most=210, years=(1200, 1960)),
    Kind("region", "place", "Q10864048", 0.02, "country", least=24),
    Kind("city", "place", "Q515 Q3957 Q532", 0.045, "region", least=40, years=(-480, 1890), short="place"),
    Kind("sea", "place", "Q165", 0.0, "", the=True, least=8, most=8),
    Kind("mountain range", "place", "Q46831", 0.004, "country", the=True, least=6, short="range"),
    Kind("mountain", "place", "Q8502 Q8072", 0.028, "region"),
    Kind("lake", "place", "Q23397", 0.012, "region"),
    Kind("river", "place", "Q4022", 0.028, "country", the=True),
    Kind("island", "place", "Q23442", 0.01, "region"),
    Kind("language", "thing", "Q34770", 0.006, "country", (0, 0), least=9),
    Kind("religion", "organization", "Q9174", 0.002, "city", (-400, 1900), 0.0, the=True, least=5, most=300),
    Kind("position", "thing", "Q4164871", 0.014, "region", (0, 0), least=27, short="office"),
    Kind("war", "thing", "Q198", 0.004, "country", (-460, 1990), the=True, least=8),
    Kind("battle", "thing", "Q178561", 0.012, "country", (0, 1), the=True),
    Kind("university", "organization", "Q3918", 0.013, "city", (1300, 1965), 0.0, least=14),
    Kind("business", "organization", "Q4830453", 0.03, "city", (1820, 2005), 0.15, least=20, short="company"),
    Kind("studio", "organization", "Q1762059", 0.007, "city", (1908, 1990), 0.2, least=8, short="company"),
    Kind("record label", "organization", "Q18127", 0.007, "city", (1920, 2000), 0.2, least=8, short="label"),
    Kind("publisher", "organization", "Q2085381", 0.007, "city", (1780, 1990), 0.1, least=8),
    Kind(
        "broadcaster", "organization", "Q1616075", 0.004, "city", (1936, 1990), 0.1, least=6, short="station"
    ),
    Kind("human", "person", "Q5", 0.0, "circle", (1866, 2004), short="person"),
    Kind(
        "political party",
        "organization",
        "Q7278",
        0.01,
        "country",
        (1860, 2012),
        0.2,
        the=True,
        least=10,
        short="party",
    ),
    Kind(
        "sports league",
        "organization",
        "Q623109",
        0.004,
        "region",
        (1888, 1985),
        0.05,
        the=True,
        least=6,
        short="league",
    ),
    Kind("stadium", "thing", "Q483110", 0.009, "city", (1895, 2015)),
    Kind(
        "sports team",
        "organization",
        "Q476028 Q13393265",
        0.018,
        "city",
        (1880, 1998),
        0.1,
        least=16,
        short="club",
    ),
    Kind(
        "musical group",
        "organization",
        "Q215380",
        0.026,
        "circle",
        (1955, 2014),
        0.45,
        least=12,
        short="band",
    ),
    Kind("newspaper", "organization", "Q11032", 0.007, "city", (1790, 1990), 0.25, style="italic"),
    Kind("museum", "thing", "Q33506", 0.009, "city", (1820, 2008), the=True),
    Kind("bridge", "thing", "Q12280", 0.011, "city", (1750, 2012), the=True),
    Kind("skyscraper", "thing", "Q11303", 0.011, "city", (1925, 2019), short="tower"),
    Kind("award", "thing", "Q618779", 0.011, "country", (1901, 2005), the=True, least=10),
    Kind(
        "literary work",
        "work",
        "Q8261 Q7725634 Q49084",
        0.065,
        "circle",
        (1870, 2021),
        style="italic",
        short="book",
    ),
    Kind("film", "work", "Q11424 Q24869 Q202866", 0.105, "circle", (1919, 2023), style="italic"),
    Kind(
        "television series", "work", "Q5398426", 0.025, "circle", (1955, 2021), style="italic", short="series"
    ),
    Kind("album", "work", "Q208569 Q482994 Q209939", 0.05, "circle", (1956, 2022), style="italic"),
    Kind("song", "work", "Q7366", 0.032, "circle", (1956, 2022), style="quoted"),
    Kind("painting", "work", "Q3305213", 0.03, "circle", (1868, 2008), style="italic"),
    Kind("video game", "work", "Q7889", 0.02, "circle", (1981, 2023), style="italic", short="game"),
    Kind("fictional character", "thing", "Q95074", 0.018, short="character"),
    Kind("ship", "thing", "Q11446", 0.022, "city", (1865, 2012), ending=0.6, style="italic"),
    Kind("automobile model", "thing", "Q3231690", 0.013, "country", (1925, 2020), short="car"),
    Kind("asteroid", "thing", "Q3863", 0.015, "", (1860, 2012)),
)

KIND = {kind.name: kind for kind in KINDS}

NEWCOMERS = (
    "human",
    "human",
    "human",
    "film",
    "film",
    "film",
    "literary work",
    "literary work",
    "album",
    "television series",
    "painting",
    "video game",
)
"""The kinds of the entities that come with a later age, each as often as it is named."""

PROFESSIONS: tuple[tuple[str, str, float], ...] = (
    ("actor", "Q33999", 0.17),
    ("film director", "Q2526255", 0.05),
    ("screenwriter", "Q28389", 0.04),
    ("film producer", "Q3282637", 0.03),
    ("cinematographer", "Q222344", 0.02),
    ("writer", "Q36180", 0.09),
    ("illustrator", "Q644687", 0.02),
    ("composer", "Q36834", 0.04),
    ("singer", "Q177220", 0.11),
    ("painter", "Q1028181", 0.05),
    ("politician", "Q82955", 0.1),
    ("football player", "Q937857", 0.09),
    ("basketball player", "Q3665646", 0.03),
    ("researcher", "Q1650915", 0.07),
    ("architect", "Q42973", 0.02),
    ("journalist", "Q1930187", 0.02),
    ("military officer", "Q189290", 0.02),
    ("engineer", "Q81096", 0.01),
    ("businessperson", "Q43845", 0.02),
)
"""Professions: name, occupation item, share. Neighbours in this list can be drawn together as one range."""


# Families by arithmetic: eight people with consecutive numbers may be three generations of one family.
# Roles in a family: 0 father, 1 mother, 2 to 4 their children, 5 the spouse of child 2, 6 and 7 the
# children of 2 and 5. So every relative is computed from a number alone, and kinship is reciprocal
# without a table.

SIZE = 8
NOW = 2024
NONE = -32768
"""No such year."""


class Families:
    """Kinship, sex and life spans of the people numbered `first` and up."""

    def __init__(self, seed: int, first: int, count: int):
        self.first, self.count, self._linked = first, count, key(seed, "family linked")
        self._seed = seed
        self._sex = key(seed, "sex")
        self._surnames = key(seed, "surname")

    def linked(self, number: int) -> bool:
        """Whether a person's group of eight is a family; otherwise the eight are not related."""
        group = (number - self.first) // SIZE
        return (group + 1) * SIZE <= self.count and share(self._linked, group) < 0.55

    def female(self, number: int) -> bool:
        index = number - self.first
        role = index % SIZE
        if self.linked(number):
            if role < 2:
                return role == 1
            if role == 5:
                return not self.female(number - 3)
        return word(self._sex, index) % 100 < 46

    def _person(self, number: int, role: int) -> int:
        return number - (number - self.first) % SIZE + role

    def father(self, number: int) -> list[int]:
        return self._parents(number, female=False)

    def mother(self, number: int) -> list[int]:
        return self._parents(number, female=True)

    def _parents(self, number: int, female: bool) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (0, 1, 5):
            return []
        if role in (2, 3, 4):
            return [self._person(number, 1 if female else 0)]
        return [
            parent
            for parent in (self._person(number, 2), self._person(number, 5))
            if self.female(parent) == female
        ]

    def children(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (3, 4, 6, 7):
            return []
        return [self._person(number, child) for child in ((2, 3, 4) if role < 2 else (6, 7))]

    def siblings(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        if not self.linked(number) or role in (0, 1, 5):
            return []
        brood = (2, 3, 4) if role < 5 else (6, 7)
        return [self._person(number, other) for other in brood if other != role]

    def spouse(self, number: int) -> list[int]:
        role = (number - self.first) % SIZE
        partner = {0: 1, 1: 0, 2: 5, 5: 2}.get(role)
        return [] if partner is None or not self.linked(number) else [self._person(number, partner)]

    def marriage(self, number: int) -> int:
        """A number that both spouses share."""
        return self._person(number, 0) * 2 + ((number - self.first) % SIZE in (2, 5))

    def surname(self, number: int) -> int:
        """A number that people of one surname share."""
        index = number - self.first
        role = index % SIZE
        if not self.linked(number) or role in (1, 5):
            return word(self._surnames, index + (1 << 32))
        if role > 5 and self.female(self._person(number, 2)):
            return self.surname(self._person(number, 5))
        return word(self._surnames, index // SIZE)

    def years(self, low: int, high: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The years of birth and death of all people; NONE for those still alive."""
        index = np.arange(self.count, dtype=np.int64)
        group, role = index // SIZE, index % SIZE
        linked = (shares(self._linked, group) < 0.55) & ((group + 1) * SIZE <= self.count)
        birth = np.where(linked, self._family_births(group, role), self._single_births(index, low, high))
        ages = words(key(self._seed, "age"), index)
        death = (
            birth
            + 39
            + (ages % np.uint64(31)).astype(np.int64)
            + (ages >> np.uint64(20)).astype(np.int64) % 29
        )
        return birth.astype(np.int16), np.where(death >= NOW, NONE, death).astype(np.int16)

    def _single_births(self, index: Numbers, low: int, high: int) -> Numbers:
        draws = shares(key(self._seed, "birth"), index)
        return low + (np.sqrt(draws) * (high - low)).astype(np.int64)

    def _family_births(self, group: Numbers, role: Numbers) -> Numbers:
        def dice(name: str, sides: int) -> Numbers:
            return (words(key(self._seed, name), group) % np.uint64(sides)).astype(np.int64)

        base = 1872 + dice("family base", 64)
        eldest = base + 20 + dice("eldest", 8)
        second = eldest + 1 + dice("second", 4)
        partner = eldest - 3 + dice("partner", 6)
        grandchild = np.maximum(eldest, partner) + 21 + dice("grandchild", 8)
        births = [
            base,
            base - 1 + dice("wife", 3),
            eldest,
            second,
            second + 1 + dice("third", 4),
            partner,
            grandchild,
            grandchild + 1 + dice("last", 4),
        ]
        result: Numbers = np.choose(role, births)
        return result
