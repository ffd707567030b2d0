"""Where intervals say less than they seem to: too few clusters, or clusters that are all alike.

The bounds are those that `benchmarks/bench_intervals.py` bears out: from five clusters on intervals cover
what they promise, unless all of a few clusters have the same score.
"""

from typing import TYPE_CHECKING

from rollcall.score.figures import ratio
from rollcall.score.spread import effective_number, spread

if TYPE_CHECKING:
    from rollcall.score.report import Report

FEW = 5
"""Below so many clusters (of equal size), no method tells how figures vary."""
FEW_ALIKE = 30
"""Below so many, clusters that all have the same score may do so by chance."""


def cautions(report: "Report") -> list[str]:
    """A line for each reason to mistrust the intervals of a report."""
    clusters = report.clusters
    if report.confidence is None or not clusters:
        return []
    if (few := few_clusters([len(cluster) for cluster in clusters])) is not None:
        return [few]
    alike = []
    for column in report.columns if len(clusters) < FEW_ALIKE else ():
        known = spread(ratio(column, clusters))
        if known is not None and not known.variance:
            alike.append(str(column.measure))
    if not alike:
        return []
    return [
        f"all {len(clusters)} clusters have the same {', '.join(alike)}, so nothing tells how that varies: "
        "the interval is as wide as so few allow"
    ]


def few_clusters(sizes: list[int]) -> str | None:
    """A word on figures that rest on too few clusters, by the clusters' sizes."""
    if len(sizes) == 1:
        return "all questions are of one cluster, so there is no interval" if sizes[0] > 1 else None
    effective = effective_number(sizes)
    if effective >= FEW:
        return None
    worth = "" if len(sizes) < FEW else f" of such unequal size that they count as {effective:.1f}"
    return f"{len(sizes)} clusters{worth} are too few to tell how figures vary: intervals and tests are rough"
