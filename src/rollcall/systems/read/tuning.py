"""Fits the weights of `mentions` to a training split, by a logistic regression.

Chained questions are fitted last, since they use the result of the others. Only training
questions are used, at most a few hundred, chosen by the hash of their ids.
"""

import hashlib
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall.errors import RollcallError, RollcallWarning
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Retriever, asked
from rollcall.systems.own import as_retriever
from rollcall.systems.read.chain import CHAIN_FEATURES
from rollcall.systems.read.mention_weights import AnswerWeights, Form
from rollcall.systems.read.support import FEATURES

if TYPE_CHECKING:
    from rollcall.systems.read.mentions import Mentions, Weighed

LEAST, MOST = 20, 300
_MOST_STEPS, _SMALL_GRADIENT = 100, 1e-6

Numbers = npt.NDArray[Any]


def training_questions(questions: Sequence[Question], most: int = MOST) -> list[Question]:
    """The questions to learn from; none, and a warning, if the training split has too few."""
    found = [one for one in questions if one.split == "train" and one.answers]
    if 0 < len(found) < LEAST:
        are = "question is" if len(found) == 1 else "questions are"
        told = f"mentions is not tuned: {len(found)} training {are} too few ({LEAST} needed)"
        warnings.warn(RollcallWarning(told), stacklevel=3)
    found.sort(key=lambda one: (hashlib.md5(one.id.encode()).hexdigest(), one.id))
    return found[:most] if len(found) >= LEAST else []


def tune(reader: "Mentions", retriever: Retriever, questions: Sequence[Question], k: int) -> None:
    """Give a reader the weights for these questions with this retriever."""
    wanted = [asked(one) for one in questions]
    try:
        as_retriever(retriever).check_questions(wanted)
    except RollcallError as error:
        told = f"mentions cannot be tuned on the split train with this retriever: give --no-tune ({error})"
        raise RollcallError(told) from None
    retrieved = retriever.retrieve(wanted, k)
    tune_to([(reader, *pair) for pair in zip(questions, retrieved, strict=True)])


def tune_to(readings: Sequence["tuple[Mentions, Question, Sequence[Passage]]"]) -> None:
    """Give readers the weights for the questions and passages of all; weights that cannot be learned stay
    unchanged.
    """
    for form in get_args(Form):
        weighed = (
            (reader, question, reader.weighed(asked(question), passages))
            for reader, question, passages in readings
        )
        fitting = [one for one in weighed if one[2].form == form]
        weights = _fitted(fitting) if len(fitting) >= LEAST else None
        for reader, _, _ in readings if weights is not None else ():
            reader.weights = msgspec.structs.replace(reader.weights, **{form: weights})


def _fitted(weighed: Sequence["tuple[Mentions, Question, Weighed]"]) -> AnswerWeights | None:
    rows, right = [], []
    for reader, question, found in weighed:
        gold = {name for one in question.answers for name in (one.id, one.label, *one.aliases)}
        for candidate in found.candidates:
            rows.append(candidate.features)
            right.append(reader.id_of(candidate) in gold)
    if len(set(right)) < 2:
        return None
    constant, *weights = logistic_weights(np.array(rows), np.array(right))
    names = CHAIN_FEATURES if weighed[0][2].form == "chained" else FEATURES
    return AnswerWeights(constant, dict(zip(names, weights, strict=True)))


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
