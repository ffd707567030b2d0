"""Fitting the weights of `mentions` to a training split: a logistic regression, and the cut with the best F1.

Only training questions are looked at, at most a few hundred, chosen by the hash of their ids.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Retriever, asked
from rollcall.systems.read.mentions import Mentions, Weights

LEAST, MOST = 20, 300
_CUTS = tuple(cut / 50 for cut in range(2, 46))


def training_questions(questions: Sequence[Question]) -> list[Question]:
    """The questions to learn from; none where the set has too few in its training split."""
    found = [one for one in questions if one.split == "train" and one.answers and one.answers[0].id]
    found.sort(key=lambda one: (hashlib.md5(one.id.encode()).hexdigest(), one.id))
    return found[:MOST] if len(found) >= LEAST else []


def fitted(reader: Mentions, retriever: Retriever, questions: Sequence[Question], k: int) -> Weights:
    """Weights for these questions with this retriever."""
    retrieved = retriever.retrieve([asked(one) for one in questions], k)
    return fitted_to(reader, questions, retrieved)


def fitted_to(
    reader: Mentions, questions: Sequence[Question], retrieved: Sequence[Sequence[Passage]]
) -> Weights:
    """Weights for questions with their passages; the reader's own where nothing can be learnt."""
    from sklearn.linear_model import LogisticRegression

    rows, right, owner = [], [], []
    for number, (question, passages) in enumerate(zip(questions, retrieved, strict=True)):
        gold = {answer.id for answer in question.answers}
        for candidate in reader.candidates(asked(question), passages):
            rows.append(candidate.features)
            right.append(reader.id_of(candidate) in gold)
            owner.append(number)
    if len(set(right)) < 2:
        return reader.weights
    features, labels, owners = np.array(rows), np.array(right), np.array(owner)
    model = LogisticRegression(C=10.0, max_iter=1000).fit(features, labels)
    chances = model.predict_proba(features)[:, 1]
    sizes = np.array([len(question.answers) for question in questions])
    cut = max(_CUTS, key=lambda one: (_mean_f1(chances >= one, labels, owners, sizes), one))
    return Weights(float(model.intercept_[0]), tuple(float(w) for w in model.coef_[0]), cut)


def _mean_f1(kept: np.ndarray, labels: np.ndarray, owners: np.ndarray, sizes: np.ndarray) -> float:
    said = np.bincount(owners[kept], minlength=len(sizes))
    right = np.bincount(owners[kept & labels], minlength=len(sizes))
    return float(np.mean(2 * right / np.maximum(said + sizes, 1)))
