"""Dates as text writes them: 17 May 1960, May 17, 1960, May 1960, 1960, the 1960s, 44 BC, the 19th century.

A sentence is read once, and each date is found with its place. A date states a wanted date if it is at least
as precise and agrees with it: "17 May 1960" states the year 1960, but "1960" does not state 17 May 1960.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rollcall.english.months import ANY_MONTH, MONTH_NUMBERS, SHORT_MONTHS
from rollcall.errors import RollcallError
from rollcall.evidence.names.forms import words
from rollcall.query.values import PRECISIONS, Date

_MONTH = rf"({ANY_MONTH}|{'|'.join(SHORT_MONTHS)})\.?"
_ERA = r"(?:\s?(BCE|BC|B\.C\.E\.|B\.C\.|CE|AD|A\.D\.)(?!\w))?"
_TH = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:AD\s)?(\d{1,4})"
_SPELLED = words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
)
_CENTURIES = {word: number for number, word in enumerate(_SPELLED, 1)}

_DAY_FIRST = re.compile(
    rf"\b(?:(\d{{1,2}}){_TH}\s?(?:-|and|to|/)\s?)?(\d{{1,2}}){_TH}(?: of)? {_MONTH},? {_YEAR}\b"
    rf"(?![,.]\d){_ERA}"
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH} (\d{{1,2}}){_TH}(?:\s?(?:-|and|to)\s?(\d{{1,2}}){_TH})?,? {_YEAR}\b(?![,.]\d){_ERA}"
)
_MONTH_ONLY = re.compile(rf"\b{_MONTH},?(?: of)? (?:AD\s)?(\d{{3,4}})\b(?![,.]\d){_ERA}")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DECADE = re.compile(r"\b(\d{2,3}0)'?s\b" + _ERA)
_CENTURY = re.compile(
    rf"\b(\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(sorted(_SPELLED, key=len, reverse=True))})"
    rf"[ -]century(?!\w){_ERA}",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?<![\w.,$£€-])(?:(?:AD|A\.D\.)\s(\d{1,4})|(\d{1,4})\s?(BCE|BC|B\.C\.E\.|B\.C\.|CE|AD|A\.D\.)(?!\w)"
    r"|(\d{3,4}))(?![\d%°])(?![.,]\d)"
)
_RANGE_END = re.compile(r"\b(\d{4})\s?[-/]\s?(\d{4}|\d{2})\b(?![.,]?\d)")


class FoundDate(NamedTuple):
    """A date and its place in the sentence."""

    start: int
    end: int
    date: Date
    bare: bool = False
    """Only digits: it may also be a number."""


def find_dates(text: str) -> list[FoundDate]:
    """All dates of a sentence (a result of `forms.plain`), with the longest reading at each place."""
    found: list[FoundDate] = []
    taken: list[tuple[int, int]] = []
    for start, end, dates, bare in _readings(text):
        if any(start < other_end and other_start < end for other_start, other_end in taken):
            continue
        taken.append((start, end))
        found += [FoundDate(start, end, date, bare) for date in dates]
    return sorted(found, key=lambda item: (item.start, item.end))


def states_date(wanted: Date, stated: Date) -> bool:
    """Whether a stated date is at least as precise as a wanted one and agrees with it."""
    if PRECISIONS.index(stated.precision) < PRECISIONS.index(wanted.precision):
        return False
    return Date(stated.year, stated.month, stated.day, wanted.precision) == wanted


def certain_digits(wanted: Date) -> str:
    """Digits in every text that states a date: the end of its year, which even 1960-65 writes."""
    if wanted.precision not in ("year", "month", "day"):
        return ""
    return str(wanted.year if wanted.year > 0 else 1 - wanted.year)[-2:]


def _readings(text: str) -> Iterator[tuple[int, int, list[Date], bool]]:
    for pattern, read in _FULL:
        for match in pattern.finditer(text):
            if dates := [date for date in read(match) if date is not None]:
                yield match.start(), match.end(), dates, False
    for match in _RANGE_END.finditer(text):
        first, last = int(match[1]), int(match[2])
        last = last if len(match[2]) == 4 else first // 100 * 100 + last
        if first < last <= first + 400 and (len(match[2]) == 4 or last > first):
            yield match.start(), match.end(), [Date(first), Date(last)], False
    for match in _YEARS.finditer(text):
        digits = match[1] or match[2] or match[4]
        if match[4] is None or 100 <= int(match[4]) <= 2199:
            yield (
                match.start(),
                match.end(),
                [Date(_astronomical(int(digits), match[3]))],
                match[4] is not None,
            )


def _astronomical(year: int, era: str | None) -> int:
    return 1 - year if era is not None and era.startswith("B") else year


def _date(year: str, era: str | None, month: str | None = None, day: str | None = None) -> Date | None:
    try:
        number = None if month is None else MONTH_NUMBERS[month.lower()]
        return Date(_astronomical(int(year), era), number, None if day is None else int(day))
    except RollcallError:  # such as 31 June, which does occur in text
        return None


def _day_first(match: re.Match[str]) -> list[Date | None]:
    days = [match[2]] if match[1] is None else [match[1], match[2]]
    return [_date(match[4], match[5], match[3], day) for day in days]


def _month_first(match: re.Match[str]) -> list[Date | None]:
    days = [match[2]] if match[3] is None else [match[2], match[3]]
    return [_date(match[4], match[5], match[1], day) for day in days]


def _iso(match: re.Match[str]) -> list[Date | None]:
    try:
        return [Date(int(match[1]), int(match[2]), int(match[3]))]
    except RollcallError:
        return []


def _decade(match: re.Match[str]) -> list[Date | None]:
    return [Date(_astronomical(int(match[1]), match[2]), precision="decade")]


def _century(match: re.Match[str]) -> list[Date | None]:
    digits = re.match(r"\d+", match[1])
    number = int(digits[0]) if digits else _CENTURIES[match[1].lower()]
    year = (number - 1) * 100
    return [Date(-year - 99 if (match[2] or "").startswith("B") else year, precision="century")]


_FULL = (
    (_DAY_FIRST, _day_first),
    (_MONTH_FIRST, _month_first),
    (_ISO, _iso),
    (_MONTH_ONLY, lambda match: [_date(match[2], match[3], match[1])]),
    (_DECADE, _decade),
    (_CENTURY, _century),
)
