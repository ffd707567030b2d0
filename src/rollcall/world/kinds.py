"""The kinds of entity a world is made of: which classes, how many, how their names are set in text.

A kind takes a share of all entities, within bounds; people are what is left. Where a kind has several classes,
the first is the usual one. `home` says what ties its members to a country: a city, a region, a country, or the
circle of people they come from.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of entity; numbers of one kind are consecutive."""

    name: str
    classes: tuple[str, ...]
    share: float
    home: str = ""
    years: tuple[int, int] = (0, 0)
    """When its members begin (birth, release, foundation); (0, 0) means they have no beginning."""
    ending: float = 0.0
    """The share of members that come to an end (dissolved, retired)."""
    style: str = ""
    """`italic` or `quoted` for the names of works and ships."""
    the: bool = False
    """Whether running text puts the definite article before the name."""
    least: int = 1
    most: int = 1 << 40
    tier: str = "thing"
    """person, work, place, organization, thing: which decoys and fillers suit it."""
    sections: tuple[str, ...] = ("History", "Description")
    infobox: str = ""


_WORK = ("Background", "Production", "Reception")
_PLACE = ("Geography", "History", "Culture")
_ORGANIZATION = ("History", "Operations", "Reputation")
_THING = ("History", "Description", "Later use")


def _work(name: str, classes: str, share: float, years: tuple[int, int], style: str = "italic") -> Kind:
    return Kind(
        name,
        tuple(classes.split()),
        share,
        "circle",
        years,
        0.0,
        style,
        tier="work",
        sections=_WORK,
        infobox=name,
    )


def _place(name: str, classes: str, share: float, home: str, **more: object) -> Kind:
    return Kind(
        name, tuple(classes.split()), share, home, tier="place", sections=_PLACE, infobox=name, **more
    )  # type: ignore[arg-type]


def _organization(
    name: str, classes: str, share: float, home: str, years: tuple[int, int], ending: float, **more: object
) -> Kind:
    return Kind(
        name,
        tuple(classes.split()),
        share,
        home,
        years,
        ending,
        tier="organization",
        sections=_ORGANIZATION,
        infobox=name,
        **more,  # type: ignore[arg-type]
    )


def _thing(name: str, classes: str, share: float, home: str, years: tuple[int, int], **more: object) -> Kind:
    return Kind(name, tuple(classes.split()), share, home, years, sections=_THING, infobox=name, **more)  # type: ignore[arg-type]


KINDS: tuple[Kind, ...] = (
    _place("continent", "Q5107", 0.0, "", least=6, most=6),
    _place("country", "Q6256", 0.006, "", least=9, most=210, years=(1200, 1960)),
    _place("region", "Q10864048", 0.02, "country", least=24),
    _place("city", "Q515 Q3957 Q532", 0.045, "region", least=40, years=(-480, 1890)),
    _place("sea", "Q165", 0.0, "", the=True, least=8, most=8),
    _place("mountain range", "Q46831", 0.004, "country", the=True, least=6),
    _place("mountain", "Q8502 Q8072", 0.028, "region"),
    _place("lake", "Q23397", 0.012, "region"),
    _place("river", "Q4022", 0.028, "country", the=True),
    _place("island", "Q23442", 0.01, "region"),
    _thing("language", "Q34770", 0.006, "country", (0, 0), least=9),
    _organization("religion", "Q9174", 0.002, "city", (-400, 1900), 0.0, the=True, least=5, most=300),
    _thing("position", "Q4164871", 0.014, "country", (0, 0), least=27),
    _thing("war", "Q198", 0.004, "country", (-460, 1990), the=True, least=8),
    _thing("battle", "Q178561", 0.012, "country", (0, 1), the=True),
    _organization("university", "Q3918", 0.013, "city", (1300, 1965), 0.0, least=14),
    _organization("business", "Q4830453", 0.03, "city", (1820, 2005), 0.15, least=20),
    _organization("studio", "Q1762059", 0.007, "city", (1908, 1990), 0.2, least=8),
    _organization("record label", "Q18127", 0.007, "city", (1920, 2000), 0.2, least=8),
    _organization("publisher", "Q2085381", 0.007, "city", (1780, 1990), 0.1, least=8),
    _organization("broadcaster", "Q1616075", 0.004, "city", (1936, 1990), 0.1, least=6),
    Kind(
        "human",
        ("Q5",),
        0.0,
        "circle",
        (1850, 2004),
        tier="person",
        sections=("Early life", "Career", "Personal life", "Legacy"),
        infobox="person",
    ),
    _organization("political party", "Q7278", 0.01, "country", (1860, 2012), 0.2, the=True, least=10),
    _organization("sports league", "Q623109", 0.004, "country", (1888, 1985), 0.05, the=True, least=6),
    _thing("stadium", "Q483110", 0.009, "city", (1895, 2015)),
    _organization("sports team", "Q476028 Q13393265", 0.018, "city", (1880, 1998), 0.1, least=16),
    _organization("musical group", "Q215380", 0.026, "circle", (1955, 2014), 0.45, least=12),
    _organization("newspaper", "Q11032", 0.007, "city", (1790, 1990), 0.25, style="italic"),
    _thing("museum", "Q33506", 0.009, "city", (1820, 2008), the=True),
    _thing("bridge", "Q12280", 0.011, "city", (1750, 2012), the=True),
    _thing("skyscraper", "Q11303", 0.011, "city", (1925, 2019)),
    _thing("award", "Q618779", 0.011, "country", (1901, 2005), the=True, least=10),
    _work("literary work", "Q8261 Q7725634 Q49084", 0.065, (1870, 2021)),
    _work("film", "Q11424 Q11424 Q24862 Q202866", 0.105, (1919, 2023)),
    _work("television series", "Q5398426", 0.025, (1955, 2021)),
    _work("album", "Q208569 Q482994 Q209939", 0.05, (1956, 2022)),
    _work("song", "Q7366", 0.032, (1956, 2022), "quoted"),
    _work("painting", "Q3305213", 0.03, (1868, 2008)),
    _work("video game", "Q7889", 0.02, (1981, 2023)),
    _thing("fictional character", "Q95074", 0.018, "", (0, 1)),
    _thing("ship", "Q11446", 0.022, "city", (1865, 2012), ending=0.6, style="italic"),
    _thing("automobile model", "Q3231690", 0.013, "country", (1925, 2020)),
    _thing("asteroid", "Q3863", 0.015, "", (1860, 2012)),
)

KIND = {kind.name: kind for kind in KINDS}

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
"""What people live by: name, occupation item, share. Neighbours can be drawn together as one range."""
