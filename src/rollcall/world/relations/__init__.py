"""Every relation of a world, by the kind of its subject; the tables are beside this file, one per field."""

from dataclasses import replace

from rollcall.world.kinds import KINDS
from rollcall.world.relation import Relation
from rollcall.world.relations.organizations import ORGANIZATIONS
from rollcall.world.relations.people import PEOPLE
from rollcall.world.relations.places import PLACES
from rollcall.world.relations.things import THINGS
from rollcall.world.relations.works import WORKS

RELATIONS: tuple[Relation, ...] = tuple(
    replace(relation, key=f"{relation.id}.{number}")
    for number, relation in enumerate([*PEOPLE, *WORKS, *PLACES, *ORGANIZATIONS, *THINGS])
)

OF_KIND: dict[str, tuple[Relation, ...]] = {
    kind.name: tuple(relation for relation in RELATIONS if kind.name in relation.subjects) for kind in KINDS
}

LABELS: dict[str, str] = {"P31": "instance of", "P279": "subclass of"} | {
    relation.id: relation.label for relation in RELATIONS
}

__all__ = ["LABELS", "OF_KIND", "RELATIONS"]
