"""What the grammar of `sempre` stands on: the facts of one graph, and one question under some weights."""

from typing import NamedTuple

from rollcall.graph import Graph
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.learned.alignment import AlignedWords
from rollcall.systems.ask.learned.measures import Measures
from rollcall.systems.ask.learned.popularity import popularity_of
from rollcall.systems.ask.learned.weighing import Features
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.sempre.lexicon import RelationLexicon


class Ground:
    """The facts of a graph as the grammar needs them."""

    def __init__(self, graph: Graph, hops: Neighbourhood, lexicon: RelationLexicon) -> None:
        self.index, self.hops, self.lexicon = graph.index, hops, lexicon
        self.measures = Measures(graph.index)
        self.popularity = popularity_of(graph.index)


class Asking(NamedTuple):
    """One question, and what is known about words when it is parsed."""

    reading: Reading
    aligned: AlignedWords[int]
    weights: Features
