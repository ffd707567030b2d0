"""A trained `sempre`: parses a question and gives the query of the best derivation."""

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.systems.ask.forms import query_of
from rollcall.systems.ask.learned.alignment import Alignment
from rollcall.systems.ask.learned.interpretation import (
    Interpretation,
    nothing_found,
    same_answers,
    unused_words,
)
from rollcall.systems.ask.learned.likelihood import shares
from rollcall.systems.ask.learned.reading_graphs import GraphReading
from rollcall.systems.ask.sempre.derivations import Derivation
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
            return Interpretation(question, query, _share(best, parses), left)
        return nothing_found(reading)


def _share(best: Derivation, parses: list[Derivation]) -> float:
    every = shares(np.array([one.score for one in parses]))
    return float(
        sum(
            share
            for share, one in zip(every.tolist(), parses, strict=True)
            if (one.function == "count") == (best.function == "count") and same_answers(one.terms, best.terms)
        )
    )
