"""The charts of a report: which figures are drawn, and how each is described."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from rollcall.score.breakdown import RANK
from rollcall.score.columns import Figure, FigureGroup
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness


# Charts as SVG: bars with intervals, columns, and a line with a band. They are part of the page, which
# sets their colours, light or dark, and need no script. The element under the pointer shows its figures.
# Few kinds of charts are needed, and a chart library takes 100 MB.

WIDTH, HEIGHT, ROW = 280, 180, 26
COLOURS = 8
"""The number of colours for systems; the page has as many."""
_LETTER = 7
_LONGEST = 26
_MOST_TICKS, _SMALLEST = 6, 1e-6
_MARGIN = 14
_ABOVE, _BELOW = 32.0, 36.0


class Bar(NamedTuple):
    """A named figure with the ends of its interval, and the text shown under the pointer."""

    name: str
    value: float
    low: float
    high: float
    note: str
    system: int | None = None
    """The number of the system whose colour it has."""


class Point(NamedTuple):
    """A figure at a position along a line."""

    place: float
    value: float
    low: float
    high: float
    note: str


class Scale(NamedTuple):
    """Round numbers that cover some values, and the range of positions on the screen."""

    ticks: tuple[float, ...]
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a value on the screen."""
        share = (value - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return self.start + share * (self.end - self.start)


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """The scale for values from `low` to `high`, with at most six ticks."""
    span = high - low if high - low > _SMALLEST * max(1.0, abs(low), abs(high)) else 1.0
    power = 10.0 ** math.floor(math.log10(span / (_MOST_TICKS - 1)))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.floor(low / step + 1e-9), math.ceil((low + span) / step - 1e-9)
        if last - first < _MOST_TICKS:
            break
    return Scale(tuple(round(step * number, 12) for number in range(first, last + 1)), start, end)


def bars(title: str, sections: Mapping[str, Sequence[Bar]]) -> str:
    """Horizontal bars, one below the other; each section under its name, unless that is empty."""
    every = [bar for section in sections.values() for bar in section]
    left = _LETTER * min(_LONGEST, max(len(bar.name) for bar in every)) + _MARGIN
    across = scale(0.0, max(max(bar.value, bar.high) for bar in every), left, left + WIDTH)
    parts, top = [], 4.0
    for name, section in sections.items():
        if name:
            parts.append(_text(name, 0, top + 17, "heading"))
            top += ROW
        for bar in section:
            parts.append(_svg_bar(bar, across, top))
            top += ROW
    axis = "".join(
        _line(across.at(tick), 4, across.at(tick), top, "grid")
        + _text(f"{100 * tick:g}%", across.at(tick), top + 16, "middle")
        for tick in across.ticks
    )
    return _drawing(title, left + WIDTH + 2 * _MARGIN, top + 22, axis + "".join(parts))


def _svg_bar(bar: Bar, across: Scale, top: float) -> str:
    name = bar.name if len(bar.name) <= _LONGEST else bar.name[: _LONGEST - 1] + "…"
    middle, zero = top + ROW / 2, across.at(0.0)
    return _told(
        f"{bar.name}: {bar.note}" if bar.name else bar.note,
        _text(name, zero - 8, middle + 4, "end")
        + _box(zero, top + 5, across.at(bar.value) - zero, ROW - 10, bar.system)
        + _line(across.at(bar.low), middle, across.at(bar.high), middle, "interval"),
    )


def columns(title: str, counts: Mapping[str, int], below: str, beside: str) -> str:
    """Vertical columns side by side, with slanted names."""
    left, top, bottom = 48.0, _ABOVE, _ABOVE + HEIGHT
    up = scale(0.0, max(max(counts.values()), 1), bottom, top)
    wide = WIDTH / len(counts)
    parts = [_upright(up, left, "{:,.0f}", beside)]
    for number, (name, count) in enumerate(counts.items()):
        x = left + number * wide
        middle = f'transform="translate({x + wide / 2:.1f} {bottom + 14:.1f}) rotate(-45)"'
        parts.append(
            _told(f"{name}: {count:,}", _box(x + 2, up.at(count), wide - 4, bottom - up.at(count)))
            + f'<text {middle} class="end">{escape(name)}</text>'
        )
    parts.append(_text(below, left + WIDTH / 2, bottom + 66, "middle dim"))
    return _drawing(title, left + WIDTH + _MARGIN, bottom + 74, "".join(parts))


def line(
    title: str,
    points: Sequence[Point],
    below: str,
    beside: str = "",
    named: Mapping[float, str] | None = None,
    signed: bool = False,
) -> str:
    """A line through points, with a band of their intervals; `named` gives the ticks if they are names."""
    left, top, bottom = 56.0, _ABOVE, _ABOVE + HEIGHT
    lows, highs = [point.low for point in points], [point.high for point in points]
    up = scale(min(lows) if signed else 0.0, max(highs), bottom, top)
    places = [point.place for point in points]
    along = scale(min(places), max(places), left, left + WIDTH)
    if named is not None:
        along = Scale((min(places) - 0.5, max(places) + 0.5), left, left + WIDTH)
    ticks = _spread(named) if named is not None else {tick: f"{tick:g}" for tick in along.ticks}
    over = [f"{along.at(point.place):.1f},{up.at(point.high):.1f}" for point in points]
    under = [f"{along.at(point.place):.1f},{up.at(point.low):.1f}" for point in reversed(points)]
    through = [f"{along.at(point.place):.1f},{up.at(point.value):.1f}" for point in points]
    dots = [
        _told(point.note, f'<circle cx="{along.at(point.place):.1f}" cy="{up.at(point.value):.1f}" r="4"/>')
        for point in points
    ]
    names = [_text(name, along.at(tick), bottom + 16, "middle") for tick, name in ticks.items()]
    parts = [
        _upright(up, left, "{:+.6g}%" if signed else "{:.6g}%", beside, 100.0),
        f'<polygon class="band" points="{" ".join(over + under)}"/>',
        f'<polyline points="{" ".join(through)}"/>',
        *dots,
        *names,
        _text(below, left + WIDTH / 2, bottom + _BELOW, "middle dim"),
    ]
    return _drawing(title, left + WIDTH + 2 * _MARGIN, bottom + _BELOW + 8, "".join(parts))


def _spread(named: Mapping[float, str]) -> dict[float, str]:
    """As many of the names as fit side by side without touching."""
    longest = max(len(name) for name in named.values()) + 1
    step = math.ceil(len(named) * longest * _LETTER / WIDTH)
    return dict(list(named.items())[::step])


def _upright(up: Scale, left: float, form: str, title: str, times: float = 1.0) -> str:
    """A vertical axis, with horizontal grid lines."""
    lines = [
        _line(left, up.at(tick), left + WIDTH, up.at(tick), "grid")
        + _text(form.format(times * tick), left - 6, up.at(tick) + 4, "end")
        for tick in up.ticks
    ]
    return "".join(lines) + _text(title, 0, 12, "dim")


def _drawing(title: str, width: float, height: float, parts: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{parts}</svg>'
    )


def _told(note: str, parts: str) -> str:
    return f"<g><title>{escape(note)}</title>{parts}</g>"


def _box(x: float, y: float, width: float, height: float, system: int | None = None) -> str:
    colour = "" if system is None else f' class="run-{system % COLOURS}"'
    size = f'width="{max(width, 0.0):.1f}" height="{max(height, 0.0):.1f}"'
    return f'<rect{colour} x="{x:.1f}" y="{y:.1f}" {size}/>'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>' if text else ""


MOST_BARS = 25


class Chart(NamedTuple):
    """A drawing and its title."""

    title: str
    svg: str


def report_charts(report: "Report") -> list[Chart]:
    """The charts of one run, in the order of the page."""
    figures = [
        _bar(str(measure), figure, report.n)
        for measure, figure in report.figures.items()
        if measure.is_share and figure.value is not None
    ]
    charts = [_bars("Figures", {"": figures})] if figures else []
    lead = lead_measure(report.figures)
    if lead is not None:
        charts.append(_histogram(report, lead))
    for name, groups in report.by.items():
        rows = _rows(groups, lead)[:MOST_BARS] if lead is not None else []
        if not rows:
            continue
        if name == RANK:
            charts.append(_curve(f"{lead} by rank of the paraphrase", rows))
        else:
            shown = f", first {MOST_BARS} of {len(groups)}" if len(groups) > MOST_BARS else ""
            charts.append(_bars(f"{lead} by {name}{shown}", {"": rows}))
    if report.robustness is not None:
        charts += _robustness_charts(report.robustness)
    return charts


def comparison_charts(runs: Sequence[tuple[str, "Report"]]) -> list[Chart]:
    """The leading measure of every run, over all questions and by each requested characteristic."""
    first = runs[0][1]
    lead = lead_measure(first.figures)
    if lead is None:
        return []
    every = {name: FigureGroup(report.n, report.figures) for name, report in runs}
    places = {name: place for place, (name, _) in enumerate(runs)}
    whole = [bar._replace(system=places[bar.name]) for bar in _rows(every, lead)]
    charts = [_bars(f"{lead} of each system", {"": whole})] if whole else []
    for name in first.by:
        sections: dict[str, list[Bar]] = {}
        for place, (run, report) in enumerate(runs):
            for bar in _rows(report.by[name], lead):
                sections.setdefault(bar.name, []).append(bar._replace(name=run, system=place))
        if sections:
            charts.append(_bars(f"{lead} by {name}", sections))
    return charts


def _bars(title: str, sections: Mapping[str, Sequence[Bar]]) -> Chart:
    return Chart(title, bars(title, sections))


def lead_measure(figures: Mapping[Measure, Figure]) -> Measure | None:
    """The measure that breakdowns show: F1 if there is one, else the first share."""
    shares = [measure for measure in figures if measure.is_share and measure.extreme is None]
    return next((measure for measure in shares if str(measure) == "F1"), shares[0] if shares else None)


def _rows(groups: Mapping[str, FigureGroup], measure: Measure) -> list[Bar]:
    """A measure in the groups in which it has a value."""
    return [
        _bar(name, group.figures[measure], group.n)
        for name, group in groups.items()
        if measure in group.figures and group.figures[measure].value is not None
    ]


def _bar(name: str, figure: Figure, questions: int) -> Bar:
    value = figure.value or 0.0
    low, high = figure.interval or (value, value)
    interval = f" ({low:.2%} to {high:.2%})" if figure.interval else ""
    return Bar(name, value, low, high, f"{value:.2%}{interval}, questions: {questions:,}")


def _histogram(report: "Report", measure: Measure) -> Chart:
    """How many questions fall into each tenth of a measure."""
    column = report.columns[report.measures.index(measure)]
    tenths = [0] * 11
    for value, counts in zip(column.values, column.counts, strict=True):
        if counts:
            tenths[int(value * 10 + 1e-9)] += 1
    names = [f"{10 * tenth}–{10 * tenth + 10}%" for tenth in range(10)] + ["100%"]
    title = f"Questions by {measure}"
    return Chart(title, columns(title, dict(zip(names, tenths, strict=True)), str(measure), "questions"))


def _curve(title: str, rows: Sequence[Bar]) -> Chart:
    points = [Point(place, bar.value, bar.low, bar.high, bar.note) for place, bar in enumerate(rows)]
    return Chart(title, line(title, points, "rank", named={i: bar.name for i, bar in enumerate(rows)}))


def _robustness_charts(found: "Robustness") -> list[Chart]:
    """For each number: how the score's distance from its cluster's mean varies with that of the number."""
    charts = []
    for name, trend in found.trends.items():
        if trend.with_drop is None:
            continue
        title = f"Inside clusters: {found.measure} and {name} (r = {trend.with_drop:+.2f})"
        points = [
            Point(
                one.distance,
                one.drop,
                one.drop,
                one.drop,
                f"{one.distance:+.2f}: {one.drop:+.2%}, questions: {one.n:,}",
            )
            for one in trend.points
        ]
        below, beside = (
            f"{name}: distance from the cluster's mean",
            f"{found.measure} less its cluster's mean",
        )
        charts.append(Chart(title, line(title, points, below, beside, signed=True)))
    return charts
