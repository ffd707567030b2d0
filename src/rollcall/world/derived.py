"""Columns derived from other columns: a capital from the map, a song's performer from its album."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rollcall.world.chance import Numbers, key, shares, skewed, words
from rollcall.world.drawing import Drawing
from rollcall.world.kinds import KIND, Kind
from rollcall.world.relation import Relation
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Column

Source = Callable[[Drawing, Relation, Kind], Column | None]


def _one(values: Numbers) -> Column:
    return values.astype(np.int32).reshape(-1, 1)


def _column(drawing: Drawing, kind: str, id_: str) -> Column:
    relation = next(relation for relation in OF_KIND[kind] if relation.id == id_)
    return np.asarray(drawing.skeleton[f"{relation.key}.{kind}"], dtype=np.int32)


def continent(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    numbers, continents = drawing.numbers(kind.name), drawing.census.range["continent"]
    drawn = words(key(drawing.census.seed, "continent"), numbers) % np.uint64(len(continents))
    return _one(continents.start + drawn.astype(np.int64))


def capital(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    numbers = drawing.numbers(kind.name)
    return _one(drawing.census.range["city"].start + numbers - numbers[0])


def tongue(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    """The language of the subject's country; language c is that of country c."""
    numbers, languages = drawing.numbers(kind.name), drawing.census.range["language"]
    country = drawing.country[numbers].astype(np.int64) - drawing.census.range["country"].start
    spoken = np.where(country >= 0, languages.start + country, -1)
    return _one(np.where(drawing.eligible(relation, kind), spoken, -1))


def leaders(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    """The holders of an office, the present one first, each old enough and alive during the whole term."""
    from rollcall.world.terms import office_years

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
            found = drawing.attempt(widened, kind, waiting, slot, attempt)
            born, died = drawing.year[found].astype(np.int64), drawing.last(found)
            fits = (born + 30 <= start[waiting]) & (born + 75 >= end[waiting]) & (died >= end[waiting])
            if relation.id == "P286":
                players = drawing.sport_of_players(found)
                fits &= drawing.sport(numbers[waiting]) == players
            for earlier in range(slot):
                fits &= drawn[waiting, earlier] != found
            drawn[waiting[fits], slot] = found[fits]
            waiting = waiting[~fits]
        having = having & (drawn[:, slot] >= 0)
    return drawn


def summit(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    """The highest mountain of each country, by the same draw that gives mountains their elevation."""
    mountains = drawing.numbers("mountain")
    height = next(r for r in OF_KIND["mountain"] if r.id == "P2044")
    draws = shares(key(drawing.census.seed, f"amount {height.key}"), mountains)
    where = drawing.country[mountains]
    order = np.lexsort((draws, where))
    numbers = drawing.numbers(kind.name)
    last = np.searchsorted(where[order], numbers, side="right") - 1
    known = (last >= 0) & (where[order][np.maximum(last, 0)] == numbers)
    return _one(np.where(known, mountains[order][np.maximum(last, 0)], -1))


def mouth(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
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


def album(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    """Each song's album; the song has the same year and country."""
    numbers, albums = drawing.numbers("song"), drawing.numbers("album")
    drawn = albums[
        (words(key(drawing.census.seed, "album"), numbers) % np.uint64(len(albums))).astype(np.int64)
    ]
    drawing.year[numbers] = drawing.year[drawn]
    drawing.country[numbers] = drawing.country[drawn]
    return _one(drawn)


def album_performer(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    albums = album(drawing, relation, kind)[:, 0] - drawing.census.range["album"].start
    return _column(drawing, "album", "P175")[albums]


def book(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    numbers, books = drawing.numbers(kind.name), drawing.census.range["literary work"]
    return _one(skewed(shares(key(drawing.census.seed, "book"), numbers), books.start, books.stop))


def book_author(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    books = book(drawing, relation, kind)[:, 0] - drawing.census.range["literary work"].start
    authors = _column(drawing, "literary work", "P50")[books]
    return np.where(drawing.eligible(relation, kind)[:, None], authors, -1).astype(np.int32)


def war(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    """Each battle's war; the battle takes place during the war."""
    seed, numbers, wars = drawing.census.seed, drawing.numbers("battle"), drawing.numbers("war")
    drawn = wars[(words(key(seed, "war"), numbers) % np.uint64(len(wars))).astype(np.int64)]
    begins, ends = drawing.year[drawn].astype(np.int64), drawing.end[drawn].astype(np.int64)
    drawing.year[numbers] = begins + (
        words(key(seed, "battle year"), numbers) % (ends - begins + 1).astype(np.uint64)
    ).astype(np.int64)
    drawing.country[numbers] = drawing.country[drawn]
    return _one(drawn)


def parties(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
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
    fought: Column = drawn[_column(drawing, "battle", "P361")[:, 0] - wars[0]]
    return fought


def league(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    return drawing.draw(relation, kind)


def teams(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    return drawing.draw(relation, kind)


def namesake(drawing: Drawing, relation: Relation, kind: Kind) -> Column:
    return drawing.draw(replace(relation, chance=0.5, at=25, near=KIND[kind.name].home != ""), kind)


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
