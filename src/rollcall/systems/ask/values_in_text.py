"""Dates, numbers and quantities in a question, with what they are compared by: "before 1990", "over 2,000 m".

Everything is read as a value of the query language. A number of four digits without a unit may be a year and
a plain number; both readings are given, and the graph decides.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.query.values import UNITS, Date, Number, Value
from rollcall.text.words import MONTHS

_MONTH = {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_ANY_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]})?\.?" if name != "May" else "May" for name in MONTHS)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{3,4})"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<number>\d\d)(?:-(?P<day>\d\d))?\b",
        rf"\b{_DAY}\s+(?:of\s+)?(?P<month>{_ANY_MONTH})\s*,?\s+{_YEAR}\b",
        rf"\b(?P<month>{_ANY_MONTH})\s+{_DAY}\s*,?\s+{_YEAR}\b",
        rf"\b(?P<month>{_ANY_MONTH})\s+(?:of\s+)?{_YEAR}\b",
        r"\b(?:the\s+)?(?P<century>\d{1,2})(?:st|nd|rd|th)\s+century\b",
        r"\b(?:the\s+)?(?P<decade>\d{3}0)s\b",
        r"(?<![\w.,-])(?P<year>\d{1,4})\s*(?P<bc>b\.?c\.?(?:e\.?)?)(?!\w)",
        r"(?<![\w.,-])(?P<year>\d{3,4})(?![\d,.]*\d)(?!\w)",
    )
]
_SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "k": 10**3}
_SMALL = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_UNIT_NAMES = {name.lower(): unit.id for unit in UNITS.values() for name in (*unit.names, unit.symbol)}
_UNITS = "|".join(re.escape(name) for name in sorted(_UNIT_NAMES, key=lambda name: (-len(name), name)))
_NUMBER = re.compile(
    rf"(?<![\w.,-])(?P<amount>-?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|-?\d+(?:\.\d+)?|{'|'.join(_SMALL)})"
    rf"(?:\s*(?P<scale>{'|'.join(_SCALE)})\b)?(?:\s*-?\s*(?P<unit>{_UNITS})(?!\w))?(?![\w]|[.,]\d)",
    re.IGNORECASE,
)
_COMPARED = [
    (re.compile(rf"(?:{words})\s+(?:the\s+year\s+|the\s+)?$", re.IGNORECASE), comparator)
    for comparator, words in (
        (">=", r"at least|no (?:less|fewer|earlier|lower) than|not (?:less|fewer|before) than|minimum of"
               r"|since|from|(?:in|on|during) or (?:after|later than)"),
        ("<=", r"at most|no (?:more|later|higher|greater) than|not more than|maximum of|until|up to"
               r"|(?:in|on|during) or (?:before|earlier than)"),
        (">", r"(?:more|greater|larger|bigger|higher|taller|longer|later|deeper|heavier|wider|faster) than"
              r"|over|above|after|exceed(?:s|ing)?|beyond|past"),
        ("<", r"(?:less|fewer|smaller|lower|shorter|earlier|lighter|slower|narrower) than"
              r"|under|below|before|prior to"),
    )
]  # fmt: skip
_FOLLOWING = [
    (re.compile(r"^\s*(?:or|and) (?:more|later|above|after|over|higher|greater)\b", re.IGNORECASE), ">="),
    (re.compile(r"^\s*(?:or|and) (?:less|fewer|earlier|below|before|under|lower)\b", re.IGNORECASE), "<="),
]

_OF_TIME = re.compile(
    r"\b(?:before|after|since|until|prior to|earlier than|later than|in|during|year)\s+"
    r"(?:the\s+)?(?:year\s+)?$",
    re.IGNORECASE,
)
"""Words after which a number that may be a year is one."""


class ValueMention(NamedTuple):
    """A value in a question: its characters with those of its comparison, and the comparator."""

    start: int
    end: int
    value: Value
    comparator: str


def values_in(text: str) -> list[ValueMention]:
    """The values of a text, from left to right; a number that may be a year is given twice, unless the words
    before it speak of time.
    """
    mentions: list[ValueMention] = []
    taken: list[tuple[int, int]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if not _overlaps(match.span(), taken) and (date := _date(match)) is not None:
                taken.append(match.span())
                mentions.append(_compared(text, *match.span(), date))
    years = [
        match for match in taken if text[slice(*match)].isdigit() and not _OF_TIME.search(text[: match[0]])
    ]
    for number in _NUMBER.finditer(text):
        if _overlaps(number.span(), [span for span in taken if span not in years]):
            continue
        if (value := _number(number)) is not None:
            mentions.append(_compared(text, *number.span(), value))
    return sorted(mentions, key=lambda mention: (mention.start, mention.end, mention.value.text))


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def _date(match: re.Match[str]) -> Date | None:
    """The date that was matched; None if the calendar has no such date."""
    parts = match.groupdict()
    try:
        if parts.get("century"):
            return Date((int(parts["century"]) - 1) * 100, precision="century")
        if parts.get("decade"):
            return Date(int(parts["decade"]), precision="decade")
        year = int(parts["year"])
        if parts.get("bc"):
            year = 1 - year
        month = int(parts["number"]) if parts.get("number") else None
        if parts.get("month"):
            month = _MONTH[parts["month"][:3].lower()]
        return Date(year, month, int(parts["day"]) if parts.get("day") else None)
    except RollcallError:
        return None


def _number(match: re.Match[str]) -> Number | None:
    written = match["amount"].lower().replace(",", "")
    amount = Decimal(_SMALL[written]) if written in _SMALL else Decimal(written)
    if match["scale"]:
        amount *= _SCALE[match["scale"].lower()]
    try:
        return Number(amount, _UNIT_NAMES[match["unit"].lower()] if match["unit"] else None)
    except RollcallError:
        return None


def _compared(text: str, start: int, end: int, value: Value) -> ValueMention:
    """The value with the comparison before or after it, if there is one."""
    for pattern, comparator in _COMPARED:
        if before := pattern.search(text[:start]):
            return ValueMention(before.start(), end, value, comparator)
    for pattern, comparator in _FOLLOWING:
        if after := pattern.search(text[end:]):
            return ValueMention(start, end + after.end(), value, comparator)
    return ValueMention(start, end, value, "=")
