"""Learns one relation by contrast: which wordings come with it, and which merely come along.

Sentences that name the ends of a fact of the relation are set against sentences of pairs that do not have
it. That leaves the sentences that name both ends and say nothing: they usually stand beside one that does
say it. So the labels are mended in rounds: of the sentences of one fact on one page the most believed one
keeps its label, the others lose most of theirs, and a fact's only sentence is believed in so far as facts
are stated at all.
"""

import warnings
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

Numbers: TypeAlias = NDArray[np.float64]
Rows: TypeAlias = NDArray[np.int64]

FOLDS = 3
"""In how many parts pages are dealt; no sentence is judged by what was learned from its part."""
ROUNDS, FEW_ROUNDS, MANY = 6, 3, 60
"""How often labels are mended, with many sentences and with fewer."""
MOST_PASSES = 30
"""How often the solver goes over the sentences at most."""
SHARE = 0.8
"""How much of its label a sentence loses to a better one of the same fact and page."""
STATED = 0.9
"""How likely a fact with a sentence is stated by one of its sentences, before they are read."""
FEWEST = 15
"""With fewer sentences a relation is left to the shared model."""
_LEAST_SHARE_OF_POSITIVES = 0.3
_MOST_WEIGHT = 20.0


class FeatureWeights(NamedTuple):
    """A linear model of hashed features: which have a weight, the weights, and the constant."""

    columns: NDArray[np.int32]
    values: NDArray[np.float32]
    constant: float

    def logits(self, matrix: csr_matrix, buffer: Numbers) -> Numbers:
        """The log-odds of the rows of a matrix; the buffer, as wide as it, is left as it was: empty."""
        buffer[self.columns] = self.values
        found: Numbers = matrix @ buffer + self.constant
        buffer[self.columns] = 0.0
        return found


class Task(NamedTuple):
    """What is needed to learn one relation: features, folds and groups of its own and of other sentences."""

    relation: str
    own: csr_matrix
    own_folds: Rows
    groups: Rows
    shares: Numbers
    other: csr_matrix
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
    count = task.own.shape[0]
    scores = np.full(count, 0.5)
    weights: tuple[FeatureWeights, ...] = ()
    claims: tuple[FeatureWeights, ...] = ()
    buffer = np.zeros(task.own.shape[1])
    if count < FEWEST:
        return Learned(task.relation, (), (), scores, labels)
    problems = [_Problem(task, fold) for fold in range(FOLDS)]
    rounds = ROUNDS if count >= MANY else FEW_ROUNDS
    for number in range(rounds):
        exact = number in (0, rounds - 1)
        weights = tuple(problem.solved(labels, exact) for problem in problems)
        claims = claims or weights
        for fold in range(FOLDS):
            of_fold = task.own_folds == fold
            if of_fold.any():
                scores[of_fold] = sigmoid(weights[fold].logits(task.own[of_fold], buffer))
        labels = mended_labels(scores, task.groups)
    return Learned(task.relation, weights, claims, scores, labels)


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


class _Problem:
    """All sentences but those of a fold (all, if nothing else is there), to be fitted to changing labels."""

    def __init__(self, task: Task, fold: int) -> None:
        own, other = task.own_folds != fold, task.other_folds != fold
        self._own = own if own.sum() >= 2 else np.ones_like(own)
        self._count, self._opponents = int(self._own.sum()), int(other.sum())
        parts = [task.own[self._own], task.own[self._own], task.other[other]]
        self._columns, self._matrix = compacted(parts)
        share = self._count / (self._count + self._opponents)
        self._weight = min(_MOST_WEIGHT, max(1.0, _LEAST_SHARE_OF_POSITIVES / share))

    def solved(self, labels: Numbers, exact: bool) -> FeatureWeights:
        """The weights for the present labels; those in between need not be exact."""
        label, weight = labels[self._own], self._weight
        answers = np.concatenate([np.ones(self._count), np.zeros(self._count + self._opponents)])
        sureness = np.concatenate([label * weight, (1 - label) * weight, np.ones(self._opponents)])
        return fitted(self._columns, self._matrix, answers, sureness, tolerance=0.1 if exact else 0.5)


def compacted(parts: list[csr_matrix]) -> tuple[NDArray[np.int32], csr_matrix]:
    """Matrices one below another with only the columns that occur: which those are, and the matrix."""
    indices = np.concatenate([part.indices for part in parts])
    columns, compact = np.unique(indices, return_inverse=True)
    ends = np.cumsum([0, *(part.nnz for part in parts)])
    rows = np.concatenate([[0], *(part.indptr[1:] + end for part, end in zip(parts, ends, strict=False))])
    data = np.concatenate([part.data for part in parts]).astype(np.float64)
    return columns, csr_matrix(
        (data, compact.astype(np.int32), rows.astype(np.int32)), shape=(len(rows) - 1, len(columns))
    )


def fitted(
    columns: NDArray[np.int32],
    matrix: csr_matrix,
    answers: Numbers,
    sureness: Numbers,
    strength: float = 1.0,
    tolerance: float = 0.1,
) -> FeatureWeights:
    """A logistic regression."""
    model = LogisticRegression(
        solver="liblinear", dual=True, C=strength, tol=tolerance, random_state=0, max_iter=MOST_PASSES
    )
    with warnings.catch_warnings():
        # Where sentences cannot be told apart the last digits take hundreds of passes and change no verdict.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(matrix, answers, sample_weight=np.maximum(sureness, 1e-6))
    used = np.abs(model.coef_[0]) > 1e-4
    return FeatureWeights(
        columns[used].astype(np.int32), model.coef_[0][used].astype(np.float32), float(model.intercept_[0])
    )


def sigmoid(logits: Numbers) -> Numbers:
    """Probabilities of log-odds."""
    chances: Numbers = 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))
    return chances
