"""Literal values: numbers and quantities, dates with a precision, texts, points on the globe.

A value has one canonical text, and two values are equal when their texts are. Values that can be put in
order also have *bounds* in a *dimension*: a date of year precision covers its whole year, a number is a
point, a quantity is converted to its dimension's base unit. One value is less than another only when it
certainly is, that is when its whole span lies before; values of different dimensions are never ordered.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, InvalidOperation
from math import isfinite
from typing import NamedTuple, TypeAlias

from rollcall._core.errors import RollcallError
from rollcall.text.words import MONTHS

# Units of measurement that can be compared with one another, by their Wikidata item ids. Each unit
# belongs to a dimension and has an exact decimal factor to that dimension's base unit, so that a foot
# and a metre can be ordered. A unit that is not listed is its own dimension: its values are compared
# only with each other. Currencies are deliberately not listed.


class Unit(NamedTuple):
    """One unit: its dimension, its size in base units, and how it is written."""

    id: str
    dimension: str
    factor: Decimal
    symbol: str
    names: tuple[str, ...]


def _units() -> list[Unit]:
    rows = [
        ("Q11573", "length", "1", "m", "metre meter metres meters"),
        ("Q828224", "length", "1000", "km", "kilometre kilometer kilometres kilometers"),
        ("Q174728", "length", "0.01", "cm", "centimetre centimeter centimetres centimeters"),
        ("Q174789", "length", "0.001", "mm", "millimetre millimeter millimetres millimeters"),
        ("Q3710", "length", "0.3048", "ft", "foot feet"),
        ("Q218593", "length", "0.0254", "in", "inch inches"),
        ("Q482798", "length", "0.9144", "yd", "yard yards"),
        ("Q253276", "length", "1609.344", "mi", "mile miles"),
        ("Q93318", "length", "1852", "nmi", "nautical_mile nautical_miles"),
        ("Q25343", "area", "1", "m²", "square_metre square_meter square_metres square_meters m2"),
        (
            "Q712226",
            "area",
            "1000000",
            "km²",
            "square_kilometre square_kilometer square_kilometres square_kilometers km2",
        ),
        ("Q35852", "area", "10000", "ha", "hectare hectares"),
        ("Q81292", "area", "4046.8564224", "acre", "acres"),
        ("Q232291", "area", "2589988.110336", "sq mi", "square_mile square_miles mi2"),
        ("Q857027", "area", "0.09290304", "sq ft", "square_foot square_feet ft2"),
        ("Q25517", "volume", "1", "m³", "cubic_metre cubic_meter cubic_metres cubic_meters m3"),
        ("Q4243638", "volume", "1000000000", "km³", "cubic_kilometre cubic_kilometer km3"),
        ("Q11582", "volume", "0.001", "L", "litre liter litres liters"),
        ("Q11570", "mass", "1", "kg", "kilogram kilograms"),
        ("Q41803", "mass", "0.001", "g", "gram grams"),
        ("Q191118", "mass", "1000", "t", "tonne tonnes metric_ton metric_tons"),
        ("Q100995", "mass", "0.45359237", "lb", "pound pounds lbs"),
        ("Q48013", "mass", "0.028349523125", "oz", "ounce ounces"),
        ("Q11574", "duration", "1", "s", "second seconds sec"),
        ("Q7727", "duration", "60", "min", "minute minutes mins"),
        ("Q25235", "duration", "3600", "h", "hour hours hrs"),
        ("Q573", "duration", "86400", "d", "day days"),
        ("Q23387", "duration", "604800", "wk", "week weeks"),
        ("Q577", "duration", "31557600", "yr", "annum years"),
        ("Q182429", "speed", "1", "m/s", "metre_per_second metres_per_second"),
        ("Q180154", "speed", "0.277777777777777778", "km/h", "kilometre_per_hour kilometres_per_hour kmh"),
        ("Q211256", "speed", "0.44704", "mph", "mile_per_hour miles_per_hour"),
        ("Q128822", "speed", "0.514444444444444444", "kn", "knot knots"),
        ("Q25236", "power", "1", "W", "watt watts"),
        ("Q6982035", "power", "1000000", "MW", "megawatt megawatts"),
        ("Q752079", "tonnage", "1", "GRT", "gross_register_ton gross_register_tons"),
        ("Q11229", "share", "1", "%", "percent per_cent"),
        ("Q794261", "flow", "1", "m³/s", "cubic_metre_per_second cubic_metres_per_second m3/s"),
    ]
    return [
        Unit(id_, dimension, Decimal(factor), symbol, tuple(name.replace("_", " ") for name in names.split()))
        for id_, dimension, factor, symbol, names in rows
    ]


UNITS: dict[str, Unit] = {unit.id: unit for unit in _units()}
DIMENSIONS = frozenset(unit.dimension for unit in UNITS.values())
_BY_NAME = {name: unit.id for unit in UNITS.values() for name in (unit.symbol, *unit.names)}


def unit_id(name: str) -> str:
    """The id of a unit given by id, name or symbol; an unknown unit keeps the given name."""
    return _BY_NAME.get(name, name)


def named_unit(name: str) -> str | None:
    """The id of a listed unit by its name or symbol, or None; used to read free text."""
    return _BY_NAME.get(name) or _BY_NAME.get(name.lower())


class ValueBounds(NamedTuple):
    """Where a value lies: the least and greatest it may be, in one dimension."""

    dimension: str
    low: float
    high: float


_MOST_DIGITS = 2000
_GREATEST_EXPONENT = 300
_KEPT = Context(prec=_MOST_DIGITS, traps=[Inexact, InvalidOperation])
EXACT = Context(prec=2 * _MOST_DIGITS, traps=[Inexact, InvalidOperation])
"""Arithmetic that never rounds. Python's default rounds to 28 digits, which can make two numbers equal."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or a quantity when it has a unit (a Wikidata item id where the unit is listed)."""

    amount: Decimal
    unit: str | None = None

    def __post_init__(self) -> None:
        if self.unit is not None:
            if not self.unit:
                raise RollcallError("a quantity needs the name of its unit; leave it out for a plain number")
            object.__setattr__(self, "unit", unit_id(writable(self.unit, "a unit")))
        # Double precision must also be able to represent it in the base unit of its dimension.
        greatest = _GREATEST_EXPONENT - 10 if self.unit in UNITS else _GREATEST_EXPONENT
        if not self.amount.is_finite() or (self.amount and abs(self.amount.adjusted()) > greatest):
            raise RollcallError(
                f"{shortened(str(self.amount))} is not a number that can be kept and compared; "
                f"its exponent may be {greatest} at most"
            )
        object.__setattr__(self, "amount", _normal(self.amount))

    @property
    def text(self) -> str:
        # Very long expansions such as 1E+300 keep their exponent.
        amount = f"{self.amount:f}" if -30 < self.amount.adjusted() < 30 else str(self.amount)
        return amount if self.unit is None else f"{amount}[{escape(self.unit, ']')}]"

    @property
    def bounds(self) -> ValueBounds:
        if self.unit is None:
            return ValueBounds("number", point := float(self.amount), point)
        if (unit := UNITS.get(self.unit)) is None:
            return ValueBounds(_own_dimension(self.unit), point := float(self.amount), point)
        return ValueBounds(unit.dimension, point := float(EXACT.multiply(self.amount, unit.factor)), point)

    def __str__(self) -> str:
        amount = f"{self.amount:,f}" if abs(self.amount.adjusted()) < 30 else str(self.amount)
        if self.unit is None:
            return amount
        return f"{amount} {UNITS[self.unit].symbol if self.unit in UNITS else self.unit}"


def _normal(amount: Decimal) -> Decimal:
    """The same number without trailing zeros, and with zero unsigned."""
    if not amount:
        return Decimal(0)
    try:
        return amount.normalize(_KEPT)
    except Inexact:
        raise RollcallError(
            f"{shortened(str(amount))} has more than {_MOST_DIGITS:,} digits; round it"
        ) from None


def _own_dimension(unit: str) -> str:
    """The dimension of an unlisted unit: the unit itself, marked as different from the listed dimensions."""
    return f"[{unit}]" if unit in (*DIMENSIONS, "number", "date") or unit.startswith("[") else unit


PRECISIONS = ("millennium", "century", "decade", "year", "month", "day")
YEARS_COVERED = {"millennium": 1000, "century": 100, "decade": 10, "year": 1}
_FARTHEST_YEAR = 10**12
"""Up to this year, day numbers are exact in double precision, and SPARQL engines support the date types."""


def days_of(year: int, month: int) -> int:
    """The number of days in a month, in any year of the proleptic Gregorian calendar."""
    # The calendar repeats every 400 years, and Python's calendar begins with year 1.
    return monthrange(year % 400 + 400, month)[1]


def _most_days(year: int, month: int) -> int:
    """The days of a month in the calendar that has more: in the Julian one, 1900 is a leap year too."""
    return 29 if month == 2 and year % 4 == 0 else days_of(year, month)


@dataclass(frozen=True, slots=True)
class Date:
    """A date of some precision; years are astronomical, so that 44 BC is the year -43.

    Its order uses a day number that counts 31 days for every month: only the order of these numbers
    matters, and any engine can compute them from year, month and day.
    """

    year: int
    month: int | None = None
    day: int | None = None
    precision: str = ""

    def __post_init__(self) -> None:
        finest = "year" if self.month is None else "month" if self.day is None else "day"
        precision = self.precision or finest
        if precision not in PRECISIONS or PRECISIONS.index(precision) > PRECISIONS.index(finest):
            raise RollcallError(f"a date with a {finest} cannot have the precision {precision!r}")
        if abs(self.year) > _FARTHEST_YEAR:
            raise RollcallError(f"a year beyond {_FARTHEST_YEAR:,} cannot be kept and compared")
        month, day = (1 if part is None else part for part in (self.month, self.day))
        if not 1 <= month <= 12 or not 1 <= day <= _most_days(self.year, month):
            parts = (str(part) for part in (self.year, self.month, self.day) if part is not None)
            raise RollcallError(f"{'-'.join(parts)} is not a date")
        # Only the parts that the precision includes are kept, so that equal dates are equal values.
        if precision != "day":
            object.__setattr__(self, "day", None)
        if precision not in ("day", "month"):
            object.__setattr__(self, "month", None)
            covered = YEARS_COVERED[precision]
            object.__setattr__(self, "year", self.year // covered * covered)
        object.__setattr__(self, "precision", precision)

    @property
    def edtf(self) -> str:
        """The date in the Extended Date/Time Format: 1960-05-17, 1960-05, 1960, 196X, 19XX, 1XXX."""
        year = f"-{-self.year:04d}" if self.year < 0 else f"{self.year:04d}"
        unknown = PRECISIONS.index("year") - PRECISIONS.index(self.precision)
        if unknown > 0:
            return year[:-unknown] + "X" * unknown
        return "-".join([year, *(f"{part:02d}" for part in (self.month, self.day) if part is not None)])

    @property
    def text(self) -> str:
        return "@" + self.edtf

    @property
    def bounds(self) -> ValueBounds:
        last_year = self.year + YEARS_COVERED.get(self.precision, 1) - 1
        low = self.year * 372 + ((self.month or 1) - 1) * 31 + (self.day or 1) - 1
        high = last_year * 372 + ((self.month or 12) - 1) * 31 + (self.day or 31) - 1
        return ValueBounds("date", float(low), float(high))

    def __str__(self) -> str:
        year = str(self.year) if self.year > 0 else f"{1 - self.year} BC"
        if self.precision in ("decade", "century", "millennium"):
            return (
                f"{year}s"
                if self.precision == "decade" and self.year > 0
                else f"the {self.precision} from {year}"
            )
        text = year if self.month is None else f"{MONTHS[self.month - 1]} {year}"
        return text if self.day is None else f"{self.day} {text}"


@dataclass(frozen=True, slots=True)
class Text:
    """A string, with a language code where it has one. Texts are equal or not; they have no order."""

    content: str
    language: str | None = None

    def __post_init__(self) -> None:
        writable(self.content, "a text")
        if self.language is not None:
            if not _LANGUAGE.fullmatch(self.language):
                raise RollcallError(f"{self.language!r} is not a language code such as en or zh-Hans")
            # Codes that differ only in case mean the same language, and RDF stores use lower case.
            object.__setattr__(self, "language", self.language.lower())

    @property
    def text(self) -> str:
        quoted = f'"{escape(self.content, chr(34))}"'
        return quoted if self.language is None else f"{quoted}@{self.language}"

    @property
    def bounds(self) -> None:
        return None

    def __str__(self) -> str:
        return self.content


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the globe, in degrees. Points are equal or not; they have no order."""

    latitude: float
    longitude: float

    def __post_init__(self) -> None:
        if not isfinite(self.latitude) or not isfinite(self.longitude):
            raise RollcallError(f"({self.latitude}, {self.longitude}) is not a place on the globe")
        # Adding 0 turns -0.0 into 0.0: they are equal, so they must have one text.
        object.__setattr__(self, "latitude", float(self.latitude) + 0.0)
        object.__setattr__(self, "longitude", float(self.longitude) + 0.0)

    @property
    def text(self) -> str:
        return f"@({self.latitude!r},{self.longitude!r})"

    @property
    def bounds(self) -> None:
        return None

    def __str__(self) -> str:
        return f"{self.latitude:g}, {self.longitude:g}"


Value: TypeAlias = Number | Date | Text | Point

COMPARATORS = ("<", "<=", ">", ">=")


def holds(left: ValueBounds | None, comparator: str, right: ValueBounds | None) -> bool:
    """Whether `left comparator right` is certain; `<=` means until the end of, `>=` since the start of."""
    if left is None or right is None or left.dimension != right.dimension:
        return False
    if comparator == "<":
        return left.high < right.low
    if comparator == "<=":
        return left.high <= right.high
    if comparator == ">":
        return left.low > right.high
    return left.low >= right.low


def number(amount: int | float | str | Decimal, unit: str | None = None) -> Number:
    """A number or quantity from any Python number or decimal text."""
    text = str(amount).strip()
    # Decimal would also accept 1_000; it raises for numbers that are too large.
    if not _DECIMAL.fullmatch(text):
        raise RollcallError(f"{text[:40]!r} is not a number")
    try:
        return Number(Decimal(text), unit)
    except InvalidOperation:
        raise RollcallError(f"{text[:40]} is not a number that can be kept and compared") from None


def writable(text: str, what: str) -> str:
    """The text itself; a text with half of a surrogate pair, which UTF-8 cannot encode, is refused."""
    if not text.isascii() and (half := _HALF_PAIR.search(text)):
        raise RollcallError(
            f"{what} has the character U+{ord(half[0]):04X}, which is not Unicode text on its own; "
            "the input was probably not UTF-8"
        )
    return text


def escape(text: str, closing: str) -> str:
    """Escape backslashes, line breaks, tabs, and the character that closes a name or a text."""
    text = text.replace("\\", "\\\\").replace(closing, "\\" + closing)
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def unescape(text: str) -> str:
    """The inverse of `escape`."""
    return re.sub(r"\\(.)", lambda match: _ESCAPED.get(match[1], match[1]), text, flags=re.DOTALL)


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_LANGUAGE = re.compile("[A-Za-z][A-Za-z0-9-]*")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"


def match_value(source: str, position: int = 0) -> tuple[Value, int] | None:
    """Read the canonical text of a value at a position; returns the value and its end, or None."""
    for pattern, read in _READERS:
        if match := pattern.match(source, position):
            return read(match), match.end()
    return None


def parse_value(text: str) -> Value:
    """The value that a canonical text stands for: `42`, `8848[Q11573]`, `@1960-05-17`, `"text"@en`."""
    match = match_value(text)
    if match is None or match[1] != len(text):
        raise RollcallError(
            f"{shortened(text)!r} is not a value; "
            'write 42, 8848[metre], @1960-05-17, @1960, "text" or @(48.8,2.3)'
        )
    return match[0]


def parse_edtf(text: str) -> Date:
    """A date from its Extended Date/Time Format text, such as 1960-05 or 196X."""
    value = parse_value("@" + text)
    if not isinstance(value, Date):
        raise RollcallError(f"{shortened(text)!r} is not a date")
    return value


def shortened(text: str) -> str:
    """A text shortened for quoting in a message."""
    return text if len(text) <= 80 else text[:79] + "…"


def _read_number(match: re.Match[str]) -> Number:
    return number(match[1], None if match[2] is None else unescape(match[2]))


def _read_date(match: re.Match[str]) -> Date:
    year, unknown = match[1].replace("X", "0"), match[1].count("X")
    if unknown and match[2]:
        raise RollcallError(f"{shortened(match[0])} is not a date: a month needs a whole year")
    digits = year.lstrip("-").lstrip("0") or "0"
    if len(digits) > len(str(_FARTHEST_YEAR)):  # Python limits the length of integers that it parses
        raise RollcallError(f"{shortened(match[0])}: a year beyond {_FARTHEST_YEAR:,} cannot be kept")
    astronomical = -int(digits) if year.startswith("-") else int(digits)
    month, day = (None if part is None else int(part) for part in (match[2], match[3]))
    return Date(astronomical, month, day, PRECISIONS[3 - unknown] if unknown else "")


def _read_point(match: re.Match[str]) -> Point:
    return Point(float(match[1]), float(match[2]))


def _read_text(match: re.Match[str]) -> Text:
    return Text(unescape(match[1]), match[2])


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Value]], ...] = (
    (re.compile(rf"({_NUMBER})(?:\[((?:[^\]\\]|\\.)+)\])?", re.DOTALL), _read_number),
    (re.compile(r"@(-?\d+X{0,3})(?:-(\d\d))?(?:-(\d\d))?"), _read_date),
    (re.compile(rf"@\(({_NUMBER}),\s*({_NUMBER})\)"), _read_point),
    (re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z][A-Za-z0-9-]*))?', re.DOTALL), _read_text),
)
