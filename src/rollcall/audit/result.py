"""The result of an audit: the quality card, and how it prints, shows itself in a notebook, and is written."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall import __version__
from rollcall.audit.quality import QualityCard, write_audit
from rollcall.report import Display, Heading, Rendered, Table
from rollcall.report.values import Medium

if TYPE_CHECKING:
    import pandas as pd

    from rollcall.audit.lacking import ErrorPlan, Lacking


class Audit(Rendered):
    """What an audit found: `quality` has every check, `failures` what is above its threshold."""

    def __init__(self, quality: QualityCard, name: str = "", reading: str = ""):
        self.quality = quality
        self.name = name
        """What the set is called."""
        self.reading = reading
        """How the set was read, if it was a file."""
        self.lacking: Lacking | None = None
        """How complete the set is, and candidates for missing answers, if that was asked for."""
        self.errors: ErrorPlan | None = None
        """Which errors of runs to judge, if a plan was asked for."""

    @property
    def failures(self) -> list[str]:
        """One line for each check above its threshold; empty if the set passes."""
        return self.quality.failures

    def as_json(self) -> dict[str, object]:
        """Everything as plain values."""
        return {
            "rollcall": __version__,
            "set": self.name,
            **({"read": self.reading} if self.reading else {}),
            "questions": self.quality.questions,
            "failures": self.failures,
            "quality": quality_json(self.quality),
            **({} if self.lacking is None else {"completeness": lacking_json(self.lacking)}),
            **({} if self.errors is None else {"plan": plan_json(self.errors)}),
        }

    def display(self, medium: Medium = "terminal") -> Display:
        """What the checks found, with two examples of each on the terminal; other media have all."""
        from rollcall.audit._display import audit_display, failure_notes

        if medium in ("terminal", "notebook"):
            return audit_display(self, examples=2)
        whole = audit_display(self)
        return msgspec.structs.replace(whole, parts=(*failure_notes(self), *whole.parts))

    def records(self) -> Table:
        """A row for each check."""
        names = ("check", "severity", "unit", "examined", "found", "share", "low", "high", "skipped")
        rows = [
            [
                *(one.check, one.severity, one.unit, one.examined, one.found, one.share),
                *(one.interval or (None, None)),
                one.skipped,
            ]
            for one in self.quality.results
        ]
        return Table("", tuple(map(Heading, names)), rows)

    def to_frame(self) -> "pd.DataFrame":
        """One row for each check, as a pandas data frame."""
        from rollcall._core.packages import data_frame

        return data_frame([{**msgspec.to_builtins(one), "share": one.share} for one in self.quality.results])

    def save(self, folder: Path | str) -> None:
        """Write the audit as a folder, replacing an older one; judgments that are there stay."""
        write_audit(self, Path(folder))

    def failure(self) -> str | None:
        """What is above its threshold."""
        name = self.name or "the set"
        return f"{name} fails its audit: {'; '.join(self.failures)}" if self.failures else None

    def __repr__(self) -> str:
        from rollcall.audit._display import audit_text

        return audit_text(self)


def lacking_json(found: "Lacking") -> dict[str, object]:
    """What a set lacks as plain values; candidates are counted, and have a file of their own."""
    return {
        "report": msgspec.to_builtins(found.report),
        "why_not": found.why_not,
        "relations": msgspec.to_builtins(found.relations),
        "candidates": len(found.missing),
        "expected_right": sum(one.chance for one in found.missing),
        "judged": len(found.judged),
    }


def plan_json(errors: "ErrorPlan") -> dict[str, object]:
    """A plan for judging as plain values."""
    return {**asdict(errors.plan), "more": errors.plan.more}


def quality_json(card: QualityCard) -> dict[str, object]:
    """A quality card as plain values, with the share of every check."""
    return {
        "questions": card.questions,
        "thresholds": card.thresholds,
        "failures": card.failures,
        "checks": {
            one.check: {
                **{key: value for key, value in msgspec.to_builtins(one).items() if key != "check"},
                "examined": one.examined,
                "found": one.found,
                "share": one.share,
            }
            for one in card.results
        },
    }
