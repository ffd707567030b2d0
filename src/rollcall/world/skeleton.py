"""The skeleton of a world: home, years and relations of every entity, as numpy columns.

Drawing whole columns at once is fast. The columns are in memory-mapped files (a few dozen bytes per entity),
so that every worker can look up any entity while memory use stays constant. Text is made later, block by
block.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollcall.world.census import Census
from rollcall.world.families import Families
from rollcall.world.relation import Relation
from rollcall.world.relations import RELATIONS

Column = NDArray[np.int32]
Years = NDArray[np.int16]


class Skeleton:
    """The columns of a world: built once, then opened by every worker."""

    def __init__(self, census: Census, folder: Path):
        self.census, self.folder = census, folder
        self.families = Families(census.seed, census.people.start, len(census.people))
        self._open: dict[str, NDArray[np.generic]] = {}
        self._spans: dict[str, dict[int, tuple[int, int]]] = {}

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        column = self._open.get(name)
        if column is None:
            mapped = np.load(self.folder / f"{name}.npy", mmap_mode="r")
            column = self._open[name] = mapped.view(
                np.ndarray
            )  # indexing a plain view is several times faster
        return column

    def put(self, name: str, column: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", column)
        self._open.pop(name, None)

    def objects(self, relation: Relation, kind: str, number: int) -> list[int]:
        """The objects of a relation that is stored as a column."""
        row = self[f"{relation.key}.{kind}"][number - self.census.range[kind].start]
        return [value for value in row.tolist() if value >= 0]

    def subjects(self, relation: Relation, number: int) -> list[int]:
        """The subjects whose object is `number`, in order of their numbers."""
        low, high = self._span(relation.key, number)
        return [] if low == high else self[f"{relation.key}.subjects"][low:high].tolist()

    def degree(self, relation: Relation, number: int) -> int:
        """How many subjects an object has."""
        low, high = self._span(relation.key, number)
        return high - low

    def _span(self, key: str, number: int) -> tuple[int, int]:
        known = self._spans.get(key)
        if known is not None and number in known:
            return known[number]
        low, high = np.searchsorted(self[f"{key}.objects"], [number, number + 1]).tolist()
        return low, high

    def look_ahead(self, numbers: list[int]) -> None:
        """Find the positions of the subjects of many objects at once; drops those found before."""
        wanted = np.array(numbers)
        self._spans = {}
        for relation in RELATIONS:
            if is_indexed(relation):
                kinds = {option.partition(":")[0] for option in str(relation.objects).split("|")}
                ranges = [self.census.range[kind] for kind in kinds]
                mine = wanted[np.any([(wanted >= r.start) & (wanted < r.stop) for r in ranges], axis=0)]
                objects = self[f"{relation.key}.objects"]
                lows, highs = np.searchsorted(objects, mine), np.searchsorted(objects, mine + 1)
                spans = zip(lows.tolist(), highs.tolist(), strict=True)
                self._spans[relation.key] = dict(zip(mine.tolist(), spans, strict=True))


def is_indexed(relation: Relation) -> bool:
    """Whether a relation can be looked up by its object."""
    return relation.back or relation.source == "home"
