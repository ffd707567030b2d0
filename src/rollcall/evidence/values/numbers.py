"""Numbers and quantities as text writes them: 8,848 metres, 29,029 ft, 1.2 million, twenty-one, 6 ft 7 in.

A number in text states all amounts that round to it: "75 mi" states 120 kilometres, "1.2 million" states
1,234,567. The difference may be at most half a unit of its last digit, and never more than 3 % of the amount.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from rollcall.evidence.names.forms import words
from rollcall.query.units import UNITS, named_unit
from rollcall.query.values import Number

_ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = words("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_WORDS = {word: number for number, word in enumerate(_ONES)}
_WORDS |= {word: number for number, word in enumerate(_ORDINALS) if number > 1}
for _index, _ten in enumerate(_TENS, 2):
    _WORDS[_ten] = 10 * _index
    _WORDS |= {
        f"{_ten}{mark}{one}": 10 * _index + n for n, one in enumerate(_ONES[:10]) if n for mark in "- "
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
    found = []
    taken = []
    for match in _FEET.finditer(text):
        inches = int(match[1]) * 12 + Decimal(match[2])
        found.append(FoundNumber(match.start(), match.end(), inches, Decimal("0.5"), "Q218593"))
        taken.append((match.start(), match.end()))
    in_words = not text.isascii() or spells_number(text)
    for match in (_NUMBER if in_words else _IN_FIGURES).finditer(text):
        start, end = match.span()
        if any(start < other_end and other_start < end for other_start, other_end in taken):
            continue
        if end < len(text) and match["unit"] is None and text[end].isalpha():
            continue
        found.append(_read(match))
    return found


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
    known = UNITS.get(wanted.unit or "")
    if known is None:
        # An unlisted unit (a currency, a count of things) has no written form that can be read.
        return stated.unit is None and _near(wanted.amount, stated.amount, stated.slack)
    unit = UNITS.get(stated.unit or "")
    if unit is None or unit.dimension != known.dimension:
        return False
    factor = unit.factor / known.factor
    slack = stated.slack * factor
    if unit.id != known.id:
        exponent = int(wanted.amount.as_tuple().exponent)
        slack += Decimal(1).scaleb(min(exponent, 0)) / 2
    return _near(wanted.amount, stated.amount * factor, slack)


def _near(wanted: Decimal, stated: Decimal, slack: Decimal) -> bool:
    off = abs(wanted - stated)
    return off == 0 or off <= min(slack, abs(wanted) * MOST_OFF)
