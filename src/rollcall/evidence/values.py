"""Values in text: the only code that finds dates, numbers, quantities, points and texts.

- `find_dates`, `find_numbers`: what a sentence states. `states_date`, `states_number`: whether that is a
  wanted value.
- `ValueMatcher`: finds the wanted values of a page.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.query.values import PRECISIONS, UNITS, Date, Number, Point, Text, Value, named_unit, parse_value
from rollcall.text.name_forms import Form, clean, form
from rollcall.text.words import ANY_MONTH, MONTH_NUMBERS, SHORT_MONTHS

# Dates as text writes them: 17 May 1960, May 17, 1960, May 1960, 1960, the 1960s, 44 BC, the 19th
# century. A sentence is read once, and each date is found with its place. A date states a wanted date if
# it is at least as precise and agrees with it: "17 May 1960" states the year 1960, but "1960" does not
# state 17 May 1960.

_MONTH = rf"({ANY_MONTH}|{'|'.join(SHORT_MONTHS)})\.?"
_ERA = r"(?:\s?(BCE|BC|B\.C\.E\.|B\.C\.|CE|AD|A\.D\.)(?!\w))?"
_TH = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:AD\s)?(\d{1,4})"
_SPELLED = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first",
)  # fmt: skip
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
    found_dates: list[FoundDate] = []
    taken_spans: list[tuple[int, int]] = []
    for start, end, dates, bare in _readings(text):
        if any(start < other_end and other_start < end for other_start, other_end in taken_spans):
            continue
        taken_spans.append((start, end))
        found_dates += [FoundDate(start, end, date, bare) for date in dates]
    return sorted(found_dates, key=lambda found_date: (found_date.start, found_date.end))


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
    for pattern, reader in _FULL:
        for match in pattern.finditer(text):
            if dates := [date for date in reader(match) if date is not None]:
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


# Numbers and quantities as text writes them: 8,848 metres, 29,029 ft, 1.2 million, twenty-one, 6 ft 7
# in. A number in text states all amounts that round to it: "75 mi" states 120 kilometres, "1.2 million"
# states 1,234,567. The difference may be at most half a unit of its last digit, and never more than 3 %
# of the amount.

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
    "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_WORDS = {word: number for number, word in enumerate(_ONES)}
_WORDS |= {word: number for number, word in enumerate(_ORDINALS) if number > 1}
for _index, _ten in enumerate(_TENS, 2):
    _WORDS[_ten] = 10 * _index
    _WORDS |= {
        f"{_ten}{mark}{word}": 10 * _index + number
        for number, word in enumerate(_ONES[:10])
        if number
        for mark in "- "
    }
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "bn": 9, "mn": 6}
_NAMES = {name for unit in UNITS.values() for name in unit.names} | {"acre", "tons"}
_SYMBOLS = {unit.symbol for unit in UNITS.values()} - {"in"} | {"sq km", "sq. km", "sq. mi", "sq m", "kph"}
_ALSO = {"sq km": "km²", "sq. km": "km²", "sq. mi": "sq mi", "sq m": "m²", "kph": "km/h", "tons": "t"}
_FIGURE = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


# "in" is a preposition more often than an inch.
_UNIT = rf"(?i:{_either(_NAMES)})|{_either(_SYMBOLS)}|in(?=\)|\.|,|;|$| (?:tall|high|wide|long|thick|deep)\b)"


def _number(figure: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w.,:])(?P<minus>-(?=\d))?(?P<figure>{figure})"
        rf"(?P<ordinal>st|nd|rd|th)?(?![\d:])(?:[ -](?P<scale>(?i:{_either(_SCALES)}))(?!\w))?"
        rf"(?:[ -]?(?P<unit>{_UNIT})(?![\w/²³]))?"
    )


_NUMBER = _number(rf"{_FIGURE}|(?i:{_either(_WORDS)})(?!\w)")
_IN_FIGURES = _number(_FIGURE)
"""The same without numbers in words, which take most of the time."""
_FEET = re.compile(
    r"(?<![\w.,])(\d{1,3}) ?(?:ft|feet|foot|') ?(\d{1,2}(?:\.\d+)?) ?(?:in\b|inches|inch|\")", re.IGNORECASE
)
_LETTERS = re.compile(r"[a-z]+")
MOST_OFF = Decimal("0.03")


class FoundNumber(NamedTuple):
    """A number and its place: the amount, half a unit of its last digit, and the unit if one follows."""

    start: int
    end: int
    amount: Decimal
    slack: Decimal
    unit: str | None


def find_numbers(text: str) -> list[FoundNumber]:
    """All numbers of a sentence (a result of `forms.plain`), with the units after them."""
    numbers = []
    taken_spans = []
    for match in _FEET.finditer(text):
        inches = int(match[1]) * 12 + Decimal(match[2])
        numbers.append(FoundNumber(match.start(), match.end(), inches, Decimal("0.5"), "Q218593"))
        taken_spans.append((match.start(), match.end()))
    in_words = not text.isascii() or spells_number(text)
    for match in (_NUMBER if in_words else _IN_FIGURES).finditer(text):
        start, end = match.span()
        if any(start < other_end and other_start < end for other_start, other_end in taken_spans):
            continue
        if end < len(text) and match["unit"] is None and text[end].isalpha():
            continue
        numbers.append(_read(match))
    return numbers


def spells_number(text: str) -> bool:
    """Whether a text has a number written in words."""
    return not _WORDS.keys().isdisjoint(_LETTERS.findall(text.lower()))


def _read(match: re.Match[str]) -> FoundNumber:
    figure = match["figure"].lower()
    exact = figure in _WORDS
    amount = Decimal(_WORDS[figure]) if exact else Decimal(figure.replace(",", ""))
    exponent = amount.as_tuple().exponent
    slack = Decimal(0) if exact or exponent == 0 else Decimal(1).scaleb(int(exponent)) / 2
    if match["scale"]:
        scale = _SCALES[match["scale"].lower()]
        amount, slack = amount.scaleb(scale), Decimal(1).scaleb(min(int(exponent), 0) + scale) / 2
    unit = None
    if match["unit"]:
        unit = named_unit(_ALSO.get(match["unit"].lower(), match["unit"]))
        slack = max(slack, Decimal("0.5")) if exponent == 0 else slack
    return FoundNumber(match.start(), match.end(), -amount if match["minus"] else amount, slack, unit)


def states_number(wanted: Number, stated: FoundNumber) -> bool:
    """Whether a number in text states an amount: equal to it, rounded, or in another unit."""
    wanted_unit = UNITS.get(wanted.unit or "")
    if wanted_unit is None:
        # An unlisted unit (a currency, a count of things) has no written form that can be read.
        return stated.unit is None and _near(wanted.amount, stated.amount, stated.slack)
    unit = UNITS.get(stated.unit or "")
    if unit is None or unit.dimension != wanted_unit.dimension:
        return False
    factor = unit.factor / wanted_unit.factor
    slack = stated.slack * factor
    if unit.id != wanted_unit.id:
        exponent = int(wanted.amount.as_tuple().exponent)
        slack += Decimal(1).scaleb(min(exponent, 0)) / 2
    return _near(wanted.amount, stated.amount * factor, slack)


def _near(wanted: Decimal, stated: Decimal, slack: Decimal) -> bool:
    off = abs(wanted - stated)
    return off == 0 or off <= min(slack, abs(wanted) * MOST_OFF)


# Finds the wanted literal values in a sentence: dates, numbers, quantities, points and texts. A sentence
# is read once for all wanted values of its page, and only if it can contain one.

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
        values: list[FoundValue] = []
        digits = _DIGIT.search(text) is not None
        dates = self._dates if digits or "century" in text.lower() else []
        if text.isascii():  # other scripts have digits of their own
            dates = [entry for entry in dates if entry[1] in text]
        if dates:
            stated = find_dates(text)
            for wanted, _digits, key in dates:
                values += [
                    FoundValue(found_date.start, found_date.end, key)
                    for found_date in stated
                    if states_date(wanted, found_date.date)
                ]
        if self._numbers and (digits or spells_number(text)):
            values += self._find_numbers(text)
        for point, key in self._points if digits else ():
            values += [FoundValue(start, end, key) for start, end in _find_point(text, point)]
        return values

    def _find_numbers(self, text: str) -> list[FoundValue]:
        """Numbers that are not part of a date; dates are read only if a wanted number is found."""
        numbers = find_numbers(text)
        values = [
            FoundValue(number.start, number.end, key)
            for amount, key in self._numbers
            for number in numbers
            if states_number(amount, number)
        ]
        spans = [(date.start, date.end) for date in find_dates(text) if not date.bare] if values else []
        return [
            value
            for value in values
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
    if len(content) < 2 or not any(character.isalnum() for character in content):
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
    finest, size = (seconds, 1 / 3600) if seconds else (minutes, 1 / 60) if minutes else (degrees, 1.0)
    decimals = len(finest.partition(".")[2])
    return (-amount if negative else amount), size * 10.0**-decimals * 0.51
