"""The sources of a relation's values: a column, the map, the family, another relation, or a draw.

For each kind and relation there is one reader, a function from an entity's number to its values, made on
first use. To find the values of an entity, its readers are called.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rollcall.text.words import MONTHS
from rollcall.world._chance import key, share, word
from rollcall.world._skeleton import NONE, Skeleton
from rollcall.world._vocabulary import (
    CONCEPT_NUMBERS,
    CONCEPTS,
    GROUPS,
    MOTTOES,
    PROFESSIONS,
    SECTORS,
    UNITS,
    Amount,
    EntityKind,
    Relation,
    relation_of,
)

# Literal values: their form in the dump, in the truth table, and in a sentence. The canonical text is
# that of the query language: `@1960-05`, `8848[Q11573]`, `"text"@en`, `@(48.85,2.35)`.

_GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
_JULIAN = "http://www.wikidata.org/entity/Q1985786"
_GLOBE = "http://www.wikidata.org/entity/Q2"

_EARLY = 500
"""Years before this are written as `AD 18`: a bare 18 would not be read as a year."""

Snak = dict[str, Any]


class DateValue(msgspec.Struct, frozen=True):
    """A year (astronomical: 44 BC is -43), optionally with month and day; 0 if not known."""

    year: int
    month: int = 0
    day: int = 0

    datatype = "time"

    def canonical(self) -> str:
        year = f"{self.year:04d}" if self.year >= 0 else f"-{-self.year:04d}"
        return "@" + "-".join([year] + [f"{part:02d}" for part in (self.month, self.day) if part])

    def data(self) -> Snak:
        sign, year = ("+", self.year) if self.year > 0 else ("-", 1 - self.year)
        return {
            "value": {
                "time": f"{sign}{year:04d}-{self.month:02d}-{self.day:02d}T00:00:00Z",
                "timezone": 0,
                "before": 0,
                "after": 0,
                "precision": 11 if self.day else 10 if self.month else 9,
                "calendarmodel": _GREGORIAN if self.year > 1582 else _JULIAN,
            },
            "type": "time",
        }

    def written(self, american: bool = False) -> str:
        year = str(self.year) if self.year > 0 else f"{1 - self.year} BC"
        if 0 < self.year < _EARLY:
            year = f"AD {year}"
        if not self.month:
            return year
        month = MONTHS[self.month - 1]
        if not self.day:
            return f"{month} {year}"
        return f"{month} {self.day}, {year}" if american else f"{self.day} {month} {year}"

    def phrase(self, american: bool = False) -> str:
        """The date with its preposition: `on 17 May 1960`, `in 1960`."""
        return f"{'on' if self.day else 'in'} {self.written(american)}"


class Quantity(msgspec.Struct, frozen=True):
    """A number, stored as its decimal text, and optionally a unit."""

    amount: str
    unit: str = ""

    datatype = "quantity"

    def canonical(self) -> str:
        return f"{self.amount}[{self.unit}]" if self.unit else self.amount

    def data(self) -> Snak:
        unit = f"http://www.wikidata.org/entity/{self.unit}" if self.unit else "1"
        return {"value": {"amount": signed(self.amount), "unit": unit}, "type": "quantity"}

    def written(self) -> str:
        if self.unit == "Q4917":
            return dollars(self.amount)
        number = with_commas(self.amount)
        if not self.unit:
            return number
        name = UNITS[self.unit][0]
        plural = "feet" if name == "foot" else f"{name}s"
        return f"{number} {name if self.amount == '1' else plural}"


class TextValue(msgspec.Struct, frozen=True):
    """A string, or a text in a language if one is given."""

    text: str
    language: str = ""

    @property
    def datatype(self) -> str:
        return "monolingualtext" if self.language else "string"

    def canonical(self) -> str:
        quoted = '"' + self.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        return f"{quoted}@{self.language}" if self.language else quoted

    def data(self) -> Snak:
        if self.language:
            return {"value": {"text": self.text, "language": self.language}, "type": "monolingualtext"}
        return {"value": self.text, "type": "string"}

    def written(self) -> str:
        return f'"{self.text}"' if self.language else self.text


class Coordinates(msgspec.Struct, frozen=True):
    """A point on the globe, in hundredths of a degree."""

    latitude: int
    longitude: int

    datatype = "globe-coordinate"

    def canonical(self) -> str:
        return f"@({plain(self.latitude / 100)},{plain(self.longitude / 100)})"

    def data(self) -> Snak:
        return {
            "value": {
                "latitude": self.latitude / 100,
                "longitude": self.longitude / 100,
                "altitude": None,
                "precision": 0.01,
                "globe": _GLOBE,
            },
            "type": "globecoordinate",
        }

    def written(self) -> str:
        north = f"{abs(self.latitude) / 100:.2f}° {'N' if self.latitude >= 0 else 'S'}"
        return f"{north}, {abs(self.longitude) / 100:.2f}° {'E' if self.longitude >= 0 else 'W'}"


Literal = DateValue | Quantity | TextValue | Coordinates


def plain(number: float) -> str:
    """A number without unnecessary zeros: `42`, `-3.5`."""
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def signed(amount: str) -> str:
    return amount if amount.startswith("-") else f"+{amount}"


def with_commas(amount: str) -> str:
    whole, dot, rest = amount.partition(".")
    return f"{int(whole):,}{dot}{rest}"


def dollars(amount: str) -> str:
    number = int(amount)
    return f"${plain(number / 1_000_000)} million" if number >= 1_000_000 else f"${number:,}"


# Literal values drawn for an entity: dates of different precision, quantities in different units, texts.

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def moment(seed: int, relation: Relation, number: int, year: int) -> DateValue:
    """A date in a year, to the day, the month or (always before 1800) only the year."""
    bits = word(key(seed, f"date {relation.id}"), number)
    fineness = bits % 100
    month = 1 + (bits >> 8) % 12
    days = 60 if relation.id in ("P569", "P570", "P577") else 25
    if year < 1800 or fineness >= days + 12:
        return DateValue(year)
    if fineness >= days:
        return DateValue(year, month)
    return DateValue(year, month, 1 + (bits >> 16) % _LENGTHS[month - 1])


def amount(seed: int, relation: Relation, range_: Amount, number: int) -> Quantity:
    """A quantity, in its usual unit with probability 7/8."""
    value = _value(share(key(seed, f"amount {relation.key}"), number), range_)
    bits = word(key(seed, f"unit {relation.key}"), number)
    if range_.others and bits % 8 == 0:
        unit, factor = range_.others[(bits >> 8) % len(range_.others)]
        scaled = value * factor
        return Quantity(plain(_rounded(scaled)), unit)
    return Quantity(plain(value), range_.unit)


def _value(draw: float, range_: Amount) -> float:
    value = range_.low * math.exp(draw * math.log(range_.high / range_.low))
    if range_.decimals:
        return round(value, range_.decimals)
    return max(range_.steps, round(value / range_.steps) * range_.steps)


def _rounded(value: float) -> float:
    """The number with at least three significant digits, as usual for converted values."""
    return round(value) if value >= 100 else round(value, 1) if value >= 10 else round(value, 2)


def populations(seed: int, relation: Relation, range_: Amount, number: int) -> list[Quantity]:
    """The present population and sometimes those of earlier censuses."""
    draw = share(key(seed, f"amount {relation.key}"), number)
    bits = word(key(seed, f"censuses {relation.key}"), number)
    counts = [_value(draw, range_)]
    for earlier in range((0, 0, 1, 2)[bits % 4]):
        change = 0.82 + ((bits >> (8 + 8 * earlier)) % 30) / 100
        counts.append(max(range_.steps, round(counts[-1] * change / range_.steps) * range_.steps))
    return [Quantity(plain(count)) for count in counts]


def words_of(seed: int, relation: Relation, number: int) -> TextValue:
    """A motto, a native name or a code."""
    bits = word(key(seed, f"text {relation.key}"), number)
    if relation.words == "motto":
        return TextValue(MOTTOES[bits % len(MOTTOES)], "en")
    if relation.words == "code":
        return TextValue(f"{10 + bits % 90}-{100 + (bits >> 16) % 900}")
    syllables = ("ka", "lo", "ven", "ti", "mar", "es", "u", "ran", "il", "do")
    text = "".join(syllables[(bits >> shift) % 10] for shift in (0, 8, 16))
    return TextValue(text.capitalize(), ("fr", "de", "cy", "sl")[(bits >> 40) % 4])


def coordinates(seed: int, number: int, country: int) -> Coordinates:
    """A point within a few degrees of the middle of its country."""
    middle = word(key(seed, "middle"), max(country, 0))
    bits = word(key(seed, "point"), number)
    latitude = middle % 12000 - 6000 + bits % 600 - 300
    longitude = (middle >> 20) % 34000 - 17000 + (bits >> 20) % 900 - 450
    return Coordinates(latitude, longitude)


Values = Sequence[int | Literal]
Reader = Callable[[int], Values]

_OCCUPATIONS = {concept.id: CONCEPT_NUMBERS + index for index, concept in enumerate(CONCEPTS)}
_INDUSTRIES = {CONCEPTS[index].label: CONCEPT_NUMBERS + index for index in GROUPS["industry"]}
INVERSE = {
    "tracks": ("song", "P361"),
    "members": ("human", "P463"),
    "tributaries": ("river", "P403"),
    "subsidiaries": ("business", "P127"),
    "coached": ("sports team", "P286"),
}


class ValueSources:
    """Finds the values of relations in one world."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton, self.census, self.families = skeleton, skeleton.census, skeleton.families
        self.seed = skeleton.census.seed
        self.inverse = {source: relation_of(kind, id_) for source, (kind, id_) in INVERSE.items()}
        self._works = [
            relation_of(kind, id_)
            for kind, id_ in (("literary work", "P50"), ("film", "P57"), ("painting", "P170"))
        ]
        self._league = relation_of("sports team", "P118")
        self._readers: dict[tuple[str, str], Reader] = {}

    def values(self, number: int, kind: EntityKind, relation: Relation) -> Values:
        """The values of one relation of one entity."""
        reader = self._readers.get((kind.name, relation.key))
        if reader is None:
            reader = self._readers[kind.name, relation.key] = self._reader(kind, relation)
        return reader(number)

    def _reader(self, kind: EntityKind, relation: Relation) -> Reader:
        reader = self._any_reader(kind, relation)
        drawn = relation.source == "drawn" and relation.objects
        if drawn or (relation.chance >= 1 and not relation.professions):
            return reader  # the probability was already applied when the column was drawn
        has, chance, professions = (
            key(self.seed, f"has {relation.key}"),
            relation.chance,
            relation.professions,
        )

        def limited(number: int) -> Values:
            if chance < 1 and share(has, number) >= chance:
                return []
            if professions and PROFESSIONS[self.census.profession(number)].name not in professions:
                return []
            return reader(number)

        return limited if kind.tier == "person" or chance < 1 else reader

    def _any_reader(self, kind: EntityKind, relation: Relation) -> Reader:
        source = relation.source
        if not relation.objects:
            return self._literal_reader(relation)
        if source in ("country", "home"):
            places = self.skeleton[source]
            return lambda number: [place] if (place := int(places[number])) >= 0 else []
        if source in INVERSE:
            inverse = self.inverse[source]
            return lambda number: self.skeleton.subjects(inverse, number)
        family = {
            "father": self.families.father,
            "mother": self.families.mother,
            "children": self.families.children,
            "siblings": self.families.siblings,
            "spouse": self.families.spouse,
        }
        if source in family:
            return family[source]
        computed: dict[str, Reader] = {
            "sex": self._sex,
            "occupation": self._occupation,
            "sport": lambda number: [CONCEPT_NUMBERS + GROUPS["sport"].start + self.sport(number, kind)],
            "industry": self._industry,
            "notable": self._notable,
            "coordinates": lambda number: [
                coordinates(self.seed, number, int(self.skeleton["country"][number]))
            ],
            "external": lambda number: [
                TextValue(str(10**8 + word(key(self.seed, "external"), number) % (9 * 10**8)))
            ],
        }
        if source in computed:
            return computed[source]
        column, first = self.skeleton[f"{relation.key}.{kind.name}"], self.census.range[kind.name].start
        return lambda number: [value for value in column[number - first].tolist() if value >= 0]

    def _literal_reader(self, relation: Relation) -> Reader:
        seed = self.seed
        if relation.date:
            years = self.skeleton[relation.date]
            return lambda number: (
                [] if (year := int(years[number])) == NONE else [moment(seed, relation, number, year)]
            )
        if relation.words:
            return lambda number: [words_of(seed, relation, number)]
        bounds = relation.amount
        assert bounds is not None
        if relation.source == "population":
            return lambda number: populations(seed, relation, bounds, number)
        return lambda number: [amount(seed, relation, bounds, number)]

    def _sex(self, number: int) -> list[int]:
        return [CONCEPT_NUMBERS + GROUPS["sex"].start + self.families.female(number)]

    def _occupation(self, number: int) -> list[int]:
        profession = PROFESSIONS[self.census.profession(number)]
        occupations = [_OCCUPATIONS[profession.id]]
        others = profession.others
        bits = word(key(self.seed, "second occupation"), number)
        if others and bits % 10 < 4:
            occupations.append(_OCCUPATIONS[others[(bits >> 8) % len(others)]])
        return occupations

    def sport(self, number: int, kind: EntityKind) -> int:
        """0 for football, 1 for basketball."""
        if kind.name == "human":
            return int(PROFESSIONS[self.census.profession(number)].name == "basketball player")
        if kind.name == "sports team":
            leagues = self.skeleton.objects(self._league, kind.name, number)
            number = leagues[0] if leagues else -1
        return int(word(key(self.seed, "sport"), number) % 4 == 0)

    def _industry(self, number: int) -> list[int]:
        sector = (number - self.census.range["business"].start) % 6
        if sector < len(SECTORS):
            return [_INDUSTRIES[SECTORS[sector]]]
        group = GROUPS["industry"]
        return [CONCEPT_NUMBERS + group.start + word(key(self.seed, "industry"), number) % len(group)]

    def _notable(self, number: int) -> list[int]:
        for relation in self._works:
            works = self.skeleton.subjects(relation, number)
            if len(works) > 1:
                return works[:1]
        return []
