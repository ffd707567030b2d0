"""The names of a value that is an answer: the ways in which text and people write numbers and dates."""

from rollcall.english.nouns import plural
from rollcall.query.units import UNITS
from rollcall.query.values import Date, Number, Text, Value


def value_names(value: Value, unit_label: str = "") -> list[str]:
    """The written forms of a value, the usual one first; `unit_label` names a unit that is not built in."""
    names = [str(value), *_others(value)]
    if unit_label and isinstance(value, Number) and value.unit not in UNITS:
        units = (unit_label,) if value.amount == 1 else (plural(unit_label), unit_label)
        amounts = names[1:]  # the first name ends with the id of the unit
        names = [f"{amount} {unit}" for unit in units for amount in amounts] + amounts
    return list(dict.fromkeys(names))


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
