"""A trained `sempre`: parses a question and gives the query of the best derivation."""

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.systems.ask.forms import query_of
from rollcall.systems.ask.learned.alignment import Alignment
from rollcall.systems.ask.learned.interpretation import (
    Interpretation,
    agreeing_share,
    nothing_found,
    unused_words,
)
from rollcall.systems.ask.learned.reading_graphs import GraphReading
from rollcall.systems.ask.sempre.ground import Asking, Ground
from rollcall.systems.ask.sempre.lexicon import RelationLexicon
from rollcall.systems.ask.sempre.model import SempreModel
from rollcall.systems.ask.sempre.parser import Parser


class SempreInterpreter:
    """Interprets questions about one graph."""

    def __init__(self, graph: Graph, model: SempreModel) -> None:
        reading = GraphReading(graph, model.names)
        self._index, self._reader = graph.index, reading.questions
        self._aligned = Alignment.opened(model.alignment, graph.index).whole
        self._weights = model.weights
        self._parser = Parser(Ground(graph, reading.hops, RelationLexicon(reading.phrases)), model.beam)

    def understand(self, question: str) -> Interpretation:
        """The query that a question asks for."""
        reading = self._reader.read(question)
        parses = self._parser.parses(Asking(reading, self._aligned, self._weights))
        for best in parses:
            try:
                query = query_of(best.form, self._index)
            except RollcallError:  # what the query language cannot say
                continue
            left = unused_words(reading, best.mask)
            sure = agreeing_share(np.array([one.score for one in parses]), parses, best)
            return Interpretation(question, query, sure, left)
        return nothing_found(reading)
