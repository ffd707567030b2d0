"""`{{convert}}`: a quantity in words with its conversion in brackets, rounded as on Wikipedia.

If no precision is given, the result is as precise as the input or has two significant digits, whichever is
more precise.
"""

import math
import re
import tomllib
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.templates import TemplateCall


# Numbers in text: digits in groups of three, and rounded to a number of decimals.

_LARGEST = 60


def group_thousands(digits: str) -> str:
    """`1234567.5` as `1,234,567.5`; anything other than a plain number is unchanged."""
    sign, whole, fraction = re.match(r"([-−+]?)(\d*)(.*)", digits, re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{sign}{int(whole):,}{fraction}" if 4 <= len(whole) <= _LARGEST else digits


def read_number(text: str) -> Decimal | None:
    """A number as written, with commas, a minus sign or a fraction; None if it is not a number."""
    text = text.replace(",", "").replace("−", "-").strip()
    fraction = re.fullmatch(r"(?:(-?\d+)[+ ])?(\d{1,6})[/⁄](\d{1,6})", text)
    if fraction and int(fraction[3]):
        return Decimal(fraction[1] or 0) + Decimal(fraction[2]) / Decimal(fraction[3])
    if (
        not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?", text, re.IGNORECASE)
        or len(text) > _LARGEST
    ):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def decimals(number: Decimal) -> int:
    """The number of decimals as written; negative for a whole number that ends in zeros."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)  # only finite numbers are read
    if exponent != 0 or not any(digits):
        return -exponent
    trailing = len(digits) - len("".join(map(str, digits)).rstrip("0"))
    return -trailing


def rounded(number: Decimal, places: int) -> str:
    """The number with this many decimals (negative: rounded to tens, hundreds, …), in groups of three."""
    places = max(min(places, 12), -12)
    unit = Decimal(1).scaleb(-places)
    try:
        value = (number / unit).quantize(Decimal(1), ROUND_HALF_UP) * unit
    except InvalidOperation:
        return group_thousands(f"{number:.0f}")
    return group_thousands(f"{value:.{max(places, 0)}f}")


_BETWEEN = {
    "to": " to ", "-": "–", "–": "–", "and": " and ", "or": " or ", "x": " by ", "by": " by ", "×": " × ",
    "to(-)": " to ", "and(-)": " and ", "to about": " to about ", "+": " + ", "xx": " × ",
}  # fmt: skip


_POWER = re.compile(r"e(3|6|9|12)(.+)")
_WORDS = {"3": "thousand", "6": "million", "9": "billion", "12": "trillion"}


class ConvertUnit(NamedTuple):
    """One unit of measurement."""

    symbol: str
    name: str
    plural: str
    american: str
    dimension: str
    factor: Decimal
    zero: Decimal
    default: str


@cache
def units() -> dict[str, ConvertUnit]:
    """All units, by their codes and other spellings."""
    data = tomllib.loads(Path(__file__).with_name("units.toml").read_text(encoding="utf-8"))
    by_code = {
        code: ConvertUnit(
            row["symbol"], row["name"], row["plural"], row.get("us", row["plural"]), row["of"],
            Decimal(row["factor"]), Decimal(row.get("zero", "0")), row["to"],
        )
        for code, row in data["units"].items()
    }  # fmt: skip
    return by_code | {alias: by_code[code] for alias, code in data["aliases"].items()}


def convert(call: "TemplateCall") -> str:
    """The text of the template; for an unknown unit, the number and the unit as written."""
    words = [call.words(str(number)) for number in range(1, 10) if str(number) in call.arguments]
    numbers, betweens, rest = _amounts(words)
    if not numbers or not rest:
        return " ".join(words[:2])
    number_text = "".join(
        between + group_thousands(text.replace(",", ""))
        for between, text in zip(["", *betweens], numbers, strict=True)
    )
    values = [read_number(text) for text in numbers]
    power = _POWER.fullmatch(rest[0])
    if power and power[2] in units():
        number_text = f"{number_text} {_WORDS[power[1]]}"
        values = [value if value is None else value.scaleb(int(power[1])) for value in values]
        rest[0] = power[2]
    unit = units().get(rest[0])
    if unit is None or any(value is None for value in values):
        return f"{number_text} {rest[0]}"
    if len(rest) > 2 and read_number(rest[1]) is not None and rest[2] in units():  # 6 ft 2 in
        return _composite(call, number_text, unit, rest)
    amounts = [value for value in values if value is not None]
    shown = f"{number_text} {_name(call, unit, numbers[-1], first=True)}"
    target = units().get(rest[1]) if len(rest) > 1 else None
    target = target or units().get(unit.default)
    precision = next((int(word) for word in rest[1:] if word.lstrip("-").isdecimal() and len(word) < 4), None)
    if target is None or target.dimension != unit.dimension:
        return shown
    return _with_conversion(call, shown, unit, target, amounts, betweens, precision)


def _amounts(words: list[str]) -> tuple[list[str], list[str], list[str]]:
    """The numbers, the words between them, and the remaining arguments."""
    numbers, betweens = words[:1], []
    index = 1
    while index + 1 < len(words) and words[index] in _BETWEEN:
        betweens.append(_BETWEEN[words[index]])
        numbers.append(words[index + 1])
        index += 2
    return numbers, betweens, words[index:]


def _with_conversion(
    call: "TemplateCall", shown: str, unit: ConvertUnit, target: ConvertUnit, amounts: list[Decimal],
    betweens: list[str], precision: int | None,
) -> str:  # fmt: skip
    if precision is None and call.words("sigfig").isdecimal():
        precision = _significant(_converted(amounts[0], unit, target), int(call.words("sigfig")[:2]))
    converted = [_converted(amount, unit, target) for amount in amounts]
    texts = [
        rounded(result, _default_precision(amount, result, unit, target) if precision is None else precision)
        for amount, result in zip(amounts, converted, strict=True)
    ]
    result = "".join(between + text for between, text in zip(["", *betweens], texts, strict=True))
    disposition = call.words("disp")
    name = _name(call, target, texts[-1], first=False)
    if disposition in ("number", "output number only"):
        return result
    result = f"{result}{'' if name.startswith('/') else ' '}{name}"
    if disposition in ("out", "output only"):
        return result
    if disposition in ("or", "sqbr", "slash", "/", "comma"):
        opening, closing = {"or": (" or ", ""), "sqbr": (" [", "]"), "comma": (", ", "")}.get(
            disposition, ("/", "")
        )
        return f"{shown}{opening}{result}{closing}"
    return f"{shown} ({result})"


def _composite(call: "TemplateCall", number_text: str, unit: ConvertUnit, rest: list[str]) -> str:
    """Feet and inches, stone and pounds: two numbers that are one quantity."""
    second = units()[rest[2]]
    first_amount, second_amount = read_number(number_text) or Decimal(0), read_number(rest[1]) or Decimal(0)
    names = [_name(call, unit, number_text, first=True), _name(call, second, rest[1], first=True)]
    shown = f"{number_text} {names[0]} {rest[1]} {names[1]}"
    target = units().get(rest[3]) if len(rest) > 3 else units().get(unit.default)
    if target is None or not target.dimension == unit.dimension == second.dimension:
        return shown
    total = first_amount * unit.factor + second_amount * second.factor
    result = total / target.factor
    places = _significant(result, 3)
    return f"{shown} ({rounded(result, places)} {target.symbol})"


def _converted(amount: Decimal, unit: ConvertUnit, target: ConvertUnit) -> Decimal:
    return (amount + unit.zero) * unit.factor / target.factor - target.zero


def _default_precision(amount: Decimal, result: Decimal, unit: ConvertUnit, target: ConvertUnit) -> int:
    """The precision of the input after the conversion, or two significant digits if that is more."""
    scale = math.log10(float(unit.factor / target.factor))
    from_input = math.floor(decimals(amount) - scale + 0.5 - math.log10(2) + 0.02)
    if unit.dimension == "temperature":
        return max(decimals(amount), 0)
    return max(from_input, _significant(result, 2))


def _significant(number: Decimal, digits: int) -> int:
    return digits - 1 - number.adjusted() if number else 0


def _name(call: "TemplateCall", unit: ConvertUnit, number: str, first: bool) -> str:
    """Words for the first unit, a symbol for the second, unless `abbr` says otherwise."""
    short = {"on": True, "off": False, "in": first, "out": not first, "none": False}.get(
        call.words("abbr"), not first or call.name == "cvt"
    )
    if unit.dimension == "temperature" or short:
        return unit.symbol if unit.symbol != "acre" or number == "1" else "acres"
    if call.words("adj") in ("on", "mid", "pre"):
        return unit.name
    if number in ("1", "−1", "-1"):
        return unit.name
    return unit.american if call.words("sp") == "us" else unit.plural
