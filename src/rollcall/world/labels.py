"""The label of every entity, put together from sounds and words.

A label depends only on the number (through the skeleton), so any worker can name any entity. A few entities
have the label of another on purpose: a world has homonyms.
"""

from functools import lru_cache

from rollcall.world.chance import key, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS
from rollcall.world.name_making import (
    Bits,
    country_name,
    given_name,
    place_name,
    sounds_of,
    surname,
    title,
    with_ending,
)
from rollcall.world.patterns import PATTERNS
from rollcall.world.relation import SECTORS
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Skeleton
from rollcall.world.syllables import PHONOLOGIES, Phonology
from rollcall.world.vocabulary import OFFICES, REGIONAL_OFFICES, SECTOR_ENDINGS, WORDS

TITLED = ("literary work", "film", "television series", "album", "song", "painting", "video game")
_DOUBLED = {"human": "human", "city": "city", "river": "river", "painting": "painting"}
"""Kinds with a few homonyms, and the kind they take labels from; other works take labels from books too."""


class Labels:
    """Names the entities of one world."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton, self.census = skeleton, skeleton.census
        seed = skeleton.census.seed
        self._names, self._twins, self._sounds = key(seed, "names"), key(seed, "twins"), key(seed, "sounds")
        self._countries = self._name_countries()
        self.label = lru_cache(maxsize=1 << 16)(self._label)
        self._columns = {
            (kind, slot): next(relation for relation in OF_KIND[kind] if relation.id == id_)
            for kind, slot, id_ in (
                ("award", "namesake", "P138"),
                ("asteroid", "namesake", "P138"),
                ("bridge", "namesake", "P138"),
                ("automobile model", "maker", "P176"),
                ("battle", "site", "P276"),
            )
        }

    def bits(self, number: int) -> Bits:
        """The bits from which an entity's name is made."""
        return Bits(word(self._names, number * 2) << 64 | word(self._names, number * 2 + 1))

    def sounds(self, number: int) -> Phonology:
        """The phonology of an entity's country."""
        country = int(self.skeleton["country"][number])
        return sounds_of(word(self._sounds, country)) if country >= 0 else PHONOLOGIES[number % 8]

    def _name_countries(self) -> list[str]:
        """Name the countries. Only their names must be unique, since many other names contain them."""
        names: list[str] = []
        for number in self.census.range["country"]:
            sounds = sounds_of(word(self._sounds, number))
            name, step = country_name(self.bits(number), sounds), 0
            while name in names:
                step += 1
                name = country_name(self.bits(number + (step << 32)), sounds)
            names.append(name)
        return names

    def _label(self, number: int) -> str:
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].label
        kind = self.census.kind(number).name
        twin = self._twin(number, kind)
        if twin is not None:
            return self.label(twin)
        if kind == "human":
            return self._person(number)
        if kind in TITLED:
            return self.title(number, kind, self.bits(number))
        if kind == "country":
            return self._countries[number - self.census.range["country"].start]
        if kind in PATTERNS:
            return self.patterned(number, kind, self.bits(number))
        return self._other(number, kind)

    def patterned(self, number: int, kind: str, bits: Bits) -> str:
        """A label by one of the patterns of its kind."""
        patterns = PATTERNS[kind]
        return patterns[bits.below(len(patterns))].format_map(_Slots(self, number, kind, bits))

    def _twin(self, number: int, kind: str) -> int | None:
        """The earlier entity with the same label; about one in fifty entities has one."""
        bits = word(self._twins, number)
        if bits % 50 or (kind not in _DOUBLED and kind not in TITLED):
            return None
        model = _DOUBLED.get(kind) or ("literary work", kind)[(bits >> 8) % 2]
        members = self.census.range[model]
        chosen = members.start + (bits >> 16) % len(members)
        return chosen if chosen < number else None

    def _person(self, number: int) -> str:
        """Given names and surname; members of a family share the surname."""
        sounds, families, bits = self.sounds(number), self.skeleton.families, self.bits(number)
        female = families.female(number)
        names = [given_name(bits, sounds, female)]
        extra = bits.below(10)
        if extra < 2:
            names.append(given_name(bits, sounds, female))
        elif extra == 2:
            names.append(f"{'ABCDEFGHJKLMNPRSTVW'[bits.below(19)]}.")
        return " ".join([*names, surname(Bits(families.surname(number)), sounds)])

    def surname(self, number: int) -> str:
        return self.label(number).rsplit(" ", 1)[-1]

    def title(self, number: int, kind: str, bits: Bits) -> str:
        """The title of a work."""
        sounds = self.sounds(number)
        place = place_name(bits, sounds, long=True)
        person = given_name(bits, sounds, bool(bits.below(2)))
        return title(bits, len(self.census.range[kind]), place, person)

    def _other(self, number: int, kind: str) -> str:
        """Continents, languages and offices, which have special naming rules."""
        bits = self.bits(number)
        if kind == "continent":
            return with_ending(place_name(bits, PHONOLOGIES[number % 8], long=True), "ia")
        where = self.label(int(self.skeleton["home"][number]))
        index, countries = number - self.census.range[kind].start, len(self.census.range["country"])
        if kind == "position":
            state = self.label(int(self.skeleton["country"][number]))
            return (
                OFFICES[index // countries].format(state)
                if index < 3 * countries
                else self._office(number, where)
            )
        if index < countries:
            return with_ending(where, "ish" if where.rstrip("aeiouyé")[-1:] not in "sšch" else "ian")
        return with_ending(place_name(bits, self.sounds(number), long=True), "ic")

    def _office(self, number: int, where: str) -> str:
        return REGIONAL_OFFICES[self.bits(number).below(len(REGIONAL_OFFICES))].format(where)

    def related(self, number: int, kind: str, slot: str) -> int | None:
        """The entity that another is named after, if there is one."""
        relation = self._columns.get((kind, slot))
        found = self.skeleton.objects(relation, kind, number) if relation else []
        return found[0] if found else None


class _Slots:
    """Fills the slots of a pattern for one entity, each on demand."""

    def __init__(self, labels: Labels, number: int, kind: str, bits: Bits):
        self.labels, self.number, self.kind, self.bits = labels, number, kind, bits

    def __getitem__(self, slot: str) -> str:
        words = WORDS.get(slot)
        if words is not None:
            return self.bits.of(words)
        if slot == "place":
            return place_name(self.bits, self.labels.sounds(self.number), long=self.kind != "musical group")
        if slot == "where":
            return self.labels.label(int(self.labels.skeleton["home"][self.number]))
        if slot == "given":
            return given_name(self.bits, self._any_sounds(), bool(self.number % 2))
        if slot == "serial":
            return str(300 + self.labels.census.scrambled(self.number) % 900_000)
        if slot == "hundreds":
            return str(100 + self.bits.below(80) * 10)
        if slot == "business":
            sector = (self.number - self.labels.census.range["business"].start) % 6
            return self.bits.of(SECTOR_ENDINGS[sector] if sector < len(SECTORS) else WORDS["company"])
        return self._called_after(slot)

    def _any_sounds(self) -> Phonology:
        return PHONOLOGIES[self.number % 8]

    def _called_after(self, slot: str) -> str:
        """The name of another entity (a person, a maker or a site), or a new name if there is none."""
        other = self.labels.related(self.number, self.kind, slot)
        if slot == "site":
            known = other is not None
            return self.labels.label(other) if known and other is not None else self["place"]
        if other is not None:
            return (
                self.labels.surname(other) if slot == "namesake" else self.labels.label(other).split(" ")[0]
            )
        return surname(self.bits, self.labels.sounds(self.number))
