"""Scores that can be compared: measures as values, profiles that fix the matching, reports with intervals.

The verbs are `score`, `compare` and `expand`; everything is imported on first use. The package itself can be
called, because `rollcall.score` is both its name and that of the verb.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from rollcall.verb_package import VerbPackage

if TYPE_CHECKING:
    from rollcall.score.comparison import Comparison as Comparison
    from rollcall.score.measure import Measure as Measure
    from rollcall.score.measure import parse_measures as parse_measures
    from rollcall.score.profiles import PROFILES as PROFILES
    from rollcall.score.report import Report as Report
    from rollcall.score.verbs import compare as compare
    from rollcall.score.verbs import expand as expand
    from rollcall.score.verbs import score as score

_HOMES = {
    "Comparison": "comparison",
    "compare": "verbs",
    "expand": "verbs",
    "Measure": "measure",
    "PROFILES": "profiles",
    "Report": "report",
    "parse_measures": "measure",
    "score": "verbs",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'rollcall.score' has no attribute {name!r}")
    return getattr(import_module(f"rollcall.score.{_HOMES[name]}"), name)


sys.modules[__name__].__class__ = VerbPackage
