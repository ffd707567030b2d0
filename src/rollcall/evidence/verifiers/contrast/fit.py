"""Learns one relation by contrast: which wordings come with it, and which merely come along.

Sentences that name the ends of a fact of the relation are set against sentences of pairs that do not have
it. That leaves the sentences that name both ends and say nothing: they usually stand beside one that does
say it. So the labels are mended in rounds: of the sentences of one fact on one page the most believed one
keeps its label, the others lose most of theirs, and a fact's only sentence is believed in so far as facts
are stated at all.
"""

from typing import NamedTuple

import numpy as np

from rollcall.evidence.verifiers.contrast.logistic import FeatureWeights, Regression, Solution, sigmoid
from rollcall.evidence.verifiers.contrast.sparse import Numbers, Rows, SparseRows, stacked

FOLDS = 3
"""In how many parts pages are dealt; no sentence is judged by what was learned from its part."""
ROUNDS, FEW_ROUNDS, MANY = 6, 3, 60
"""How often labels are mended, with many sentences and with fewer."""
SHARE = 0.8
"""How much of its label a sentence loses to a better one of the same fact and page."""
STATED = 0.9
"""How likely a fact with a sentence is stated by one of its sentences, before they are read."""
FEWEST = 15
"""With fewer sentences a relation is left to the shared model."""
_LEAST_SHARE_OF_POSITIVES = 0.3
_MOST_WEIGHT = 20.0


class Task(NamedTuple):
    """What is needed to learn one relation: features, folds and groups of its own and of other sentences."""

    relation: str
    own: SparseRows
    own_folds: Rows
    groups: Rows
    shares: Numbers
    other: SparseRows
    other_folds: Rows


class Learned(NamedTuple):
    """One relation learned, for each fold of pages: what tells that it is stated, and what merely that it is
    this relation rather than another; and its sentences' scores and labels."""

    relation: str
    weights: tuple[FeatureWeights, ...]
    claims: tuple[FeatureWeights, ...]
    scores: Numbers
    labels: Numbers


def learn_relation(task: Task) -> Learned:
    """Learn a relation; the sentences of a fold are scored by what was learned from the other ones."""
    labels = task.shares.astype(np.float64)
    count = task.own.height
    scores = np.full(count, 0.5)
    if count < FEWEST:
        return Learned(task.relation, (), (), scores, labels)
    regression = Regression(stacked([task.own, task.other]))
    sureness = [_sureness(task, fold) for fold in range(FOLDS)]
    solved: list[Solution | None] = [None] * FOLDS
    claims: tuple[FeatureWeights, ...] = ()
    weights: tuple[FeatureWeights, ...] = ()
    for _ in range(ROUNDS if count >= MANY else FEW_ROUNDS):
        answers = np.concatenate([labels, np.zeros(task.other.height)])
        found = [regression.solve(answers, *known) for known in zip(sureness, solved, strict=True)]
        solved = [*found]
        weights = tuple(map(regression.weights, found))
        claims = claims or weights
        for fold, solution in enumerate(found):
            of_fold = task.own_folds == fold
            scores[of_fold] = sigmoid(solution.logits[:count][of_fold])
        labels = mended_labels(scores, task.groups)
    return Learned(task.relation, weights, claims, scores, labels)


def _sureness(task: Task, fold: int) -> Numbers:
    """How much each sentence counts: not at all in its own fold, unless nothing else is there."""
    own, other = task.own_folds != fold, task.other_folds != fold
    if own.sum() < 2:
        own = np.ones_like(own)
    share = own.sum() / (own.sum() + other.sum())
    weight = min(_MOST_WEIGHT, max(1.0, _LEAST_SHARE_OF_POSITIVES / share))
    return np.concatenate([own * weight, other * 1.0])


def mended_labels(scores: Numbers, groups: Rows) -> Numbers:
    """New labels from scores: within a group the best keeps its score, the others lose most of theirs."""
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
