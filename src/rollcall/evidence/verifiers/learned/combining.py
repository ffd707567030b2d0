"""Combines the model with `contrast`, by what both say about examples of the user's corpus.

Both give log-odds that a sentence states its fact. A logistic regression weighs them: on text like that of
the model's training the model counts more, on text with wordings of its own `contrast` does, which learned
from that text. Not every sentence that names both ends of a fact states it, so labels are corrected in
rounds, as `contrast` does. Where `contrast` alone leaves no doubt, the model is not asked.
"""

import math
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.verifiers.contrast.fit import mended_labels
from rollcall.evidence.verifiers.contrast.logistic import sigmoid

PRIOR = 0.3
"""The share of sentences that state their fact, for which scores are probabilities."""
_PRIOR_LOG_ODDS = math.log(PRIOR / (1 - PRIOR))
_ROUNDS = 4
_SHARES = [(model / 4, contrast / 4) for model in range(1, 5) for contrast in range(5)]
"""How much the model and `contrast` may count."""
_WORTHWHILE = 0.04
"""How much better, in log-likelihood of a sentence, a combination must be than the model alone."""
ALWAYS = 99.0
"""Beyond all log-odds."""
_MOST_LOGIT = 8.0
_LOST, _LEAST, _MOST = 0.04, 0.05, 0.25
"""The share of sentences believed to be true that the threshold loses, and its bounds."""
_CHANGED = 0.01
"""How much probabilities may change, on average, where the model is not asked."""
_FEWEST = 200
_BELIEVED = 0.5

Numbers = NDArray[np.float64]
Shares = tuple[float, float]


class Combination(msgspec.Struct, frozen=True):
    """How the log-odds of the model and of `contrast` become a probability."""

    constant: float
    model: float
    contrast: float
    threshold: float
    doubtful: tuple[float, float] = (-ALWAYS, ALWAYS)
    """Log-odds of `contrast` between which the model is asked."""
    expected: tuple[float, float] = (0.0, 0.0)
    """Constant and slope of what the model says elsewhere, by what `contrast` says."""

    def probabilities(self, model: Numbers, contrast: Numbers) -> Numbers:
        logits = self.constant + self.model * clipped(model) + self.contrast * clipped(contrast)
        return sigmoid(logits)

    def is_doubtful(self, contrast: Numbers) -> NDArray[np.bool_]:
        """Whether the model has to be asked."""
        return (contrast >= self.doubtful[0]) & (contrast <= self.doubtful[1])

    def without_model(self, contrast: Numbers) -> Numbers:
        """What the model would say, by what `contrast` says."""
        return self.expected[0] + self.expected[1] * clipped(contrast)


class Opinions(NamedTuple):
    """What the model and `contrast` say about sentences."""

    model: Numbers
    contrast: Numbers


def combine(own: "Combination", held: Opinions, groups: NDArray[np.int64], wrong: Opinions) -> "Combination":
    """Learn how to combine, from sentences of known facts and of facts that do not hold.

    `own` is how the model alone becomes a probability, which was learned from text that people labelled.
    Labels by the graph are worse, so this is changed only where `contrast` clearly helps.
    """
    model = own.constant + own.model * clipped(np.concatenate([held.model, wrong.model]))
    contrast = clipped(np.concatenate([held.contrast, wrong.contrast]))
    count = len(held.model)
    best, labels = (1.0, 0.0), np.ones(count)
    line = (0.0, 1.0)
    answers, sureness = labels, labels
    for _ in range(_ROUNDS):
        told = best[0] * model + best[1] * (line[0] + line[1] * contrast)
        labels = mended_labels(sigmoid(told[:count]), groups)
        answers = np.concatenate([labels, np.zeros(len(contrast) - count)])
        sureness = _sureness(labels, len(contrast))
        line = _calibrated(contrast, answers, sureness)
        said = line[0] + line[1] * contrast
        losses = _losses(model, said, answers, sureness)
        best = min(losses, key=lambda shares: losses[shares] + (0.0 if shares == (1.0, 0.0) else _WORTHWHILE))
    # A combination may also be better only because it shifts or flattens what the model says.
    shifted = _losses(model, np.full(len(model), _PRIOR_LOG_ODDS), answers, sureness)
    if best == (1.0, 0.0) or losses[best] + _WORTHWHILE > min(shifted.values()):
        return own
    told = best[0] * model + best[1] * (line[0] + line[1] * contrast)
    constant, slope = _calibrated(told, answers, sureness)
    found = Combination(
        constant + slope * (best[0] * own.constant + best[1] * line[0]),
        slope * best[0] * own.model,
        slope * best[1] * line[1],
        own.threshold,
    )
    least = np.clip(_losing(_LOST, found.probabilities(*held), labels), _LEAST, _MOST)
    found = msgspec.structs.replace(found, threshold=round(float(least), 4))
    return _with_shortcuts(found, held, wrong)


def _losing(share: float, scores: Numbers, labels: Numbers) -> float:
    """The score below which a share of what is likely true is, each sentence by how likely it is."""
    order = np.argsort(scores, kind="stable")
    below = np.cumsum(labels[order])
    place = int(np.searchsorted(below, share * below[-1])) if len(below) else 0
    return float(scores[order[place]]) if place < len(order) else 0.0


def removed(held: Opinions, groups: NDArray[np.int64], wrong: Opinions, combination: Combination) -> float:
    """The share of wrong facts below the 5 % of true ones with the lowest scores."""
    scores = combination.probabilities(*held)
    labels = mended_labels(scores, groups)
    believed = scores[labels >= _BELIEVED]
    if not len(believed) or not len(wrong.model):
        return 1.0
    return float(np.mean(combination.probabilities(*wrong) < np.quantile(believed, 0.05)))


def clipped(logits: Numbers) -> Numbers:
    """Log-odds within bounds, so that no single opinion decides."""
    return np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT)


def log_odds(chances: Numbers) -> Numbers:
    """Probabilities as log-odds within bounds."""
    certain = sigmoid(np.array([_MOST_LOGIT]))[0]
    within = np.clip(chances, 1 - certain, certain)
    return np.log(within / (1 - within))


def _sureness(labels: Numbers, total: int) -> Numbers:
    """Weights by which true sentences have their share of all."""
    true = max(float(labels.sum()), 1e-9)
    of_true, of_false = PRIOR / true, (1 - PRIOR) / max(total - true, 1e-9)
    return np.concatenate(
        [labels * of_true + (1 - labels) * of_false, np.full(total - len(labels), of_false)]
    )


def _losses(model: Numbers, said: Numbers, answers: Numbers, sureness: Numbers) -> dict[Shares, float]:
    """The loss of each combination of two opinions."""
    return {shares: _loss(shares[0] * model + shares[1] * said, answers, sureness) for shares in _SHARES}


def _loss(logits: Numbers, answers: Numbers, sureness: Numbers) -> float:
    return float((sureness * (np.logaddexp(0, logits) - answers * logits)).sum() / sureness.sum())


def _calibrated(logits: Numbers, answers: Numbers, sureness: Numbers) -> tuple[float, float]:
    """Constant and slope that make log-odds fit answers: a logistic regression by Newton's method."""
    features = np.column_stack([np.ones(len(logits)), logits])
    weights, prior = np.array([0.0, 0.5]), np.array([0.0, 0.5])
    sure = sureness / sureness.sum() * len(logits)
    for _ in range(25):
        chances = sigmoid(features @ weights)
        gradient = features.T @ (sure * (chances - answers)) + (weights - prior)
        curve = (features.T * (sure * chances * (1 - chances))) @ features + np.eye(2)
        step = np.linalg.solve(curve, gradient)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return float(weights[0]), max(0.0, float(weights[1]))


def _with_shortcuts(combination: Combination, held: Opinions, wrong: Opinions) -> Combination:
    """Find where `contrast` decides alone: beyond these log-odds, probabilities hardly change."""
    model = clipped(np.concatenate([held.model, wrong.model]))
    contrast = clipped(np.concatenate([held.contrast, wrong.contrast]))
    if len(model) < _FEWEST or contrast.std() == 0:
        return combination
    slope, constant = np.polyfit(contrast, model, 1)
    told = msgspec.structs.replace(combination, expected=(float(constant), float(slope)))
    both = told.probabilities(model, contrast)
    changed = np.abs(both - told.probabilities(told.without_model(contrast), contrast))
    order = np.argsort(contrast, kind="stable")
    low, high = _quiet(changed[order]), len(order) - _quiet(changed[order][::-1])
    if low >= high:
        low = high = len(order)
    bounds = (
        float(contrast[order[low]]) if 0 < low < len(order) else (-ALWAYS if low == 0 else ALWAYS),
        float(contrast[order[high - 1]]) if high < len(order) else ALWAYS,
    )
    return msgspec.structs.replace(told, doubtful=bounds)


def _quiet(changed: Numbers) -> int:
    """How many of the first changes are small on average."""
    means = np.cumsum(changed) / np.arange(1, len(changed) + 1)
    small = np.flatnonzero(means <= _CHANGED)
    return int(small[-1]) + 1 if len(small) else 0
