"""Which questions a system is trained on: a number of them, from few or many clusters; with another set.

RoMQA trains on the same number of questions from few clusters (related) and from many (unrelated). QAMPARI
trains on its own questions together with single-answer ones.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from math import prod
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction
from rollcall.systems.interfaces import Answers
from rollcall.systems.options import Clusters
from rollcall.systems.train.training_example import TrainingExample
from rollcall.text.words import fold


class Clustered(Protocol):
    """A question, or a training example made of one."""

    @property
    def id(self) -> str: ...

    @property
    def cluster(self) -> str | None: ...


ClusteredItem = TypeVar("ClusteredItem", bound=Clustered)


def chosen(
    questions: Sequence[ClusteredItem], limit: int | None, clusters: Clusters | None
) -> list[ClusteredItem]:
    """At most `limit` questions, in an order that depends on their ids alone.

    From `few` clusters: whole clusters, one after the other. From `many`: one question of each cluster first.
    """
    drawn = sorted(questions, key=_draw)
    if clusters is None:
        return drawn[:limit]
    if not any(question.cluster for question in drawn):
        raise RollcallError("the questions are in no clusters, so none can be chosen by them")
    grouped: dict[str, list[ClusteredItem]] = {}
    for question in drawn:
        grouped.setdefault(question.cluster or question.id, []).append(question)
    if clusters == "few":
        return [question for group in grouped.values() for question in group][:limit]
    rounds = max(map(len, grouped.values()))
    return [group[turn] for turn in range(rounds) for group in grouped.values() if turn < len(group)][:limit]


def learnable(
    others: Sequence[Question], split: str, known: Sequence[Question], where: str
) -> list[Question]:
    """The questions of another set that may be learned: those of the split that is learned from, if the set
    has splits, whose wording no known question has. `where` is the name of the other set in messages.
    """
    splits = sorted({question.split for question in others if question.split})
    of_split = [question for question in others if question.split == split] if splits else others
    if splits and not of_split:
        raise RollcallError(
            f"{where}: no question is of the split {split}, which is learned from; "
            f"there are: {', '.join(splits)}"
        )
    answered = [question for question in of_split if question.answers]
    if not answered:
        which = f"no question of the split {split}" if splits else "no question"
        raise RollcallError(f"{where}: {which} has answers to learn from")
    taken = {wording for question in known for wording in _wordings(question)}
    left = [question for question in answered if taken.isdisjoint(_wordings(question))]
    if not left:
        raise RollcallError(
            f"{where}: nothing is left to learn from, since all its questions are already "
            "learned or evaluated on; leave out --others, or give another set"
        )
    return left


def _wordings(question: Question) -> set[str]:
    """All wordings of a question, regardless of case and spaces."""
    return {fold(wording) for wording in (question.question, *question.wordings) if wording}


def mixed(questions: Sequence[Question], others: Sequence[Question], share: float) -> list[Question]:
    """As many of the others as make up this share of all; they are repeated if they are too few."""
    if not 0.0 < share < 1.0:
        raise RollcallError(f"the share of other questions is {share}; it must be between 0 and 1")
    drawn = sorted(others, key=_draw)
    return list(islice(cycle(drawn), round(len(questions) * share / (1.0 - share))))


def _draw(question: Clustered) -> tuple[str, str]:
    return hashlib.md5(question.id.encode()).hexdigest(), question.id


# The least score of an answer, tuned on training examples that were not learned from.

_MOST = 500
"""Thresholds that are tried."""


class ScoredQuestion(NamedTuple):
    """The scored answers of a question: which are right, and how many right ones there are in all."""

    scores: Sequence[float]
    right: Sequence[bool]
    gold: int


class Tuned(NamedTuple):
    """A threshold, and the mean F1 that it gives on what it was tuned on."""

    threshold: float
    f1: float


def judged(scores: Mapping[str, float], gold: set[str]) -> ScoredQuestion:
    """The scored answers of a question, whose answers are compared as they are."""
    return ScoredQuestion(list(scores.values()), [answer in gold for answer in scores], len(gold))


def best_threshold(questions: Sequence[ScoredQuestion]) -> Tuned:
    """The threshold of the greatest mean F1; 0.5 if there is nothing to tune it on."""
    levels = np.unique(
        np.concatenate([np.asarray(question.scores, float) for question in questions] or [np.zeros(0)])
    )
    if not len(levels):
        return Tuned(0.5, 0.0)
    indices = np.unique(np.linspace(0, len(levels) - 1, _MOST).round().astype(int))
    tried = levels[indices]
    total = np.zeros(len(tried))
    for question in questions:
        scores, right = np.asarray(question.scores, float), np.asarray(question.right, bool)
        given_counts = len(scores) - np.searchsorted(np.sort(scores), tried, side="left")
        hits = right.sum() - np.searchsorted(np.sort(scores[right]), tried, side="left")
        total += np.divide(
            2.0 * hits,
            given_counts + question.gold,
            out=np.zeros(len(tried)),
            where=given_counts + question.gold > 0,
        )
    best = int(total.argmax())
    # Halfway to the next lower score, so that an answer just below the least right one is not lost.
    below = levels[max(indices[best] - 1, 0)]
    return Tuned(float(tried[best] + below) / 2, float(total[best]) / len(questions))


# How good answers to training examples are, by our own scorer.

MEASURES = ("F1", "P", "R")


def figures(answers: Sequence[Answers], examples: Sequence[TrainingExample]) -> dict[str, float]:
    """Mean F1, precision and recall, between 0 and 1."""
    from rollcall.score import score

    report = score(
        [example.as_question for example in examples],
        [
            Prediction(example.id, list(question_answers))
            for example, question_answers in zip(examples, answers, strict=True)
        ],
        measures=MEASURES,
        confidence=None,
    )
    return {name: report[name].value or 0.0 for name in MEASURES}


# An answer's score over all passages: its greatest, or the probability that at least one passage is
# right. The second takes passages to be independent. Which of the two is used, and the least score, are
# chosen for the greatest F1 on dev.

Combination: TypeAlias = Literal["greatest", "noisy-or"]
_COMBINATIONS: tuple[Combination, ...] = ("greatest", "noisy-or")


class Chosen(NamedTuple):
    """A combination, and the least score of an answer that is given."""

    combination: Combination
    threshold: float


def over_passages(scores: Sequence[float], combination: Combination) -> float:
    """One score from those of single passages."""
    return max(scores) if combination == "greatest" else 1.0 - prod(1.0 - min(score, 1.0) for score in scores)


def best_combination(questions: Callable[[Combination], Sequence[ScoredQuestion]]) -> Chosen:
    """The combination and the threshold of the greatest F1 on questions whose answers were combined by it."""
    tried = {combination: best_threshold(questions(combination)) for combination in _COMBINATIONS}
    best = max(_COMBINATIONS, key=lambda combination: tried[combination].f1)
    return Chosen(best, tried[best].threshold)
