"""Chooses the value of a comparative: between the values of the candidates, and as round as possible.

People say "before 1960" and "over 2,000 metres", not "before 1960-05-17" and "over 1,987.4 metres". The value
is chosen so that a wanted number of candidates pass, and then rounded as far as that number allows.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from random import Random

import numpy as np

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.query.values import Date, Number, Value, parse_value

_MOST_PASSING = 20


def threshold(index: GraphIndex, chance: Random, values: Numbers, comparator: str) -> Value | None:
    """A value for the comparator that some of the values (terms, with repetitions) pass and some do not."""
    literals = _one_dimension(index, values[values >= index.entity_count] - index.entity_count)
    upward = comparator in (">", ">=")
    order = np.argsort(index.literal_low[literals] if upward else index.literal_high[literals], kind="stable")
    ranked = literals[order[::-1] if upward else order]
    if len(ranked) < 2:
        return None
    passing = 1 if chance.random() < 0.4 else chance.randint(1, min(_MOST_PASSING, len(ranked) - 1))
    inside, outside = (parse_value(index.literals[int(ranked[place])]) for place in (passing - 1, passing))
    return _between(inside, outside, comparator)


def _one_dimension(index: GraphIndex, literals: Numbers) -> Numbers:
    """The literals of the most frequent dimension that has an order."""
    dimensions = index.literal_dimension[literals]
    ordered = dimensions >= 0
    if not ordered.any():
        return literals[:0]
    commonest = np.bincount(dimensions[ordered]).argmax()
    kept: Numbers = literals[dimensions == commonest]
    return kept


def _between(inside: Value, outside: Value, comparator: str) -> Value | None:
    """The roundest value that the inner value passes and the outer value does not; None if there is none."""
    if isinstance(inside, Date) and isinstance(outside, Date):
        return _date_between(inside, outside, comparator)
    if isinstance(inside, Number) and isinstance(outside, Number) and inside.unit == outside.unit:
        return _number_between(inside, outside, comparator)
    return None


def _date_between(inside: Date, outside: Date, comparator: str) -> Date | None:
    shift = {"<": 1, "<=": 0, ">": -1, ">=": 0}[comparator]
    year = inside.year + shift
    if inside.precision not in ("year", "month", "day") or (outside.year == inside.year):
        return None
    return Date(year)


def _number_between(inside: Number, outside: Number, comparator: str) -> Number | None:
    low, high = sorted((inside.amount, outside.amount))
    if low == high:
        return None
    # The bound may be a candidate's value: not the inner one if the comparator is strict, else not the outer.
    strict = comparator in ("<", ">")
    for digits in range(1, 8):
        rounded = _rounded(inside.amount, digits, upward=comparator in ("<", "<="))
        fits = low <= rounded <= high and rounded != (inside.amount if strict else outside.amount)
        if fits:
            return Number(rounded, inside.unit)
    return None


def _rounded(amount: Decimal, digits: int, *, upward: bool) -> Decimal:
    """The next number with the given number of digits, rounded up or down."""
    if not amount:
        return amount
    unit = Decimal(1).scaleb(amount.adjusted() - digits + 1)
    rounding = ROUND_CEILING if upward else ROUND_FLOOR
    return (amount / unit).to_integral_value(rounding) * unit
