"""The measures by name. Each registers itself in its own file."""

import inspect
from typing import get_args

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Registry
from rollcall.score.measure_kind import (
    AnswerMeasure,
    CostMeasure,
    ListMeasure,
    MeasureKind,
    MeasureNeed,
    OwnMeasure,
    PassageMeasure,
    RecordMeasure,
)

_KINDS: tuple[type[MeasureKind], ...] = (
    AnswerMeasure,
    PassageMeasure,
    RecordMeasure,
    ListMeasure,
    CostMeasure,
    OwnMeasure,
)


def _lacks(thing: object) -> str | None:
    if not isinstance(thing, type) or not issubclass(thing, _KINDS):
        names = ", ".join(kind.__name__ for kind in _KINDS[:-1])
        return f"it is no subclass of {names} or {_KINDS[-1].__name__} of rollcall.score"
    if inspect.isabstract(thing):
        missing: frozenset[str] = getattr(thing, "__abstractmethods__", frozenset())
        return f"it has no method {', '.join(sorted(missing))}"
    known = get_args(MeasureNeed)
    if unknown := [need for need in thing.needs if need not in known]:
        return f"it needs {unknown[0]!r}; a measure may need {', '.join(known)}"
    return None


MEASURES: Registry[type[MeasureKind]] = Registry("measure", "measures", "rollcall.score.measures", _lacks)


def name_of(kind: type[MeasureKind]) -> str:
    """The name by which a class is found: its name in the registry, else `module:name`."""
    if "<locals>" in kind.__qualname__:
        raise RollcallError(
            f"{kind.__name__}: define a measure at the top of its module, so that it has a name"
        )
    known = (entry.name for entry in MEASURES if entry.thing is kind)
    return next(known, f"{kind.__module__}:{kind.__qualname__}")
