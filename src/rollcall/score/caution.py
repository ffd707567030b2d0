"""Where intervals say less than they seem to: too few clusters, or clusters that are all alike.

The bounds are those that `benchmarks/bench_intervals.py` shows: from five clusters on intervals cover
what they promise, unless all of a few clusters have the same score.
"""

from typing import TYPE_CHECKING

from rollcall.score.figures import Ratio, ratio
from rollcall.score.spread import effective_number, spread

if TYPE_CHECKING:
    from rollcall.score.report import Report

FEW = 5
"""Below so many clusters (of equal size), no method tells how figures vary."""
FEW_ALIKE = 30
"""Below so many, clusters that all have the same score may do so by chance."""
FEW_APART = 20
"""Near 0 or 1, clusters of unequal size tell how a figure varies where so many of them differ from that."""
NEAR = 0.1
UNEQUAL = 0.9


def cautions(report: "Report") -> list[str]:
    """A line for each reason not to trust the intervals of a report."""
    clusters = report.clusters
    if report.confidence is None or not clusters:
        return []
    sizes = [len(cluster) for cluster in clusters]
    if (few := few_clusters(sizes)) is not None:
        return [few]
    unequal = effective_number(sizes) < UNEQUAL * len(sizes)
    ratios = {str(column.measure): ratio(column, clusters) for column in report.columns}
    alike = [name for name, one in ratios.items() if len(clusters) < FEW_ALIKE and _alike(one)]
    ends = [name for name, one in ratios.items() if unequal and name not in alike and _near_an_end(one)]
    lines = []
    if alike:
        lines.append(
            f"all {len(clusters)} clusters have the same {', '.join(alike)}, so nothing tells how that "
            "varies: the interval is as wide as so few allow"
        )
    if ends:
        lines.append(
            f"few of the {len(clusters)} clusters differ from the rest in {', '.join(ends)}, so near 0 or "
            "100 %: the interval may be too narrow"
        )
    return lines


def _alike(one: Ratio) -> bool:
    known = spread(one)
    return known is not None and not known.variance


def _near_an_end(one: Ratio) -> bool:
    """Whether a share is near 0 or 1 and few clusters make up the difference."""
    value = one.value
    if value is None or NEAR < value < 1 - NEAR or value > 1:
        return False
    end = round(value)
    return sum(above != end * below for above, below in zip(*one, strict=True)) < FEW_APART


def few_clusters(sizes: list[int]) -> str | None:
    """A line on figures that rest on too few clusters, by the clusters' sizes."""
    if len(sizes) == 1:
        return "all questions are of one cluster, so there is no interval" if sizes[0] > 1 else None
    effective = effective_number(sizes)
    if effective >= FEW:
        return None
    worth = "" if len(sizes) < FEW else f" of such unequal size that they count as {effective:.1f}"
    return f"{len(sizes)} clusters{worth} are too few to tell how figures vary: intervals and tests are rough"
