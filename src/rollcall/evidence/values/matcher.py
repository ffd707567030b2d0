"""Finds the wanted literal values in a sentence: dates, numbers, quantities, points and texts.

A sentence is read once for all wanted values of its page, and only if it can contain one.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.evidence.names.forms import Form, clean, form
from rollcall.evidence.values.dates import certain_digits, find_dates, states_date
from rollcall.evidence.values.numbers import find_numbers, spells_number, states_number
from rollcall.query.values import Date, Number, Point, Text, Value, parse_value

_DIGIT = re.compile(r"\d")
_DEGREES = r"(\d{1,3}(?:\.\d+)?) ?°(?: ?(\d{1,2}(?:\.\d+)?) ?[′'])?(?: ?(\d{1,2}(?:\.\d+)?) ?[″\"])? ?"
_POINT = re.compile(rf"{_DEGREES}([NS]),? *{_DEGREES}([EW])")
_CELL_WORDS = re.compile(r"[A-Z][a-z]{2,}(?:[ -][A-Za-z][a-z]*)*$")

_LONGEST_SENTENCE = 5_000
"""In characters: a longer sentence is a table or a list of numbers on one line, and slow to search."""


class FoundValue(NamedTuple):
    """A wanted value and the place where the sentence states it."""

    start: int
    end: int
    key: int


class ValueMatcher:
    """The literal values that one page is searched for, under integer keys."""

    def __init__(self) -> None:
        self._dates: list[tuple[Date, str, int]] = []
        self._numbers: list[tuple[Number, int]] = []
        self._points: list[tuple[Point, int]] = []

    def __bool__(self) -> bool:
        return bool(self._dates or self._numbers or self._points)

    def add(self, value: Value, key: int) -> None:
        """Search for a value; texts are handled as names and not added here."""
        if isinstance(value, Date):
            self._dates.append((value, certain_digits(value), key))
        elif isinstance(value, Number):
            self._numbers.append((value, key))
        elif isinstance(value, Point):
            self._points.append((value, key))

    def find(self, text: str) -> list[FoundValue]:
        """All wanted values that a sentence (a result of `forms.plain`) states; none if it is too long."""
        if len(text) > _LONGEST_SENTENCE:
            return []
        found: list[FoundValue] = []
        digits = _DIGIT.search(text) is not None
        dates = self._dates if digits or "century" in text.lower() else []
        if text.isascii():  # other scripts have digits of their own
            dates = [wanted for wanted in dates if wanted[1] in text]
        if dates:
            stated = find_dates(text)
            for wanted, _digits, key in dates:
                found += [FoundValue(d.start, d.end, key) for d in stated if states_date(wanted, d.date)]
        if self._numbers and (digits or spells_number(text)):
            found += self._find_numbers(text)
        for point, key in self._points if digits else ():
            found += [FoundValue(start, end, key) for start, end in _find_point(text, point)]
        return found

    def _find_numbers(self, text: str) -> list[FoundValue]:
        """Numbers that are not part of a date; dates are read only if a wanted number is found."""
        numbers = find_numbers(text)
        found = [
            FoundValue(number.start, number.end, key)
            for amount, key in self._numbers
            for number in numbers
            if states_number(amount, number)
        ]
        spans = [(date.start, date.end) for date in find_dates(text) if not date.bare] if found else []
        return [
            value
            for value in found
            if not any(start < value.end and value.start < end for start, end in spans)
        ]


def wanted_value(text: str) -> Value | None:
    """The value of a canonical text; None if the text is not one."""
    try:
        return parse_value(text)
    except RollcallError:
        return None


def text_forms(value: Text) -> list[Form]:
    """The written forms of a text value: itself, if it is more than one character, and in small letters if
    its capitals may come only from the cell that it is from ("Drama", but not "HBO").
    """
    content = clean(value.content)
    if len(content) < 2 or not any(c.isalnum() for c in content):
        return []
    return [form(content), *([form(content.lower())] if _CELL_WORDS.match(content) else [])]


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
