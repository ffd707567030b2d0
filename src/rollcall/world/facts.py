"""The facts of one entity: every statement with its value, rank, years, id, and whether articles tell it.

All of it follows from the entity's number, so that a list page or the page of an object sees the same
statement, with the same id and the same fate, as the subject's own page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rollcall.world.chance import Dice, key, share, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS, GROUPS
from rollcall.world.families import NONE, NOW
from rollcall.world.kinds import PROFESSIONS, Kind
from rollcall.world.literals import amount, coordinates, moment, populations, words_of
from rollcall.world.relation import SECTORS, Amount, Moment, Relation, Words
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Skeleton
from rollcall.world.terms import office_years_of
from rollcall.world.values import Literal, Text

_OCCUPATIONS = {concept.id: CONCEPT_NUMBERS + place for place, concept in enumerate(CONCEPTS)}
_SECOND_OCCUPATIONS = {
    "actor": ("Q28389", "Q3282637", "Q177220"),
    "film director": ("Q28389", "Q3282637", "Q33999"),
    "screenwriter": ("Q36180", "Q2526255"),
    "film producer": ("Q43845", "Q2526255"),
    "writer": ("Q49757", "Q1930187", "Q6625963", "Q333634"),
    "composer": ("Q639669",),
    "singer": ("Q639669", "Q36834"),
    "politician": ("Q40348", "Q43845"),
    "researcher": ("Q1622272", "Q36180", "Q11063"),
    "football player": ("Q41583",),
    "basketball player": ("Q41583",),
    "journalist": ("Q36180",),
    "businessperson": ("Q81096",),
}
_INDUSTRIES = {CONCEPTS[place].label: CONCEPT_NUMBERS + place for place in GROUPS["industry"]}
_INVERSE = {
    "tracks": ("song", "P361"),
    "members": ("human", "P463"),
    "tributaries": ("river", "P403"),
    "subsidiaries": ("business", "P127"),
    "coached": ("sports team", "P286"),
}
_CONVERSE = {
    ("human", "P22"): "P40",
    ("human", "P25"): "P40",
    ("human", "P26"): "P26",
    ("human", "P3373"): "P3373",
    ("song", "P361"): "P658",
    ("album", "P658"): "P361",
    ("human", "P463"): "P527",
    ("musical group", "P527"): "P463",
    ("river", "P403"): "P974",
    ("river", "P974"): "P403",
    ("business", "P355"): "P127",
    ("sports team", "P286"): "P6087",
    ("human", "P6087"): "P286",
}
"""Relations that say the same from the other side: whatever tells one tells the other."""
_OWNED = ("business", "studio", "record label", "publisher", "broadcaster")
PAIRED = {id_ for _, id_ in _CONVERSE} | {"P40", "P127"}
"""Properties with a converse: both pages tell them in their own words."""

CLASS_PLACE = 4095
"""Where P31 stands among the statements of an entity."""


@dataclass(slots=True)
class Fact:
    """One statement about a subject."""

    place: int
    """A number of its own among all statements."""
    subject: int
    relation: Relation
    slot: int
    value: int | Literal
    """The number of an entity, or a literal."""
    told: bool
    rank: str = "normal"
    start: int = NONE
    end: int = NONE
    point: int = NONE
    elsewhere: bool = False
    """Told on the object's page only."""


class Facts:
    """Finds the facts of any entity of one world."""

    def __init__(self, skeleton: Skeleton, untold: float):
        self.skeleton, self.census, self.untold = skeleton, skeleton.census, untold
        self.families = skeleton.families
        seed = self.seed = skeleton.census.seed
        self._told, self._elsewhere = key(seed, "told"), key(seed, "elsewhere")
        self._ids, self._years = key(seed, "statement"), key(seed, "terms")
        self._has = {
            relation.key: key(seed, f"has {relation.key}") for kind in OF_KIND.values() for relation in kind
        }
        self._numbers = {
            relation.key: place for kind in OF_KIND.values() for place, relation in enumerate(kind)
        }
        self._inverse = {
            source: next(r for r in OF_KIND[kind] if r.id == id_) for source, (kind, id_) in _INVERSE.items()
        }
        self._works = [
            (kind, next(r for r in OF_KIND[kind] if r.id == id_))
            for kind, id_ in (("literary work", "P50"), ("film", "P57"), ("painting", "P170"))
        ]
        self._league = next(r for r in OF_KIND["sports team"] if r.id == "P118")
        self._of_profession = [
            [r for r in OF_KIND["human"] if not r.professions or name in r.professions]
            for name, _, _ in PROFESSIONS
        ]
        family = self.families
        self._relatives: dict[str, Callable[[int], list[int]]] = {
            "father": family.father,
            "mother": family.mother,
            "children": family.children,
            "siblings": family.siblings,
            "spouse": family.spouse,
        }
        self._makers: dict[str, Callable[[int, Kind, Relation], list[int] | list[Literal]]] = {
            "sex": self._sex,
            "occupation": self._occupation,
            "sport": self._sport,
            "industry": self._industry,
            "notable": self._notable,
            "coordinates": self._coordinates,
            "external": self._external,
        }

    def of(self, number: int) -> list[Fact]:
        """Every fact of which the entity is the subject, but for its class."""
        kind = self.census.kind(number)
        relations: Sequence[Relation] = OF_KIND[kind.name]
        if kind.tier == "person":
            relations = self._of_profession[self.census.profession(number)]
        return [fact for relation in relations for fact in self.about(number, kind, relation)]

    def about(self, number: int, kind: Kind, relation: Relation) -> list[Fact]:
        """The facts of one relation."""
        values = self._values(number, kind, relation)
        return [
            self.fact(number, kind, relation, slot, value, len(values)) for slot, value in enumerate(values)
        ]

    def fact(
        self, number: int, kind: Kind, relation: Relation, slot: int, value: int | Literal, count: int = 1
    ) -> Fact:
        place = number << 12 | self._numbers[relation.key] << 4 | slot
        fate = place
        if relation.id in PAIRED and isinstance(value, int):
            fate = max(number, value) << 34 | min(number, value) << 4
        told = bool(relation.text) and share(self._told, fate) >= self.untold
        fact = Fact(place, number, relation, slot, value, told)
        if relation.source == "population":
            fact.point = NOW - 3 - 10 * slot
            fact.rank = "preferred" if slot == 0 and count > 1 else "normal"
        elif relation.ends:
            self._set_years(fact, kind, place, count)
        back = told and relation.told_back and relation.id not in PAIRED
        if back and isinstance(value, int) and word(self._elsewhere, place) % 8 == 0:
            fact.elsewhere = self.skeleton.degree(relation, value) <= 8
        return fact

    def converse(self, fact: Fact) -> Fact | None:
        """The statement of the object that says the same from its side, where there is one."""
        value = fact.value
        if fact.relation.id not in PAIRED or not isinstance(value, int):
            return None
        subject_kind, object_kind = self.census.kind(fact.subject), self.census.kind(value)
        id_ = _CONVERSE.get((subject_kind.name, fact.relation.id))
        if fact.relation.id == "P40":
            id_ = "P25" if self.families.female(fact.subject) else "P22"
        elif fact.relation.id == "P127" and subject_kind.name in _OWNED:
            id_ = "P355"
        for relation in OF_KIND[object_kind.name] if id_ else ():
            if relation.id == id_:
                for other in self.about(value, object_kind, relation):
                    if other.value == fact.subject:
                        return other
        return None

    def statement_id(self, place: int, number: int) -> str:
        bits = f"{word(self._ids, place):016X}{word(self._ids, ~place & (1 << 60) - 1):016X}"
        return f"{self.census.id(number)}${bits[:8]}-{bits[8:12]}-4{bits[13:16]}-A{bits[17:20]}-{bits[20:]}"

    def _set_years(self, fact: Fact, kind: Kind, place: int, count: int) -> None:
        """Give a statement its years, within the lives of its subject and its object."""
        relation, number = fact.relation, fact.subject
        begin, last = int(self.skeleton["year"][number]), int(self.skeleton["end"][number])
        if relation.source == "leaders":
            fact.start, end = office_years_of(self.seed, number, fact.slot)
            fact.end = end if end < NOW else NONE
            return
        if relation.source == "spouse":
            assert isinstance(fact.value, int)
            place = self.families.marriage(number)
            begin = max(begin, int(self.skeleton["year"][fact.value]))
        bits = word(self._years, place)
        if relation.source in ("members", "coached"):
            self._copy_years(fact, self._inverse[relation.source])
            return
        offset = 20 if relation.source == "spouse" else max(relation.at, 1)
        fact.start = begin + offset + 5 * fact.slot + bits % 4
        length = 2 + (bits >> 8) % (12 if kind.tier != "person" else 8)
        limit = min(
            last if last != NONE else NOW - 1,
            self._last(fact.value) if isinstance(fact.value, int) else NOW - 1,
        )
        closed = fact.slot < count - 1 and relation.id not in ("P3320",)
        gone = limit < NOW - 1 and relation.source != "spouse"
        old = relation.professions and fact.start < NOW - 24
        if closed or gone or old or (bits >> 20) % 100 < relation.ends * 100:
            fact.end = max(fact.start, min(fact.start + length, limit))
        if fact.start > limit:
            fact.start = limit
            fact.end = max(fact.end, fact.start) if fact.end != NONE else NONE

    def _last(self, number: int) -> int:
        if number >= CONCEPT_NUMBERS:
            return NOW - 1
        last = int(self.skeleton["end"][number])
        return last if last != NONE else NOW - 1

    def _copy_years(self, fact: Fact, relation: Relation) -> None:
        """A statement derived from another's has that one's years."""
        other_subject = fact.value
        assert isinstance(other_subject, int)
        for other in self.about(other_subject, self.census.kind(other_subject), relation):
            if other.value == fact.subject:
                fact.start, fact.end = other.start, other.end

    def _values(self, number: int, kind: Kind, relation: Relation) -> list[int] | list[Literal]:
        source = relation.source
        objects = relation.objects
        if not isinstance(objects, str):
            return self._literals(number, kind, relation, objects)
        if source in ("country", "home"):
            place = int(self.skeleton[source][number])
            return [place] if place >= 0 and share(self._has[relation.key], number) < relation.chance else []
        if (
            relation.professions
            and PROFESSIONS[self.census.profession(number)][0] not in relation.professions
        ):
            return []
        if source in self._relatives:
            return self._relatives[source](number)
        if source in _INVERSE:
            return self._turned(number, source, relation.most)
        if source in self._makers:
            return self._makers[source](number, kind, relation)
        return self.skeleton.objects(relation, kind.name, number)

    def _literals(
        self, number: int, kind: Kind, relation: Relation, objects: Amount | Moment | Words
    ) -> list[Literal]:
        if share(self._has[relation.key], number) >= relation.chance:
            return []
        if (
            relation.professions
            and PROFESSIONS[self.census.profession(number)][0] not in relation.professions
        ):
            return []
        if isinstance(objects, Moment):
            year = int(self.skeleton[objects.of][number])
            return [] if year == NONE else [moment(self.seed, relation, number, year)]
        if isinstance(objects, Words):
            return [words_of(self.seed, objects.of, relation, number)]
        if relation.source == "population":
            return list(populations(self.seed, relation, objects, number))
        return [amount(self.seed, relation, objects, number)]

    def _turned(self, number: int, source: str, most: int) -> list[int]:
        relation = self._inverse[source]
        found = self.skeleton.subjects(relation, number)
        if source == "subsidiaries":
            found = [other for other in found if self._still_owned(other, number, relation)]
        return found[:most]

    def _still_owned(self, other: int, owner: int, relation: Relation) -> bool:
        facts = self.about(other, self.census.kind(other), relation)
        return any(fact.value == owner and fact.end == NONE for fact in facts)

    def _sex(self, number: int, kind: Kind, relation: Relation) -> list[int]:
        return [CONCEPT_NUMBERS + GROUPS["sex"].start + self.families.female(number)]

    def _occupation(self, number: int, kind: Kind, relation: Relation) -> list[int]:
        name, id_, _ = PROFESSIONS[self.census.profession(number)]
        found = [_OCCUPATIONS[id_]]
        others = _SECOND_OCCUPATIONS.get(name, ())
        bits = word(self._has[relation.key], number)
        if others and bits % 10 < 4:
            found.append(_OCCUPATIONS[others[(bits >> 8) % len(others)]])
        return found

    def _sport(self, number: int, kind: Kind, relation: Relation) -> list[int]:
        return [CONCEPT_NUMBERS + GROUPS["sport"].start + self.sport(number, kind)]

    def sport(self, number: int, kind: Kind) -> int:
        """0 for football, 1 for basketball."""
        if kind.name == "human":
            return int(PROFESSIONS[self.census.profession(number)][0] == "basketball player")
        if kind.name == "sports team":
            leagues = self.skeleton.objects(self._league, kind.name, number)
            number = leagues[0] if leagues else -1
        return word(key(self.seed, "sport"), number) % 4 == 0

    def _industry(self, number: int, kind: Kind, relation: Relation) -> list[int]:
        sector = (number - self.census.range["business"].start) % 6
        if sector < len(SECTORS):
            return [_INDUSTRIES[SECTORS[sector]]]
        group = GROUPS["industry"]
        return [CONCEPT_NUMBERS + group.start + word(self._has[relation.key], number) % len(group)]

    def _notable(self, number: int, kind: Kind, relation: Relation) -> list[int]:
        for _, made in self._works:
            works = self.skeleton.subjects(made, number)
            if len(works) > 1:
                return works[:1]
        return []

    def _coordinates(self, number: int, kind: Kind, relation: Relation) -> list[Literal]:
        if share(self._has[relation.key], number) >= relation.chance:
            return []
        return [coordinates(self.seed, number, int(self.skeleton["country"][number]))]

    def _external(self, number: int, kind: Kind, relation: Relation) -> list[Literal]:
        if share(self._has[relation.key], number) >= relation.chance:
            return []
        return [Text(str(10**8 + word(self._ids, number) % (9 * 10**8)))]

    def dice(self, name: str, number: int) -> Dice:
        return Dice(key(self.seed, name), number)
