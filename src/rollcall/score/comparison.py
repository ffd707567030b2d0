"""Comparing runs on the same questions: which is better, and is the difference significant?

Every pair of runs is tested on every measure, and the p-values of the whole table are corrected
together, because a table with twenty comparisons is expected to show one false difference at 5 %.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

from rollcall._core.errors import RollcallError
from rollcall.questions.given import Predictions
from rollcall.questions.run import Run
from rollcall.report import Display, Rendered, Table
from rollcall.report.values import Medium
from rollcall.score.figures import FigureGroup, ratio
from rollcall.score.measure import Measure
from rollcall.score.options import CompareOptions, Correction, Test
from rollcall.score.report import Report
from rollcall.score.significance import (
    PValues,
    compare_ratios,
    corrected,
    enough_draws,
    is_exact,
)

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.score._data import ComparisonRows
    from rollcall.score.incomplete.bounds import TrueFigure
    from rollcall.score.incomplete.differences import Survival


@dataclass
class Difference:
    """The first run's figure minus the second's, and its p-values."""

    first: int
    second: int
    measure: Measure
    value: float | None
    p_values: PValues
    corrected_p: float | None = None
    true: "TrueFigure | None" = None
    """What is known about the difference with complete gold."""

    @property
    def survival(self) -> "Survival | None":
        """Whether it survives incomplete gold; None if nothing is known about that."""
        if self.true is None:
            return None
        from rollcall.score.incomplete.differences import survival

        return survival(self.value, self.true)


@dataclass(repr=False)
class Comparison(Rendered):
    """Reports of several runs on one gold set, with the tests of all pairs."""

    names: list[str]
    reports: list[Report]
    differences: list[Difference]
    test: Test
    correction: Correction
    level: float
    resamples: int = 0
    """The random draws of the test that decides."""
    fail_if_worse: bool = False
    """Whether a command fails if a run is significantly worse than the first one."""
    warnings: list[str] = field(default_factory=list)
    """Why no difference can be significant, if none can, how many questions were left out, and whether runs
    answer different ones."""

    @property
    def by_run(self) -> dict[str, dict[str, list[FigureGroup]]]:
        """The breakdowns: for each characteristic and group, the figures of every run."""
        first = self.reports[0]
        return {
            name: {group: [report.by[name][group] for report in self.reports] for group in groups}
            for name, groups in first.by.items()
        }

    def notes(self) -> Iterator[tuple[str, str]]:
        """The warnings of each run; a warning that all runs share is given once."""
        shared: dict[str, None] = {}
        for name, report in zip(self.names, self.reports, strict=True):
            for line in (*report.unmatched.lines(), *report.warnings):
                if not all(line in other.warnings for other in self.reports):
                    yield name, line
                elif line not in shared:
                    shared[line] = None
                    yield "all runs", line

    def beats(self, winner: int, measure: Measure) -> list[int]:
        """The runs that are significantly worse than `winner`."""
        losers = []
        for difference in self.differences:
            sure = difference.corrected_p is not None and difference.corrected_p < self.level
            if not sure or difference.measure != measure or not difference.value:
                continue
            better, worse = (
                (difference.first, difference.second)
                if difference.value > 0
                else (difference.second, difference.first)
            )
            if measure.kind.lower_is_better:
                better, worse = worse, better
            if better == winner:
                losers.append(worse)
        return sorted(losers)

    def marks(self, run: int, measure: Measure) -> str:
        """The letters of the runs it beats."""
        return "".join(letter(loser) for loser in self.beats(run, measure))

    def letter(self, run: int) -> str:
        """A run's own mark."""
        return letter(run)

    @property
    def lettered(self) -> list[str]:
        """Every run's mark and name."""
        return [f"{letter(index)} {name}" for index, name in enumerate(self.names)]

    def failure(self) -> str | None:
        """In which measures runs are significantly worse than the first one, if that is not allowed."""
        worse = [
            f"{self.names[loser]} is worse than {self.names[0]} in {measure}"
            for measure in self.reports[0].measures
            for loser in self.beats(0, measure)
        ]
        return "; ".join(worse) if self.fail_if_worse and worse else None

    def display(self, medium: Medium = "terminal") -> Display:
        """The tables, figures and notes that are shown."""
        from rollcall.score._display import comparison_display

        return comparison_display(self, medium)

    def as_json(self) -> dict[str, object]:
        """All figures and tests as plain values."""
        from rollcall.score._data import comparison_json

        return comparison_json(self)

    def records(self) -> Table:
        """A row for each figure of each run."""
        from rollcall.score._data import comparison_records

        return comparison_records(self)

    def verdicts(self) -> Table:
        """A row for each answer of each question of each run: found, missed, wrong, repeated or neutral."""
        from rollcall.score._data import verdict_records

        return verdict_records(zip(self.names, self.reports, strict=True))

    def to_frame(self, rows: "ComparisonRows" = "figures") -> "pd.DataFrame":
        """A pandas table with a row for each run's figures, for each of the `differences`, or of the
        `questions` or their `answers`.
        """
        from rollcall.score._data import comparison_frame

        return comparison_frame(self, rows)

    def to_html(self) -> str:
        """The page of the comparison with every question, which needs no other file."""
        from rollcall.score._page import scored_html

        return scored_html(self.display("html"), list(zip(self.names, self.reports, strict=True)))

    def __repr__(self) -> str:
        from rollcall.score._display import comparison_text

        return comparison_text(self)


def letter(run: int) -> str:
    """A run's mark: a, b, …, z, then a1, b1, …"""
    turn, offset = divmod(run, len(ascii_lowercase))
    return ascii_lowercase[offset] + (str(turn) if turn else "")


def compare_reports(reports: list[Report], names: list[str], options: CompareOptions) -> Comparison:
    """Test every pair of runs, scored by the same options, on every measure."""
    _check_trials(reports)
    _same_measures(reports)
    measures = reports[0].measures
    ratios = [ratio(column, report.clusters) for report in reports for column in report.columns]
    tested = [
        (measure, first, second)
        for measure in measures
        for first, second in combinations(range(len(reports)), 2)
    ]
    places = [
        (first * len(measures) + measures.index(measure), second * len(measures) + measures.index(measure))
        for measure, first, second in tested
    ]
    draws = options.resamples
    if draws is None:
        draws = enough_draws(_raised_by(len(tested), options), options.level)
    p_values = compare_ratios(ratios, places, resamples=draws, seed=options.seed, test=options.test)
    differences = [
        Difference(first, second, measure, _less(ratios[a].value, ratios[b].value), values)
        for (measure, first, second), (a, b), values in zip(tested, places, p_values, strict=True)
    ]
    raised = corrected(
        [difference.p_values.by(options.test) for difference in differences], options.correction
    )
    for difference, p in zip(differences, raised, strict=True):
        difference.corrected_p = p
    warnings = _out_of_reach(options, draws, len(tested), len(reports[0].clusters))
    return Comparison(
        names,
        reports,
        differences,
        options.test,
        options.correction,
        options.level,
        draws,
        options.fail_if_worse,
        warnings,
    )


def _check_trials(reports: list[Report]) -> None:
    """Refuse runs with different numbers of trials: their figures are of different pairs."""
    asked = [[question.id for question, _ in report.pairs] for report in reports]
    if any(ids != asked[0] for ids in asked):
        raise RollcallError(
            "the runs have different trials; runs are compared on the same questions with the same number of "
            "trials each"
        )


def _raised_by(comparisons: int, options: CompareOptions) -> int:
    """The factor by which the correction multiplies the smallest p-value."""
    return 1 if options.correction == "none" else comparisons


def _out_of_reach(options: CompareOptions, draws: int, comparisons: int, clusters: int) -> list[str]:
    """A warning if not even the largest difference could be significant."""
    factor = _raised_by(comparisons, options)
    if options.test == "t" or clusters < 2:
        return []
    raised = f", or {{:.3g}} after the correction for {comparisons} comparisons" if factor > 1 else ""
    if options.test == "permutation" and is_exact(clusters, draws):
        least = 2.0 ** (1 - clusters)
        why = f"{clusters} clusters can be swapped in {2**clusters} ways: no p-value is below {least:.3g}"
        help_ = "more clusters are needed, or --test t"
    else:
        least = 1 / (draws + 1)
        why = f"{draws} samples give no p-value below {least:.3g}"
        help_ = f"give --resamples {math.ceil(2 * factor / options.level)} or more"
    if least * factor < options.level:
        return []
    return [f"nothing can be significant: {why}{raised.format(min(1.0, least * factor))}; {help_}"]


def _less(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _same_measures(reports: list[Report]) -> None:
    """Keep the measures that can be computed for all runs (not every run records its time)."""
    shared = [m for m in reports[0].measures if all(m in report.measures for report in reports)]
    for report in reports:
        report.columns = [column for column in report.columns if column.measure in shared]
        report.figures = {measure: report.figures[measure] for measure in shared}
        for groups in report.by.values():
            for key, group in groups.items():
                kept = {measure: figure for measure, figure in group.figures.items() if measure in shared}
                groups[key] = FigureGroup(group.n, kept)


def run_names(runs: Sequence[Predictions], loaded: Sequence[Run]) -> list[str]:
    """The runs' file names without suffixes; with their folders if two are the same."""
    short = [
        Path(run).name.split(".")[0] if isinstance(run, str | Path) else loaded_run.name or f"run {index + 1}"
        for index, (run, loaded_run) in enumerate(zip(runs, loaded, strict=True))
    ]
    if len(set(short)) == len(short):
        return short
    return [str(run) if isinstance(run, str | Path) else name for run, name in zip(runs, short, strict=True)]
