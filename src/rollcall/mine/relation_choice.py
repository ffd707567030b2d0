"""Chooses the relations that random attempts ask about, and those whose values they ask for and compare.

A relation is asked about if it can be worded: its label contains a word, or the lexicon knows its id. A
relation to entities whose label asks for a name, a time or prose (`common name`) is left out, because the
entities are only linked there. Its
values are compared only if they measure something: not if they number rows, name things by figures, or are
the few values of a relation that leads to entities.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex
from rollcall.mine.record_keeping import can_be_worded, promises_no_measure, promises_no_things
from rollcall.wording import Entry, Lexicon
from rollcall.wording.generic import Ends

_SERIAL = re.compile(r"\d+ |.*[^\W\d] \d{1,2}$")
"""Labels that begin or end with a number: one of several numbered columns of a table."""


class AskableRelations(NamedTuple):
    """The relations worth asking about, with their numbers, and those whose values are worth comparing."""

    numbers: dict[str, int]
    compared: frozenset[int]


def askable_relations(
    graph: Graph, excluded: Collection[str], lexicon: Lexicon | None = None
) -> AskableRelations:
    """The relations of a graph that can be worded and are not excluded by id or label."""
    lexicon = lexicon or Lexicon.load()
    left_out = {name.casefold() for name in excluded}
    labels = zip(graph.index.relation_ids, graph.index.relation_labels, strict=True)
    numbers: dict[str, int] = {}
    compared: set[int] = set()
    for number, (id_, given) in enumerate(labels):
        known = lexicon.entry(id_) if id_ in lexicon else None
        label = given or (known.label if known else id_)
        if not can_be_worded(label) or _SERIAL.match(label) or (known and not known.use):
            continue
        if known is None and promises_no_things(label) and _leads_to_things(graph.index, number):
            continue
        if {id_.casefold(), label.casefold()} & left_out:
            continue
        numbers[id_] = number
        entry = known or lexicon.entry(id_, label, Ends(objects="number"))
        if _measures(graph.index, number, label, entry):
            compared.add(number)
    if not numbers:
        raise RollcallError(
            f"{graph.folder}: none of the {len(graph.index.relation_ids)} relations has a label that can be "
            "worded and is not excluded; give labels, or entries with wording.lexicon (`rollcall lexicon`)"
        )
    return AskableRelations(numbers, frozenset(compared))


def _leads_to_things(index: GraphIndex, relation: int) -> bool:
    """Whether most objects of a relation are entities."""
    _, objects = index.forward(relation)
    return bool(np.count_nonzero(objects < index.entity_count) * 2 > len(objects))


def _measures(index: GraphIndex, relation: int, label: str, entry: Entry) -> bool:
    """Whether most objects of a relation are values that can be compared and that measure something."""
    _, objects = index.forward(relation)
    literals = objects[objects >= index.entity_count] - index.entity_count
    ordered = literals[index.literal_dimension[literals] >= 0]
    if len(ordered) * 2 < len(objects) or not len(ordered):
        return False
    if not entry.generic:
        return True
    if not entry.noun or promises_no_measure(label) or "“" in entry.nouns:
        return False
    return not _numbers_rows(index.literal_low[ordered])


def _numbers_rows(amounts: "np.typing.NDArray[np.float64]") -> bool:
    """Whether values are row numbers or ranks: 1, 2, 3 … without gaps, and about as many of each.

    Counts of things have gaps and zeros, and small counts are much more frequent than larger ones.
    """
    if len(amounts) < _LEAST_ROWS or amounts.min() != 1 or (amounts != np.floor(amounts)).any():
        return False
    values, times = np.unique(amounts, return_counts=True)
    lower = values <= np.quantile(amounts, 0.8)
    gapless = bool(values[lower][-1] == lower.sum())
    return bool(gapless and lower.sum() >= _LEAST_RANKS and np.median(times[lower]) * 3 >= times.max())


_LEAST_ROWS = 12
_LEAST_RANKS = 6
