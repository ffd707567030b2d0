"""The parts of one graph with which trained systems read questions.

`labels` gives them the names that the graph itself has; `lexicon` also those of Rollcall's lexicon, in which
the questions of its recipes are worded.
"""

from typing import Literal, TypeAlias

from rollcall.graph import Graph
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.reading import QuestionReader
from rollcall.wording.lexicon import Lexicon

Names: TypeAlias = Literal["labels", "lexicon"]


class GraphReading:
    """Reads questions about a graph, with its own names of relations or with those of the lexicon."""

    def __init__(self, graph: Graph, names: Names) -> None:
        self.graph, self.index = graph, graph.index
        self.lexicon = Lexicon.load() if names == "lexicon" else Lexicon({})
        known = NameIndex.of(graph)
        self.hops = known.neighbourhood
        self.questions = QuestionReader(graph, known, self.lexicon)
        self.phrases = self.questions.phrases
