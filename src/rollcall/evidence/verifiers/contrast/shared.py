"""Learns what all relations have in common: the back-off model for relations with few examples.

One model learns from all relations how sentences that state something differ from those that only name two
things, and how informative the relation's own cues are: for the same sentence with a wrong relation, only the
cues differ.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.features import without_cues
from rollcall.evidence.verifiers.contrast.fit import FOLDS, Learned
from rollcall.evidence.verifiers.contrast.lessons import Lessons
from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights, Regression
from rollcall.evidence.verifiers.contrast.sparse import Numbers, SparseRows, stacked
from rollcall.tables.engine import map_here, nothing

if TYPE_CHECKING:
    from rollcall.tables.engine import Engine

MOST_SENTENCES = 60_000
_WORTHWHILE = 2_000
"""With fewer sentences, handing them to a second process takes longer than it saves."""


class _Fold(NamedTuple):
    """The sentences that the shared model of a fold is learned from, and their labels."""

    matrix: SparseRows
    labels: Numbers


def learn_shared(
    lessons: Lessons, learned: dict[str, Learned], engine: "Engine | None" = None
) -> tuple[FeatureWeights, ...]:
    """The shared model for each fold of pages."""
    labels, chosen = np.zeros(lessons.matrix.height), np.zeros(lessons.matrix.height, bool)
    step = max(1, sum(len(result.labels) for result in learned.values()) // MOST_SENTENCES)
    for relation, result in learned.items():
        labels[lessons.own[relation]] = result.labels
        chosen[lessons.own[relation][::step]] = True
    run = map_here if engine is None or chosen.sum() < _WORTHWHILE else engine.map_blocks
    return tuple(run(_fit, _folds(lessons, labels, chosen), nothing))


def _folds(lessons: Lessons, labels: Numbers, chosen: NDArray[np.bool_]) -> Iterator[_Fold]:
    for fold in range(FOLDS):
        rows = chosen & (lessons.folds % FOLDS != fold)
        if rows.sum() < 2:
            rows = chosen
        yield _Fold(lessons.matrix.take(rows), labels[rows])


def _fit(_prepared: None, fold: _Fold) -> FeatureWeights:
    matrix, labels = fold
    regression = Regression(stacked([matrix, without_cues(matrix)]), strength=0.2)
    answers = np.concatenate([labels, np.zeros(matrix.height)])
    sureness = np.concatenate([np.ones(matrix.height), np.full(matrix.height, 0.5)])
    return regression.weights(regression.solve(answers, regression.weighted(sureness)))
