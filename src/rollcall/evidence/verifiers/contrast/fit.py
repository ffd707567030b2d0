"""Learns one relation by contrast: which wordings state it, and which only occur together with it.

Input: a `Task`. Output: `Learned`. Sentences that name the ends of a fact of the relation are contrasted with
sentences of pairs that do not have the relation. Some sentences name both ends but do not state the fact;
usually another sentence of the same page does. So the labels are corrected in rounds. Among the sentences of
one fact on one page, the one with the highest score keeps it as its label, and the others lose most of
theirs. Labels are then raised so that each fact is likely to be stated by one of its sentences.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights, Regression, Solution, sigmoid
from rollcall.evidence.verifiers.contrast.sparse import Numbers, Rows, SparseRows, stacked

FOLDS = 3
"""The number of parts of the pages; no sentence is scored by a model that learned from its own part."""
ROUNDS, FEW_ROUNDS, MANY = 6, 3, 60
"""How many times labels are corrected, with at least `MANY` sentences and with fewer."""
SHARE = 0.8
"""The share of its label that a sentence loses to a better one of the same fact and page."""
STATED = 0.9
"""The prior probability that one of the sentences of a fact states it."""
FEWEST = 15
"""A relation with fewer sentences is left to the shared model."""
_LEAST_SHARE_OF_POSITIVES = 0.3
_MOST_WEIGHT = 20.0


class Task(NamedTuple):
    """The data for one relation: features, folds and groups of its own sentences, features and folds of
    others.
    """

    relation: str
    own: SparseRows
    own_folds: Rows
    groups: Rows
    shares: Numbers
    other: SparseRows
    other_folds: Rows


class Learned(NamedTuple):
    """A learned relation, with weights for each fold of pages, and the labels of its sentences.

    `weights` say whether the relation is stated; `claims` only whether it is this relation and not another.
    """

    relation: str
    weights: tuple[FeatureWeights, ...]
    claims: tuple[FeatureWeights, ...]
    labels: Numbers


def learn_relation(task: Task) -> Learned:
    """Learn a relation; the sentences of a fold are scored by the model learned from the other folds."""
    labels = task.shares.astype(np.float64)
    count = task.own.height
    scores = np.full(count, 0.5)
    if count < FEWEST:
        return Learned(task.relation, (), (), labels)
    regression = Regression(stacked([task.own, task.other]))
    weighted = [regression.weighted(_sureness(task, fold)) for fold in range(FOLDS)]
    solved: Sequence[Solution | None] = [None] * FOLDS
    found: list[Solution] = []
    claims: tuple[FeatureWeights, ...] = ()
    for _ in range(ROUNDS if count >= MANY else FEW_ROUNDS):
        answers = np.concatenate([labels, np.zeros(task.other.height)])
        found = [regression.solve(answers, *known) for known in zip(weighted, solved, strict=True)]
        solved = found
        claims = claims or tuple(map(regression.weights, found))
        for fold, solution in enumerate(found):
            of_fold = task.own_folds == fold
            scores[of_fold] = sigmoid(solution.logits[:count][of_fold])
        labels = mended_labels(scores, task.groups)
    return Learned(task.relation, tuple(map(regression.weights, found)), claims, labels)


def _sureness(task: Task, fold: int) -> Numbers:
    """The weight of each sentence: 0 in its own fold, unless there are no other sentences."""
    own, other = task.own_folds != fold, task.other_folds != fold
    if own.sum() < 2:
        own = np.ones_like(own)
    share = own.sum() / (own.sum() + other.sum())
    weight = min(_MOST_WEIGHT, max(1.0, _LEAST_SHARE_OF_POSITIVES / share))
    return np.concatenate([own * weight, other * 1.0])


def mended_labels(scores: Numbers, groups: Rows) -> Numbers:
    """New labels from scores: in each group the best sentence keeps its score, the others lose most of
    theirs.
    """
    order = np.lexsort((-scores, groups))
    sorted_groups, believed = groups[order], scores[order]
    first = np.concatenate([[True], sorted_groups[1:] != sorted_groups[:-1]])
    starts = np.flatnonzero(first)
    sizes = np.diff(np.concatenate([starts, [len(order)]]))
    best = np.repeat(believed[starts], sizes)
    kept = np.where(first, believed, believed * (1 - SHARE * best))
    doubts = np.multiply.reduceat(1 - np.minimum(kept, 0.999), starts)
    stated = np.repeat(1 - doubts, sizes)
    raised = np.where(
        (stated < STATED) & (stated > 0.02),
        np.minimum(kept * STATED / np.maximum(stated, 0.02), 0.99),
        kept,
    )
    labels = np.empty(len(scores))
    labels[order] = raised
    return labels
