"""The names of a value that is an answer: the ways in which text and people write numbers and dates."""

from rollcall.query.units import UNITS
from rollcall.query.values import Date, Number, Text, Value


def value_names(value: Value) -> list[str]:
    """The written forms of a value, the usual one first."""
    return list(dict.fromkeys([str(value), *_others(value)]))


def _others(value: Value) -> list[str]:
    if isinstance(value, Number):
        plain = f"{value.amount:f}" if abs(value.amount.adjusted()) < 30 else str(value.amount)
        grouped = f"{value.amount:,f}" if abs(value.amount.adjusted()) < 30 else plain
        if value.unit is None:
            return [plain]
        names = UNITS[value.unit].names if value.unit in UNITS else ()
        return [f"{amount} {name}" for name in names for amount in (grouped, plain)] + [grouped, plain]
    if isinstance(value, Date) and value.day is not None and value.year > 0:
        day, month, year = str(value).split()
        return [f"{month} {day}, {year}", f"{value.year:04}-{value.month:02}-{value.day:02}"]
    if isinstance(value, Text):
        return [value.content]
    return []
