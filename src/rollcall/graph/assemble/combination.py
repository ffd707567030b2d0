"""The interface to the combined shards: every table of the graph, numbered and in order.

There are two implementations: the engine, for data of any size, and plain Python, for a graph made in memory.
The Python version is also the definition: a test compares the engine with it.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Batches: TypeAlias = Iterator[Any]
Numbers: TypeAlias = npt.NDArray[np.int64]


class Combination(Protocol):
    """Streams of Arrow batches; the first columns of each are its sort columns, or their ids."""

    def entities(self) -> Batches:
        """id, label, description, title."""

    def literals(self) -> Batches:
        """id (the canonical text), kind, dimension, low, high."""

    def aliases(self) -> Batches:
        """number (of the entity), text, source, count."""

    def names(self) -> Batches:
        """folded, number."""

    def relations(self) -> Batches:
        """id, label, description."""

    def classes(self) -> Batches:
        """id, label, description."""

    def edges_forward(self) -> Batches:
        """relation, subject, object, by subject; repeated rows follow one another."""

    def edges_backward(self) -> Batches:
        """relation, subject, object, by object; repeated rows follow one another."""

    def parents(self) -> Batches:
        """class_number, parent_number."""

    def close_types(self, ancestors: Iterator[tuple[Numbers, Numbers]]) -> None:
        """Receive the ancestors of every class, before the types are requested."""

    def types_forward(self) -> Batches:
        """entity, of (the class), direct."""

    def types_backward(self) -> Batches:
        """of (the class), entity."""
