"""Reports and comparisons in a few lines of text: what Python prints for them."""

from typing import TYPE_CHECKING

from rollcall.english.counting import counted
from rollcall.score.output.numbers import interval_written, percent_written, written
from rollcall.score.output.true_figures import true_text
from rollcall.terminal import one_line

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison
    from rollcall.score.report import Report

MOST_LINES = 10


def report_text(report: "Report") -> str:
    """The profile, the number of questions and the figures."""
    head = [f"{report.n} questions", f"profile {report.profile.name}"]
    if report.name:
        head.insert(0, report.name)
    if report.confidence:
        head.append(f"{percent_written(report.confidence)} intervals")
    if report.by:
        head.append(f"by {_some(list(report.by))}")
    notes = len(report.warnings) + len(report.unmatched.lines())
    if notes:
        head.append(f"{notes} warning{'s' * (notes > 1)}")
    return "\n".join([one_line(f"Report({', '.join(head)})"), *_figures(report)])


def comparison_text(comparison: "Comparison") -> str:
    """One line for each run, with the letters of the runs it beats."""
    first = comparison.reports[0]
    head = f"{len(comparison.reports)} runs, {counted(first.n, 'question')}, profile {first.profile.name}"
    if first.by:
        head += f", by {_some(list(first.by))}"
    lines = []
    for place, (name, report) in enumerate(zip(comparison.names, comparison.reports, strict=True)):
        shown = (
            f"{measure} {written(measure, figure.value)}{comparison.marks(place, measure)}"
            for measure, figure in report.figures.items()
        )
        lines.append(f"  {comparison.letter(place)} {name}: {'  '.join(shown)}")
    return "\n".join([one_line(f"Comparison({head})"), *_first(lines)])


def _figures(report: "Report") -> list[str]:
    width = max((len(str(measure)) for measure in report.figures), default=0)
    true = {} if report.incomplete is None else report.incomplete.figures
    lines = []
    for measure, figure in report.figures.items():
        value = f"{written(measure, figure.value)} {interval_written(measure, figure)}"
        known = true_text(measure, true[measure]) if measure in true else ""
        lines.append(f"  {measure!s:<{width}}  {value}{known}".rstrip())
    return _first(lines)


def _first(lines: list[str]) -> list[str]:
    lines = [*map(one_line, lines)]
    more = [f"  … and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
    return [*lines[:MOST_LINES], *more]


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
