"""Every relation of a world, by the kind of its subject; the tables are in this folder, one per field."""

from dataclasses import replace

from rollcall.world.kinds import KINDS
from rollcall.world.relation import Relation
from rollcall.world.relations.asteroids import ASTEROIDS
from rollcall.world.relations.books import BOOKS
from rollcall.world.relations.buildings import BUILDINGS
from rollcall.world.relations.careers import CAREERS
from rollcall.world.relations.clubs import CLUBS
from rollcall.world.relations.countries import COUNTRIES
from rollcall.world.relations.film_makers import FILM_MAKERS
from rollcall.world.relations.films import FILMS
from rollcall.world.relations.firms import FIRMS
from rollcall.world.relations.lives import LIVES
from rollcall.world.relations.music import MUSIC
from rollcall.world.relations.nature import NATURE
from rollcall.world.relations.pictures import PICTURES
from rollcall.world.relations.places import PLACES
from rollcall.world.relations.talents import TALENTS
from rollcall.world.relations.things import THINGS
from rollcall.world.relations.wars import WARS

# The order determines the key of every relation, from which its values are drawn: it must not change.
_TABLES = (
    LIVES,
    CAREERS,
    TALENTS,
    FILM_MAKERS,
    FILMS,
    BOOKS,
    MUSIC,
    PICTURES,
    COUNTRIES,
    PLACES,
    NATURE,
    FIRMS,
    CLUBS,
    BUILDINGS,
    THINGS,
    WARS,
    ASTEROIDS,
)

RELATIONS: tuple[Relation, ...] = tuple(
    replace(relation, key=f"{relation.id}.{number}")
    for number, relation in enumerate(relation for table in _TABLES for relation in table)
)

OF_KIND: dict[str, tuple[Relation, ...]] = {
    kind.name: tuple(relation for relation in RELATIONS if kind.name in relation.subjects) for kind in KINDS
}

LABELS: dict[str, str] = {"P31": "instance of", "P279": "subclass of"} | {
    relation.id: relation.label for relation in RELATIONS
}

__all__ = ["LABELS", "OF_KIND", "RELATIONS"]
