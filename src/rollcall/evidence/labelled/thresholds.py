"""The figures of a verifier on labelled sentences at each threshold, or for those that it accepts itself.

Input: scores and labels. Output: one `Row` for each threshold with precision, recall, the share of false
sentences that is removed and the share of true ones that is lost.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

THRESHOLDS = (0.002, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


class Row(msgspec.Struct, frozen=True):
    """The figures of the sentences that are kept; a share is None if its denominator is 0."""

    threshold: float | None
    """The score from which sentences are kept; None if others are."""
    kept: int
    precision: float | None
    recall: float | None
    false_removed: float | None
    true_lost: float | None


def figures_at(
    scores: NDArray[np.float64], labels: NDArray[np.bool_], thresholds: tuple[float, ...] = THRESHOLDS
) -> list[Row]:
    """One row for each threshold."""
    return [figures_of(scores >= threshold, labels, threshold) for threshold in thresholds]


def figures_of(kept: NDArray[np.bool_], labels: NDArray[np.bool_], threshold: float | None = None) -> Row:
    """The figures if these sentences are kept."""
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
