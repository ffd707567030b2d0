"""Fits the weights of `mentions` to a training split: a logistic regression, and the threshold with the best
F1.

Plain questions are fitted first, then chained ones, which use the result of the first. Only training
questions are used, at most a few hundred, chosen by the hash of their ids.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Retriever, asked
from rollcall.systems.read.chain import CHAIN_FEATURES
from rollcall.systems.read.mention_weights import AnswerWeights
from rollcall.systems.read.support import FEATURES

if TYPE_CHECKING:
    from rollcall.systems.read.mentions import Mentions, Weighed

LEAST, MOST = 20, 300
_MOST_STEPS, _SMALL_GRADIENT = 100, 1e-6
_CUTS = tuple(cut / 50 for cut in range(2, 46))

Numbers = npt.NDArray[Any]


def training_questions(questions: Sequence[Question], most: int = MOST) -> list[Question]:
    """The questions to learn from; none if the training split has too few."""
    found = [one for one in questions if one.split == "train" and one.answers]
    found.sort(key=lambda one: (hashlib.md5(one.id.encode()).hexdigest(), one.id))
    return found[:most] if len(found) >= LEAST else []


def tune(reader: "Mentions", retriever: Retriever, questions: Sequence[Question], k: int) -> None:
    """Give a reader the weights for these questions with this retriever."""
    retrieved = retriever.retrieve([asked(one) for one in questions], k)
    tune_to(reader, questions, retrieved)


def tune_to(
    reader: "Mentions", questions: Sequence[Question], retrieved: Sequence[Sequence[Passage]]
) -> None:
    """Give a reader the weights for questions with their passages; weights that cannot be learned stay
    unchanged.
    """
    pairs = list(zip(questions, retrieved, strict=True))
    for is_chained, name in ((False, "plain"), (True, "chained")):
        weighed = [(question, reader.weighed(asked(question), passages)) for question, passages in pairs]
        fitting = [(question, one) for question, one in weighed if one.is_chained == is_chained]
        weights = _fitted(reader, fitting) if len(fitting) >= LEAST else None
        if weights is not None:
            reader.weights = msgspec.structs.replace(reader.weights, **{name: weights})


def _fitted(reader: "Mentions", weighed: Sequence["tuple[Question, Weighed]"]) -> AnswerWeights | None:
    rows, right, owner = [], [], []
    for number, (question, found) in enumerate(weighed):
        gold = {name for one in question.answers for name in (one.id, one.label, *one.aliases)}
        for candidate in found.candidates:
            rows.append(candidate.features)
            right.append(reader.id_of(candidate) in gold)
            owner.append(number)
    if len(set(right)) < 2:
        return None
    features, labels, owners = np.array(rows), np.array(right), np.array(owner)
    constant, *weights = logistic_weights(features, labels)
    chances = 1.0 / (1.0 + np.exp(-(features @ weights + constant)))
    sizes = np.array([len(question.answers) for question, _ in weighed])
    cut = max(_CUTS, key=lambda one: (_mean_f1(chances >= one, labels, owners, sizes), one))
    names = CHAIN_FEATURES if weighed[0][1].is_chained else FEATURES
    return AnswerWeights(constant, dict(zip(names, weights, strict=True)), cut)


def logistic_weights(features: Numbers, labels: Numbers, strength: float = 10.0) -> list[float]:
    """The constant and the weights of a logistic regression, by Newton steps; the constant may be large."""
    rows = np.column_stack([np.ones(len(features)), features])
    ridge = np.append(0.0, np.full(features.shape[1], 1.0 / strength))

    def loss(weights: Numbers) -> float:
        logits = rows @ weights
        return float((np.logaddexp(0.0, logits) - labels * logits).sum() + (ridge * weights**2).sum() / 2)

    weights = np.zeros(rows.shape[1])
    for _ in range(_MOST_STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30.0, 30.0)))
        gradient = rows.T @ (chances - labels) + ridge * weights
        if np.abs(gradient).max() < _SMALL_GRADIENT:
            break
        curvature = (rows.T * (chances * (1.0 - chances))) @ rows + np.diag(ridge + _SMALL_GRADIENT)
        step = np.linalg.solve(curvature, gradient)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > _SMALL_GRADIENT:
            step /= 2
        weights = weights - step
    return [round(float(weight), 6) for weight in weights]


def _mean_f1(kept: Numbers, labels: Numbers, owners: Numbers, sizes: Numbers) -> float:
    said = np.bincount(owners[kept], minlength=len(sizes))
    right = np.bincount(owners[kept & labels], minlength=len(sizes))
    return float(np.mean(2 * right / np.maximum(said + sizes, 1)))
