"""Free text as values: reads a table cell as a number, a quantity, a date, or else a text.

Only an unambiguous cell is read. A cell with a range (1984-1990), an ambiguous order of day and month
(04/09/1984) or a word that is not a unit remains a text. A cell alone does not show whether a bare 1984 is a
year, or whether 1,234 has a decimal comma; that is decided for all cells of a relation together.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import IntEnum
from typing import TypeAlias

from rollcall._core.errors import DEEPEST
from rollcall.query.values import EXACT, UNITS, Date, Number, Text, Value, named_unit, number
from rollcall.text.words import MONTH_NUMBERS

# Dates as people write them in tables: 4 September 1984, Sep 1984, 1984-09-04, 1980s, 44 BC, 1984-.

_MONTH = rf"(?P<month>{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{3,4})"
_ERA = r"(?:\s?(?P<era>BCE?|B\.C\.|CE|AD|A\.D\.))?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WEEKDAY}{_MONTH} {_DAY}(?: ?, ?| ){_YEAR}{_ERA}",
        rf"{_WEEKDAY}(?:the )?{_DAY}[ -](?:of )?{_MONTH}(?: ?, ?|[ -]){_YEAR}{_ERA}",
        rf"{_MONTH}(?: ?, ?| of | |-){_YEAR}{_ERA}",
        r"(?P<year>\d{4})[-/.](?P<number>\d{1,2})[-/.](?P<day>\d{1,2})(?:[T ]\d\d:\d\d.*)?",
        r"(?P<year>[12]\d{3})-(?P<number>0[1-9]|1[0-2])",
        r"(?P<year>\d{4}) " + _MONTH + f" {_DAY}",
        r"(?:AD |A\.D\. )(?P<year>\d{1,4})",
        r"(?P<year>\d{1,4}) ?(?P<era>BCE?|B\.C\.|CE|AD|A\.D\.)",
        r"(?P<year>[12]\d{3}) ?[-–—]",
    )
]
_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_DECADE = re.compile(r"(?:the )?(\d{3}0)['’]?s", re.IGNORECASE)
_CENTURY = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -]century", re.IGNORECASE)


def read_date(text: str) -> Date | None:
    """The date in a cell, or None. A bare year is not read here, since it may be any number."""
    for pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            return _date(match.groupdict())
    if match := _NUMERIC.fullmatch(text):
        return _unambiguous(int(match[1]), int(match[3]), int(match[4]))
    if match := _DECADE.fullmatch(text):
        return Date(int(match[1]), precision="decade")
    if (match := _CENTURY.fullmatch(text)) and int(match[1]):
        return Date((int(match[1]) - 1) * 100, precision="century")
    return None


def _date(parts: dict[str, str | None]) -> Date | None:
    year = int(parts["year"] or 0)
    if year == 0:
        return None  # no calendar in common use has a year 0
    if (parts.get("era") or "").upper().startswith("B"):
        year = 1 - year
    month = None
    if parts.get("month"):
        month = MONTH_NUMBERS[str(parts["month"]).lower()]
    elif parts.get("number"):
        month = int(str(parts["number"]))
    day = parts.get("day")
    return Date(year, month, int(day) if day else None)


def _unambiguous(first: int, second: int, year: int) -> Date | None:
    """A date in digits, if only one order of day and month is possible."""
    if first > 12 >= second or first == second:
        return Date(year, second, first)
    if second > 12 >= first:
        return Date(year, first, second)
    return None


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
    r"(?:e(?P<exponent>[+-]?\d{1,3})|\s?[x×·*]\s?10(?:\^(?P<power>[+-]?\d{1,3})|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})))?"
    r"\s?(?P<scale>thousand|million|billion|trillion|(?(currency)(?:k|mn?|bn?)|$))?\s?(?P<unit>[^\d(),;:+-][^\d(),;:+-]*[²³23]?)?",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:no\.?|nr\.?|#)\s?(\d+)|(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_COMPOUND = re.compile(rf"({_NUMBER})\s?([^\d\s.,]+)\.?")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
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


class NumberNotation(IntEnum):
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
    """1,2,3 is not a number."""


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


def readings(text: str) -> NumberNotation | None:
    """How commas and points in the numbers of a cell can be read; None for cells that have none."""
    if len(text) > _LONGEST or ("," not in text and "." not in text):
        return None
    cleaned = clean(text)
    parts = [part for part in _DIGITS.findall(cleaned) if "," in part or "." in part]
    with_comma, with_point = all(map(_WITH_COMMA.fullmatch, parts)), all(map(_WITH_POINT.fullmatch, parts))
    has_comma = any("," in part for part in parts)
    if not with_comma and not with_point:
        return NumberNotation.LIST if has_comma else None
    if not parts or not isinstance(_tried(_with_points(cleaned) if with_comma else cleaned), Number):
        return None
    if with_comma and with_point:
        return NumberNotation.COMMA_OR_THOUSANDS if has_comma else NumberNotation.POINT_OR_THOUSANDS
    return NumberNotation.COMMA if with_comma else NumberNotation.POINT


def _with_points(text: str) -> str:
    """A cell whose numbers have decimal commas, as one with decimal points and nothing between thousands."""

    def point(match: re.Match[str]) -> str:
        part = match[0]
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
    if match := _ORDINAL.fullmatch(text):
        return number(match[1] or match[2])
    if (measure := _read_measure(text)) is not None:
        return measure
    if (compound := _read_compound(text)) is not None:
        return compound
    opening = text.find("(", 1)
    if opening > 0 and text.endswith(")") and depth < DEEPEST:
        return _read_converted(text[:opening].removesuffix(" "), text[opening + 1 : -1], depth + 1)
    return None


def _read_measure(text: str) -> Number | None:
    """A number with or without scale, unit or currency: 120,000; 8.2e-05; 12 %; 38 km²; $1.2 million."""
    match = _MEASURE.fullmatch(text)
    if match is None:
        return None
    if (match["exponent"] or "+")[0].isdigit() and "." not in match["amount"]:
        return None  # 1e5 is rather a code
    amount = _amount(match["amount"])
    if exponent := match["exponent"] or match["power"] or match["raised"]:
        amount = EXACT.scaleb(amount, int(exponent.translate(_RAISED)))
    unit = match["currency"]
    if match["unit"] and (unit is not None or (unit := _unit(match["unit"].strip())) is None):
        return None
    if match["scale"]:
        amount = EXACT.scaleb(amount, _SCALES[match["scale"].lower()])
    return Number(amount.copy_negate() if match["sign"] == "-" else amount, unit)


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
    unit = named_unit(name)
    if unit is not None and len(name) == 1 and named_unit(name.swapcase()) == unit:
        return None if name.isupper() and name not in ("L", "W") else unit
    return unit


_SQUARED = {"km": "km²", "m": "m²", "mi": "sq mi", "miles": "sq mi", "ft": "sq ft", "feet": "sq ft"}
_FEET_AND_INCHES = {"'": "ft", "′": "ft", '"': "in", "″": "in", "''": "in"}


# Whether the numbers of a table have decimal commas, as most of Europe writes them: 1.234,5 is then
# 1234.5. A cell alone does not show what 1,234 is. Cells that can be read in one way only decide for
# their column, and columns that are decided for the others of the same file. The summary says what was
# decided, and what could not be.

Marks: TypeAlias = Mapping[str, Sequence[int]]
"""How many cells of each relation have each reading, in the order of `NumberNotation`."""
_MOST = 9
"""So many cells with decimal commas outweigh one that contradicts them."""
_SHOWN = 12


def count_reading(text: str, marks: dict[str, list[int]], relation: str) -> None:
    """Count a cell among those of its relation, which is known from then on, whatever the cell is."""
    counts = marks.setdefault(relation, [0] * len(NumberNotation))
    if (notation := readings(text)) is not None:
        counts[notation] += 1


def comma_relations(marks: Marks, decimal: str) -> frozenset[str]:
    """The relations of a file whose numbers have decimal commas; `decimal` is what the user says of it."""
    if decimal != "auto":
        return frozenset(marks if decimal == "comma" else ())
    decided = frozenset(relation for relation, counts in marks.items() if _has_commas(counts))
    if not decided or any(map(_has_points, marks.values())):
        return decided
    return decided | {relation for relation, counts in marks.items() if _is_open(counts)}


def comma_remark(marks: Marks, decimal: str) -> str:
    """What was decided about a file, and what could not be; empty if there was no question."""
    if decimal != "auto":
        return ""
    commas, remarks = comma_relations(marks, decimal), list[str]()
    others = {relation: counts for relation, counts in marks.items() if relation not in commas}
    if commas:
        remarks.append(
            f"read decimal commas in {_names(commas)} (1.234,5 is 1234.5); --option decimal=point says "
            "otherwise"
        )
    mixed = [relation for relation, counts in others.items() if counts[NumberNotation.COMMA]]
    if mixed:
        remarks.append(
            f"left 1,2 as a text in {_names(mixed)}, where other numbers are written otherwise; --option "
            "decimal=comma reads it as 1.2"
        )
    if commas or mixed or not any(map(_has_points, marks.values())):
        for reading, interpretation, instead in (
            (NumberNotation.COMMA_OR_THOUSANDS, "1,234 for 1234", "1.234"),
            (NumberNotation.POINT_OR_THOUSANDS, "1.234 for a decimal number", "1234"),
        ):
            open_ = [name for name, counts in others.items() if counts[reading] and _is_open(counts)]
            if open_:
                remarks.append(
                    f"took {interpretation} in {_names(open_)}; --option decimal=comma takes it for {instead}"
                )
    return "; ".join(remarks)


def _has_commas(counts: Sequence[int]) -> bool:
    against = counts[NumberNotation.POINT] + counts[NumberNotation.LIST]
    commas = counts[NumberNotation.COMMA]
    return (
        commas > 0
        and commas >= _MOST * against
        and _MOST * commas >= counts[NumberNotation.COMMA_OR_THOUSANDS]
    )


def _has_points(counts: Sequence[int]) -> bool:
    return counts[NumberNotation.POINT] > counts[NumberNotation.COMMA]


def _is_open(counts: Sequence[int]) -> bool:
    """Whether numbers may be read in two ways, and nothing in their column says in which."""
    either = counts[NumberNotation.COMMA_OR_THOUSANDS] + counts[NumberNotation.POINT_OR_THOUSANDS]
    return either > 0 and not counts[NumberNotation.POINT] and not counts[NumberNotation.LIST]


def _names(relations: Iterable[str]) -> str:
    names = sorted(relations)
    return ", ".join(name[:40] for name in names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


# Properties that all cells of one relation share: whether bare numbers are years, and their unit. A
# column "founded" with 1984 contains years; a column "area km²" contains square kilometres. Both the
# name and the data are used, because either alone can mislead.

_YEARS = """
    year years date dates founded established born died birth death opened opening built completed released
    release published launched closed dissolved abolished formed created inaugurated elected appointed joined
    left commissioned decommissioned introduced discontinued since until debut premiere premiered season est
    inception started start ended end begin began constructed construction
"""
_COUNTS = """
    population capacity height elevation altitude depth length width area distance weight mass points score
    votes sales attendance number no count total members students enrollment employees passengers rank
    prominence drop goals runs price cost budget revenue power frequency speed seats pages km m ft mi kg
"""
_YEAR_WORDS, _COUNT_WORDS = frozenset(_YEARS.split()), frozenset(_COUNTS.split())
_MEASURES = {
    "length": "height length width depth elevation altitude distance prominence diameter drop span thickness "
    "calibre caliber gauge draft draught beam wingspan radius size",
    "area": "area surface size land water",
    "volume": "volume capacity",
    "mass": "weight mass load payload",
    "duration": "duration time length runtime running age",
    "speed": "speed velocity",
    "power": "power capacity output",
    "flow": "flow discharge",
}
_WORDS = re.compile(r"[^\W_]+(?:/[^\W_]+)?", re.UNICODE)
_FEW = 5
_COLUMNS_MOST, _HALF = 0.9, 0.5
_FIRST_NAMED_YEAR = 100


def first_year(relation: str, bare_integers: int, like_years: int) -> int | None:
    """The number from which whole numbers in a relation's cells are years; None if they are not years.

    They are years if the relation's name says so and at least half of its whole numbers look like years, or
    if there are at least five, nearly all look like years, and the name does not mention a count or a
    measure.
    """
    words = {word.lower() for word in _WORDS.findall(relation)}
    if words & _YEAR_WORDS:
        return _FIRST_NAMED_YEAR if like_years >= _HALF * bare_integers else None
    if bare_integers >= _FEW and like_years >= _COLUMNS_MOST * bare_integers and not words & _COUNT_WORDS:
        return USUAL_FIRST_YEAR
    return None


def unit_in_name(relation: str) -> str | None:
    """The unit at the end of a relation's name, such as "height (m)" or "area km²", if it fits the name."""
    words = [word.lower() for word in _WORDS.findall(relation)]
    if len(words) < 2:
        return None
    for size in (2, 1):
        unit = named_unit(" ".join(words[-size:]))
        if unit is not None and len(words) > size:
            measures = _MEASURES.get(UNITS[unit].dimension, "").split()
            return unit if set(words[:-size]) & set(measures) else None
    return None
