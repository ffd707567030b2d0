"""Draws every column of a world: years and places, and the objects of relations."""

import numpy as np

from rollcall.world import derived
from rollcall.world.census import Census
from rollcall.world.chance import Numbers, key, shares, words
from rollcall.world.circles import circles
from rollcall.world.drawing import Drawing
from rollcall.world.families import NONE, NOW, Families
from rollcall.world.geography import homes
from rollcall.world.kinds import KINDS, Kind
from rollcall.world.relation import Relation
from rollcall.world.relations import OF_KIND, RELATIONS
from rollcall.world.skeleton import Column, Skeleton, Years, is_indexed

_FIRST = ("album", "war", "league")
"""Sources that other sources depend on: they determine years, countries and sports."""


def draw_columns(skeleton: Skeleton) -> None:
    """Draw every column of a world."""
    census = skeleton.census
    country, home = homes(census)
    year, end = _years(census, skeleton.families)
    drawing = Drawing(skeleton, country, home, year, end)
    pairs = [(kind, relation) for kind in KINDS for relation in OF_KIND[kind.name]]
    for kind, relation in sorted(pairs, key=lambda pair: pair[1].source not in _FIRST):
        column = _column(drawing, relation, kind)
        if column is not None:
            skeleton.put(f"{relation.key}.{kind.name}", column)
    for name, whole in (("country", country), ("home", home), ("year", year), ("end", end)):
        skeleton.put(name, whole)
    for relation in RELATIONS:
        if is_indexed(relation):
            _index_objects(skeleton, relation)
    for name in ("mountain", "river", "university", "museum", "sports team", "bridge", "political party"):
        local = drawing.local(name)
        skeleton.put(f"local {name}", local.order)
        skeleton.put(f"local {name} starts", local.starts)


def _column(drawing: Drawing, relation: Relation, kind: Kind) -> Column | None:
    """The objects of a relation for every member of a kind; None if they do not come from a column."""
    make = derived.SOURCES.get(relation.source)
    if make is not None:
        return make(drawing, relation, kind)
    if relation.source != "drawn" or not isinstance(relation.objects, str):
        return None
    return drawing.draw(relation, kind)


def _years(census: Census, families: Families) -> tuple[Years, Years]:
    """The first and last year of every entity; NONE where there is none."""
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
"""The earliest year for each sector of business (see SECTORS)."""


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


def _index_objects(skeleton: Skeleton, relation: Relation) -> None:
    """Write the pairs of a relation sorted by object, so that the subjects of an object can be found."""
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
