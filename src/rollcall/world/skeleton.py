"""The skeleton of a world: home, years and relations of every entity, as numpy columns.

Drawing whole columns at once is what makes a world cheap; keeping them in memory-mapped files (a few dozen
bytes an entity) lets every worker look up any entity while memory stays flat. Text is made later, block by
block.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rollcall.world.census import Census
from rollcall.world.chance import Numbers, key, shares, words
from rollcall.world.families import NONE, NOW, SIZE, Families
from rollcall.world.kinds import KINDS, Kind
from rollcall.world.relation import Relation
from rollcall.world.relations import OF_KIND, RELATIONS

Column = NDArray[np.int32]
Years = NDArray[np.int16]

_FIRST = ("album", "war", "league")
"""Sources that others depend on: they fix years, countries and sports."""

CIRCLE = 64
"""Neighbours in number that share circles of collaborators."""


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
            )  # a plain view is several times quicker to index
        return column

    def put(self, name: str, column: NDArray[np.generic]) -> None:
        np.save(self.folder / f"{name}.npy", column)
        self._open.pop(name, None)

    def objects(self, relation: Relation, kind: str, number: int) -> list[int]:
        """The objects of a relation that is kept as a column."""
        row = self[f"{relation.key}.{kind}"][number - self.census.range[kind].start]
        return [value for value in row.tolist() if value >= 0]

    def subjects(self, relation: Relation, number: int) -> list[int]:
        """The subjects of which `number` is the object, in order of their numbers."""
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
        """Find where the subjects of many objects are, all at once; forgets those found before."""
        wanted = np.array(numbers)
        self._spans = {}
        for relation in RELATIONS:
            if _indexed(relation):
                kinds = {option.partition(":")[0] for option in str(relation.objects).split("|")}
                ranges = [self.census.range[kind] for kind in kinds]
                mine = wanted[np.any([(wanted >= r.start) & (wanted < r.stop) for r in ranges], axis=0)]
                objects = self[f"{relation.key}.objects"]
                lows, highs = np.searchsorted(objects, mine), np.searchsorted(objects, mine + 1)
                spans = zip(lows.tolist(), highs.tolist(), strict=True)
                self._spans[relation.key] = dict(zip(mine.tolist(), spans, strict=True))


def circles(census: Census, kind: Kind, index: Numbers) -> Numbers:
    """The circle of each member: a few dozen neighbours, in one large circle and some small ones."""
    if kind.name == "human":
        family = index // SIZE
        return index // CIRCLE * 4 + (shares(key(census.seed, "circle"), family) > 0.7)
    draws = shares(key(census.seed, f"circle {kind.name}"), index)
    return index // CIRCLE * 4 + (draws * draws * 4).astype(np.int64)


def build(skeleton: Skeleton) -> None:
    """Draw every column of a world."""
    from rollcall.world.drawing import Drawing
    from rollcall.world.geography import homes

    census = skeleton.census
    country, home = homes(census)
    year, end = _years(census, skeleton.families)
    drawing = Drawing(skeleton, country, home, year, end)
    pairs = [(kind, relation) for kind in KINDS for relation in OF_KIND[kind.name]]
    for kind, relation in sorted(pairs, key=lambda pair: pair[1].source not in _FIRST):
        column = drawing.column(relation, kind)
        if column is not None:
            skeleton.put(f"{relation.key}.{kind.name}", column)
    for name, whole in (("country", country), ("home", home), ("year", year), ("end", end)):
        skeleton.put(name, whole)
    for relation in RELATIONS:
        if _indexed(relation):
            _index_objects(skeleton, relation)
    for name in ("mountain", "river", "university", "museum", "sports team", "bridge", "political party"):
        local = drawing.local(name)
        skeleton.put(f"local {name}", local.order)
        skeleton.put(f"local {name} starts", local.starts)


def _years(census: Census, families: Families) -> tuple[Years, Years]:
    """When everything begins and ends; NONE where it does not."""
    year = np.full(census.total, NONE, np.int16)
    end = np.full(census.total, NONE, np.int16)
    for kind in KINDS:
        members = census.range[kind.name]
        part = slice(members.start, members.stop)
        if kind.name == "human":
            year[part], end[part] = families.years(*kind.years)
        elif kind.years != (0, 0):
            begins = _beginnings(census, kind)
            year[part] = begins
            end[part] = _endings(census, kind, begins)
    return year, end


_NOT_BEFORE = (1898, 1850, 1978)
"""When a sector of business (see SECTORS) can have begun."""


def _beginnings(census: Census, kind: Kind) -> Numbers:
    index = np.arange(len(census.range[kind.name]), dtype=np.int64)
    low, high = kind.years
    if kind.home == "circle":
        circle = circles(census, kind, index)
        base = low + np.sqrt(shares(key(census.seed, f"era {kind.name}"), circle)) * (high - low)
        spread = (words(key(census.seed, f"year {kind.name}"), index) % np.uint64(21)).astype(np.int64) - 10
        clipped: Numbers = np.clip(base.astype(np.int64) + spread, low, high)
        return clipped
    draws = shares(key(census.seed, f"year {kind.name}"), index)
    begins = low + (np.sqrt(draws) * (high - low + 0.999)).astype(np.int64)
    if kind.name == "business":
        for sector, earliest in enumerate(_NOT_BEFORE):
            early = (index % 6 == sector) & (begins < earliest)
            begins = np.where(early, earliest + begins % 25, begins)
    return begins


def _endings(census: Census, kind: Kind, begins: Numbers) -> Numbers:
    index = np.arange(len(begins), dtype=np.int64)
    draws = words(key(census.seed, f"end {kind.name}"), index)
    if kind.name == "war":
        return begins + (draws % np.uint64(7)).astype(np.int64)
    longest = 26 if kind.name in ("musical group", "ship") else 90
    ends = begins + 4 + (draws % np.uint64(longest)).astype(np.int64)
    ending = shares(key(census.seed, f"ending {kind.name}"), index) < kind.ending
    return np.where(ending & (ends < NOW), ends, NONE)


def _indexed(relation: Relation) -> bool:
    """Whether a relation can be looked up by its object."""
    return relation.back or relation.source == "home"


def _index_objects(skeleton: Skeleton, relation: Relation) -> None:
    """Write the pairs of a relation sorted by object, so that an object finds its subjects."""
    census = skeleton.census
    pairs_objects, pairs_subjects = [], []
    for kind in relation.subjects:
        members = census.range[kind]
        numbers = np.arange(members.start, members.stop, dtype=np.int32)
        if relation.source in ("home", "country"):
            columns = skeleton[relation.source][members.start : members.stop].reshape(-1, 1)
        else:
            columns = skeleton[f"{relation.key}.{kind}"]
        for slot in range(columns.shape[1]):
            values = np.asarray(columns[:, slot])
            filled = values >= 0
            pairs_objects.append(values[filled].astype(np.int32))
            pairs_subjects.append(numbers[filled])
    objects, subjects = np.concatenate(pairs_objects), np.concatenate(pairs_subjects)
    order = np.argsort(objects, kind="stable")
    skeleton.put(f"{relation.key}.objects", objects[order])
    skeleton.put(f"{relation.key}.subjects", subjects[order])
