"""What is known about true figures: the records that reports and comparisons carry."""

from dataclasses import dataclass
from typing import NamedTuple

from rollcall.questions.completeness import Completeness
from rollcall.score.incomplete.bounds import Bounds
from rollcall.score.incomplete.corrected import Corrected
from rollcall.score.measure import Measure


class TrueFigure(NamedTuple):
    """What is known about the true value of a figure, or of a difference of two."""

    bounds: Bounds | None = None
    """Without labels; None if completeness is not known."""
    corrected: Corrected | None = None
    """From judged errors; None if they do not suffice."""


@dataclass
class Incomplete:
    """The true figures of a report, and what they rest on."""

    completeness: Completeness | None
    figures: dict[Measure, TrueFigure]
    errors: int = 0
    """Different errors of the run."""
    drawn: int = 0
    """Errors that were drawn at random and judged."""
    known: int = 0
    """Errors that were judged for another reason."""
    guessed: int = 0
    """Errors that a machine judged."""
