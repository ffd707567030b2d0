"""A trained `jacana`: the nodes around the topics of a question that are likely answers."""

import numpy as np

from rollcall.graph import Graph
from rollcall.systems.ask.jacana.learning import chances
from rollcall.systems.ask.jacana.model import JacanaModel
from rollcall.systems.ask.jacana.pairing import Pairing
from rollcall.systems.ask.jacana.topics import topics_of
from rollcall.systems.ask.learned.alignment import Alignment
from rollcall.systems.ask.learned.interpretation import nothing_found, unused_words
from rollcall.systems.ask.learned.reading_graphs import GraphReading
from rollcall.systems.ask.learned.weighing import weighed


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
        found: dict[int, float] = {}
        for row, score in zip(rows, chances(np.array(sums)).tolist(), strict=True):
            for term in row.terms:
                found[term] = max(score, found.get(term, 0.0))
        return found

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
