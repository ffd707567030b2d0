"""Numbers in text: digits in groups of three, and rounded to a number of decimals."""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

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
