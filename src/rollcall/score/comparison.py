"""Comparing runs on the same questions: who beats whom, and would it hold on other questions?

Every pair of runs is tested on every measure, and the p-values of the whole table are corrected
together, because a table with twenty comparisons is expected to hold one fluke at 5 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from rollcall.errors import RollcallError
from rollcall.score.figures import ratio
from rollcall.score.measure import Measure
from rollcall.score.report import Report
from rollcall.score.scoring import Gold, Predictions, as_questions, as_run, score
from rollcall.score.significance import Correction, PValues, Test, compare_ratios, corrected


@dataclass
class Difference:
    """The first run's figure less the second's, and how sure that is."""

    first: int
    second: int
    measure: Measure
    value: float | None
    p_values: PValues
    corrected_p: float | None = None


@dataclass
class Comparison:
    """Reports of several runs on one gold set, with the tests of all pairs."""

    names: list[str]
    reports: list[Report]
    differences: list[Difference]
    test: Test
    correction: Correction
    level: float

    def beats(self, winner: int, measure: Measure) -> list[int]:
        """The runs that `winner` is significantly better than."""
        losers = []
        for one in self.differences:
            sure = one.corrected_p is not None and one.corrected_p < self.level
            if not sure or one.measure != measure or not one.value:
                continue
            better, worse = (one.first, one.second) if one.value > 0 else (one.second, one.first)
            if measure.base == "time":
                better, worse = worse, better
            if better == winner:
                losers.append(worse)
        return sorted(losers)

    def marks(self, run: int, measure: Measure) -> str:
        """The letters of the runs it beats."""
        return "".join(letter(loser) for loser in self.beats(run, measure))


def letter(run: int) -> str:
    """A run's mark: a, b, …, z, then a1, b1, …"""
    turn, place = divmod(run, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(turn) if turn else "")


def compare(
    gold: Gold,
    runs: Sequence[Predictions],
    *,
    names: Sequence[str] | None = None,
    test: Test = "permutation",
    correction: Correction = "holm",
    level: float = 0.05,
    **options: Any,
) -> Comparison:
    """Score every run and test every pair of them; options are those of `score`."""
    if len(runs) < 2:
        raise RollcallError("a comparison needs two runs or more; `rollcall score` scores one")
    if options.get("missing", "count") != "count":
        raise RollcallError("runs are compared on the same questions, so unanswered ones must count")
    questions = as_questions(gold)
    loaded = [as_run(run) for run in runs]
    reports = [score(questions, run, **options) for run in loaded]
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
    p_values = compare_ratios(ratios, places, resamples=reports[0].resamples, seed=reports[0].seed)
    differences = [
        Difference(first, second, measure, _less(ratios[a].value, ratios[b].value), found)
        for (measure, first, second), (a, b), found in zip(tested, places, p_values, strict=True)
    ]
    raised = corrected([one.p_values.by(test) for one in differences], correction)
    for difference, p in zip(differences, raised, strict=True):
        difference.corrected_p = p
    chosen = list(names) if names is not None else _names(runs, loaded)
    return Comparison(chosen, reports, differences, test, correction, level)


def _less(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _same_measures(reports: list[Report]) -> None:
    """Keep the measures all runs can be scored by (not every run says how long it took)."""
    shared = [m for m in reports[0].measures if all(m in report.measures for report in reports)]
    for report in reports:
        report.columns = [column for column in report.columns if column.measure in shared]
        report.figures = {measure: report.figures[measure] for measure in shared}


def _names(runs: Sequence[Predictions], loaded: Sequence[Any]) -> list[str]:
    """The runs' file names without suffixes; with their folders where two are the same."""
    short = [
        Path(run).name.split(".")[0] if isinstance(run, str | Path) else one.name or f"run {place + 1}"
        for place, (run, one) in enumerate(zip(runs, loaded, strict=True))
    ]
    if len(set(short)) == len(short):
        return short
    return [str(run) if isinstance(run, str | Path) else name for run, name in zip(runs, short, strict=True)]
