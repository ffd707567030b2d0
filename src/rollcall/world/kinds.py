"""The kinds of entity in a world: their classes, their number, and how their names are written in text.

Each kind has a share of all entities, within bounds; the rest are people. If a kind has several classes, the
first is the usual one. `home` says what links its members to a country: a city, a region, a country, or the
circle of people they come from.
"""

from dataclasses import dataclass

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
