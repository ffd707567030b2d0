"""Literal values: their form in the dump, in the truth table, and in a sentence.

The canonical text is that of the query language: `@1960-05`, `8848[Q11573]`, `"text"@en`, `@(48.85,2.35)`.
"""

from dataclasses import dataclass
from typing import Any

from rollcall.english.months import MONTHS
from rollcall.world.concepts import UNITS

_GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
_JULIAN = "http://www.wikidata.org/entity/Q1985786"
_GLOBE = "http://www.wikidata.org/entity/Q2"

_EARLY = 500
"""Years before this are written as `AD 18`: a bare 18 would not be read as a year."""

Snak = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Date:
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


@dataclass(frozen=True, slots=True)
class Quantity:
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


@dataclass(frozen=True, slots=True)
class Text:
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


@dataclass(frozen=True, slots=True)
class Coordinates:
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


Literal = Date | Quantity | Text | Coordinates


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
