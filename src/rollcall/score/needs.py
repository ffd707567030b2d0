"""What measures need in predictions and gold, and the message if it is missing."""

from collections.abc import Callable
from typing import NamedTuple

from rollcall.errors import RollcallError
from rollcall.score.measure import Measure
from rollcall.score.measure_kind import MeasureNeed
from rollcall.score.pairing import Pairs


class _Requirement(NamedTuple):
    met: Callable[[Pairs], bool]
    otherwise: str
    """The message if it is not met."""


def _recorded(name: str, what: str) -> _Requirement:
    """A number that some prediction must have."""
    return _Requirement(
        lambda pairs: any(said is not None and getattr(said, name) is not None for _, said in pairs),
        f"{{}} needs {name}, and the predictions do not say {what}",
    )


REQUIREMENTS: dict[MeasureNeed, _Requirement] = {
    "answers": _Requirement(lambda pairs: True, ""),  # a system may give no answers
    "passages": _Requirement(
        lambda pairs: any(said is not None and said.retrieved for _, said in pairs),
        "{} needs retrieved passages, and the predictions hold none",
    ),
    "passage texts": _Requirement(
        lambda pairs: any(
            passage.text or passage.title
            for _, said in pairs
            if said is not None
            for passage in said.retrieved[:1]
        ),
        "{} looks for answers in passages, and those retrieved have no text",
    ),
    "evidence": _Requirement(
        lambda pairs: any(
            answer.evidence for question, _ in pairs for answer in (*question.answers, *question.candidates)
        ),
        "{} needs evidence, and no gold answer has any",
    ),
    "seconds": _recorded("seconds", "how long they took"),
    "tokens": _recorded("tokens", "how many they took (a number under `tokens`)"),
    "money": _recorded("money", "what they cost (a number under `money`)"),
    "steps": _recorded("steps", "how many they took (a number under `steps`)"),
}


def lacking(measure: Measure, pairs: Pairs) -> str | None:
    """Why a measure cannot be computed, if it cannot."""
    missing = (REQUIREMENTS[need] for need in measure.kind.needs if not REQUIREMENTS[need].met(pairs))
    return next((one.otherwise.format(measure) for one in missing), None)


def check_needs(measure: Measure, pairs: Pairs) -> None:
    if (missing := lacking(measure, pairs)) is not None:
        raise RollcallError(missing)
