"""A report: the figures of one run, and everything needed to break them down and show them.

It keeps every measure's value for every question, so that a breakdown or a page can be made later
without matching anything again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.score.columns import GoldSetting
from rollcall.score.figures import Column, Figure, Group, figures
from rollcall.score.measure import Measure
from rollcall.score.pairing import Unmatched
from rollcall.score.profile import Profile

if TYPE_CHECKING:
    from rollcall.score.robustness import Robustness
    from rollcall.score.side_by_side import SideBySide


@dataclass
class Report:
    """What scoring found; `figures` is the answer, the rest is how to look into it."""

    profile: Profile
    setting: GoldSetting
    pairs: Sequence[tuple[Question, Prediction | None]]
    columns: list[Column]
    clusters: list[list[int]]
    unmatched: Unmatched
    warnings: list[str]
    confidence: float | None = None
    """What the intervals are to cover; None where there are none."""
    name: str = ""
    reading: str = ""
    """How the gold was read, where a file or table was."""
    figures: dict[Measure, Figure] = field(default_factory=dict)
    by: dict[str, dict[str, Group]] = field(default_factory=dict)
    robustness: "Robustness | None" = None
    variants: "list[SideBySide]" = field(default_factory=list)

    @property
    def n(self) -> int:
        return len(self.pairs)

    @property
    def measures(self) -> list[Measure]:
        return [column.measure for column in self.columns]

    def __getitem__(self, measure: str) -> Figure:
        """A figure by its measure's name: `report["F1"].value`."""
        return self.figures[Measure.parse(measure)]

    def over(self, clusters: Sequence[Sequence[int]]) -> list[Figure]:
        """The figure of every measure over some of the questions, grouped in clusters."""
        return figures(self.columns, clusters, confidence=self.confidence)

    def as_json(self) -> dict[str, Any]:
        from rollcall.score.output.json import report_json

        return report_json(self)
