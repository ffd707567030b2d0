"""The figures of a verifier on labelled sentences at each threshold.

Input: scores and labels. Output: one `Row` for each threshold with precision, recall, the share of false
sentences that is removed and the share of true ones that is lost.
"""

from typing import Any

import msgspec

THRESHOLDS = (0.002, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class Row(msgspec.Struct, frozen=True):
    """The figures at one threshold."""

    threshold: float
    kept: int
    precision: float | None
    recall: float | None
    false_removed: float | None
    true_lost: float | None


def figures_at(scores: Any, labels: Any, thresholds: tuple[float, ...] = THRESHOLDS) -> list[Row]:
    """One row for each threshold; a share is None if its denominator is 0."""
    return [_row(scores >= threshold, labels, threshold) for threshold in thresholds]


def _row(kept: Any, labels: Any, threshold: float) -> Row:
    true, false = int(labels.sum()), int((~labels).sum())
    right = int((kept & labels).sum())
    recall = right / true if true else None
    return Row(
        threshold=threshold,
        kept=int(kept.sum()),
        precision=right / int(kept.sum()) if kept.any() else None,
        recall=recall,
        false_removed=int((~kept & ~labels).sum()) / false if false else None,
        true_lost=None if recall is None else 1 - recall,
    )
