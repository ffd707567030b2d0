"""Measures as values: `F1`, `R>=0.8`, `P@10`, `ARecall@200`, `min(F1)` print and parse as themselves.

A measure is a base figure, optionally of the first k predictions or passages, optionally as the share of
questions that reach a threshold, optionally the worst case in a cluster. What each base means and where
it comes from stands here once and is what `rollcall measures` prints.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, NamedTuple

from rollcall.errors import RollcallError
from rollcall.score.match import Match, harmonic

Needs = Literal["answers", "passages", "seconds"]


class Base(NamedTuple):
    """A base figure: its meaning in one line, its source, and how a match gives it."""

    meaning: str
    source: str
    needs: Needs = "answers"
    cut: Literal["optional", "required", "never"] = "optional"
    value: Callable[[Match, int], float] = lambda match, cap: match.f1
    """What a match gives; the number is the cap of R-k and F1-k."""


def _capped_recall(match: Match, cap: int) -> float:
    return min(cap, match.found) / min(cap, match.gold) if match.gold else match.recall


BASES: dict[str, Base] = {
    "P": Base(
        "precision: share of the predictions that are right",
        "QAMPARI §4.2; @k: RoMQA §3.1",
        value=lambda match, cap: match.precision,
    ),
    "R": Base(
        "recall: share of the gold answers that are found",
        "QAMPARI §4.2",
        value=lambda match, cap: match.recall,
    ),
    "F1": Base(
        "harmonic mean of precision and recall, per question",
        "QAMPARI §4.2",
        value=lambda match, cap: match.f1,
    ),
    "acc": Base(
        "accuracy: the predicted set is exactly the gold set",
        "RoMQA §3.1",
        value=lambda match, cap: float(match.exact),
    ),
    "EM": Base(
        "exact match: the first prediction names a gold answer",
        "What's in a Name? §2.3; Natural Questions",
        cut="never",
        value=lambda match, cap: float(match.right),
    ),
    "R-": Base(
        "recall where finding k answers is enough (R-5): min(k, found) / min(k, gold)",
        "ALCE",
        cut="never",
        value=_capped_recall,
    ),
    "F1-": Base(
        "F1 of precision and R-k (F1-5)",
        "ALCE",
        cut="never",
        value=lambda match, cap: harmonic(match.precision, _capped_recall(match, cap)),
    ),
    "ARecall": Base(
        "answer recall: share of the gold answers named in the first K retrieved passages",
        "QAMPARI §4.2",
        needs="passages",
        cut="required",
    ),
    "ERecall": Base(
        "evidence recall: share of an answer's evidence in the first K passages, mean over answers",
        "QAMPARI §4.2",
        needs="passages",
        cut="required",
    ),
    "time": Base(
        "seconds the system took, as its run says", "GraphQuestions Table 4", needs="seconds", cut="never"
    ),
}

_TEXT = re.compile(
    r"(?P<base>[A-Za-z]+1?-?)(?P<cap>(?<=-)[0-9]+)?(?:@(?P<cut>[0-9]+))?(?:>=(?P<threshold>[0-9.]+))?"
)
MOST = 10**9
"""The largest k of `@k` and `R-k`."""


@dataclass(frozen=True)
class Measure:
    """One figure to report; `str(measure)` parses back to an equal value."""

    base: str
    cut: int | None = None
    cap: int | None = None
    threshold: float | None = None
    worst: bool = False

    @classmethod
    def parse(cls, text: str) -> "Measure":
        """Read a measure as it prints.

        >>> Measure.parse("min(F1>=0.5)")
        Measure(base='F1', cut=None, cap=None, threshold=0.5, worst=True)
        """
        given = "".join(text.split())
        if given.startswith("min(") and given.endswith(")"):
            if given.startswith("min(", 4):
                raise RollcallError(f"measure {text!r:.80}: a worst case has no worst case")
            return replace(cls.parse(given[4:-1]), worst=True)
        found = _TEXT.fullmatch(given)
        if found is None or found["base"] not in BASES:
            raise RollcallError(
                f"measure {text!r:.80} is not known; `rollcall measures` lists those that are"
            )
        return cls(
            found["base"], _number(found["cut"]), _number(found["cap"]), _threshold(found["threshold"])
        )

    def __post_init__(self) -> None:
        if (wrong := self._fault()) is not None:
            raise RollcallError(f"measure {str(self)!r:.80}: {wrong}")

    def _fault(self) -> str | None:
        """Why these parts make no measure, if they do not: what is not refused prints and parses back."""
        base = BASES.get(self.base)
        if base is None:
            return "is not known; `rollcall measures` lists those that are"
        if any(number is not None and not 1 <= number <= MOST for number in (self.cut, self.cap)):
            return f"k must be 1 or more, and at most {MOST}"
        if self.base.endswith("-") and self.cap is None:
            return f"give the number of answers that is enough, as in {self.base}5"
        if self.cap is not None and not self.base.endswith("-"):
            return "only R- and F1- take a number of answers that is enough"
        if base.cut == "required" and self.cut is None:
            return f"give the number of passages, as in {self.base}@200"
        if base.cut == "never" and self.cut is not None:
            return f"{self.base} takes no @k"
        if self.threshold is not None and (self.base == "time" or not 0 < self.threshold <= 1):
            return "a threshold lies above 0 and at most at 1, of a share"
        return "the worst case of time is not defined" if self.worst and self.base == "time" else None

    def __str__(self) -> str:
        text = self.base + ("" if self.cap is None else str(self.cap))
        text += "" if self.cut is None else f"@{self.cut}"
        text += "" if self.threshold is None else f">={plain_decimal(self.threshold)}"
        return f"min({text})" if self.worst else text

    @property
    def needs(self) -> Needs:
        return BASES[self.base].needs

    @property
    def predictions_cut(self) -> int | None:
        """How many predictions it looks at; None for all of them."""
        if self.needs != "answers":
            return None
        return 1 if self.base == "EM" else self.cut

    @property
    def skips_empty_gold(self) -> bool:
        """Whether RoMQA's rule for questions without gold applies: all but set accuracy."""
        return self.base != "acc"

    def values(self, matches: Sequence[Match]) -> list[float]:
        """The figure of each question, its threshold applied."""
        value, cap = BASES[self.base].value, self.cap or 0
        found = [value(match, cap) for match in matches]
        return found if self.threshold is None else [self.reached(one) for one in found]

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


def _number(text: str | None) -> int | None:
    """A number of digits; one of more than any k has counts as too large."""
    if text is None:
        return None
    digits = text.lstrip("0")
    return int(digits or "0") if len(digits) < 20 else 10 * MOST


def _threshold(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError as error:
        raise RollcallError(f"threshold {text!r:.80} is not a number") from error
