"""When intervals cannot be trusted: too few clusters, or clusters with the same score.

The limits come from `benchmarks/bench_intervals.py`: with five clusters or more, intervals cover what they
claim, unless a few clusters all have the same score.
"""

from typing import TYPE_CHECKING

from rollcall.score.figures import Ratio, ratio
from rollcall.score.spread import effective_number, spread

if TYPE_CHECKING:
    from rollcall.score.report import Report

FEW = 5
"""With fewer clusters (of equal size), no method can estimate how figures vary."""
FEW_ALIKE = 30
"""With fewer clusters, all may have the same score by chance."""
FEW_APART = 20
"""Near 0 or 1, this many clusters of unequal size must differ from the rest."""
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
    ratios = {column.measure: ratio(column, clusters) for column in report.columns}
    alike = [str(name) for name, one in ratios.items() if len(clusters) < FEW_ALIKE and _alike(one)]
    shares = {str(measure): one for measure, one in ratios.items() if measure.is_share}
    ends = [name for name, one in shares.items() if unequal and name not in alike and _near_an_end(one)]
    lines = []
    if alike:
        lines.append(
            f"all {len(clusters)} clusters have the same {', '.join(alike)}, so its variance cannot be "
            "estimated: the interval is as wide as so few clusters allow"
        )
    if ends:
        lines.append(
            f"near 0 or 100 %, few of the {len(clusters)} clusters differ from the rest in "
            f"{', '.join(ends)}: the interval may be too narrow"
        )
    return lines


def _alike(one: Ratio) -> bool:
    known = spread(one)
    return known is not None and not known.variance


def _near_an_end(one: Ratio) -> bool:
    """Whether a share is near 0 or 1 and few clusters differ from that."""
    value = one.value
    if value is None or NEAR < value < 1 - NEAR:
        return False
    end = round(value)
    return sum(above != end * below for above, below in zip(*one, strict=True)) < FEW_APART


def few_clusters(sizes: list[int]) -> str | None:
    """A warning for figures based on too few clusters, given the clusters' sizes."""
    if len(sizes) == 1:
        return "all questions are of one cluster, so there is no interval" if sizes[0] > 1 else None
    effective = effective_number(sizes)
    if effective >= FEW:
        return None
    worth = "" if len(sizes) < FEW else f" of such unequal size that they count as {effective:.1f}"
    return (
        f"{len(sizes)} clusters{worth} are too few to estimate how figures vary: "
        "intervals and tests are rough"
    )
