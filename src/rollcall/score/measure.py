"""Measures as values: `F1`, `R>=0.8`, `P@10`, `R-5`, `ARecall@200`, `min(F1)`, `tokens/right` are printed and
parsed unchanged.

A measure is a name of the registry (or a `module:name`) with parameters. The parser knows how parameters are
written; each measure declares which of them it takes.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.score.measures import MEASURES, MeasureKind, MeasureNeed, MeasureParameters, name_of
from rollcall.score.pairing import Pairs

_WORD = r"[^\W\d][\w.]*(?:[-/][^\W\d][\w.]*)*"
_NAME = re.compile(rf"{_WORD}(?::{_WORD})?")
_TEXT = re.compile(
    rf"(?P<name>{_NAME.pattern})(?:-(?P<cap>[0-9]+))?(?:@(?P<cut>[0-9]+))?(?:>=(?P<threshold>[0-9.]+))?"
)
MOST = 10**9
"""The largest k of `@k` and `-k`."""
LONGEST = 1000
"""The most characters of a measure's text."""
_WRONG_NUMBER = f"k must be 1 or more, and at most {MOST}"


class _Parts(NamedTuple):
    """A name and its parameters; None for those not given."""

    name: str
    cut: int | None = None
    cap: int | None = None
    threshold: float | None = None
    worst: bool = False
    best: bool = False

    def fault(self) -> str | None:
        """Why these do not make a measure, or None; a measure that is not refused can be printed and parsed
        back.
        """
        if _NAME.fullmatch(self.name) is None:
            return "a name begins with a letter, and has letters, digits, '_', '.' and one ':' at most"
        try:
            kind = MEASURES.find(self.name)
        except RollcallError as error:
            return f"{error}; `rollcall measures` says what each means"
        if any(number is not None and not 1 <= number <= MOST for number in (self.cut, self.cap)):
            return _WRONG_NUMBER
        return _wrong_parameter(self, kind.parameters) or _wrong_form(self, kind)


def _wrong_parameter(parts: _Parts, takes: MeasureParameters) -> str | None:
    name = parts.name
    if takes.cap == "required" and parts.cap is None:
        return f"give the number of answers that is enough, as in {name}-5"
    if takes.cap == "never" and parts.cap is not None:
        return f"{name} takes no number of answers that is enough (-k)"
    if takes.cut == "required" and parts.cut is None:
        return f"give how many count, as in {name}@200"
    if takes.cut == "never" and parts.cut is not None:
        return f"{name} takes no @k"
    return None


def _wrong_form(parts: _Parts, kind: type[MeasureKind]) -> str | None:
    if parts.threshold is not None:
        if not kind.parameters.threshold or kind.unit:
            return f"{parts.name} takes no threshold"
        if not 0 < parts.threshold <= 1:
            return "a threshold lies above 0 and at most at 1"
    if parts.worst and parts.best:
        return "a measure is the worst of its cluster or the best, not both"
    if (parts.worst or parts.best) and (not kind.parameters.worst or kind.lower_is_better):
        return f"the {'worst' if parts.worst else 'best'} case of {parts.name} is not defined"
    return None


@dataclass(frozen=True)
class Measure:
    """One figure to report; `str(measure)` parses back to an equal value."""

    name: str
    cut: int | None = None
    cap: int | None = None
    threshold: float | None = None
    worst: bool = False
    best: bool = False

    @classmethod
    def parse(cls, text: str) -> "Measure":
        """Read a measure as it prints.

        >>> Measure.parse("min(F1>=0.5)")
        Measure(name='F1', cut=None, cap=None, threshold=0.5, worst=True, best=False)
        """
        try:
            parts = _parts("".join(text.split()))
        except ValueError as error:
            raise RollcallError(f"measure {_shown(text)}: {error}") from None
        if (wrong := parts.fault()) is not None:
            raise RollcallError(f"measure {_shown(text)}: {wrong}")
        return cls(*parts)

    @classmethod
    def of(cls, given: "str | Measure | type[MeasureKind]") -> "Measure":
        """A measure from its text, from its class, or unchanged."""
        if isinstance(given, type):
            return cls(name_of(given))
        return given if isinstance(given, Measure) else cls.parse(given)

    def __post_init__(self) -> None:
        wrong = _Parts(self.name, self.cut, self.cap, self.threshold, self.worst, self.best).fault()
        if wrong is not None:
            raise RollcallError(f"measure {_shown(str(self))}: {wrong}")

    def __str__(self) -> str:
        text = self.name + ("" if self.cap is None else f"-{self.cap}")
        text += "" if self.cut is None else f"@{self.cut}"
        text += "" if self.threshold is None else f">={plain_decimal(self.threshold)}"
        return f"min({text})" if self.worst else f"max({text})" if self.best else text

    @cached_property
    def kind(self) -> MeasureKind:
        """The class that computes it."""
        return MEASURES.find(self.name)(self.cut, self.cap)

    @property
    def extreme(self) -> Callable[[Iterable[float]], float] | None:
        """Which value of a cluster counts, if it is not their mean."""
        return min if self.worst else max if self.best else None

    @property
    def is_share(self) -> bool:
        """Whether its values are between 0 and 1, and are written as percentages."""
        return not self.kind.unit

    def reached(self, value: float) -> float:
        return value if self.threshold is None else float(value >= self.threshold)


def parse_measures(text: str) -> list[Measure]:
    """A list of measures, separated by commas or spaces, without repeats."""
    parts = [part for part in text.replace(",", " ").split() if part]
    if not parts:
        raise RollcallError("no measures given; `rollcall measures` lists those that are known")
    return list(dict.fromkeys(Measure.parse(part) for part in parts))


def plain_decimal(number: float) -> str:
    """A number by its fewest digits that read back as the same, without an exponent.

    >>> plain_decimal(0.8), plain_decimal(1e-7), plain_decimal(0.899999999)
    ('0.8', '0.0000001', '0.899999999')
    """
    return f"{Decimal(repr(float(number))).normalize():f}"


def _parts(given: str) -> _Parts:
    """The parts of a text without spaces; a ValueError says what is wrong with it."""
    case = given[:4]
    if case in ("min(", "max(") and given.endswith(")"):
        if given[4:8] in ("min(", "max("):
            raise ValueError("a worst case has no worst case, nor a best one")
        inside = _parts(given[4:-1])
        return inside._replace(worst=True) if case == "min(" else inside._replace(best=True)
    parts = _TEXT.fullmatch(given) if len(given) <= LONGEST else None
    if parts is None:
        raise ValueError(
            "is no measure: write a name and its parameters, as in F1, P@10, R-5, R>=0.8, min(F1); "
            "`rollcall measures` lists them"
        )
    return _Parts(parts["name"], _number(parts["cut"]), _number(parts["cap"]), _threshold(parts["threshold"]))


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if len(text.lstrip("0")) > len(str(MOST)):
        raise ValueError(_WRONG_NUMBER)
    return int(text)


def _threshold(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        raise ValueError(f"the threshold {text} is not a number") from None


def _shown(text: str) -> str:
    """The given text in quotes; only the beginning of a very long text."""
    return repr(text if len(text) <= 120 else f"{text[:100]}…")


# What measures need in predictions and gold, and the message if it is missing.


class _Requirement(NamedTuple):
    met: Callable[[Pairs], bool]
    otherwise: str
    """The message if it is not met."""


def _recorded(name: str, what: str) -> _Requirement:
    """A number that some prediction must have."""
    return _Requirement(
        lambda pairs: any(
            prediction is not None and getattr(prediction, name) is not None for _, prediction in pairs
        ),
        f"{{}} needs {name}, and the predictions do not say {what}",
    )


REQUIREMENTS: dict[MeasureNeed, _Requirement] = {
    "answers": _Requirement(lambda pairs: True, ""),  # a system may give no answers
    "passages": _Requirement(
        lambda pairs: any(prediction is not None and prediction.retrieved for _, prediction in pairs),
        "{} needs retrieved passages, and the predictions hold none",
    ),
    "passage texts": _Requirement(
        lambda pairs: any(
            passage.text or passage.title
            for _, prediction in pairs
            if prediction is not None
            for passage in prediction.retrieved[:1]
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
    return next((requirement.otherwise.format(measure) for requirement in missing), None)


def check_needs(measure: Measure, pairs: Pairs) -> None:
    if (missing := lacking(measure, pairs)) is not None:
        raise RollcallError(missing)
