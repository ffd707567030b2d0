"""The sources of a relation's values: a column, the map, the family, another relation, or a draw.

For each kind and relation there is one reader, a function from an entity's number to its values, made on
first use. To find the values of an entity, its readers are called.
"""

from collections.abc import Callable, Sequence

from rollcall.world.chance import key, share, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS, GROUPS
from rollcall.world.families import NONE
from rollcall.world.kinds import PROFESSIONS, Kind
from rollcall.world.literals import amount, coordinates, moment, populations, words_of
from rollcall.world.relation import SECTORS, Amount, Moment, Relation, Words
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Skeleton
from rollcall.world.values import Literal, Text

Values = Sequence[int | Literal]
Reader = Callable[[int], Values]

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
INVERSE = {
    "tracks": ("song", "P361"),
    "members": ("human", "P463"),
    "tributaries": ("river", "P403"),
    "subsidiaries": ("business", "P127"),
    "coached": ("sports team", "P286"),
}


class Sources:
    """Finds the values of relations in one world."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton, self.census, self.families = skeleton, skeleton.census, skeleton.families
        self.seed = skeleton.census.seed
        self.inverse = {
            source: next(r for r in OF_KIND[kind] if r.id == id_) for source, (kind, id_) in INVERSE.items()
        }
        self._works = [
            next(r for r in OF_KIND[kind] if r.id == id_)
            for kind, id_ in (("literary work", "P50"), ("film", "P57"), ("painting", "P170"))
        ]
        self._league = next(r for r in OF_KIND["sports team"] if r.id == "P118")
        self._readers: dict[tuple[str, str], Reader] = {}

    def values(self, number: int, kind: Kind, relation: Relation) -> Values:
        """The values of one relation of one entity."""
        reader = self._readers.get((kind.name, relation.key))
        if reader is None:
            reader = self._readers[kind.name, relation.key] = self._reader(kind, relation)
        return reader(number)

    def _reader(self, kind: Kind, relation: Relation) -> Reader:
        reader = self._any_reader(kind, relation)
        drawn = relation.source == "drawn" and isinstance(relation.objects, str)
        if drawn or (relation.chance >= 1 and not relation.professions):
            return reader  # the probability was already applied when the column was drawn
        has, chance, professions = (
            key(self.seed, f"has {relation.key}"),
            relation.chance,
            relation.professions,
        )

        def limited(number: int) -> Values:
            if chance < 1 and share(has, number) >= chance:
                return []
            if professions and PROFESSIONS[self.census.profession(number)][0] not in professions:
                return []
            return reader(number)

        return limited if kind.tier == "person" or chance < 1 else reader

    def _any_reader(self, kind: Kind, relation: Relation) -> Reader:
        source, objects = relation.source, relation.objects
        if not isinstance(objects, str):
            return self._literal_reader(relation, objects)
        if source in ("country", "home"):
            places = self.skeleton[source]
            return lambda number: [place] if (place := int(places[number])) >= 0 else []
        if source in INVERSE:
            inverse = self.inverse[source]
            return lambda number: self.skeleton.subjects(inverse, number)
        family = {
            "father": self.families.father,
            "mother": self.families.mother,
            "children": self.families.children,
            "siblings": self.families.siblings,
            "spouse": self.families.spouse,
        }
        if source in family:
            return family[source]
        made: dict[str, Reader] = {
            "sex": self._sex,
            "occupation": self._occupation,
            "sport": lambda number: [CONCEPT_NUMBERS + GROUPS["sport"].start + self.sport(number, kind)],
            "industry": self._industry,
            "notable": self._notable,
            "coordinates": lambda number: [
                coordinates(self.seed, number, int(self.skeleton["country"][number]))
            ],
            "external": lambda number: [
                Text(str(10**8 + word(key(self.seed, "external"), number) % (9 * 10**8)))
            ],
        }
        if source in made:
            return made[source]
        column, first = self.skeleton[f"{relation.key}.{kind.name}"], self.census.range[kind.name].start
        return lambda number: [value for value in column[number - first].tolist() if value >= 0]

    def _literal_reader(self, relation: Relation, objects: Amount | Moment | Words) -> Reader:
        seed = self.seed
        if isinstance(objects, Moment):
            years = self.skeleton[objects.of]
            return lambda number: (
                [] if (year := int(years[number])) == NONE else [moment(seed, relation, number, year)]
            )
        if isinstance(objects, Words):
            what = objects.of
            return lambda number: [words_of(seed, what, relation, number)]
        bounds = objects
        if relation.source == "population":
            return lambda number: populations(seed, relation, bounds, number)
        return lambda number: [amount(seed, relation, bounds, number)]

    def _sex(self, number: int) -> list[int]:
        return [CONCEPT_NUMBERS + GROUPS["sex"].start + self.families.female(number)]

    def _occupation(self, number: int) -> list[int]:
        name, id_, _ = PROFESSIONS[self.census.profession(number)]
        found = [_OCCUPATIONS[id_]]
        others = _SECOND_OCCUPATIONS.get(name, ())
        bits = word(key(self.seed, "second occupation"), number)
        if others and bits % 10 < 4:
            found.append(_OCCUPATIONS[others[(bits >> 8) % len(others)]])
        return found

    def sport(self, number: int, kind: Kind) -> int:
        """0 for football, 1 for basketball."""
        if kind.name == "human":
            return int(PROFESSIONS[self.census.profession(number)][0] == "basketball player")
        if kind.name == "sports team":
            leagues = self.skeleton.objects(self._league, kind.name, number)
            number = leagues[0] if leagues else -1
        return int(word(key(self.seed, "sport"), number) % 4 == 0)

    def _industry(self, number: int) -> list[int]:
        sector = (number - self.census.range["business"].start) % 6
        if sector < len(SECTORS):
            return [_INDUSTRIES[SECTORS[sector]]]
        group = GROUPS["industry"]
        return [CONCEPT_NUMBERS + group.start + word(key(self.seed, "industry"), number) % len(group)]

    def _notable(self, number: int) -> list[int]:
        for made in self._works:
            works = self.skeleton.subjects(made, number)
            if len(works) > 1:
                return works[:1]
        return []
