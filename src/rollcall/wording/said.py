"""Values in ordinary English: `17 May 1960`, `the 1960s`, `44 BC`, `8,848 metres`, `“motto”`.

With a comparator a value becomes a range: `before 1950`, `in or after May 1960`, `more than 100 metres`.
"""

from collections.abc import Callable

from rollcall.english.nouns import plural
from rollcall.query import Date, Literal, Number, Point, Value
from rollcall.query.units import UNITS

UnitName = Callable[[str], str]
"""Gives the name of a unit that is not in the list of units, by its id."""

_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_CURRENCIES = {"Q4917": "US dollar", "Q4916": "euro", "Q25224": "pound sterling", "Q8146": "yen"}
_ONE = {
    "foot": "feet",
    "inch": "inches",
    "hertz": "hertz",
    "euro": "euros",
    "yen": "yen",
    "percent": "percent",
}


def said_value(value: Value, unit_name: UnitName = str) -> str:
    """A value in a sentence, without a preposition."""
    if isinstance(value, Date):
        return _said_date(value)
    if isinstance(value, Number):
        return _said_number(value, unit_name)
    if isinstance(value, Point):
        return f"the coordinates {value.latitude:g}, {value.longitude:g}"
    return quoted(value.content)


def quoted(text: str) -> str:
    """A text in quotation marks, on one line and without characters that a question must not contain."""
    return "“" + " ".join(text.replace("{", "(").replace("}", ")").split()) + "”"


def said_range(literal: Literal, unit_name: UnitName = str) -> str:
    """The range of a literal with its comparator: `more than 100 metres`, `before 1950`."""
    said = said_value(literal.value, unit_name)
    if literal.comparator == "=":
        return said
    if isinstance(literal.value, Date):
        preposition = date_preposition(literal.value)
        within = {
            "<": "before",
            ">": "after",
            "<=": f"{preposition} or before",
            ">=": f"{preposition} or after",
        }
        return f"{within[literal.comparator]} {said}"
    fewer = "fewer than" if isinstance(literal.value, Number) and literal.value.unit is None else "less than"
    return {"<": fewer, ">": "more than", "<=": "at most", ">=": "at least"}[literal.comparator] + " " + said


def said_when(literal: Literal, unit_name: UnitName = str) -> str:
    """A literal where a time is expected: `on 17 May 1960`, `in 1960`, `before 1950`."""
    literal = as_year(literal)
    if literal.comparator != "=":
        return said_range(literal, unit_name)
    preposition = date_preposition(literal.value) if isinstance(literal.value, Date) else "at"
    return f"{preposition} {said_value(literal.value, unit_name)}"


def as_year(literal: Literal) -> Literal:
    """A plain number read as a year, where a year is expected."""
    value = literal.value
    if isinstance(value, Number) and value.unit is None and _is_year(value):
        return Literal(Date(int(value.amount)), literal.comparator)
    return literal


def date_preposition(date: Date) -> str:
    """`on` before a day, `in` before anything longer."""
    return "on" if date.precision == "day" else "in"


def _is_year(value: Number) -> bool:
    return value.amount == value.amount.to_integral_value() and 1000 <= value.amount <= 2200


def _said_date(date: Date) -> str:
    if date.precision == "decade":
        first = date.year if date.year > 0 else 1 - date.year
        return f"the {first}s" if date.year > 0 else f"the decade from {first} BC"
    if date.precision in ("century", "millennium"):
        length = 100 if date.precision == "century" else 1000
        number = date.year // length + 1
        if date.year >= 0:
            return f"the {ordinal(number)} {date.precision}"
        return f"the {ordinal(-date.year // length)} {date.precision} BC"
    return str(date)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINAL_ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def _said_number(value: Number, unit_name: UnitName) -> str:
    amount = f"{value.amount:,f}" if abs(value.amount.adjusted()) < 30 else str(value.amount)
    if value.unit is None:
        return amount
    name = UNITS[value.unit].names[0] if value.unit in UNITS else _CURRENCIES.get(value.unit)
    if name in ("percent", "per cent"):
        return f"{amount}%"
    return f"{amount} {_unit(name or unit_name(value.unit), amount)}"


def _unit(name: str, amount: str) -> str:
    if name == "annum":
        name = "year"
    if amount == "1" or name in ("km/h", "mph"):
        return name
    first, _, rest = name.partition(" per ")
    head = first.split(" ")[-1]
    said = (
        first[: len(first) - len(head)] + (_ONE.get(head) or plural(head))
        if first != "pound sterling"
        else "pounds sterling"
    )
    return f"{said} per {rest}" if rest else said
