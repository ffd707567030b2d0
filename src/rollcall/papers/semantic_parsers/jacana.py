"""`jacana`: answers picked from the neighbourhood of a topic by a classifier (Yao and Van Durme 2014)."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.papers.semantic_parsers.alignment import (
    AlignedWords,
    Alignment,
    GraphReading,
    Path,
    Table,
    TrainingQuestion,
    content_words,
    paths_from,
    question_word,
    tag,
)
from rollcall.papers.semantic_parsers.learning import (
    AdaGrad,
    FeatureRows,
    Floats,
    PassPlan,
    StoredModel,
    learn_in_passes,
    nothing_found,
    unused_words,
    weighed,
)
from rollcall.systems.ask.reading import QuestionReading
from rollcall.systems.ask.words import roots_of
from rollcall.systems.train.selection import ScoredQuestion, Tuned, best_threshold

# What `jacana` has learned: the weights of features, aligned words, and the least score of an answer.


class JacanaModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "jacana.json"
    alignment: Table
    threshold: float
    topics: int
    nodes: int


# The neighbourhood of a topic: the nodes that one or two relations lead to, each with the paths to it.
# It is bounded, nearest nodes first, so that a topic with very many facts costs no more than others.


class NeighbourNode(NamedTuple):
    """A possible answer."""

    term: int
    paths: tuple[Path, ...]
    """The ways to it, shortest first."""


def neighbours(index: GraphIndex, hops: Neighbourhood, topic: int, most: int) -> list[NeighbourNode]:
    """The nodes around a topic, at most `most`; the topic itself is not one of them."""
    paths: dict[int, list[Path]] = {}
    for path, terms in paths_from(index, hops, topic):
        for term in terms[:most].tolist():
            if term in paths:
                paths[term].append(path)
            elif len(paths) < most and term != topic:
                paths[term] = [path]
    return [NeighbourNode(term, tuple(own)) for term, own in paths.items()]


# What a node is, as features: the relations and directions on the way to it, their words, its classes.

_PATHS = 3
"""The number of paths to a node that become features."""


class NodeFeatures:
    """The features of nodes of one graph."""

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self.words = lru_cache(maxsize=None)(self._words)
        self._of_path = lru_cache(maxsize=65536)(self._path)

    def signature(self, node: NeighbourNode) -> tuple[tuple[Path, ...], tuple[int, ...]]:
        """What decides the features of a node; equal ones have the same features."""
        if node.term >= self._index.entity_count:
            kinds: tuple[int, ...] = (
                -2 - int(self._index.literal_dimension[node.term - self._index.entity_count]),
            )
        else:
            kinds = tuple(self._index.direct_types(node.term)[:2].tolist())
        return node.paths[:_PATHS], kinds

    def of(self, paths: tuple[Path, ...], kinds: tuple[int, ...]) -> list[str]:
        """The features of the nodes of a signature."""
        features = [feature for path in paths for feature in self._of_path(path)]
        return list(dict.fromkeys([*features, *self.classes(kinds)]))

    def classes(self, kinds: tuple[int, ...]) -> list[str]:
        """The classes of a node, or the dimension of a value."""
        return [
            f"class {self._index.class_labels[kind]}" if kind >= 0 else f"value {self._dimension(-2 - kind)}"
            for kind in kinds
        ]

    def _dimension(self, number: int) -> str:
        return self._index.dimensions[number] if number >= 0 else "text"

    def _path(self, path: Path) -> tuple[str, ...]:
        named = [f"{'>' if hop % 2 == FORWARD else '<'}{self._index.relation_ids[hop // 2]}" for hop in path]
        words = (
            f"label {'>' if path[-1] % 2 == FORWARD else '<'}{word}" for word in self.words(path[-1] // 2)
        )
        return (f"path {' '.join(named)}", f"length {len(path)}", f"end {named[-1][0]}", *words)

    def _words(self, relation: int) -> tuple[str, ...]:
        """The words of a relation's label."""
        return tuple(
            dict.fromkeys(
                roots_of(self._index.relation_labels[relation] or self._index.relation_ids[relation])
            )
        )


# The topics of a question: the entities whose neighbourhoods may hold the answers.

_LEAST_NAME = 0.5


class QuestionTopic(NamedTuple):
    """An entity that the question names."""

    entity: int
    mask: int
    """The words of its name."""


def topics_of(reading: QuestionReading, most: int) -> list[QuestionTopic]:
    """The best names of a question that do not overlap, each with the entity that is meant most often."""
    topics: list[QuestionTopic] = []
    taken = 0
    for mention in reading.entities:
        if mention.quality >= _LEAST_NAME and not mention.mask & taken:
            topics.append(QuestionTopic(mention.entities[0], mention.mask))
            taken |= mention.mask
        if len(topics) == most:
            break
    return topics


# What is asked, as features: question word, noun asked for, verb, class of the topic, words and pairs.
# The publication reads them off a dependency parse. Here the order of the words replaces it: pairs of
# neighbouring words, and the first verb.

_WORDS = 10


def question_features(index: GraphIndex, reading: QuestionReading, topic: QuestionTopic) -> list[str]:
    """The features of a question about a topic; without the words of the topic's name."""
    words = [
        word
        for position, word in enumerate(reading.words)
        if not topic.mask >> position & 1 and word.folded.isalnum()
    ]
    content = [word for word in words if not word.is_empty][:_WORDS]
    features = ["any", f"asks {question_word(reading.words)}"]
    if reading.kind.roots:
        features.append(f"noun {reading.kind.roots[-1]}")
    verb = next((word.root for word in content if tag(word) in ("past", "verb", "gerund")), None)
    if verb is not None:
        features.append(f"verb {verb}")
    features += [
        f"topic {index.class_labels[int(class_)]}" for class_ in index.direct_types(topic.entity)[:2]
    ]
    features += [f"word {word.root}" for word in content]
    features += [
        f"pair {first.folded} {second.folded}"
        for first, second in pairwise(words)
        if not (first.is_empty and second.is_empty)
    ][:_WORDS]
    return list(dict.fromkeys(features))


# The features of candidate answers: those of the question times those of the node, and how the words
# align. Nodes with the same features are one row, so that a topic with many neighbours costs little.

_RANKS = (1, 3, 10)


class CandidateRow(NamedTuple):
    """Candidate answers with the same features."""

    terms: tuple[int, ...]
    features: dict[str, float]


class Pairing:
    """Makes rows for questions about one graph."""

    def __init__(self, index: GraphIndex, hops: Neighbourhood, *, topics: int, nodes: int) -> None:
        self._index, self._hops = index, hops
        self._topics, self._most = topics, nodes
        self._nodes = NodeFeatures(index)

    def rows(self, reading: QuestionReading, aligned: AlignedWords[int]) -> list[CandidateRow]:
        """All candidate answers to a question; none if no name in it is known."""
        return [
            row
            for rank, topic in enumerate(topics_of(reading, self._topics))
            for row in self._around(reading, topic, rank, aligned)
        ]

    def _around(
        self, reading: QuestionReading, topic: QuestionTopic, rank: int, aligned: AlignedWords[int]
    ) -> list[CandidateRow]:
        grouped: dict[tuple[tuple[Path, ...], tuple[int, ...]], list[int]] = {}
        for node in neighbours(self._index, self._hops, topic.entity, self._most):
            grouped.setdefault(self._nodes.signature(node), []).append(node.term)
        asked = question_features(self._index, reading, topic)
        words = content_words(reading, topic.mask)
        strengths = {path: _strength(path, words, aligned) for paths, _ in grouped for path in paths}
        ranked = sorted({round(strength, 9) for strength in strengths.values()}, reverse=True)
        rows = []
        for (paths, kinds), terms in grouped.items():
            own = self._nodes.of(paths, kinds)
            features = {f"{question} & {node}": 1.0 for question in asked for node in own}
            features |= self._matching(reading, paths, kinds, words)
            features |= _aligned(max(strengths[path] for path in paths), ranked)
            features[f"topic {rank}"] = 1.0
            rows.append(CandidateRow(tuple(terms), features))
        return rows

    def _matching(
        self, reading: QuestionReading, paths: Sequence[Path], kinds: tuple[int, ...], words: Sequence[str]
    ) -> dict[str, float]:
        """How many words of the labels on the way, and of the classes, the question has."""
        best = max(self._share(path, words) for path in paths)
        named = {root for label in self._nodes.classes(kinds) for root in roots_of(label)}
        focus = reading.kind.roots[-1] if reading.kind.roots else ""
        features = {"label: share in the question": best, "label: wholly in the question": float(best == 1.0)}
        if focus:
            features[
                "the noun asked for is its class" if focus in named else "the noun asked for is no class"
            ] = 1.0
        return features

    def _share(self, path: Path, words: Sequence[str]) -> float:
        labels = [self._nodes.words(hop // 2) for hop in path]
        return sum(sum(word in words for word in own) / len(own) for own in labels if own) / len(path)


def _strength(path: Path, words: Sequence[str], aligned: AlignedWords[int]) -> float:
    """How well the words of a question go with the relations of a path."""
    return sum(max((aligned.lift(word, hop) for word in words), default=0.0) for hop in path) / len(path)


def _aligned(strength: float, ranked: Sequence[float]) -> dict[str, float]:
    rank = sum(other > strength + 1e-9 for other in ranked) + 1
    among_best = {
        f"alignment: among the best {most}": 1.0 for most in _RANKS if rank <= most and strength > 0
    }
    return {"alignment": strength, **among_best}


# How `jacana` learns: a logistic regression over candidate answers, right ones against the others. In
# each question the right answers together weigh as much as the wrong ones. The least score of an answer
# is tuned on questions that were not learned from: those of dev, or else a fifth of the training's
# clusters.

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
        raises: Floats = up * (1.0 - scores) - down * scores
        return raises


def chances(sums: Floats) -> Floats:
    """The logistic function."""
    likely: Floats = 1.0 / (1.0 + np.exp(-np.clip(sums, -30.0, 30.0)))
    return likely


class JacanaLearning:
    """Learns to choose among the neighbours of topics in one graph."""

    def __init__(self, graph: Graph, reading: GraphReading, pairing: Pairing) -> None:
        self._graph, self._reading, self._pairing = graph, reading, pairing

    def learn(
        self, questions: Sequence[TrainingQuestion], optimiser: AdaGrad, plan: PassPlan
    ) -> "tuple[Alignment, list[dict[str, float]]]":
        """Learn the weights; the words that went with relations, and the figures of each pass."""
        alignment = Alignment.learned(questions, self._reading.hops)
        with Progress("neighbourhoods", len(questions), count=True, show=plan.progress) as bar:
            labelled = []
            for question in questions:
                rows = self._labelled(question, alignment.without(question.group), optimiser)
                if rows is not None and rows.right.any():
                    labelled.append(rows)
                bar.advance(1)
        if not labelled:
            raise RollcallError(
                "no answer is near a name of its question, so nothing can be learned; is it the graph that"
                " they are about?"
            )
        history = learn_in_passes(plan, labelled, optimiser, lambda question: _step(question, optimiser))
        return alignment, history

    def tuned(self, questions: Sequence[TrainingQuestion], alignment: Alignment, optimiser: AdaGrad) -> Tuned:
        """The threshold of the greatest F1 on questions that were not learned from."""
        judged = []
        for question in questions:
            labelled = self._labelled(question, alignment.whole, optimiser)
            judged.append(
                _judged(labelled, optimiser.values)
                if labelled is not None
                else ScoredQuestion([], [], question.gold.count)
            )
        return best_threshold(judged)

    def _labelled(
        self, question: TrainingQuestion, aligned: AlignedWords[int], optimiser: AdaGrad
    ) -> Labelled | None:
        rows = self._pairing.rows(question.reading, aligned)
        if not rows:
            return None
        terms = [np.array(sorted(row.terms), dtype=self._graph.index.dtype) for row in rows]
        right = [sum(question.gold.right(row_terms)) for row_terms in terms]
        return Labelled(
            FeatureRows.of([row.features for row in rows], optimiser),
            np.array(right, dtype=np.float64),
            np.array([len(row.terms) for row in rows], dtype=np.float64),
            question.gold.count,
        )


def _step(question: Labelled, optimiser: AdaGrad) -> float:
    """Take one step; the F1 of the likelier nodes before it."""
    scores = question.scores(optimiser.values)
    question.rows.step(optimiser, question.pulls(scores))
    chosen = scores > 0.5
    return float(2.0 * question.right[chosen].sum() / (question.sizes[chosen].sum() + question.gold))


def _judged(question: Labelled, weights: Floats) -> ScoredQuestion:
    sizes = question.sizes.astype(int)
    right = [
        rank < hits
        for size, hits in zip(sizes.tolist(), question.right.tolist(), strict=True)
        for rank in range(size)
    ]
    return ScoredQuestion(np.repeat(question.scores(weights), sizes).tolist(), right, question.gold)


def held_out(question: TrainingQuestion) -> bool:
    """Whether a question is left for the threshold where there is no dev."""
    return int(hashlib.md5(question.group.encode()).hexdigest(), 16) % _FOLDS == 0


# A trained `jacana`: the nodes around the topics of a question that are likely answers.


class JacanaAnswerer:
    """Answers questions about one graph."""

    def __init__(self, graph: Graph, model: JacanaModel) -> None:
        reading = GraphReading(graph, model.names)
        self._index, self._reader, self._model = graph.index, reading.questions, model
        self._aligned = Alignment.opened(model.alignment, graph.index).whole
        self._pairing = Pairing(graph.index, reading.hops, topics=model.topics, nodes=model.nodes)

    def scored(self, question: str) -> dict[int, float]:
        """All candidate answers, as terms of the graph, with their scores from 0 to 1."""
        rows = self._pairing.rows(self._reader.read(question), self._aligned)
        weights = self._model.weights
        sums = [weighed(row.features, weights) for row in rows]
        best: dict[int, float] = {}
        for row, score in zip(rows, chances(np.array(sums)).tolist(), strict=True):
            for term in row.terms:
                best[term] = max(score, best.get(term, 0.0))
        return best

    def likely(self, question: str) -> list[tuple[int, float]]:
        """The candidates that are likely enough, the likeliest first."""
        chosen = [pair for pair in self.scored(question).items() if pair[1] >= self._model.threshold]
        return sorted(chosen, key=lambda pair: (-pair[1], pair[0]))

    def not_understood(self, question: str) -> tuple[str, ...]:
        """The words that lead to no answer: all but the topics' names, or those that name nothing."""
        reading = self._reader.read(question)
        topics = topics_of(reading, self._model.topics)
        if not topics:
            return nothing_found(reading).not_understood
        mask = 0
        for topic in topics:
            mask |= topic.mask
        return unused_words(reading, mask)
