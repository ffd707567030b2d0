"""A trained `parasempre`: the candidate whose utterance paraphrases a question best."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.papers.semantic_parsers.alignment import (
    AlignedWords,
    GraphReading,
    Names,
    Table,
    TrainingQuestion,
    content_words,
    popularity_of,
)
from rollcall.papers.semantic_parsers.learning import (
    AdaGrad,
    FeatureRows,
    Floats,
    Interpretation,
    Measures,
    PassPlan,
    StoredModel,
    agreeing_share,
    learn_in_passes,
    nothing_found,
    pulls,
    training_questions,
    weighed,
)
from rollcall.papers.semantic_parsers.parasempre_candidates import (
    Association,
    CanonicalUtterances,
    FilledTemplate,
    Templates,
    TextWords,
    association,
    explained,
    shape,
    utterance,
    without_names,
)
from rollcall.systems.ask.forms import query_of
from rollcall.systems.ask.ranking import RelationLikeness
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.train.training_example import TrainingExample

# What `parasempre` has learned: the weights of features, and the words that paraphrases have.


class ParasempreModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "parasempre.json"
    association: Table
    candidates: int
    vectors: bool


# The candidates of a question with their utterances and features, over one graph.


class WordedCandidate(NamedTuple):
    """A candidate with its utterance."""

    candidate: FilledTemplate
    utterance: str


class Paraphrases:
    """Makes candidates over one graph, and compares them with questions."""

    def __init__(self, graph: Graph, names: Names, candidates: int, *, vectors: bool) -> None:
        parts = GraphReading(graph, names)
        self.reader, self._index, self._most = parts.questions, graph.index, candidates
        self._templates = Templates(Measures(graph.index), parts.hops)
        self._utterances = CanonicalUtterances(graph.index, parts.phrases)
        self._popularity = popularity_of(graph.index)
        self._likeness = (
            RelationLikeness(graph, parts.phrases, f"asking_vectors_{names}") if vectors else None
        )

    def candidates(self, reading: QuestionReading) -> list[WordedCandidate]:
        """The candidates of a question."""
        filled = self._templates.filled(reading, self._most)
        return [WordedCandidate(candidate, self._utterances.of(candidate.form)) for candidate in filled]

    def features(
        self, reading: QuestionReading, worded: list[WordedCandidate], aligned: AlignedWords[str]
    ) -> list[dict[str, float]]:
        """The features of candidates."""
        likenesses = self._likeness.to(reading) if self._likeness is not None else None
        texts: dict[int, TextWords] = {}
        words: dict[tuple[int, str], dict[str, float]] = {}
        features = []
        for candidate, text in worded:
            names = candidate.mask & name_mask(reading)
            if names not in texts:
                texts[names] = without_names(reading, names)
            key = (names, text)
            if key not in words:
                words[key] = association(texts[names], utterance(text), aligned)
            features.append(words[key] | shape(reading, candidate, self._index, self._popularity, likenesses))
        return features

    def unexplained(
        self, reading: QuestionReading, worded: WordedCandidate, aligned: AlignedWords[str]
    ) -> tuple[str, ...]:
        """The words of a question that neither names nor the utterance of a candidate explain."""
        question = without_names(reading, worded.candidate.mask)
        rest = explained(question, utterance(worded.utterance), aligned).rest
        return tuple(reading.question[word.start : word.end] for word in rest)


def name_mask(reading: QuestionReading) -> int:
    """The words of names and values, which an utterance leaves out."""
    mask = 0
    for mention in reading.entities:
        mask |= mention.mask
    for _, value_mask in reading.values:
        mask |= value_mask
    return mask


class ParasempreInterpreter:
    """Interprets questions about one graph."""

    def __init__(self, graph: Graph, model: ParasempreModel) -> None:
        self._index = graph.index
        self._paraphrases = Paraphrases(graph, model.names, model.candidates, vectors=model.vectors)
        self._aligned = Association.opened(model.association).whole
        self._weights = model.weights

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for."""
        reading = self._paraphrases.reader.read(question)
        worded = self._paraphrases.candidates(reading)
        features = self._paraphrases.features(reading, worded, self._aligned)
        scores = np.array([weighed(own, self._weights) for own in features])
        for index in np.argsort(-scores, kind="stable").tolist():
            best = worded[index].candidate
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            sure = agreeing_share(scores, [candidate.candidate for candidate in worded], best)
            left = self._paraphrases.unexplained(reading, worded[index], self._aligned)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)


# How `parasempre` learns: candidates that give right answers should paraphrase their questions best.
# Candidates do not depend on the weights, so they are made once. Which of them is meant is not given;
# each is rewarded by the F1 of its answers.

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
        self, examples: Sequence[TrainingExample], optimiser: AdaGrad, plan: PassPlan
    ) -> list[dict[str, float]]:
        """Learn from questions and their answers; the figures of each pass."""
        questions = training_questions(self._graph, self._paraphrases.reader, examples, plan.progress)
        self._learn_paraphrases(examples, questions)
        rewarded = []
        with Progress("candidates", len(questions), count=True, show=plan.progress) as bar:
            for question in questions:
                worded = self._paraphrases.candidates(question.reading)
                rewards = np.array([_reward(question, candidate) for candidate in worded])
                rewarded.append((worded, rewards))
                self._learn_utterances(question, worded, rewards)
                bar.advance(1)
        if not any(rewards.any() for _, rewards in rewarded):
            raise RollcallError(
                "no query that can be grown from the names in these questions gives a right answer, so"
                " nothing can be learned; is it the graph that they are about?"
            )
        ranked = list(self._ranked(questions, rewarded, optimiser, plan.progress))
        return learn_in_passes(
            plan, ranked, optimiser, lambda ranked_question: _step(ranked_question, optimiser)
        )

    def f1(self, examples: Sequence[TrainingExample], optimiser: AdaGrad, progress: bool | None) -> float:
        """The mean F1 of the best candidates of questions that were not learned from."""
        aligned, total, weights = self.association.whole, 0.0, optimiser.named()
        for question in training_questions(self._graph, self._paraphrases.reader, examples, progress):
            worded = self._paraphrases.candidates(question.reading)
            if worded:
                features = self._paraphrases.features(question.reading, worded, aligned)
                scores = [weighed(own, weights) for own in features]
                total += _reward(question, worded[int(np.argmax(scores))])
        return total / len(examples)

    def _ranked(
        self,
        questions: Sequence[TrainingQuestion],
        rewarded: "Sequence[tuple[list[WordedCandidate], Floats]]",
        optimiser: AdaGrad,
        progress: bool | None,
    ) -> Iterator[Ranked]:
        with Progress("features", len(questions), count=True, show=progress) as bar:
            for question, (worded, rewards) in zip(questions, rewarded, strict=True):
                aligned = self.association.without(question.group)
                features = self._paraphrases.features(question.reading, worded, aligned)
                yield Ranked(FeatureRows.of(features, optimiser), rewards)
                bar.advance(1)

    def _learn_paraphrases(
        self, examples: Sequence[TrainingExample], questions: Sequence[TrainingQuestion]
    ) -> None:
        """Count the words of questions of one cluster, and of several wordings of one question."""
        groups: dict[str, dict[str, list[str]]] = {}
        for example, question in zip(examples, questions, strict=True):
            own = groups.setdefault(question.group, {})
            readings = [question.reading, *map(self._paraphrases.reader.read, example.wordings)]
            for reading in readings:
                own[reading.question] = content_words(reading, name_mask(reading))
        for group, texts in groups.items():
            for words, others in permutations(list(texts.values())[:_PARAPHRASES], 2):
                self.association.learn(group, words, others, 1.0 / len(texts))

    def _learn_utterances(
        self, question: TrainingQuestion, worded: Sequence[WordedCandidate], rewards: Floats
    ) -> None:
        """Count the words of a question with those of the candidates that answer it best."""
        if not rewards.any():
            return
        best = {
            text: reward
            for (_, text), reward in zip(worded, rewards.tolist(), strict=True)
            if reward >= _NEAR_BEST * rewards.max()
        }
        asked = without_names(question.reading, name_mask(question.reading))
        for text, reward in best.items():
            words = [word.root for word in utterance(text).content]
            self.association.learn(
                question.group, [word.root for word in asked.content], words, reward / len(best)
            )


def _step(ranked: Ranked, optimiser: AdaGrad) -> float | None:
    """Take one step; the F1 of the best candidate before it, or None if no candidate has a right answer."""
    if not ranked.rewards.any():
        return None
    scores = ranked.rows.scores(optimiser.values)
    ranked.rows.step(optimiser, pulls(scores, ranked.rewards))
    return float(ranked.rewards[int(scores.argmax())])


def _reward(question: TrainingQuestion, worded: WordedCandidate) -> float:
    """The F1 of a candidate's answers."""
    candidate = worded.candidate
    return (
        question.gold.reward_of_count(len(candidate.terms))
        if candidate.function == "count"
        else question.gold.reward(candidate.terms)
    )
