"""Chooses the relations that random attempts ask about: those whose label contains a word and is not
excluded.
"""

import re
from collections.abc import Collection

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.mine.record_keeping import can_be_worded

_SERIAL = re.compile(r"\d+ |.*[^\W\d] \d{1,2}$")
"""Labels that begin or end with a number: one of several numbered columns of a table."""


def askable_relations(graph: Graph, excluded: Collection[str]) -> dict[str, int]:
    """The relations whose label contains a word and is not excluded, by id, with their numbers."""
    left_out = {name.casefold() for name in excluded}
    labels = zip(graph.index.relation_ids, graph.index.relation_labels, strict=True)
    found = {
        id_: number
        for number, (id_, label) in enumerate(labels)
        if can_be_worded(label or id_)
        and not _SERIAL.match(label or id_)
        and not {id_.casefold(), (label or id_).casefold()} & left_out
    }
    if not found:
        raise RollcallError(f"{graph.folder}: no relation is left to ask about; exclude fewer")
    return found
