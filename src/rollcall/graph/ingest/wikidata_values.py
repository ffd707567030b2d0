"""Wikidata's data values as stored rows: canonical text, kind, dimension, bounds.

The common forms (whole numbers, days, years) are converted directly; every other form is converted by
`rollcall.query.values`. A test checks that both give the same result.
"""

import re
from functools import lru_cache

from rollcall.errors import RollcallError
from rollcall.graph.shards import ValueRow, value_row
from rollcall.query.values import Date, Point, number

_TIME = re.compile(r"([+-]?)(\d{1,16})-(\d\d)-(\d\d)T", re.ASCII)
_INTEGER = re.compile(r"\+?(0|[1-9]\d{0,14})", re.ASCII)
_PRECISIONS = {6: "millennium", 7: "century", 8: "decade", 9: "year", 10: "month", 11: "day"}
_ONE = "Q199"
"""The item of the number 1. As a unit it means no unit; Wikidata's RDF does not distinguish them either."""
_EVERY_MONTH = 28
"""Every month has these days; `Date` checks any later day."""
_DAY, _MONTH, _YEAR, _DECADE, _COARSEST = 11, 10, 9, 8, 6


@lru_cache(maxsize=200_000)
def time_row(time: str, precision: int) -> ValueRow | str:
    """The row of a point in time, or the reason why it is not kept."""
    if precision < _COARSEST:
        return "time coarser than a millennium"
    found = _TIME.match(time)
    if found is None:
        return "unreadable time"
    sign, year_digits, month_digits, day_digits = found.groups()
    year, month, day = int(year_digits), int(month_digits), int(day_digits)
    if year == 0 or month > 12 or day > 31:
        return "unreadable time"
    precision = min(precision, _DAY)
    if precision == _DAY and day == 0:
        precision = _MONTH
    if precision == _MONTH and month == 0:
        precision = _YEAR
    if sign != "-" and year <= 9999 and precision == _DAY and day <= _EVERY_MONTH and month:
        low = float(year * 372 + (month - 1) * 31 + day - 1)
        return f"@{year:04d}-{month:02d}-{day:02d}", "date", "date", low, low
    if sign != "-" and year <= 9999 and precision == _YEAR:
        return f"@{year:04d}", "date", "date", year * 372.0, year * 372.0 + 371.0
    try:
        return value_row(_date(-year if sign == "-" else year, month, day, precision))
    except RollcallError:  # 31 February
        return "unreadable time"


def _date(year: int, month: int, day: int, precision: int) -> Date:
    """A date from Wikidata's year, which has no year 0: -44 is 44 BC."""
    if precision < _DECADE:
        # The 19th century is entered as 1801, 1850 or 1900, and all three mean 1801-1900.
        span = 100 if precision == 7 else 1000
        nth = -(-abs(year) // span)
        return Date((nth - 1) * span if year > 0 else -nth * span, precision=_PRECISIONS[precision])
    astronomical = year if year > 0 else year + 1
    return Date(
        astronomical,
        month if precision >= _MONTH else None,
        day if precision >= _DAY else None,
        _PRECISIONS[precision],
    )


@lru_cache(maxsize=200_000)
def quantity_row(amount: str, unit: str) -> ValueRow | str:
    """The row of a number, with the item id of its unit if it has one, or the reason why it is not kept."""
    if unit == "1":
        if found := _INTEGER.fullmatch(amount):
            bound = float(found[1])
            return found[1], "number", "number", bound, bound
        unit_id = None
    else:
        unit_id = unit.rpartition("/")[2]
        if not unit_id:
            return "unreadable quantity"
        if unit_id == _ONE:
            unit_id = None
    try:
        return value_row(number(amount, unit_id))
    except (RollcallError, ArithmeticError):  # not a number, or too large
        return "unreadable quantity"


def point_row(latitude: float, longitude: float) -> ValueRow | str:
    try:
        return Point(latitude, longitude).text, "point", None, None, None
    except RollcallError:
        return "unreadable coordinate"
