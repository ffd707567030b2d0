"""How figures are written for people: shares as percentages with two decimals, others with their unit."""

from collections.abc import Iterator, Mapping, Sequence

from rollcall.score.figures import Figure, FigureGroup
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


def breakdown_heads(name: str, runs: Sequence[str]) -> list[str]:
    """The headings of the columns that name the rows of a breakdown; `runs` is empty for a single run."""
    return [name, "n", *(["run"] if runs else [])]


def breakdown_rows(
    groups: Mapping[str, Sequence[FigureGroup]], runs: Sequence[str], most: int | None = None
) -> Iterator[tuple[list[str], Mapping[Measure, Figure]]]:
    """For each group and run, the cells that name the row and its figures; a group is named once."""
    for key, of_runs in list(groups.items())[:most]:
        for place, group in enumerate(of_runs):
            about = [key, str(group.n)] if place == 0 else ["", ""]
            yield [*about, *runs[place : place + 1]], group.figures


def breakdown_measures(groups: Mapping[str, Sequence[FigureGroup]]) -> list[Measure]:
    """The measures that a breakdown has."""
    return list(next(iter(groups.values()))[0].figures) if groups else []


def _digits(value: float, decimals: int) -> str:
    return f"{value:.2g}" if 0 < abs(value) < SMALL else f"{value:.{decimals}f}"


def percent_written(share: float) -> str:
    """A share as a percentage with all its digits: 99.9 % is not 100 %."""
    return f"{100 * share:.10g}%"
