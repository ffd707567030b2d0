"""Ordering values in SPARQL: where a value begins and ends, and how dates are compared with one date.

`Occurring` says which kinds of values may have to be ordered. By default all kinds may occur; a graph can
restrict them. Kinds that do not occur are omitted, so that the SPARQL of a usual query is readable.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import inf, nextafter

from rollcall.query.rdf_terms import EDTF
from rollcall.query.values import EXACT, UNITS, YEARS_COVERED, Date, Number, days_of

NEVER = "1/0"  # an error, which COALESCE and FILTER skip


@dataclass(frozen=True)
class Occurring:
    """The kinds of values that a query may have to order."""

    numbers: bool = True
    dates: bool = True
    coarse_dates: bool = True
    """Dates that XML Schema has no type for: decades, centuries, millennia, Julian leap days."""
    units: tuple[str, ...] = tuple(UNITS)
    unlisted_units: bool = True
    valued: frozenset[str] | None = None
    """The relations that may lead to numbers or dates; None means that any relation may."""

    @property
    def dimensions(self) -> int:
        """The greatest possible number of dimensions; a single one need not be distinguished."""
        listed = len({UNITS[unit].dimension for unit in self.units})
        return listed + self.numbers + self.dates + 2 * self.unlisted_units


def double(number: float) -> str:
    """A number in double precision, in which the order of values is defined."""
    text = repr(number).removesuffix(".0")
    return text if "e" in text else text + "e0"


def convertible(unit: str) -> list[tuple[str, Decimal]]:
    """The listed units of the same dimension with their factors."""
    return [(other.id, other.factor) for other in UNITS.values() if other.dimension == UNITS[unit].dimension]


def amount_limit(comparator: str, value: Number, factor: Decimal) -> float:
    """The limit, in double precision, with which amounts in another unit are compared instead of `value`."""
    limit, number = value.bounds.low, float(value.amount)
    if factor == 1 or limit == 0:
        return limit
    if factor == UNITS[value.unit or ""].factor and Decimal(repr(number)) != value.amount:
        return number  # a value with more digits than double precision is still equal to itself

    def converted(amount: float) -> float:
        return float(EXACT.multiply(Decimal(repr(amount)), factor))

    amount = limit / float(factor)
    if comparator in ("<", ">="):  # the least amount that is not less than the limit
        while converted(amount) >= limit:
            amount = nextafter(amount, -inf)
        while converted(amount) < limit:
            amount = nextafter(amount, inf)
    else:  # the greatest amount that is not greater than the limit
        while converted(amount) <= limit:
            amount = nextafter(amount, inf)
        while converted(amount) > limit:
            amount = nextafter(amount, -inf)
    return amount


# -- plain literals -----------------------------------------------------------------------------------


def plain_date_bounds(variable: str, *, coarse: bool) -> tuple[str, str]:
    """First and last day number of a date literal of any precision; an error for anything else."""
    year, month, day = f"YEAR({variable})", f"MONTH({variable})", f"DAY({variable})"
    low = f"{year} * 372 + (COALESCE({month}, 1) - 1) * 31 + COALESCE({day}, 1) - 1"
    high = f"{year} * 372 + (COALESCE({month}, 12) - 1) * 31 + COALESCE({day}, 31) - 1"
    if not coarse:
        return low, high
    text = f"STR({variable})"
    # EDTF is either a day that exists only in the Julian calendar, or a period of years.
    is_leap_day = f'STRENDS({text}, "-02-29")'
    leap_day = f'xsd:integer(REPLACE({text}, "-02-29$", "")) * 372 + 59'
    first = f'xsd:integer(REPLACE({text}, "X", "0")) * 372'
    years = f'IF(STRENDS({text}, "XXX"), 1000, IF(STRENDS({text}, "XX"), 100, 10))'

    def otherwise(days: str) -> str:
        return f"IF(DATATYPE({variable}) = <{EDTF}>, IF({is_leap_day}, {leap_day}, {days}), {NEVER})"

    return (
        f"COALESCE({low}, {otherwise(first)})",
        f"COALESCE({high}, {otherwise(f'{first} + {years} * 372 - 1')})",
    )


def plain_date_condition(comparator: str, variable: str, value: Date, *, coarse: bool) -> str:
    """`variable comparator value`, for a date literal of any precision."""
    low, high = plain_date_bounds(variable, coarse=coarse)
    least, greatest = int(value.bounds.low), int(value.bounds.high)
    return {
        "<": f"{high} < {least}",
        "<=": f"{high} <= {greatest}",
        ">": f"{low} > {greatest}",
        ">=": f"{low} >= {least}",
    }[comparator]


# -- Wikidata's value nodes ---------------------------------------------------------------------------

_COVERED = ((8, 10), (7, 100), (6, 1000))
"""Wikidata's numbers for decade, century and millennium, with their years."""


def wikidata_date_bounds(variable: str, *, coarse: bool) -> tuple[str, str]:
    """First and last day number of a value node's time at its precision."""
    time, precision = f"{variable}_time", f"{variable}_precision"
    first = last = f"YEAR({time})"
    if coarse:
        first = f"IF({precision} >= 9, YEAR({time}), {_first_year(time, precision)})"
        more = f"IF({precision} >= 9, 0, IF({precision} = 8, 9, IF({precision} = 7, 99, 999)))"
        last = f"({first} + {more})"
    month, day = (
        f"IF({precision} >= 10, MONTH({time}) - 1, {{}})",
        f"IF({precision} >= 11, DAY({time}) - 1, {{}})",
    )
    return (
        f"({first} * 372 + {month.format(0)} * 31 + {day.format(0)})",
        f"({last} * 372 + {month.format(11)} * 31 + {day.format(30)})",
    )


def _first_year(time: str, precision: str) -> str:
    """Wikidata gives a century or millennium as any of its years, and a decade as its first year."""
    return (
        f"IF({precision} = 8, FLOOR(YEAR({time}) / 10) * 10, IF({precision} = 7, "
        f"(CEIL(YEAR({time}) / 100) - 1) * 100, (CEIL(YEAR({time}) / 1000) - 1) * 1000))"
    )


def wikidata_date_condition(comparator: str, variable: str, value: Date, *, coarse: bool) -> str:
    """`variable comparator value`, as one comparison of the time with a moment chosen by its precision."""
    limit = _start(value) if comparator in ("<", ">=") else _end(value)
    sign = "<" if comparator in ("<", "<=") else ">="
    *finer, (_, coarsest) = _moments(limit, earlier=sign == "<", coarse=coarse)
    text = _moment(coarsest)
    for precision, moment in reversed(finer):
        if moment != coarsest:
            text = f"IF({variable}_precision >= {precision}, {_moment(moment)}, {text})"
            coarsest = moment
    return f"{variable}_time {sign} {text}"


Day = tuple[int, int, int]


def _moments(limit: Day, *, earlier: bool, coarse: bool) -> list[tuple[int, Day]]:
    """For each precision, finest first: the moment that a time must be before (`earlier`), or not before."""
    year, month, day = limit
    if earlier:  # a span ends before the limit if it begins before the span that contains the limit
        moments = [(11, limit), (10, (year, month, 1)), (9, (year, 1, 1))]
        rounded = {years: year // years * years for _, years in _COVERED}
    else:  # a span begins at the start of a month, year, …: the first such start not before the limit
        whole = year if (month, day) == (1, 1) else year + 1
        moments = [(11, limit), (10, limit if day == 1 else _next_month(year, month)), (9, (whole, 1, 1))]
        rounded = {years: -(-whole // years) * years for _, years in _COVERED}
    if coarse:
        # Centuries and millennia may be given as their last year, so they begin a year after the round one.
        moments += [(p, (rounded[years] + (1 if p < 8 else 0), 1, 1)) for p, years in _COVERED]
    return moments


def _start(value: Date) -> Day:
    return (value.year, value.month or 1, value.day or 1)


def _end(value: Date) -> Day:
    """The day after the last day of a date; every month has 31 days, as in the order of values."""
    if value.month is None:
        return (value.year + YEARS_COVERED[value.precision], 1, 1)
    if value.day is not None and value.day < 31:
        return (value.year, value.month, value.day + 1)
    return _next_month(value.year, value.month)


def _next_month(year: int, month: int) -> Day:
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)


def _moment(day: Day) -> str:
    year, month, day_ = day
    if day_ > days_of(year, month):  # the day does not exist, so no time lies between it and the next month
        year, month, day_ = _next_month(year, month)
    sign = "-" if year < 0 else ""
    return f'"{sign}{abs(year):04d}-{month:02d}-{day_:02d}T00:00:00Z"^^xsd:dateTime'


def unit_table(units: Iterable[str]) -> list[tuple[str, str, str]]:
    """Units with their dimension and factor."""
    return [(unit, UNITS[unit].dimension, str(UNITS[unit].factor)) for unit in units]
