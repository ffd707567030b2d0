"""Relations with values that have an order: what they are compared with, and what is greatest by them."""

from collections.abc import Iterator

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.systems.ask.forms import Compared, Form, Function, query_of
from rollcall.systems.ask.images import common
from rollcall.systems.ask.signs import Extreme
from rollcall.systems.ask.values_in_text import ValueMention


class Measures:
    """The measuring relations of one graph."""

    def __init__(self, index: GraphIndex) -> None:
        self.index = index
        self.by_dimension: dict[str, list[int]] = {}
        for relation in range(len(index.relation_ids)):
            dimension = index.value_dimension(relation)
            if dimension is not None:
                self.by_dimension.setdefault(index.dimensions[dimension], []).append(relation)
        self._every = [one for own in self.by_dimension.values() for one in own]

    def compared(self, value: ValueMention) -> Iterator[tuple[int, Compared, Numbers]]:
        """What has a value that stands so to the given one, by each relation of its dimension."""
        bounds = value.value.bounds
        for relation in self.by_dimension.get(bounds.dimension, ()) if bounds else ():
            form = Compared(relation, value.comparator, value.value)
            terms = self.terms(form)
            if len(terms):
                yield relation, form, terms

    def extremes(
        self, form: Form, terms: Numbers, extreme: Extreme
    ) -> "Iterator[tuple[Function, Numbers, tuple[tuple[int, int], ...]]]":
        """The greatest or least of a set: of values, or of entities by each relation that they have."""
        if int(terms[-1]) >= self.index.entity_count:
            function = Function(extreme, form)
            found = self.terms(function)
            if len(found):
                yield function, found, ()
            return
        for relation in self._every:
            if len(common(terms, self.index.forward(relation)[0])):
                function = Function(f"arg{extreme}", form, relation)
                found = self.terms(function)
                if len(found):
                    yield function, found, ((relation, 0),)

    def terms(self, form: Form) -> Numbers:
        """The answers of a form; none where the query language cannot say it."""
        try:
            return answer_terms(self.index, query_of(form, self.index))
        except RollcallError:
            return np.empty(0, dtype=self.index.dtype)
