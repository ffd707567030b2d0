"""A report: the figures of one run, and everything needed to break them down and show them.

It has every measure's value for every question, so a breakdown or a page can be made later without matching
again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.report import Display, Rendered, Table
from rollcall.report.values import Medium
from rollcall.score.figures import FigureGroup, FigureValue, MeasureColumn, figures
from rollcall.score.measure import Measure
from rollcall.score.neutral import NeutralHandling
from rollcall.score.options import GoldSetting
from rollcall.score.pairing import Unmatched
from rollcall.score.profile import Profile

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.score._data import ReportRows
    from rollcall.score.breakdown import Robustness
    from rollcall.score.expansion import FigureVariants
    from rollcall.score.incomplete.bounds import Incomplete


@dataclass(repr=False)
class Report(Rendered):
    """The result of scoring: `figures`, and the data needed to examine them."""

    profile: Profile
    setting: GoldSetting
    pairs: Sequence[tuple[Question, Prediction | None]]
    columns: list[MeasureColumn]
    clusters: list[list[int]]
    unmatched: Unmatched
    warnings: list[str]
    confidence: float | None = None
    """The confidence of the intervals; None for no intervals."""
    name: str = ""
    reading: str = ""
    """How the gold was read, if it was a file or table."""
    figures: dict[Measure, FigureValue] = field(default_factory=dict)
    by: dict[str, dict[str, FigureGroup]] = field(default_factory=dict)
    robustness: "Robustness | None" = None
    variants: "list[FigureVariants]" = field(default_factory=list)
    incomplete: "Incomplete | None" = None
    """What is known about the true figures, if something is known about what the gold lacks."""
    required: dict[Measure, float] = field(default_factory=dict)
    """The least figures with which a command does not fail."""
    neutral: NeutralHandling | None = None
    """How neutral answers were handled, if the questions have any."""

    @property
    def n(self) -> int:
        return len(self.pairs)

    @property
    def measures(self) -> list[Measure]:
        return [column.measure for column in self.columns]

    @property
    def by_run(self) -> dict[str, dict[str, list[FigureGroup]]]:
        """The breakdowns in the form that those of a comparison have."""
        return {name: {key: [group] for key, group in groups.items()} for name, groups in self.by.items()}

    def __getitem__(self, measure: str) -> FigureValue:
        """A figure by its measure's name: `report["F1"].value`."""
        return self.figures[Measure.parse(measure)]

    def over(self, clusters: Sequence[Sequence[int]]) -> list[FigureValue]:
        """The figure of every measure over some of the questions, grouped in clusters."""
        return figures(self.columns, clusters, confidence=self.confidence)

    def failure(self) -> str | None:
        """Which figures are lower than required."""
        low = [
            f"{measure} is {'undefined' if value is None else f'{value:.4g}'}, below {least:g}"
            for measure, least in self.required.items()
            if (value := self.figures[measure].value) is None or value < least
        ]
        return "; ".join(low) or None

    def display(self, medium: Medium = "terminal") -> Display:
        """The tables, figures and notes that are shown."""
        from rollcall.score._display import report_display

        return report_display(self, medium)

    def as_json(self) -> dict[str, object]:
        """All figures as plain values."""
        from rollcall.score._data import report_json

        return report_json(self)

    def records(self) -> Table:
        """A row for each figure, including those of groups."""
        from rollcall.score._data import report_records

        return report_records(self)

    def verdicts(self) -> Table:
        """A row for each answer of each question: found, missed, wrong, repeated or neutral."""
        from rollcall.score._data import verdict_records

        return verdict_records([(self.name, self)])

    def to_frame(self, rows: "ReportRows" = "figures") -> "pd.DataFrame":
        """A pandas table with a row for each figure, including those of groups, for each of the `questions`,
        or for each of their `answers`.
        """
        from rollcall.score._data import report_frame

        return report_frame(self, rows)

    def to_html(self) -> str:
        """The page of the report with every question, which needs no other file."""
        from rollcall.score._page import scored_html

        return scored_html(self.display("html"), [(self.name, self)])

    def __repr__(self) -> str:
        from rollcall.score._display import report_text

        return report_text(self)
