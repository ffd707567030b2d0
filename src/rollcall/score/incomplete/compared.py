"""Adds to a comparison what is known of true figures and of their differences."""

from typing import TYPE_CHECKING

from rollcall.score.incomplete.difference_bounds import difference_bounds
from rollcall.score.incomplete.differences import System, corrected_difference, shared_errors
from rollcall.score.incomplete.knowledge import Knowledge
from rollcall.score.incomplete.missing_answers import missing_groups
from rollcall.score.incomplete.report_figures import CONFIDENCE, add_true_figures, plain_measures
from rollcall.score.incomplete.results import TrueFigure

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison


def add_true_differences(comparison: "Comparison", knowledge: Knowledge) -> None:
    """Say of each run and each pair what is known with complete gold."""
    systems = [System(*add_true_figures(report, knowledge)) for report in comparison.reports]
    first = comparison.reports[0]
    measures, sure = plain_measures(first), first.confidence or CONFIDENCE
    about = knowledge.completeness
    groups = None if about is None else missing_groups(systems[0].counts, about)
    for one in comparison.differences:
        name = measures.get(one.measure)
        if name is None:
            continue
        pair = systems[one.first], systems[one.second]
        bounds = None
        if groups is not None:
            bounds = difference_bounds(name, pair[0].counts, pair[1].counts, shared_errors(*pair), groups)
        found = None
        if knowledge.judgments:
            found = corrected_difference(name, *pair, about, first.clusters, sure)
        one.true = TrueFigure(bounds, found)
