"""How figures are written for people: shares as percentages with two decimals, others with their unit."""

from rollcall.score.figures import Figure
from rollcall.score.measure import Measure


def written(measure: Measure, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.2f}" if measure.is_share else f"{value:.2f} {measure.kind.unit}"


def interval_written(measure: Measure, figure: Figure) -> str:
    """The interval in brackets, or nothing."""
    return ends_written(measure, figure.interval)


def ends_written(measure: Measure, ends: tuple[float, float] | None) -> str:
    """The ends of an interval in brackets, or nothing."""
    if ends is None:
        return ""
    scale = 100 if measure.is_share else 1
    low, high = ends
    return f"[{scale * low:.1f}, {scale * high:.1f}]"


def spread_written(measure: Measure, figure: Figure) -> str:
    """Half the interval's width, for tables with no room for both ends."""
    if figure.interval is None:
        return ""
    low, high = figure.interval
    return f"±{(100 if measure.is_share else 1) * (high - low) / 2:.1f}"


def percent_written(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"
