"""The charts of a report, as Vega-Lite specifications made with Altair.

Colours are left to the page, which knows whether it is shown light or dark; a chart says only what is
drawn and describes itself for readers who cannot see it.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rollcall.score.breakdown import RANK
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    import altair as alt

    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness

WIDTH, ROW_HEIGHT = 280, 26
MOST_BARS = 25

ChartRow = dict[str, str | float | int]


class ChartSpec(NamedTuple):
    """A chart: its title, and its specification as Vega-Lite has it."""

    title: str
    spec: dict[str, object]


def report_charts(report: "Report") -> list[ChartSpec]:
    """The charts in the order of the page."""
    charts = [
        _chart("Figures", _bars(_rows({"": FigureGroup(report.n, report.figures)}), "measure", "measure"))
    ]
    lead = _lead(report.figures)
    if lead is not None:
        charts.append(_chart(f"Questions by {lead}", _histogram(report, lead)))
    for name, groups in report.by.items():
        if lead is None or not groups:
            continue
        rows = _rows(groups, lead)[:MOST_BARS]
        if name == RANK:
            charts.append(_chart(f"{lead} by rank of the paraphrase", _curve(rows, "group", "rank")))
        else:
            shown = f", first {MOST_BARS} of {len(groups)}" if len(groups) > MOST_BARS else ""
            charts.append(_chart(f"{lead} by {name}{shown}", _bars(rows, "group", name)))
    if report.robustness is not None:
        charts += _robustness_charts(report.robustness)
    return charts


def comparison_charts(runs: Sequence[tuple[str, "Report"]]) -> list[ChartSpec]:
    """The leading measure of every run, over all questions and by each characteristic asked for."""
    first = runs[0][1]
    lead = _lead(first.figures)
    if lead is None:
        return []
    whole = {name: FigureGroup(report.n, report.figures) for name, report in runs}
    charts = [_chart(f"{lead} of each system", _bars(_rows(whole, lead), "group", None))]
    for name in first.by:
        rows = [{**row, "run": run} for run, report in runs for row in _rows(report.by[name], lead)]
        if rows:
            charts.append(_chart(f"{lead} by {name}", _bars(rows, "run", None, facet="group")))
    return charts


def _chart(title: str, chart: "alt.Chart | alt.LayerChart | alt.FacetChart") -> ChartSpec:
    return ChartSpec(title, chart.properties(description=title).to_dict())


def _lead(figures: Mapping[Measure, Figure]) -> Measure | None:
    """The measure that breakdowns show: F1 where there is one, else the first share."""
    shares = [measure for measure in figures if measure.is_share and not measure.worst]
    return next((measure for measure in shares if str(measure) == "F1"), shares[0] if shares else None)


def _rows(groups: Mapping[str, FigureGroup], only: Measure | None = None) -> list[ChartRow]:
    rows: list[ChartRow] = []
    for name, group in groups.items():
        for measure, figure in group.figures.items():
            if figure.value is None or not measure.is_share or only not in (None, measure):
                continue
            low, high = figure.interval or (figure.value, figure.value)
            rows.append(
                {
                    "group": name,
                    "measure": str(measure),
                    "value": figure.value,
                    "low": low,
                    "high": high,
                    "n": group.n,
                }
            )
    return rows


def _bars(
    rows: list[ChartRow], field: str, title: str | None, facet: str | None = None
) -> "alt.LayerChart | alt.FacetChart":
    """Bars with their intervals, in the order given; with a facet, a row of them for each of its values."""
    import altair as alt

    base = alt.Chart().encode(y=alt.Y(f"{field}:N", sort=None, title=title))
    tooltip = [
        alt.Tooltip(f"{field}:N", title=title),
        alt.Tooltip("value:Q", format=".2%"),
        alt.Tooltip("low:Q", format=".2%"),
        alt.Tooltip("high:Q", format=".2%"),
        alt.Tooltip("n:Q", title="questions"),
    ]
    scale = alt.Scale(domainMin=0, nice=True)
    bar = base.mark_bar(height={"band": 0.6}).encode(
        x=alt.X("value:Q", axis=alt.Axis(format="%"), scale=scale, title=None), tooltip=tooltip
    )
    rule = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", tooltip=tooltip)
    chart = alt.layer(bar, rule, data={"values": rows})
    chart = chart.properties(width=WIDTH, height={"step": ROW_HEIGHT})
    if facet is None:
        return chart
    header = alt.Header(labelAngle=0, labelAnchor="start", labelOrient="top")
    return chart.facet(row=alt.Row(f"{facet}:N", sort=None, title=None, header=header), spacing=8)


def _histogram(report: "Report", measure: Measure) -> "alt.Chart":
    """How many questions fall into each tenth of a measure."""
    import altair as alt

    column = report.columns[report.measures.index(measure)]
    tenths = [0] * 11
    for value, counts in zip(column.values, column.counts, strict=True):
        if counts:
            tenths[int(value * 10 + 1e-9)] += 1
    names = [f"{10 * tenth}–{10 * tenth + 10}%" for tenth in range(10)] + ["100%"]
    rows = [{"share": name, "questions": count} for name, count in zip(names, tenths, strict=True)]
    chart: alt.Chart = (
        alt.Chart({"values": rows})
        .mark_bar()
        .encode(
            x=alt.X("share:N", sort=None, title=str(measure), axis=alt.Axis(labelAngle=-45)),
            y=alt.Y("questions:Q", title="questions"),
            tooltip=["share:N", "questions:Q"],
        )
        .properties(width=WIDTH, height=180)
    )
    return chart


def _curve(rows: list[ChartRow], field: str, title: str) -> "alt.LayerChart":
    import altair as alt

    base = alt.Chart({"values": rows}).encode(
        x=alt.X(f"{field}:O", sort=None, title=title, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
        tooltip=[f"{field}:N", alt.Tooltip("value:Q", format=".2%"), alt.Tooltip("n:Q", title="queries")],
    )
    line = base.mark_line(point=True).encode(y=alt.Y("value:Q", axis=alt.Axis(format="%"), title=None))
    band = base.mark_area(opacity=0.25).encode(y="low:Q", y2="high:Q")
    chart: alt.LayerChart = (band + line).properties(width=WIDTH, height=200)
    return chart


def _robustness_charts(found: "Robustness") -> list[ChartSpec]:
    """For each number: how the score's distance from its cluster's mean varies with the number's."""
    import altair as alt

    charts = []
    for name, trend in found.trends.items():
        if trend.with_drop is None:
            continue
        rows = [point._asdict() for point in trend.points]
        chart = (
            alt.Chart({"values": rows})
            .mark_line(point=True)
            .encode(
                x=alt.X("distance:Q", title=f"{name}: distance from the cluster's mean"),
                y=alt.Y(
                    "drop:Q", axis=alt.Axis(format="+%"), title=f"{found.measure} less its cluster's mean"
                ),
                tooltip=[
                    alt.Tooltip("distance:Q", format="+.2f"),
                    alt.Tooltip("drop:Q", format="+.2%"),
                    alt.Tooltip("n:Q", title="questions"),
                ],
            )
            .properties(width=WIDTH, height=180)
        )
        charts.append(
            _chart(f"Inside clusters: {found.measure} and {name} (r = {trend.with_drop:+.2f})", chart)
        )
    return charts
