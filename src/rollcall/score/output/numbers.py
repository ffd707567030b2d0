"""How figures are written for people: shares as percentages with two decimals, seconds as seconds."""

from rollcall.score.figures import Figure
from rollcall.score.measure import Measure


def written(measure: Measure, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f} s" if measure.base == "time" else f"{100 * value:.2f}"


def interval_written(measure: Measure, figure: Figure) -> str:
    """The interval in brackets, or nothing."""
    if figure.interval is None:
        return ""
    scale = 1 if measure.base == "time" else 100
    low, high = figure.interval
    return f"[{scale * low:.1f}, {scale * high:.1f}]"


def spread_written(measure: Measure, figure: Figure) -> str:
    """Half the interval's width, for tables with no room for both ends."""
    if figure.interval is None:
        return ""
    low, high = figure.interval
    return f"±{(1 if measure.base == 'time' else 100) * (high - low) / 2:.1f}"


def percent_written(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"
