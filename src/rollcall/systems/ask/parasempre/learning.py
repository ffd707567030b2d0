"""How `parasempre` learns: candidates that give right answers should paraphrase their questions best.

Candidates do not depend on the weights, so they are made once. Which of them is meant is never told; each is
rewarded by the F1 of its answers.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.progress import Progress
from rollcall.systems.ask.learned.adagrad import AdaGrad, Floats
from rollcall.systems.ask.learned.alignment import Lesson, content_words
from rollcall.systems.ask.learned.lessons import lessons_of
from rollcall.systems.ask.learned.likelihood import pulls
from rollcall.systems.ask.learned.passes import PassPlan, learn_in_passes
from rollcall.systems.ask.learned.rows import FeatureRows
from rollcall.systems.ask.learned.weighing import weighed
from rollcall.systems.ask.parasempre.association import Association
from rollcall.systems.ask.parasempre.paraphrase_features import utterance, without_names
from rollcall.systems.ask.parasempre.ranking import Paraphrases, Said, name_mask
from rollcall.systems.train.exercise import Exercise

_NEAR_BEST = 0.7
_PARAPHRASES = 6
"""Paraphrases of a cluster that are compared with each other."""


class Ranked(NamedTuple):
    """The candidates of a question and their rewards."""

    rows: FeatureRows
    rewards: Floats


class ParasempreLearning:
    """Learns to rank candidates over one graph."""

    def __init__(self, graph: Graph, paraphrases: Paraphrases) -> None:
        self._graph, self._paraphrases = graph, paraphrases
        self.association = Association({})

    def learn(
        self, exercises: Sequence[Exercise], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        lessons = lessons_of(self._graph, self._paraphrases.reader, exercises, plan.progress)
        self._learn_paraphrases(exercises, lessons)
        rewarded = []
        with Progress("candidates", len(lessons), count=True, show=plan.progress) as bar:
            for lesson in lessons:
                said = self._paraphrases.said(lesson.reading)
                rewards = np.array([_reward(lesson, one) for one in said])
                rewarded.append((said, rewards))
                self._learn_utterances(lesson, said, rewards)
                bar.advance(1)
        if not any(rewards.any() for _, rewards in rewarded):
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        ranked = list(self._ranked(lessons, rewarded, optimiser, plan.progress))
        return learn_in_passes(plan, ranked, optimiser, lambda one: _step(one, optimiser))

    def f1(self, exercises: Sequence[Exercise], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best candidates of questions that were not learned from."""
        aligned, total, weights = self.association.whole, 0.0, optimiser.named()
        for lesson in lessons_of(self._graph, self._paraphrases.reader, exercises, progress):
            said = self._paraphrases.said(lesson.reading)
            if said:
                features = self._paraphrases.features(lesson.reading, said, aligned)
                scores = [weighed(one, weights) for one in features]
                total += _reward(lesson, said[int(np.argmax(scores))])
        return total / len(exercises)

    def _ranked(
        self,
        lessons: Sequence[Lesson],
        rewarded: "Sequence[tuple[list[Said], Floats]]",
        optimiser: AdaGrad,
        progress: bool | None,
    ) -> Iterator[Ranked]:
        with Progress("features", len(lessons), count=True, show=progress) as bar:
            for lesson, (said, rewards) in zip(lessons, rewarded, strict=True):
                aligned = self.association.without(lesson.group)
                features = self._paraphrases.features(lesson.reading, said, aligned)
                yield Ranked(FeatureRows.of(features, optimiser), rewards)
                bar.advance(1)

    def _learn_paraphrases(self, exercises: Sequence[Exercise], lessons: Sequence[Lesson]) -> None:
        """Count the words of questions of one cluster, and of several wordings of one question."""
        groups: dict[str, dict[str, list[str]]] = {}
        for exercise, lesson in zip(exercises, lessons, strict=True):
            own = groups.setdefault(lesson.group, {})
            readings = [lesson.reading, *map(self._paraphrases.reader.read, exercise.wordings)]
            for one in readings:
                own[one.question] = content_words(one, name_mask(one))
        for group, texts in groups.items():
            for words, others in permutations(list(texts.values())[:_PARAPHRASES], 2):
                self.association.learn(group, words, others, 1.0 / len(texts))

    def _learn_utterances(self, lesson: Lesson, said: Sequence[Said], rewards: Floats) -> None:
        """Count the words of a question with those of the candidates that answer it best."""
        if not rewards.any():
            return
        best = {
            text: reward
            for (_, text), reward in zip(said, rewards.tolist(), strict=True)
            if reward >= _NEAR_BEST * rewards.max()
        }
        question = without_names(lesson.reading, name_mask(lesson.reading))
        for text, reward in best.items():
            words = [word.root for word in utterance(text).content]
            self.association.learn(
                lesson.group, [word.root for word in question.content], words, reward / len(best)
            )


def _step(one: Ranked, optimiser: AdaGrad) -> float | None:
    """Take one step; the F1 of the best candidate before it, or None if no candidate has a right answer."""
    if not one.rewards.any():
        return None
    scores = one.rows.scores(optimiser.values)
    one.rows.step(optimiser, pulls(scores, one.rewards))
    return float(one.rewards[int(scores.argmax())])


def _reward(lesson: Lesson, said: Said) -> float:
    """The F1 of a candidate's answers."""
    one = said.candidate
    return (
        lesson.gold.reward_of_count(len(one.terms))
        if one.function == "count"
        else lesson.gold.reward(one.terms)
    )
