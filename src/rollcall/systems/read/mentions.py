"""`mentions`: the entities that the passages name, ranked by how well they are supported, cut where trust
ends.

No model is needed. The weights are those of a logistic regression on questions about a generated world; on a
set with a training split they are fitted to that instead.
"""

import math
from collections.abc import Sequence

import msgspec

from rollcall.graph.graph import Graph
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.question_words import QuestionAnalysis
from rollcall.systems.read.support import FEATURES, Candidate, Supporter
from rollcall.systems.retrieve.store import PassageStore


class Weights(msgspec.Struct, frozen=True):
    """What each feature counts, and from which probability on an entity is an answer."""

    bias: float
    features: tuple[float, ...]
    cut: float

    def probability(self, candidate: Candidate) -> float:
        total = self.bias + sum(w * x for w, x in zip(self.features, candidate.features, strict=True))
        return 1.0 / (1.0 + math.exp(-max(min(total, 50.0), -50.0)))


DEFAULT_WEIGHTS = Weights(-7.0, (4.0, 3.0, 2.0, 1.0, 0.5, 1.0, 0.1, 0.5, 2.5, 2.0), 0.35)
assert len(DEFAULT_WEIGHTS.features) == len(FEATURES)


class Mentions:
    """Answers with entities of a graph."""

    name = "mentions"

    def __init__(
        self, graph: Graph, store: PassageStore | None = None, weights: Weights | None = None
    ) -> None:
        """`store` tells which entity the page of a passage is about; without it the titles are looked up."""
        self._graph = graph
        finder = NameFinder(graph)
        self._questions = QuestionAnalysis(graph, finder)
        self._supporter = Supporter(graph, finder, store.entity if store is not None else lambda id_: None)
        self.weights = weights or DEFAULT_WEIGHTS

    def candidates(self, question: Asked, passages: Sequence[Passage]) -> list[Candidate]:
        """Every entity in the passages with its features; in the closed setting only the offered ones."""
        found = self._supporter.candidates(self._questions.words(question.question), passages)
        if not question.candidates:
            return found
        numbers = {self._graph.index.entity_number(one.id) for one in question.candidates if one.id}
        return [candidate for candidate in found if candidate.entity in numbers]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        ranked = sorted(
            ((self.weights.probability(one), one.entity) for one in self.candidates(question, passages)),
            key=lambda pair: (-pair[0], pair[1]),
        )
        kept = [entity for chance, entity in ranked if chance >= self.weights.cut]
        # Every question has an answer, so the best guess is worth making.
        return [self._answer(entity) for entity in kept or [entity for _, entity in ranked[:1]]]

    def id_of(self, candidate: Candidate) -> str:
        return self._graph.index.entity_ids[candidate.entity]

    def _answer(self, entity: int) -> EntityAnswer:
        id_ = self._graph.index.entity_ids[entity]
        return EntityAnswer(id_, self._graph.label(id_))
