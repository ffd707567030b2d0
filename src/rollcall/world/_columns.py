"""Draws every column of a world: years and places, and the objects of relations."""

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from rollcall.world._chance import Numbers, key, shares, skewed, words
from rollcall.world._drawing import Drawing, office_years
from rollcall.world._skeleton import (
    NONE,
    NOW,
    SIZE,
    Census,
    Column,
    Families,
    Skeleton,
    Years,
    circles,
    is_indexed,
)
from rollcall.world._vocabulary import KIND, KINDS, OF_KIND, RELATIONS, EntityKind, Relation, relation_of

# Columns derived from other columns: a capital from the map, a song's performer from its album.

Source = Callable[[Drawing, Relation, EntityKind], Column | None]


def _one(values: Numbers) -> Column:
    return values.astype(np.int32).reshape(-1, 1)


def _derived(drawing: Drawing, kind: str, id_: str) -> Column:
    return np.asarray(drawing.skeleton[f"{relation_of(kind, id_).key}.{kind}"], dtype=np.int32)


def continent(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    numbers, continents = drawing.numbers(kind.name), drawing.census.range["continent"]
    drawn = words(key(drawing.census.seed, "continent"), numbers) % np.uint64(len(continents))
    return _one(continents.start + drawn.astype(np.int64))


def capital(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    numbers = drawing.numbers(kind.name)
    return _one(drawing.census.range["city"].start + numbers - numbers[0])


def tongue(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """The language of the subject's country; language c is that of country c."""
    numbers, languages = drawing.numbers(kind.name), drawing.census.range["language"]
    country = drawing.country[numbers].astype(np.int64) - drawing.census.range["country"].start
    spoken = np.where(country >= 0, languages.start + country, -1)
    return _one(np.where(drawing.eligible(relation, kind), spoken, -1))


def leaders(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """The holders of an office, the present one first, each old enough and alive during the whole term."""
    numbers = drawing.numbers(kind.name)
    drawn = np.full((len(numbers), relation.most), -1, np.int32)
    having = drawing.eligible(relation, kind)
    widened = replace(relation, source="drawn")
    for slot in range(relation.most):
        start, end = office_years(drawing.census.seed, numbers, slot)
        having = having & (
            (slot == 0) | (shares(key(drawing.census.seed, f"more {relation.key} {slot}"), numbers) < 0.8)
        )
        waiting = np.nonzero(having)[0]
        for attempt in range(14):
            candidates = drawing.attempt(widened, kind, waiting, slot, attempt)
            born, died = drawing.year[candidates].astype(np.int64), drawing.last(candidates)
            fits = (born + 30 <= start[waiting]) & (born + 75 >= end[waiting]) & (died >= end[waiting])
            if relation.id == "P286":
                players = drawing.sport_of_players(candidates)
                fits &= drawing.sport(numbers[waiting]) == players
            for earlier in range(slot):
                fits &= drawn[waiting, earlier] != candidates
            drawn[waiting[fits], slot] = candidates[fits]
            waiting = waiting[~fits]
        having = having & (drawn[:, slot] >= 0)
    return drawn


def summit(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """The highest mountain of each country, by the same draw that gives mountains their elevation."""
    mountains = drawing.numbers("mountain")
    height = relation_of("mountain", "P2044")
    draws = shares(key(drawing.census.seed, f"amount {height.key}"), mountains)
    where = drawing.country[mountains]
    order = np.lexsort((draws, where))
    numbers = drawing.numbers(kind.name)
    last = np.searchsorted(where[order], numbers, side="right") - 1
    has_mountain = (last >= 0) & (where[order][np.maximum(last, 0)] == numbers)
    return _one(np.where(has_mountain, mountains[order][np.maximum(last, 0)], -1))


def mouth(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """The mouth of each river: an older river of the same country, a lake nearby, or a sea; never a cycle."""
    seed, numbers = drawing.census.seed, drawing.numbers("river")
    seas = drawing.census.range["sea"]
    bits = words(key(seed, "mouth"), numbers)
    drawn = skewed(shares(key(seed, "sea"), numbers), seas.start, seas.stop)
    lakes = drawing.candidates("lake", numbers, bits, near=True)
    drawn = np.where(bits % np.uint64(5) == 0, lakes, drawn)
    for attempt in range(3):
        rivers = drawing.candidates(
            "river", numbers, words(key(seed, f"river {attempt}"), numbers), near=True
        )
        joins = (
            (bits % np.uint64(2) == 0)
            & (rivers < numbers)
            & (drawing.country[rivers] == drawing.country[numbers])
        )
        drawn = np.where(joins, rivers, drawn)
    return _one(drawn)


def album(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """Each song's album; the song has the same year and country."""
    numbers, albums = drawing.numbers("song"), drawing.numbers("album")
    drawn = albums[
        (words(key(drawing.census.seed, "album"), numbers) % np.uint64(len(albums))).astype(np.int64)
    ]
    drawing.year[numbers] = drawing.year[drawn]
    drawing.country[numbers] = drawing.country[drawn]
    return _one(drawn)


def album_performer(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    albums = album(drawing, relation, kind)[:, 0] - drawing.census.range["album"].start
    return _derived(drawing, "album", "P175")[albums]


def book(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    numbers, books = drawing.numbers(kind.name), drawing.census.range["literary work"]
    return _one(skewed(shares(key(drawing.census.seed, "book"), numbers), books.start, books.stop))


def book_author(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    books = book(drawing, relation, kind)[:, 0] - drawing.census.range["literary work"].start
    authors = _derived(drawing, "literary work", "P50")[books]
    return np.where(drawing.eligible(relation, kind)[:, None], authors, -1).astype(np.int32)


def war(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """Each battle's war; the battle takes place during the war."""
    seed, numbers, wars = drawing.census.seed, drawing.numbers("battle"), drawing.numbers("war")
    drawn = wars[(words(key(seed, "war"), numbers) % np.uint64(len(wars))).astype(np.int64)]
    begins, ends = drawing.year[drawn].astype(np.int64), drawing.end[drawn].astype(np.int64)
    drawing.year[numbers] = begins + (
        words(key(seed, "battle year"), numbers) % (ends - begins + 1).astype(np.uint64)
    ).astype(np.int64)
    drawing.country[numbers] = drawing.country[drawn]
    return _one(drawn)


def parties(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    """The countries at war; a battle has those of its war."""
    wars, countries = drawing.numbers("war"), drawing.census.range["country"]
    drawn = np.full((len(wars), relation.most), -1, np.int32)
    drawn[:, 0] = drawing.country[wars]
    for slot in range(1, relation.most):
        draws = shares(key(drawing.census.seed, f"party {slot}"), wars)
        other = skewed(draws, countries.start, countries.stop).astype(np.int32)
        new = np.ones(len(wars), np.bool_)
        for earlier in range(slot):
            new &= drawn[:, earlier] != other
        drawn[:, slot] = np.where(new, other, -1)
    if kind.name == "war":
        return drawn
    fought: Column = drawn[_derived(drawing, "battle", "P361")[:, 0] - wars[0]]
    return fought


def league(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    return drawing.draw(relation, kind)


def teams(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    return drawing.draw(relation, kind)


def namesake(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column:
    return drawing.draw(replace(relation, chance=0.5, after=25, near=KIND[kind.name].home != ""), kind)


SOURCES: dict[str, Source] = {
    "continent": continent,
    "capital": capital,
    "tongue": tongue,
    "leaders": leaders,
    "summit": summit,
    "mouth": mouth,
    "album": album,
    "album performer": album_performer,
    "book": book,
    "book author": book_author,
    "war": war,
    "parties": parties,
    "league": league,
    "teams": teams,
    "namesake": namesake,
}


# The location of every entity: the region of each city, and the country of each entity. The first cities
# are capitals by number: city c is the capital of region c and of country c, so that a capital is always
# in the right place.

GeographyColumn = NDArray[np.int32]


def homes(census: Census) -> tuple[GeographyColumn, GeographyColumn]:
    """The country and the home (a city, region or country) of every entity; -1 where there is none."""
    country = np.full(census.total, -1, np.int32)
    home = np.full(census.total, -1, np.int32)
    countries = census.range["country"]
    country[countries.start : countries.stop] = np.arange(countries.start, countries.stop)
    for kind in KINDS:
        members = census.range[kind.name]
        part = slice(members.start, members.stop)
        if kind.home == "circle":
            country[part] = _circle_countries(census, kind)
        elif kind.home:
            home[part] = _draw_homes(census, kind, census.range[kind.home])
            country[part] = country[home[part]]
    return country, home


def _draw_homes(census: Census, kind: EntityKind, places: range) -> Numbers:
    index = np.arange(len(census.range[kind.name]), dtype=np.int64)
    drawn = skewed(shares(key(census.seed, f"home {kind.name}"), index), places.start, places.stop)
    if kind.name in ("region", "city", "language"):  # the first ones: one for each place
        return np.where(index < len(places), places.start + index, drawn)
    if kind.name == "position":  # three for each country, which has the region of its own number
        countries = len(census.range["country"])
        return np.where(index < 3 * countries, places.start + index % countries, drawn)
    return drawn


def _circle_countries(census: Census, kind: EntityKind) -> Numbers:
    index = np.arange(len(census.range[kind.name]), dtype=np.int64)
    countries = census.range["country"]
    unit = circles(census, kind, index)
    own = index // SIZE if kind.name == "human" else index  # families stay together
    stray = shares(key(census.seed, f"stray {kind.name}"), own) < 0.12
    draws = np.where(
        stray,
        shares(key(census.seed, f"stray country {kind.name}"), own),
        shares(key(census.seed, f"circle country {kind.name}"), unit),
    )
    return skewed(draws, countries.start, countries.stop)


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


def _column(drawing: Drawing, relation: Relation, kind: EntityKind) -> Column | None:
    """The objects of a relation for every member of a kind; None if they do not come from a column."""
    make = SOURCES.get(relation.source)
    if make is not None:
        return make(drawing, relation, kind)
    if relation.source != "drawn" or not relation.objects:
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
"""The earliest year for each of SECTORS."""


def _beginnings(census: Census, kind: EntityKind) -> Numbers:
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


def _endings(census: Census, kind: EntityKind, begins: Numbers) -> Numbers:
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
