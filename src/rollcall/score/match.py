"""The result of matching one question: which predictions name which gold answers.

A resolution pairs predictions with answers. A match has the figures that follow from it by a profile's rules
for edge cases. Measures of answers use only matches, so every measure means the same under every profile.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

WRONG = -1
NOTHING: Mapping[str, float] = MappingProxyType({})


class Resolution(NamedTuple):
    """The predictions and gold answers that count, and how they are paired."""

    predictions: list[str]
    """Each prediction that counts, as the system wrote it."""
    owners: list[int]
    """For each of them, the gold answer it names, by position in `gold`, or WRONG."""
    gold: list[str]
    """The label of each gold answer that counts."""
    found: list[bool]
    """For each of them, whether some prediction names it."""
    repeated: Sequence[str] = ()
    """Predictions that name an answer already named, under profiles that count an answer once."""
    own: Mapping[str, float] = NOTHING
    """Figures that only this profile defines, such as those of the cells of a table, by name."""
    judged: bool = True
    """Whether there is a verdict at all; a language model that judges may give none."""
    note: str = ""
    """Why nothing could be compared, if nothing could."""


class Match(NamedTuple):
    """The figures of one question under one profile."""

    precision: float
    recall: float
    f1: float
    exact: bool
    """Whether prediction and gold are the same set."""
    right: bool
    """Whether any prediction is right."""
    found: int
    gold: int
    in_means: bool = True
    """Whether the question counts in the means of precision, recall and F1 (RoMQA leaves some out)."""
    own: Mapping[str, float] = NOTHING
    """Figures that only this profile defines, by name; a question that lacks one does not count in it."""
    judged: bool = True
    """Whether the question counts in any measure of answers."""


def harmonic(precision: float, recall: float) -> float:
    """F1; 0 if either part is 0."""
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def rated(precision: float, recall: float, resolution: Resolution, *, in_means: bool = True) -> Match:
    """A match with the given precision and recall; the rest follows from the resolution."""
    wrong = resolution.owners.count(WRONG)
    found = resolution.found.count(True)
    return Match(
        precision,
        recall,
        harmonic(precision, recall),
        exact=not wrong and found == len(resolution.gold),
        right=len(resolution.owners) > wrong,
        found=found,
        gold=len(resolution.gold),
        in_means=in_means,
        own=resolution.own,
        judged=resolution.judged,
    )
