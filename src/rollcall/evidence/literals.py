"""Finds the literal values that facts want in a sentence: dates, numbers, quantities, points and texts.

A sentence is read once for all wanted values of its page, and only if it could hold one at all.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.evidence.literal_dates import find_dates, states_date
from rollcall.evidence.literal_numbers import find_numbers, states_number
from rollcall.evidence.names import Form, clean, form
from rollcall.query.values import Date, Number, Point, Text, Value, parse_value

_SPELLED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|second|third|\w+th)\b|\d",
    re.IGNORECASE,
)
_DEGREES = r"(\d{1,3}(?:\.\d+)?) ?°(?: ?(\d{1,2}(?:\.\d+)?) ?[′'])?(?: ?(\d{1,2}(?:\.\d+)?) ?[″\"])? ?"
_POINT = re.compile(rf"{_DEGREES}([NS]),? *{_DEGREES}([EW])")


class FoundValue(NamedTuple):
    """A wanted value and where the sentence states it."""

    start: int
    end: int
    key: int


class LiteralMatcher:
    """The literal values that the facts of one page want, under integer keys."""

    def __init__(self) -> None:
        self._dates: list[tuple[Date, int]] = []
        self._numbers: list[tuple[Number, int]] = []
        self._points: list[tuple[Point, int]] = []

    def __bool__(self) -> bool:
        return bool(self._dates or self._numbers or self._points)

    def add(self, value: Value, key: int) -> None:
        """Look for a value; texts are names and not added here."""
        if isinstance(value, Date):
            self._dates.append((value, key))
        elif isinstance(value, Number):
            self._numbers.append((value, key))
        elif isinstance(value, Point):
            self._points.append((value, key))

    def find(self, text: str) -> list[FoundValue]:
        """All wanted values that a sentence (marks made plain) states."""
        if not self or not _SPELLED.search(text):
            return []
        found: list[FoundValue] = []
        dates = find_dates(text) if self._dates or self._numbers else []
        for wanted, key in self._dates:
            found += [FoundValue(d.start, d.end, key) for d in dates if states_date(wanted, d.date)]
        if self._numbers:
            spans = [(date.start, date.end) for date in dates if not date.bare]
            numbers = [
                number for number in find_numbers(text)
                if not any(start < number.end and number.start < end for start, end in spans)
            ]  # fmt: skip
            for amount, key in self._numbers:
                found += [FoundValue(n.start, n.end, key) for n in numbers if states_number(amount, n)]
        for point, key in self._points:
            found += [FoundValue(start, end, key) for start, end in _find_point(text, point)]
        return found


def wanted_value(text: str) -> Value | None:
    """The value of a canonical text; None where it is not one."""
    try:
        return parse_value(text)
    except RollcallError:
        return None


def text_forms(value: Text) -> list[Form]:
    """The written forms of a text value: itself, if it is more than one character."""
    content = clean(value.content)
    return [form(content)] if len(content) > 1 and any(c.isalnum() for c in content) else []


def _find_point(text: str, wanted: Point) -> Iterable[tuple[int, int]]:
    for match in _POINT.finditer(text):
        latitude, latitude_slack = _degrees(match[1], match[2], match[3], match[4] == "S")
        longitude, longitude_slack = _degrees(match[5], match[6], match[7], match[8] == "W")
        if (
            abs(latitude - wanted.latitude) <= latitude_slack
            and abs(longitude - wanted.longitude) <= longitude_slack
        ):
            yield match.span()


def _degrees(degrees: str, minutes: str | None, seconds: str | None, negative: bool) -> tuple[float, float]:
    amount = float(degrees) + float(minutes or 0) / 60 + float(seconds or 0) / 3600
    last, size = (seconds, 1 / 3600) if seconds else (minutes, 1 / 60) if minutes else (degrees, 1.0)
    decimals = len(last.partition(".")[2])
    return (-amount if negative else amount), size * 10.0**-decimals * 0.51
