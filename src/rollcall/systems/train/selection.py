"""Which questions a system is trained on: a number of them, from few clusters or from many; with another set.

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
from rollcall.systems.train.training_example import TrainingExample
from rollcall.text.words import fold

Clusters = Literal["few", "many"]


class Clustered(Protocol):
    """A question, or a training example made of one."""

    @property
    def id(self) -> str: ...

    @property
    def cluster(self) -> str | None: ...


One = TypeVar("One", bound=Clustered)


def chosen(questions: Sequence[One], limit: int | None, clusters: Clusters | None) -> list[One]:
    """At most `limit` questions, in an order that depends on their ids alone.

    From `few` clusters: whole clusters, one after the other. From `many`: one question of each cluster first.
    """
    drawn = sorted(questions, key=_draw)
    if clusters is None:
        return drawn[:limit]
    if not any(one.cluster for one in drawn):
        raise RollcallError("the questions are in no clusters, so none can be chosen by them")
    grouped: dict[str, list[One]] = {}
    for one in drawn:
        grouped.setdefault(one.cluster or one.id, []).append(one)
    if clusters == "few":
        return [one for group in grouped.values() for one in group][:limit]
    rounds = max(map(len, grouped.values()))
    return [group[turn] for turn in range(rounds) for group in grouped.values() if turn < len(group)][:limit]


def learnable(
    others: Sequence[Question], split: str, known: Sequence[Question], where: str
) -> list[Question]:
    """The questions of another set that may be learned: those of the split that is learned from, if the set
    has splits, whose wording no known question has. `where` is the name of the other set in messages.
    """
    splits = sorted({one.split for one in others if one.split})
    of_split = [one for one in others if one.split == split] if splits else others
    if splits and not of_split:
        raise RollcallError(
            f"{where}: no question is of the split {split}, which is learned from; "
            f"there are: {', '.join(splits)}"
        )
    answered = [one for one in of_split if one.answers]
    if not answered:
        which = f"no question of the split {split}" if splits else "no question"
        raise RollcallError(f"{where}: {which} has answers to learn from")
    taken = {wording for one in known for wording in _wordings(one)}
    left = [one for one in answered if taken.isdisjoint(_wordings(one))]
    if not left:
        raise RollcallError(
            f"{where}: nothing is left to learn from, since all its questions are among those that are "
            "learned or evaluated on already; leave out --others, or give another set"
        )
    return left


def _wordings(question: Question) -> set[str]:
    """All wordings of a question, regardless of case and spaces."""
    return {fold(one) for one in (question.question, *question.wordings) if one}


def mixed(questions: Sequence[Question], others: Sequence[Question], share: float) -> list[Question]:
    """So many of the others that they are this share of all; they come again if they are too few."""
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
    return ScoredQuestion(list(scores.values()), [one in gold for one in scores], len(gold))


def best_threshold(questions: Sequence[ScoredQuestion], otherwise: float = 0.5) -> Tuned:
    """The threshold of the greatest mean F1; `otherwise` if there is nothing to tune it on."""
    every = np.unique(np.concatenate([np.asarray(one.scores, float) for one in questions] or [np.zeros(0)]))
    if not len(every):
        return Tuned(otherwise, 0.0)
    places = np.unique(np.linspace(0, len(every) - 1, _MOST).round().astype(int))
    tried = every[places]
    total = np.zeros(len(tried))
    for one in questions:
        scores, right = np.asarray(one.scores, float), np.asarray(one.right, bool)
        given = len(scores) - np.searchsorted(np.sort(scores), tried, side="left")
        hits = right.sum() - np.searchsorted(np.sort(scores[right]), tried, side="left")
        total += np.divide(2.0 * hits, given + one.gold, out=np.zeros(len(tried)), where=given + one.gold > 0)
    best = int(total.argmax())
    # Halfway to the next lower score, so that an answer hardly below the least right one is not lost.
    below = every[max(places[best] - 1, 0)]
    return Tuned(float(tried[best] + below) / 2, float(total[best]) / len(questions))


# How good answers to training examples are, by our own scorer.

MEASURES = ("F1", "P", "R")


def figures(answers: Sequence[Answers], examples: Sequence[TrainingExample]) -> dict[str, float]:
    """Mean F1, precision and recall, between 0 and 1."""
    from rollcall.score import score

    report = score(
        [one.as_question for one in examples],
        [Prediction(one.id, list(given)) for one, given in zip(examples, answers, strict=True)],
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
    return max(scores) if combination == "greatest" else 1.0 - prod(1.0 - min(one, 1.0) for one in scores)


def best_combination(questions: Callable[[Combination], Sequence[ScoredQuestion]]) -> Chosen:
    """The combination and the threshold of the greatest F1 on questions whose answers were combined by it."""
    tried = {combination: best_threshold(questions(combination)) for combination in _COMBINATIONS}
    best = max(_COMBINATIONS, key=lambda one: tried[one].f1)
    return Chosen(best, tried[best].threshold)
