"""The figures of reports and comparisons as CSV: a row for each figure, with all its digits."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from rollcall.questions.formats.cells import csv_lines
from rollcall.score.figures import Figure
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report

HEADS = ("run", "by", "group", "n", "measure", "value", "low", "high")


def report_csv(report: "Report") -> str:
    """The figures of a run, including those of groups."""
    return "".join(csv_lines(chain([HEADS], _rows(report.name, report))))


def comparison_csv(comparison: "Comparison") -> str:
    """The figures of all runs."""
    runs = zip(comparison.names, comparison.reports, strict=True)
    rows = (row for name, report in runs for row in _rows(name, report))
    return "".join(csv_lines(chain([HEADS], rows)))


def _rows(name: str, report: "Report") -> Iterable[Sequence[object]]:
    yield from _figures((name, "", "", report.n), report.figures)
    for by, groups in report.by.items():
        for key, group in groups.items():
            yield from _figures((name, by, key, group.n), group.figures)


def _figures(about: Sequence[object], figures: Mapping[Measure, Figure]) -> Iterable[Sequence[object]]:
    for measure, figure in figures.items():
        low, high = figure.interval or ("", "")
        yield (*about, str(measure), "" if figure.value is None else figure.value, low, high)
