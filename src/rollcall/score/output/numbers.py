"""How figures are written for people: shares as percentages with two decimals, others with their unit."""

from rollcall.score.figures import Figure
from rollcall.score.measure import Measure

SMALL = 0.1
"""Smaller values that are no shares, such as prices, are written with two digits that are not 0."""


def written(measure: Measure, value: float | None) -> str:
    if value is None:
        return "–"
    if measure.is_share:
        return f"{100 * value:.2f}"
    return f"{_digits(value, 2)} {measure.kind.unit}"


def interval_written(measure: Measure, figure: Figure) -> str:
    """The interval in brackets, or nothing."""
    return ends_written(measure, figure.interval)


def ends_written(measure: Measure, ends: tuple[float, float] | None) -> str:
    """The ends of an interval in brackets, or nothing."""
    if ends is None:
        return ""
    scale = 100 if measure.is_share else 1
    low, high = (f"{scale * end:.1f}" if measure.is_share else _digits(end, 1) for end in ends)
    return f"[{low}, {high}]"


def spread_written(measure: Measure, figure: Figure) -> str:
    """Half the interval's width, for tables with no room for both ends."""
    if figure.interval is None:
        return ""
    low, high = figure.interval
    half = (high - low) / 2
    return f"±{100 * half:.1f}" if measure.is_share else f"±{_digits(half, 1)}"


def _digits(value: float, decimals: int) -> str:
    return f"{value:.2g}" if 0 < abs(value) < SMALL else f"{value:.{decimals}f}"


def percent_written(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"
