"""A trained `parasempre`: the candidate whose utterance paraphrases a question best."""

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.systems.ask.forms import query_of
from rollcall.systems.ask.learned.interpretation import (
    Interpretation,
    agreeing_share,
    nothing_found,
)
from rollcall.systems.ask.learned.weighing import weighed
from rollcall.systems.ask.parasempre.association import Association
from rollcall.systems.ask.parasempre.model import ParasempreModel
from rollcall.systems.ask.parasempre.ranking import Paraphrases


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
        said = self._paraphrases.said(reading)
        features = self._paraphrases.features(reading, said, self._aligned)
        scores = np.array([weighed(one, self._weights) for one in features])
        for place in np.argsort(-scores, kind="stable").tolist():
            best = said[place].candidate
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            sure = agreeing_share(scores, [one.candidate for one in said], best)
            left = self._paraphrases.unexplained(reading, said[place], self._aligned)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)
