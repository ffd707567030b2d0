"""Literal values drawn for an entity: dates of different precision, quantities in different units, texts."""

import math

from rollcall.world.chance import key, share, word
from rollcall.world.relation import Amount, Relation
from rollcall.world.values import Coordinates, Date, Quantity, Text, plain
from rollcall.world.vocabulary import MOTTOES

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def moment(seed: int, relation: Relation, number: int, year: int) -> Date:
    """A date in a year, to the day, the month or (always before 1800) only the year."""
    bits = word(key(seed, f"date {relation.id}"), number)
    fineness = bits % 100
    month = 1 + (bits >> 8) % 12
    days = 60 if relation.id in ("P569", "P570", "P577") else 25
    if year < 1800 or fineness >= days + 12:
        return Date(year)
    if fineness >= days:
        return Date(year, month)
    return Date(year, month, 1 + (bits >> 16) % _LENGTHS[month - 1])


def amount(seed: int, relation: Relation, range_: Amount, number: int) -> Quantity:
    """A quantity, in its usual unit with probability 7/8."""
    value = _value(share(key(seed, f"amount {relation.key}"), number), range_)
    bits = word(key(seed, f"unit {relation.key}"), number)
    if range_.others and bits % 8 == 0:
        unit, factor = range_.others[(bits >> 8) % len(range_.others)]
        scaled = value * factor
        return Quantity(plain(_rounded(scaled)), unit)
    return Quantity(plain(value), range_.unit)


def _value(draw: float, range_: Amount) -> float:
    value = range_.low * math.exp(draw * math.log(range_.high / range_.low))
    if range_.decimals:
        return round(value, range_.decimals)
    return max(range_.steps, round(value / range_.steps) * range_.steps)


def _rounded(value: float) -> float:
    """The number with at least three significant digits, as usual for converted values."""
    return round(value) if value >= 100 else round(value, 1) if value >= 10 else round(value, 2)


def populations(seed: int, relation: Relation, range_: Amount, number: int) -> list[Quantity]:
    """The present population and sometimes those of earlier censuses."""
    draw = share(key(seed, f"amount {relation.key}"), number)
    bits = word(key(seed, f"censuses {relation.key}"), number)
    counts = [_value(draw, range_)]
    for earlier in range((0, 0, 1, 2)[bits % 4]):
        change = 0.82 + ((bits >> (8 + 8 * earlier)) % 30) / 100
        counts.append(max(range_.steps, round(counts[-1] * change / range_.steps) * range_.steps))
    return [Quantity(plain(count)) for count in counts]


def words_of(seed: int, what: str, relation: Relation, number: int) -> Text:
    """A motto, a native name or a code."""
    bits = word(key(seed, f"text {relation.key}"), number)
    if what == "motto":
        return Text(MOTTOES[bits % len(MOTTOES)], "en")
    if what == "code":
        return Text(f"{10 + bits % 90}-{100 + (bits >> 16) % 900}")
    syllables = ("ka", "lo", "ven", "ti", "mar", "es", "u", "ran", "il", "do")
    text = "".join(syllables[(bits >> shift) % 10] for shift in (0, 8, 16))
    return Text(text.capitalize(), ("fr", "de", "cy", "sl")[(bits >> 40) % 4])


def coordinates(seed: int, number: int, country: int) -> Coordinates:
    """A point within a few degrees of the middle of its country."""
    middle = word(key(seed, "middle"), max(country, 0))
    bits = word(key(seed, "point"), number)
    latitude = middle % 12000 - 6000 + bits % 600 - 300
    longitude = (middle >> 20) % 34000 - 17000 + (bits >> 20) % 900 - 450
    return Coordinates(latitude, longitude)
