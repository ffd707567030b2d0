"""How `jacana` learns: a logistic regression over candidate answers, right ones against the others.

In each question the right answers together weigh as much as the wrong ones. The least score of an answer is
tuned on questions that were not learned from: those of dev, or else a fifth of the training's clusters.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.progress import Progress
from rollcall.systems.ask.jacana.pairing import Pairing
from rollcall.systems.ask.learned.adagrad import AdaGrad, Floats
from rollcall.systems.ask.learned.alignment import AlignedWords, Alignment, Lesson
from rollcall.systems.ask.learned.passes import PassPlan, learn_in_passes
from rollcall.systems.ask.learned.reading_graphs import GraphReading
from rollcall.systems.ask.learned.rows import FeatureRows
from rollcall.systems.train.thresholds import Judged, Tuned, best_threshold

_FOLDS = 5


class Labelled(NamedTuple):
    """The candidate answers to a question in rows, and how many of each row are right."""

    rows: FeatureRows
    right: Floats
    sizes: Floats
    gold: int

    def scores(self, weights: Floats) -> Floats:
        """The chance of each row that its nodes are answers."""
        return chances(self.rows.scores(weights))

    def pulls(self, scores: Floats) -> Floats:
        """How much the sum of each row should rise, by the likelihood of its labels."""
        wrong = self.sizes - self.right
        up, down = self.right / max(self.right.sum(), 1.0), wrong / max(wrong.sum(), 1.0)
        found: Floats = up * (1.0 - scores) - down * scores
        return found


def chances(sums: Floats) -> Floats:
    """The logistic function."""
    found: Floats = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
    return found


class JacanaLearning:
    """Learns to choose among the neighbours of topics in one graph."""

    def __init__(self, graph: Graph, reading: GraphReading, pairing: Pairing) -> None:
        self._graph, self._reading, self._pairing = graph, reading, pairing

    def learn(
        self, lessons: Sequence[Lesson], optimiser: AdaGrad, plan: PassPlan
    ) -> "tuple[Alignment, list[dict[str, float]]]":
        """Learn the weights; the words that went with relations, and the figures of each pass."""
        alignment = Alignment.learned(lessons, self._reading.hops)
        with Progress("neighbourhoods", len(lessons), count=True, show=plan.progress) as bar:
            labelled = []
            for one in lessons:
                found = self._labelled(one, alignment.without(one.group), optimiser)
                labelled += [found] if found is not None and found.right.any() else []
                bar.advance(1)
        if not labelled:
            raise RollcallError(
                "no answer is near a name of its question, so nothing can be learned; is it the graph that"
                " they are about?"
            )
        history = learn_in_passes(plan, labelled, optimiser, lambda one: _step(one, optimiser))
        return alignment, history

    def tuned(self, lessons: Sequence[Lesson], alignment: Alignment, optimiser: AdaGrad) -> Tuned:
        """The threshold of the greatest F1 on questions that were not learned from."""
        judged = []
        for one in lessons:
            found = self._labelled(one, alignment.whole, optimiser)
            judged.append(
                _judged(found, optimiser.values) if found is not None else Judged([], [], one.gold.count)
            )
        return best_threshold(judged)

    def _labelled(self, lesson: Lesson, aligned: AlignedWords[int], optimiser: AdaGrad) -> Labelled | None:
        rows = self._pairing.rows(lesson.reading, aligned)
        if not rows:
            return None
        terms = [np.array(sorted(row.terms), dtype=self._graph.index.dtype) for row in rows]
        right = [sum(lesson.gold.right(one)) for one in terms]
        return Labelled(
            FeatureRows.of([row.features for row in rows], optimiser),
            np.array(right, dtype=np.float64),
            np.array([len(row.terms) for row in rows], dtype=np.float64),
            lesson.gold.count,
        )


def _step(one: Labelled, optimiser: AdaGrad) -> float:
    """Take one step; the F1 of the likelier nodes before it."""
    scores = one.scores(optimiser.values)
    one.rows.step(optimiser, one.pulls(scores))
    given = scores > 0.5
    return float(2.0 * one.right[given].sum() / (one.sizes[given].sum() + one.gold))


def _judged(one: Labelled, weights: Floats) -> Judged:
    sizes = one.sizes.astype(int)
    right = [
        place < hits
        for size, hits in zip(sizes.tolist(), one.right.tolist(), strict=True)
        for place in range(size)
    ]
    return Judged(np.repeat(one.scores(weights), sizes).tolist(), right, one.gold)


def held_out(lesson: Lesson) -> bool:
    """Whether a question is left for the threshold where there is no dev."""
    return int(hashlib.md5(lesson.group.encode()).hexdigest(), 16) % _FOLDS == 0
