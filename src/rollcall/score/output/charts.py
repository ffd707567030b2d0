"""The charts of a report: which figures are drawn, and how each is described."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rollcall.score.breakdown import RANK
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure
from rollcall.score.output.svg import Bar, Point, bars, columns, line

if TYPE_CHECKING:
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness

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
