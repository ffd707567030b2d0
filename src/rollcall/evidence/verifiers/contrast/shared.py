"""Learns what all relations have in common: the back-off model for relations with few examples.

One model learns from all relations how sentences that state something differ from those that only name two
things, and how informative the relation's own cues are: for the same sentence with a wrong relation, only the
cues differ.
"""

import numpy as np

from rollcall.evidence.verifiers.contrast.features import without_cues
from rollcall.evidence.verifiers.contrast.fit import FOLDS, Learned
from rollcall.evidence.verifiers.contrast.lessons import Lessons
from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights, Regression
from rollcall.evidence.verifiers.contrast.sparse import Numbers, SparseRows, stacked

MOST_SENTENCES = 60_000


def learn_shared(lessons: Lessons, learned: dict[str, Learned]) -> tuple[FeatureWeights, ...]:
    """The shared model for each fold of pages."""
    labels, chosen = np.zeros(lessons.matrix.height), np.zeros(lessons.matrix.height, bool)
    step = max(1, sum(len(result.labels) for result in learned.values()) // MOST_SENTENCES)
    for relation, result in learned.items():
        labels[lessons.own[relation]] = result.labels
        chosen[lessons.own[relation][::step]] = True
    found = []
    for fold in range(FOLDS):
        rows = chosen & (lessons.folds % FOLDS != fold)
        if rows.sum() < 2:
            rows = chosen
        found.append(_fit(lessons.matrix.take(rows), labels[rows]))
    return tuple(found)


def _fit(matrix: SparseRows, labels: Numbers) -> FeatureWeights:
    regression = Regression(stacked([matrix, without_cues(matrix)]), strength=0.2)
    answers = np.concatenate([labels, np.zeros(matrix.height)])
    sureness = np.concatenate([np.ones(matrix.height), np.full(matrix.height, 0.5)])
    return regression.weights(regression.solve(answers, regression.weighted(sureness)))
