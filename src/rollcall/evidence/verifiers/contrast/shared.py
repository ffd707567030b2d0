"""What all relations have in common: the back-off for relations with few examples.

One model learns from all relations at once how sentences that state something differ from those that merely
name two things, and how much the relation's own cues tell: for the same sentence under a wrong relation
only the cues differ.
"""

from typing import TYPE_CHECKING

import numpy as np

from rollcall.evidence.verifiers.contrast.features import without_cues
from rollcall.evidence.verifiers.contrast.fit import (
    FOLDS,
    FeatureWeights,
    Learned,
    Numbers,
    compacted,
    fitted,
)
from rollcall.evidence.verifiers.contrast.lessons import Lessons

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_SENTENCES = 60_000


def learn_shared(lessons: Lessons, learned: dict[str, Learned]) -> tuple[FeatureWeights, ...]:
    """The shared model for each fold of pages."""
    labels, chosen = np.zeros(len(lessons.relations)), np.zeros(len(lessons.relations), bool)
    step = max(1, sum(len(result.labels) for result in learned.values()) // MOST_SENTENCES)
    for relation, result in learned.items():
        labels[lessons.own[relation]] = result.labels
        chosen[lessons.own[relation][::step]] = True
    found = []
    for fold in range(FOLDS):
        rows = chosen & (lessons.folds % FOLDS != fold)
        if rows.sum() < 2:
            rows = chosen
        found.append(_fit(lessons.matrix[rows], labels[rows]))
    return tuple(found)


def _fit(matrix: "csr_matrix", labels: Numbers) -> FeatureWeights:
    count = matrix.shape[0]
    swapped = without_cues(matrix)
    answers = np.concatenate([np.ones(count), np.zeros(2 * count)])
    sureness = np.concatenate([labels, 1 - labels, np.full(count, 0.5)])
    return fitted(*compacted([matrix, matrix, swapped]), answers, sureness, strength=0.2)
