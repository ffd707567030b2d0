"""Scoring: measures as values, profiles that define the matching, reports with intervals.

The functions are `score`, `compare` and `expand`; everything is imported on first use. The package itself can
be called, because `rollcall.score` is both its name and the name of the function.
"""

import sys
from typing import TYPE_CHECKING

from rollcall._core.packages import VerbPackage, names_on_first_use

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison as Comparison
    from rollcall.score.judging import Judge as Judge
    from rollcall.score.match import WRONG as WRONG
    from rollcall.score.match import Match as Match
    from rollcall.score.match import Resolution as Resolution
    from rollcall.score.match import rated as rated
    from rollcall.score.measure import Measure as Measure
    from rollcall.score.measure import parse_measures as parse_measures
    from rollcall.score.measures import MEASURES as MEASURES
    from rollcall.score.measures import AnswerMeasure as AnswerMeasure
    from rollcall.score.measures import CostMeasure as CostMeasure
    from rollcall.score.measures import ListMeasure as ListMeasure
    from rollcall.score.measures import MeasureParameters as MeasureParameters
    from rollcall.score.measures import OwnMeasure as OwnMeasure
    from rollcall.score.measures import PassageMeasure as PassageMeasure
    from rollcall.score.measures import RecordMeasure as RecordMeasure
    from rollcall.score.measures import Retrieval as Retrieval
    from rollcall.score.options import CompareOptions as CompareOptions
    from rollcall.score.options import ExpandOptions as ExpandOptions
    from rollcall.score.options import ScoreOptions as ScoreOptions
    from rollcall.score.profile import Predicted as Predicted
    from rollcall.score.profile import Profile as Profile
    from rollcall.score.profile import texts as texts
    from rollcall.score.profiles import PROFILES as PROFILES
    from rollcall.score.profiles import open_profile as open_profile
    from rollcall.score.report import Report as Report
    from rollcall.score.verbs import compare as compare
    from rollcall.score.verbs import expand as expand
    from rollcall.score.verbs import score as score

_HOMES = {
    "Comparison": "comparison",
    "Judge": "judging",
    **dict.fromkeys(("Match", "Resolution", "WRONG", "rated"), "match"),
    **dict.fromkeys(("Measure", "parse_measures"), "measure"),
    **dict.fromkeys(
        (
            *("AnswerMeasure", "CostMeasure", "ListMeasure", "MEASURES", "MeasureParameters"),
            *("OwnMeasure", "PassageMeasure", "RecordMeasure", "Retrieval"),
        ),
        "measures",
    ),
    **dict.fromkeys(("CompareOptions", "ExpandOptions", "ScoreOptions"), "options"),
    **dict.fromkeys(("Predicted", "Profile", "texts"), "profile"),
    **dict.fromkeys(("PROFILES", "open_profile"), "profiles"),
    "Report": "report",
    **dict.fromkeys(("compare", "expand", "score"), "verbs"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)

sys.modules[__name__].__class__ = VerbPackage
