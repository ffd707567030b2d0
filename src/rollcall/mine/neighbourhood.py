"""The relations of every entity, so that a random walk along facts need not search all relations.

The index sorts facts by relation; a random walk needs them by entity. One sorted array of (entity, relation,
direction) with eight bytes an entry is enough, because the index can then find the facts themselves.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained, slice_of, unique_sorted

FORWARD, BACKWARD = 0, 1
_MOSTLY = 0.9


class Neighbourhood:
    """The hops out of an entity: each is `2 * relation + direction`, where FORWARD is from the subject."""

    def __init__(
        self, index: GraphIndex, relations: Iterable[int], keys: npt.NDArray[np.int64] | None = None
    ) -> None:
        """`keys` are those that were made earlier for the same graph and relations."""
        self.index = index
        self._single: dict[int, bool] = {}
        self._width = 2 * len(index.relation_ids)
        self.keys = self._sorted_keys(relations) if keys is None else keys

    def _sorted_keys(self, relations: Iterable[int]) -> npt.NDArray[np.int64]:
        index, parts = self.index, list[npt.NDArray[np.int64]]()
        for relation in relations:
            subjects = unique_sorted(index.forward(relation)[0]).astype(np.int64)
            parts.append(subjects * self._width + hop(relation, FORWARD))
            objects = index.backward(relation)[0]
            entities = objects[: objects.searchsorted(index.dtype.type(index.entity_count))]
            parts.append(unique_sorted(entities).astype(np.int64) * self._width + hop(relation, BACKWARD))
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)

    def hops(self, entity: int) -> list[int]:
        """The hops out of an entity, sorted."""
        start, end = self.keys.searchsorted((entity * self._width, (entity + 1) * self._width))
        hops: list[int] = (self.keys[start:end] - entity * self._width).tolist()
        return hops

    def have(self, entities: Numbers, along: int) -> bool:
        """Whether a hop leads out of each of these entities, which must be of its relations."""
        keys = entities.astype(np.int64) * self._width + along
        return bool(contained(keys, self.keys).all())

    def mostly_single(self, along: int) -> bool:
        """Whether a hop leads to one term only, from most entities that have it."""
        if along not in self._single:
            relation, direction = divmod(along, 2)
            pairs = self.index.forward(relation) if direction == FORWARD else self.index.backward(relation)
            _, times = np.unique(pairs[0], return_counts=True)
            self._single[along] = bool(np.count_nonzero(times == 1) >= _MOSTLY * len(times))
        return self._single[along]

    def others(self, entity: int, along: int) -> Numbers:
        """The terms to which a hop leads, sorted."""
        relation, direction = divmod(along, 2)
        pairs = self.index.forward(relation) if direction == FORWARD else self.index.backward(relation)
        return slice_of(pairs, entity, self.index.dtype)


def hop(relation: int, direction: int) -> int:
    """The number of a hop."""
    return 2 * relation + direction
