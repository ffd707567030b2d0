"""Measures of when a list of answers ends: too late, after its last right answer, or too early."""

from rollcall.score.measure_kind import ListMeasure
from rollcall.score.measures import MEASURES
from rollcall.score.progress import Progress


@MEASURES.register("Padding")
class Padding(ListMeasure):
    """Padding: share of the answers that come after the last right one; all of them if none is right."""

    source = "Rollcall"
    lower_is_better = True

    def value(self, progress: Progress) -> float | None:
        return (progress.given - progress.last_right) / progress.given if progress.given else None


@MEASURES.register("EarlyStop")
class EarlyStop(ListMeasure):
    """Early stop: answers are missing, although the list ends with a right one or has none at all."""

    source = "Rollcall"
    lower_is_better = True

    def value(self, progress: Progress) -> float | None:
        if not progress.gold:
            return None
        return float(progress.found < progress.gold and progress.last_right == progress.given)
