"""Free text as values: reads a table cell as a number, a quantity, a date, or else a text.

Only an unambiguous cell is read. A cell with a range (1984-1990), an ambiguous order of day and month
(04/09/1984) or a word that is not a unit remains a text. A cell alone does not show whether a bare 1984 is a
year, or whether 1,234 has a decimal comma; `columns.py` and `decimal_commas.py` decide this for all cells of
a relation together.
"""

import re
from decimal import Decimal
from enum import IntEnum

from rollcall.graph.ingest.cell_dates import read_date
from rollcall.nesting import DEEPEST
from rollcall.query.units import UNITS, named_unit
from rollcall.query.values import EXACT, Date, Number, Text, Value, number

_WHOLE = r"[1-9]\d{0,2}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?: \d{3})+|\d+"
_NUMBER = rf"(?:{_WHOLE})(?:\.\d+)?|\.\d+"
_DIGITS = re.compile(r"[\d.,]*\d")
_WITH_POINT = re.compile(_NUMBER)
_WITH_COMMA = re.compile(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)?(?:,\d+)?")
_PLAIN_YEAR = re.compile(r"[1-9]\d{2,3}")
_BARE_INTEGER = re.compile(rf"-?(?:{_WHOLE})")
_CURRENCIES = r"US\$|A\$|C\$|\$|€|£|¥|₹"
_CURRENCY = re.compile(_CURRENCIES)
_MEASURE = re.compile(
    rf"(?P<currency>{_CURRENCIES})?\s?(?P<sign>[+-]?)(?P<amount>{_NUMBER})"
    r"\s?(?P<scale>thousand|million|billion|trillion|(?(currency)(?:k|mn?|bn?)|$))?\s?(?P<unit>[^\d(),;:+-][^\d(),;:+-]*[²³23]?)?",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:no\.?|nr\.?|#)\s?(\d+)|(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_COMPOUND = re.compile(rf"({_NUMBER})\s?([^\d\s.,]+)\.?")
_SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "k": 3,
    "m": 6,
    "mn": 6,
    "b": 9,
    "bn": 9,
}
_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_FOOTNOTES = re.compile(r"\s?\[(?:\w{1,3}|note \w+|citation needed)\]|[*†‡§]+$", re.IGNORECASE)
_ABOUT = re.compile(r"(?:c\.|ca\.|circa|about|approx\.|approximately|~|≈)\s?(?=[\d.])", re.IGNORECASE)
_LATEST_YEAR = 2100
_LONGEST = 200
"""In characters: a longer cell is always a text."""
USUAL_FIRST_YEAR = 1000
"""From this number on, a whole number may be a year; smaller ones only if the relation's name says so."""


class Reading(IntEnum):
    """In which ways the commas and points of a cell's numbers can be read."""

    COMMA = 0
    """Only as decimal commas, or with points between thousands: 1,2; 1.234.567."""
    POINT = 1
    """Only as decimal points, or with commas between thousands: 1.2; 1,234,567."""
    COMMA_OR_THOUSANDS = 2
    """1,234 is 1.234 or 1234."""
    POINT_OR_THOUSANDS = 3
    """1.234 is the same number, or 1234."""
    LIST = 4
    """1,2,3 is no number."""


def clean(text: str) -> str:
    """The cell without footnote marks and words such as `about`, with plain spaces and minus signs."""
    text = _SPACES.sub(" ", text.replace("\u2212", "-")).strip()
    return _ABOUT.sub("", _FOOTNOTES.sub("", text).strip(), count=1)


def bare_integer(text: str) -> bool | None:
    """For a cell that is a whole number: whether it may be a year. None for other cells."""
    if len(text) > _LONGEST:
        return None
    text = clean(text)
    if not _BARE_INTEGER.fullmatch(text):
        return None
    return _is_year(text, USUAL_FIRST_YEAR)


def _is_year(text: str, first_year: int) -> bool:
    return bool(_PLAIN_YEAR.fullmatch(text)) and first_year <= int(text) <= _LATEST_YEAR


def readings(text: str) -> Reading | None:
    """How commas and points in the numbers of a cell can be read; None for cells that have none."""
    if len(text) > _LONGEST or ("," not in text and "." not in text):
        return None
    cleaned = clean(text)
    parts = [part for part in _DIGITS.findall(cleaned) if "," in part or "." in part]
    with_comma, with_point = all(map(_WITH_COMMA.fullmatch, parts)), all(map(_WITH_POINT.fullmatch, parts))
    has_comma = any("," in part for part in parts)
    if not with_comma and not with_point:
        return Reading.LIST if has_comma else None
    if not parts or not isinstance(_tried(_with_points(cleaned) if with_comma else cleaned), Number):
        return None
    if with_comma and with_point:
        return Reading.COMMA_OR_THOUSANDS if has_comma else Reading.POINT_OR_THOUSANDS
    return Reading.COMMA if with_comma else Reading.POINT


def _with_points(text: str) -> str:
    """A cell whose numbers have decimal commas, as one with decimal points and nothing between thousands."""

    def point(found: re.Match[str]) -> str:
        part = found[0]
        return part.replace(".", "").replace(",", ".") if _WITH_COMMA.fullmatch(part) else part

    return _DIGITS.sub(point, text)


def read_cell(
    text: str, *, first_year: int | None = None, unit: str | None = None, decimal_comma: bool = False
) -> Value:
    """The value of a cell. Whole numbers from `first_year` on are years; `unit` is the default unit."""
    if len(text) > _LONGEST:
        return Text(_SPACES.sub(" ", text).strip())
    cleaned = clean(text)
    if first_year is not None and _is_year(cleaned, first_year):
        return Date(int(cleaned))
    value = _tried(cleaned)
    if decimal_comma and not isinstance(value, Date):
        value = _tried(_with_points(cleaned))
    if value is None:
        return Text(_SPACES.sub(" ", text).strip())
    if unit is not None and isinstance(value, Number) and value.unit is None:
        return Number(value.amount, unit)
    return value


def _tried(text: str) -> Value | None:
    try:
        return _read(text, 0)
    except Exception:  # for example month 13 or a number that is too large: it is a text
        return None


def _read(text: str, depth: int) -> Value | None:
    if not any(character.isdigit() for character in text):
        return None
    if (date := read_date(text)) is not None:
        return date
    if found := _ORDINAL.fullmatch(text):
        return number(found[1] or found[2])
    if (measure := _read_measure(text)) is not None:
        return measure
    if (compound := _read_compound(text)) is not None:
        return compound
    opening = text.find("(", 1)
    if opening > 0 and text.endswith(")") and depth < DEEPEST:
        return _read_converted(text[:opening].removesuffix(" "), text[opening + 1 : -1], depth + 1)
    return None


def _read_measure(text: str) -> Number | None:
    """A number with or without scale, unit or currency: 120,000; -3.5; 12 %; 38 km²; $1.2 million."""
    found = _MEASURE.fullmatch(text)
    if found is None:
        return None
    amount = _amount(found["amount"])
    unit = found["currency"]
    if found["unit"] and (unit is not None or (unit := _unit(found["unit"].strip())) is None):
        return None
    if found["scale"]:
        amount = EXACT.scaleb(amount, _SCALES[found["scale"].lower()])
    return Number(amount.copy_negate() if found["sign"] == "-" else amount, unit)


def _read_compound(text: str) -> Number | None:
    """A quantity in two or three units of one dimension, in the smallest: 5 ft 11 in; 2 h 30 min."""
    parts = _COMPOUND.findall(text)
    if not 2 <= len(parts) <= 3 or _COMPOUND.sub("", text).strip(" ,"):
        return None
    quantities = []
    for amount, name in parts:
        unit = _FEET_AND_INCHES.get(name) or _unit(name)
        if unit is None:
            return None
        quantities.append(Number(_amount(amount), unit))
    return _sum(quantities)


def _sum(quantities: list[Number]) -> Number | None:
    units = [UNITS[quantity.unit] for quantity in quantities if quantity.unit in UNITS]
    if len(units) != len(quantities) or len({unit.dimension for unit in units}) != 1:
        return None
    factors = [unit.factor for unit in units]
    if factors != sorted(factors, reverse=True) or len(set(factors)) != len(factors):
        return None  # 5 ft 3 ft is not a compound quantity
    total = Decimal(0)
    for quantity, factor in zip(quantities, factors, strict=True):
        total = EXACT.fma(quantity.amount, factor, total)
    return Number(EXACT.divide(total, factors[-1]), units[-1].id)


def _read_converted(first: str, second: str, depth: int) -> Value | None:
    """A quantity followed by itself in another unit in parentheses: 1,204 m (3,950 ft)."""
    value, same = _read(first, depth), _read(second, depth)
    if not isinstance(value, Number) or not isinstance(same, Number) or not (value.unit and same.unit):
        return None
    return value if value.bounds.dimension == same.bounds.dimension else None


def _amount(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace(" ", ""))


def _unit(name: str) -> str | None:
    """The id of a unit as written. A single letter must match exactly: 5 M is not five metres."""
    if _CURRENCY.fullmatch(name):
        return name
    name = name.rstrip(".") if len(name) > 2 else name
    name = name.replace("^2", "²").replace("^3", "³").replace("sq. ", "sq ")
    if name.startswith("sq ") and (squared := _SQUARED.get(name[3:])):
        name = squared
    found = named_unit(name)
    if found is not None and len(name) == 1 and named_unit(name.swapcase()) == found:
        return None if name.isupper() and name not in ("L", "W") else found
    return found


_SQUARED = {"km": "km²", "m": "m²", "mi": "sq mi", "miles": "sq mi", "ft": "sq ft", "feet": "sq ft"}
_FEET_AND_INCHES = {"'": "ft", "′": "ft", '"': "in", "″": "in", "''": "in"}
