"""Comparisons in a question ("founded before 1880", "more than 57 …"), and the values that satisfy them."""

from collections.abc import Iterable
from typing import NamedTuple

from rollcall.query.values import Bounds, Date, Number
from rollcall.systems.ask.values_in_text import values_in
from rollcall.systems.read.passage_sentences import ReadSentence
from rollcall.systems.read.question_words import cues
from rollcall.systems.read.support import strength
from rollcall.systems.retrieve.analysis import terms

COMPARED = (
    "compared",
    "first value",
    "share of values",
    "value beside the cues",
    "values beside its name",
    "values",
)

_BEFORE = 40
"""Characters before a value in which the words stand that say what is compared."""


class Comparison(NamedTuple):
    """A value that others are compared with."""

    comparator: str
    bounds: Bounds
    cues: frozenset[str]
    """The stems of the words before it."""

    def satisfied(self, found: Bounds) -> bool:
        """Whether a value satisfies it; of a span, the whole must."""
        low, high = self.bounds.low, self.bounds.high
        match self.comparator:
            case ">":
                return found.low > high
            case ">=":
                return found.low >= low
            case "<":
                return found.high < low
            case _:
                return found.high <= high


def comparison_in(question: str) -> Comparison | None:
    """The first comparison of a question; what may be a year or a number is a year."""
    found = [one for one in values_in(question) if one.comparator != "="]
    for one in sorted(found, key=lambda mention: (mention.start, not isinstance(mention.value, Date))):
        if isinstance(one.value, Date | Number):
            before = question[max(one.start - _BEFORE, 0) : one.start]
            return Comparison(one.comparator, one.value.bounds, cues(terms(before)))
    return None


def compared(
    comparison: Comparison | None, own: Iterable[ReadSentence], others: Iterable[ReadSentence]
) -> tuple[float, ...]:
    """The features of a possible answer: `own` are sentences of its page, `others` name it elsewhere."""
    if comparison is None:
        return (0.0,) * len(COMPARED)
    values = [
        (sign, strength(comparison.cues, one.cues)) for one in own for sign in _signs(comparison, one.text)
    ]
    beside = [sign for one in others for sign in _signs(comparison, one.text)]
    signs = [sign for sign, _ in values]
    return (
        1.0,
        signs[0] if signs else 0.0,
        _mean(signs),
        max(values, key=lambda pair: pair[1])[0] if values else 0.0,
        _mean(beside),
        float(len(values)),
    )


def _signs(comparison: Comparison, text: str) -> list[float]:
    """For each value in a text that can be compared, 1 if it satisfies the comparison, and -1 if not."""
    if not any(character.isdigit() for character in text):
        return []
    found = [one.value.bounds for one in values_in(text) if isinstance(one.value, Date | Number)]
    return [
        1.0 if comparison.satisfied(one) else -1.0
        for one in found
        if one.dimension == comparison.bounds.dimension
    ]


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
