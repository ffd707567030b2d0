"""A report as JSON: profile, number of questions, measures with intervals, breakdowns, what did not match.

These five keys are always present; others only if something was requested or needs a warning. Shares are
fractions, never percentages.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from rollcall.score.breakdown import RANK, share_of_first
from rollcall.score.figures import Figure, FigureGroup
from rollcall.score.measure import Measure
from rollcall.score.output.true_figures import true_json

if TYPE_CHECKING:
    from rollcall.score.incomplete.results import Incomplete
    from rollcall.score.report import Report
    from rollcall.score.robustness import Robustness
    from rollcall.score.side_by_side import SideBySide


def report_json(report: "Report") -> dict[str, object]:
    """The report as plain values, ready for any JSON encoder."""
    whole: dict[str, object] = {
        "profile": report.profile.name,
        "n": report.n,
        "measures": figures_json(report.figures, report.incomplete),
        "by": breakdowns_json(report.by),
        "unmatched": report.unmatched.as_json(),
    }
    if report.reading:
        whole["read"] = report.reading
    if report.setting != "complete":
        whole["gold"] = report.setting
    if report.incomplete is not None:
        whole["incomplete"] = _incomplete_json(report.incomplete)
    if report.robustness is not None:
        whole["robustness"] = _robustness_json(report.robustness)
    for variant in report.variants:
        whole[variant.key] = _side_by_side_json(variant)
    if report.warnings:
        whole["warnings"] = report.warnings
    return whole


def figures_json(
    figures: Mapping[Measure, Figure], incomplete: "Incomplete | None" = None
) -> dict[str, object]:
    """Every figure with its interval, and with what is known of its true value."""
    true = {} if incomplete is None else incomplete.figures
    return {
        str(measure): {
            "value": one.value,
            "ci": None if one.interval is None else list(one.interval),
            **(true_json(true[measure]) if measure in true else {}),
        }
        for measure, one in figures.items()
    }


def _incomplete_json(known: "Incomplete") -> dict[str, object]:
    """What the true figures rest on."""
    return {
        "completeness": None if known.completeness is None else msgspec.to_builtins(known.completeness),
        "errors": known.errors,
        "drawn": known.drawn,
        "known": known.known,
        "guessed": known.guessed,
    }


def breakdowns_json(by: Mapping[str, Mapping[str, FigureGroup]]) -> dict[str, object]:
    """The figures of every group of each breakdown."""
    return {name: _groups_json(name, groups) for name, groups in by.items()}


def _groups_json(name: str, groups: Mapping[str, FigureGroup]) -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = {
        key: {"n": group.n, "measures": figures_json(group.figures)} for key, group in groups.items()
    }
    if name == RANK and groups:
        shares = {str(one): share_of_first(dict(groups), one) for one in groups["1"].figures}
        if shares:
            for rank, row in table.items():
                row["of_rank_1"] = {measure: of_rank[rank] for measure, of_rank in shares.items()}
    return table


def _robustness_json(found: "Robustness") -> dict[str, object]:
    return {
        "measure": str(found.measure),
        "clusters": found.clusters,
        "mean": found.mean,
        "worst": found.worst,
        "drop": found.worst - found.mean,
        "correlation": {
            name: {
                "with_score": trend.with_score,
                "with_drop": trend.with_drop,
                "points": [point._asdict() for point in trend.points],
            }
            for name, trend in found.trends.items()
        },
    }


def _side_by_side_json(variant: "SideBySide") -> dict[str, object]:
    return {
        "n": variant.n,
        "rows": {name: figures_json(figures) for name, figures in variant.rows.items()},
        "counts": variant.counts,
    }
