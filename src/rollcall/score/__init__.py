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
    from rollcall.score.match import Match as Match
    from rollcall.score.match import Resolution as Resolution
    from rollcall.score.measure import Measure as Measure
    from rollcall.score.measure import parse_measures as parse_measures
    from rollcall.score.measure_kind import AnswerMeasure as AnswerMeasure
    from rollcall.score.measure_kind import CostMeasure as CostMeasure
    from rollcall.score.measure_kind import ListMeasure as ListMeasure
    from rollcall.score.measure_kind import MeasureParameters as MeasureParameters
    from rollcall.score.measure_kind import OwnMeasure as OwnMeasure
    from rollcall.score.measure_kind import PassageMeasure as PassageMeasure
    from rollcall.score.measure_kind import RecordMeasure as RecordMeasure
    from rollcall.score.measures import MEASURES as MEASURES
    from rollcall.score.profile import Profile as Profile
    from rollcall.score.profiles import PROFILES as PROFILES
    from rollcall.score.profiles import open_profile as open_profile
    from rollcall.score.report import Report as Report
    from rollcall.score.retrieval import Retrieval as Retrieval
    from rollcall.score.verbs import compare as compare
    from rollcall.score.verbs import expand as expand
    from rollcall.score.verbs import score as score

_HOMES = {
    "AnswerMeasure": "measure_kind",
    "Comparison": "comparison",
    "Judge": "judging",
    "ListMeasure": "measure_kind",
    "CostMeasure": "measure_kind",
    "OwnMeasure": "measure_kind",
    "MEASURES": "measures",
    "Match": "match",
    "compare": "verbs",
    "expand": "verbs",
    "Measure": "measure",
    "PROFILES": "profiles",
    "MeasureParameters": "measure_kind",
    "PassageMeasure": "measure_kind",
    "Profile": "profile",
    "RecordMeasure": "measure_kind",
    "Report": "report",
    "Resolution": "match",
    "Retrieval": "retrieval",
    "open_profile": "profiles",
    "parse_measures": "measure",
    "score": "verbs",
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)

sys.modules[__name__].__class__ = VerbPackage
