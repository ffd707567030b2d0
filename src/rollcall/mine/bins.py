"""Bins of a characteristic, as recipes write them: `3`, `>1`, `2-10`, `[-40,-30)`, or a plain name.

Input: the texts of the bins. Output: a function that puts a number or a name into one of them.
"""

import re
from collections.abc import Callable, Iterable

from rollcall.errors import RollcallError

_NUMBER = r"-?\d+(?:\.\d+)?"
_ABOVE = re.compile(rf"(>=|>|<=|<)\s*({_NUMBER})")
_SPAN = re.compile(r"(\d+)-(\d+)")
_INTERVAL = re.compile(rf"([\[(])\s*({_NUMBER})\s*,\s*({_NUMBER})\s*([\])])")

OTHER = "other"
"""The bin for everything that no other bin names."""


def number_bins(bins: Iterable[str], what: str) -> Callable[[float], str | None]:
    """A function that puts a number into the first bin that contains it, or gives None if no bin does."""
    tests = [(bin_, _test(bin_, what)) for bin_ in bins]

    def place(value: float) -> str | None:
        return next((bin_ for bin_, holds in tests if holds(value)), None)

    return place


def name_bins(bins: Iterable[str]) -> Callable[[Iterable[str]], str | None]:
    """A function that takes the names of one thing and gives the bin that one of them names, else `other`."""
    known = set(bins)

    def place(names: Iterable[str]) -> str | None:
        return next((name for name in names if name in known), OTHER if OTHER in known else None)

    return place


def _test(bin_: str, what: str) -> Callable[[float], bool]:
    if bin_ == OTHER:
        return lambda _: True
    if found := _ABOVE.fullmatch(bin_.strip()):
        sign, limit = found[1], float(found[2])
        return {
            ">": lambda value: value > limit,
            ">=": lambda value: value >= limit,
            "<": lambda value: value < limit,
            "<=": lambda value: value <= limit,
        }[sign]
    if found := _SPAN.fullmatch(bin_.strip()):
        first, last = float(found[1]), float(found[2])
        if first > last:
            raise _empty(bin_, what)
        return lambda value: first <= value <= last
    if found := _INTERVAL.fullmatch(bin_.strip()):
        low, high = float(found[2]), float(found[3])
        from_low, to_high = found[1] == "[", found[4] == "]"
        if low > high or (low == high and not (from_low and to_high)):
            raise _empty(bin_, what)
        return lambda value: (
            (low <= value if from_low else low < value) and (value <= high if to_high else value < high)
        )
    if re.fullmatch(_NUMBER, bin_.strip()):
        return lambda value: value == float(bin_)
    raise RollcallError(f"{bin_!r} is no bin for {what}; write 3, >1, 2-10, [-40,-30) or other")


def _empty(bin_: str, what: str) -> RollcallError:
    return RollcallError(f"the bin {bin_!r} for {what} holds nothing; write its lower end first")
