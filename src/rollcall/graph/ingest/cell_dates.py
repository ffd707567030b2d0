"""Dates as people write them in tables: 4 September 1984, Sep 1984, 1984-09-04, 1980s, 44 BC, 1984-."""

import re

from rollcall.english.months import MONTH_NUMBERS
from rollcall.query.values import Date

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
        if found := pattern.fullmatch(text):
            return _date(found.groupdict())
    if found := _NUMERIC.fullmatch(text):
        return _unambiguous(int(found[1]), int(found[3]), int(found[4]))
    if found := _DECADE.fullmatch(text):
        return Date(int(found[1]), precision="decade")
    if (found := _CENTURY.fullmatch(text)) and int(found[1]):
        return Date((int(found[1]) - 1) * 100, precision="century")
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
