"""Finds mistakes in the quotas of templates before anything is mined.

Unknown characteristics, unknown functions, bins that no query can be in, and classes that the graph does not
have are refused. Otherwise each would cost a whole search that can only miss its quotas.
"""

import difflib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rollcall.errors import RollcallError
from rollcall.mine.bins import OTHER, number_bins
from rollcall.mine.quotas import apportioned

if TYPE_CHECKING:
    from rollcall.graph import Graph

CHARACTERISTICS = ("edges", "nodes", "function", "answers", "commonness", "class")

Quota = Mapping[str, float]


def check_quotas(
    quotas: Mapping[str, Quota], functions: Collection[str], *, max_edges: int, most_answers: int
) -> None:
    """Refuse quotas that no graph could fill."""
    largest = {"edges": max_edges, "nodes": max_edges + 1, "answers": most_answers}
    for characteristic, bins in quotas.items():
        if characteristic not in CHARACTERISTICS:
            hint = _nearest(characteristic, CHARACTERISTICS)
            raise RollcallError(f"quotas: {characteristic!r} is no characteristic; {hint}")
        apportioned(1, bins, characteristic)
        if characteristic == "function":
            _check_names(bins, functions, "function")
        elif characteristic != "class":
            _check_numbers(bins, characteristic, largest.get(characteristic))


def check_classes(quotas: Mapping[str, Quota], graph: "Graph") -> None:
    """Refuse classes that a graph does not have, by id or by label."""
    if "class" in quotas:
        names = {*graph.index.class_ids, *graph.index.class_labels} - {""}
        _check_names(quotas["class"], names, "class of the graph")


def _check_names(bins: Quota, known: Collection[str], what: str) -> None:
    for bin_ in bins:
        if bin_ != OTHER and bin_ not in known:
            raise RollcallError(f"quotas: {bin_!r} is no {what}; {_nearest(bin_, known)}")


def _check_numbers(bins: Quota, characteristic: str, largest: int | None) -> None:
    for bin_ in bins:
        place = number_bins([bin_], characteristic)
        if largest is not None and all(place(value) is None for value in range(1, largest + 1)):
            raise RollcallError(
                f"quotas: no query can be in the bin {bin_!r} of {characteristic}; "
                f"these options allow 1 to {largest} {characteristic}"
            )


_LISTED = 20


def _nearest(name: str, known: Collection[str]) -> str:
    """The names that may have been meant, or all names to choose from."""
    near = difflib.get_close_matches(name, sorted(known), 1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]}?"
    listed = sorted(known) if len(known) <= _LISTED else []
    return f"there are {', '.join(listed)}" if listed else f"none of the {len(known):,} is called alike"
