"""Rollcall builds, audits and scores question sets whose answers are sets.

Public names are imported on first use, so that `import rollcall` is fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rollcall.version import __version__ as __version__

if TYPE_CHECKING:
    from rollcall._core.errors import RollcallError
    from rollcall.audit.drift.verbs import diff
    from rollcall.audit.verbs import audit
    from rollcall.build import build
    from rollcall.corpus import Corpus, make_corpus
    from rollcall.extract.verb import extract
    from rollcall.graph import Graph, write_graph
    from rollcall.query import (
        Query,
        argmax,
        argmin,
        count,
        distinct,
        entity,
        instances,
        maximum,
        minimise,
        minimum,
        number,
        parse_value,
    )
    from rollcall.questions import QuestionSet, Run
    from rollcall.score.report import Report
    from rollcall.score.verbs import compare, expand, score
    from rollcall.studio.verbs import annotate
    from rollcall.systems.train.verb import train
    from rollcall.systems.verbs import retrieve, run

__all__ = [
    "Corpus",
    "Graph",
    "Query",
    "QuestionSet",
    "Report",
    "RollcallError",
    "Run",
    "__version__",
    "annotate",
    "argmax",
    "argmin",
    "audit",
    "build",
    "compare",
    "count",
    "diff",
    "distinct",
    "entity",
    "expand",
    "extract",
    "instances",
    "make_corpus",
    "maximum",
    "minimise",
    "minimum",
    "number",
    "parse_value",
    "retrieve",
    "run",
    "score",
    "train",
    "write_graph",
]

_HOMES = {
    "Corpus": "rollcall.corpus",
    "Graph": "rollcall.graph",
    "QuestionSet": "rollcall.questions",
    "Report": "rollcall.score.report",
    "RollcallError": "rollcall._core.errors",
    "Run": "rollcall.questions",
    "annotate": "rollcall.studio.verbs",
    "audit": "rollcall.audit.verbs",
    "build": "rollcall.build.make",
    "compare": "rollcall.score.verbs",
    "diff": "rollcall.audit.drift.verbs",
    "expand": "rollcall.score.verbs",
    "extract": "rollcall.extract.verb",
    "make_corpus": "rollcall.corpus",
    "retrieve": "rollcall.systems.verbs",
    "run": "rollcall.systems.verbs",
    "score": "rollcall.score.verbs",
    "train": "rollcall.systems.train.verb",
    "write_graph": "rollcall.graph",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'rollcall' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES.get(name, "rollcall.query")), name)
    globals().setdefault(name, value)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
