"""What the grammar of `sempre` stands on: the facts of one graph, and one question under some weights."""

import math
from typing import NamedTuple

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import Numbers
from rollcall.mine.neighbourhood import Neighbourhood
from rollcall.systems.ask.forms import Form, query_of
from rollcall.systems.ask.learned.alignment import AlignedWords
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.sempre.derivations import Features
from rollcall.systems.ask.sempre.lexicon import RelationLexicon


class Ground:
    """The facts of a graph as the grammar needs them."""

    def __init__(self, graph: Graph, hops: Neighbourhood, lexicon: RelationLexicon) -> None:
        self.index, self.hops, self.lexicon = graph.index, hops, lexicon
        self.measures: dict[str, list[int]] = {}
        """For each dimension the relations whose values are of it."""
        sizes = [len(self.index.forward(one)[0]) for one in range(len(self.index.relation_ids))]
        for relation in range(len(sizes)):
            dimension = self.index.value_dimension(relation)
            if dimension is not None:
                self.measures.setdefault(self.index.dimensions[dimension], []).append(relation)
        most = math.log1p(max(sizes, default=1))
        self.popularity = [math.log1p(one) / most for one in sizes]
        """How many facts each relation has, from 0 to 1."""

    def terms(self, form: Form) -> Numbers:
        """The answers of a form; none where the query language cannot say it."""
        try:
            return answer_terms(self.index, query_of(form, self.index))
        except RollcallError:
            return np.empty(0, dtype=self.index.dtype)


class Asking(NamedTuple):
    """One question, and what is known about words when it is parsed."""

    reading: Reading
    aligned: AlignedWords
    weights: Features
