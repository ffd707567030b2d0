"""How likely a query is to be asked: the product of the probabilities of its parts (GraphQuestions, Eq. 1).

Input: a graph, and a corpus if there is one. Output: `Commonness`, which gives log10 of a query's
probability. Entities and classes count by how often the corpus mentions them. Relations count by how often
one page mentions both ends of their facts. Frequencies in the graph smooth all of these, so that no
probability is 0; for literals they are the only source. Only variable nodes count their class: a grounded
node shows its individual instead.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from math import log10
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex
from rollcall.query import Query
from rollcall.query.statements import Entity, Literal

Counts = npt.NDArray[np.float64]

SMOOTHING = 0.1
"""The weight of one occurrence in the graph; a mention in the text has the weight 1."""


class Commonness:
    """The probabilities of entities, classes, relations and literals; `of` gives log10 for a whole query."""

    def __init__(
        self, graph: Graph, mentions: Counts, cooccurrences: Mapping[str, int], smoothing: float = SMOOTHING
    ) -> None:
        index = self._index = graph.index
        degrees, literal_uses, relation_sizes = frequencies(index)
        self._entities = _probabilities(mentions, degrees, smoothing)
        classes, members = index.types_backward()
        weighted: Any = np.bincount(classes, weights=mentions[members], minlength=len(index.class_ids))
        sizes = np.bincount(classes, minlength=len(index.class_ids)).astype(np.float64)
        self._classes = _probabilities(weighted, sizes, smoothing)
        together = np.array([cooccurrences.get(id_, 0) for id_ in index.relation_ids], dtype=np.float64)
        self._relations = _probabilities(together, relation_sizes, smoothing)
        self._literals = literal_uses / max(1.0, literal_uses.sum())
        self._unseen = smoothing / max(1.0, literal_uses.sum())

    @classmethod
    def of_corpus(cls, graph: Graph, corpus: Corpus | None, smoothing: float = SMOOTHING) -> "Commonness":
        """From the mention statistics of a corpus; without a corpus, from frequencies in the graph alone."""
        if corpus is None:
            return cls(graph, np.zeros(graph.index.entity_count), {}, smoothing)
        relations = corpus.tables.relations.select("relation", "cooccurrences").to_pyarrow().to_pylist()
        cooccurrences = {row["relation"]: row["cooccurrences"] for row in relations}
        return cls(graph, _mentions(graph.index, corpus), cooccurrences, smoothing)

    def of(self, query: Query) -> float:
        """log10 of the probability of a query; functions do not count, as in the paper."""
        index = self._index
        total = 0.0
        for pattern in query.patterns:
            # Sorted, because a sum of rounded numbers depends on the order.
            individuals = dict.fromkeys(node for statement in pattern.statements for node in statement.nodes)
            for node in individuals:
                if isinstance(node, Entity):
                    total += _log(self._entities, index.entity_number(node.id), self._unseen)
                elif isinstance(node, Literal):
                    term = index.literal_number(node.value.text)
                    number = None if term is None else term - index.entity_count
                    total += _log(self._literals, number, self._unseen)
            for typing in pattern.typings:
                total += _log(self._classes, index.class_number(typing.class_id), self._unseen)
            for edge in pattern.edges:
                total += _log(self._relations, index.relation_number(edge.relation), self._unseen)
        return total

    def entity(self, number: int) -> float:
        """The probability of an entity, given its number."""
        return float(self._entities[number])


def _log(probabilities: Counts, number: int | None, unseen: float) -> float:
    return log10(unseen if number is None else max(float(probabilities[number]), unseen))


def _probabilities(counts: Counts, frequencies: Counts, smoothing: float) -> Counts:
    smoothed = counts + smoothing * frequencies
    total = smoothed.sum()
    return smoothed / total if total else smoothed


def _mentions(index: GraphIndex, corpus: Corpus) -> Counts:
    """The number of mentions n(e), by entity number."""
    import pyarrow.compute as pc

    counted = np.zeros(index.entity_count)
    table = corpus.tables.mentions.select("entity", "mentions").to_pyarrow()
    entity_ids = index.entity_ids.arrow()
    positions = pc.index_in(table["entity"].cast(entity_ids.type), value_set=entity_ids)
    is_known = positions.is_valid()
    numbers = positions.filter(is_known).to_numpy()
    counted[numbers] = table["mentions"].filter(is_known).to_numpy()
    return counted


def frequencies(index: GraphIndex) -> tuple[Counts, Counts, Counts]:
    """The number of facts of each entity, of uses of each literal, and of facts of each relation."""
    terms = np.zeros(index.entity_count + index.literal_count)
    sizes = np.zeros(len(index.relation_ids))
    for relation in range(len(index.relation_ids)):
        subjects, objects = index.forward(relation)
        sizes[relation] = len(subjects)
        np.add.at(terms, subjects, 1)
        np.add.at(terms, objects, 1)
    return terms[: index.entity_count], terms[index.entity_count :], sizes


# Bins of a characteristic, as recipes write them: `3`, `>1`, `2-10`, `[-40,-30)`, or a plain name.
# Input: the texts of the bins. Output: a function that puts a number or a name into one of them.

_NUMBER = r"-?\d+(?:\.\d+)?"
_ABOVE = re.compile(rf"(>=|>|<=|<)\s*({_NUMBER})")
_SPAN = re.compile(r"(\d+)-(\d+)")
_INTERVAL = re.compile(rf"([\[(])\s*({_NUMBER})\s*,\s*({_NUMBER})\s*([\])])")

OTHER = "other"
"""The bin for everything that no other bin names."""


def number_bins(bins: Iterable[str], characteristic: str) -> Callable[[float], str | None]:
    """A function that puts a number into the first bin that contains it, or gives None if no bin does."""
    tests = [(bin_, _test(bin_, characteristic)) for bin_ in bins]

    def bin_of(value: float) -> str | None:
        return next((bin_ for bin_, holds in tests if holds(value)), None)

    return bin_of


def name_bins(bins: Iterable[str]) -> Callable[[Iterable[str]], str | None]:
    """A function that takes the names of one thing and gives the bin that one of them names, else `other`."""
    bin_names = set(bins)

    def bin_of(names: Iterable[str]) -> str | None:
        return next((name for name in names if name in bin_names), OTHER if OTHER in bin_names else None)

    return bin_of


def _test(bin_: str, characteristic: str) -> Callable[[float], bool]:
    if bin_ == OTHER:
        return lambda _: True
    if match := _ABOVE.fullmatch(bin_.strip()):
        sign, limit = match[1], float(match[2])
        return {
            ">": lambda value: value > limit,
            ">=": lambda value: value >= limit,
            "<": lambda value: value < limit,
            "<=": lambda value: value <= limit,
        }[sign]
    if match := _SPAN.fullmatch(bin_.strip()):
        first, last = float(match[1]), float(match[2])
        if first > last:
            raise _empty(bin_, characteristic)
        return lambda value: first <= value <= last
    if match := _INTERVAL.fullmatch(bin_.strip()):
        low, high = float(match[2]), float(match[3])
        from_low, to_high = match[1] == "[", match[4] == "]"
        if low > high or (low == high and not (from_low and to_high)):
            raise _empty(bin_, characteristic)
        return lambda value: (
            (low <= value if from_low else low < value) and (value <= high if to_high else value < high)
        )
    if re.fullmatch(_NUMBER, bin_.strip()):
        return lambda value: value == float(bin_)
    raise RollcallError(f"{bin_!r} is not a bin for {characteristic}; write 3, >1, 2-10, [-40,-30) or other")


def _empty(bin_: str, characteristic: str) -> RollcallError:
    return RollcallError(f"the bin {bin_!r} for {characteristic} holds nothing; write its lower end first")
