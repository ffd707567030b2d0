"""Scores that can be compared: measures as values, profiles that fix the matching, reports with intervals.

`score` and `compare` are the two verbs; everything is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison as Comparison
    from rollcall.score.comparison import compare as compare
    from rollcall.score.expansion import expand as expand
    from rollcall.score.measure import Measure as Measure
    from rollcall.score.measure import parse_measures as parse_measures
    from rollcall.score.profiles import PROFILES as PROFILES
    from rollcall.score.report import Report as Report
    from rollcall.score.scoring import score as score

_HOMES = {
    "Comparison": "comparison",
    "compare": "comparison",
    "expand": "expansion",
    "Measure": "measure",
    "PROFILES": "profiles",
    "Report": "report",
    "parse_measures": "measure",
    "score": "scoring",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rollcall.score' has no attribute {name!r}")
    return getattr(import_module(f"rollcall.score.{_HOMES[name]}"), name)
