"""The figures of reports and comparisons as CSV: a row for each figure, with all its digits."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rollcall.score.figures import Figure
from rollcall.score.measure import Measure

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report

HEADS = ("run", "by", "group", "n", "measure", "value", "low", "high")


def report_csv(report: "Report") -> str:
    """The figures of a run, including those of groups."""
    return _written(_rows(report.name, report))


def comparison_csv(comparison: "Comparison") -> str:
    """The figures of all runs."""
    runs = zip(comparison.names, comparison.reports, strict=True)
    return _written(row for name, report in runs for row in _rows(name, report))


def _rows(name: str, report: "Report") -> Iterable[Sequence[object]]:
    yield from _figures((name, "", "", report.n), report.figures)
    for by, groups in report.by.items():
        for key, group in groups.items():
            yield from _figures((name, by, key, group.n), group.figures)


def _figures(about: Sequence[object], figures: Mapping[Measure, Figure]) -> Iterable[Sequence[object]]:
    for measure, figure in figures.items():
        low, high = figure.interval or ("", "")
        yield (*about, str(measure), "" if figure.value is None else figure.value, low, high)


def _written(rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADS)
    writer.writerows(rows)
    return stream.getvalue()
