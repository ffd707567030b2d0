"""The label of every entity, put together from sounds and words.

A label depends only on the number (through the skeleton), so any worker can name any entity. A few entities
have the label of another on purpose: a world has homonyms.
"""

from functools import lru_cache

from rollcall.world._chance import key, word
from rollcall.world._skeleton import Skeleton
from rollcall.world._vocabulary import (
    CONCEPT_NUMBERS,
    CONCEPTS,
    KIND,
    REAL_NAMES,
    SECTORS,
    SOUNDS,
    WORDS,
    Sounds,
    relation_of,
)

# Names made from sounds and words: for people, places, works and organizations, as many as a world
# needs. A name is made from the bits of a hash, so it need not be stored. Large worlds have a limited
# number of short names, so that homonyms are a few percent at any size.

_ADJECTIVES, _NOUNS, _PLURALS = WORDS["adjective"], WORDS["noun"], WORDS["plural"]
_SHORT_TITLES, _SHORTEST_TITLES = 5_000, 400
"""How many works of a kind can have short and shortest titles before too many titles are equal."""
_NUMBERS = ("Two", "Three", "Five", "Seven", "Nine", "Forty")


class Bits:
    """The bits of a hash, used one after another for choices."""

    __slots__ = ("_bits",)

    def __init__(self, bits: int):
        self._bits = bits

    def below(self, limit: int) -> int:
        self._bits, choice = divmod(self._bits, limit)
        return choice

    def of(self, options: tuple[str, ...]) -> str:
        self._bits, choice = divmod(self._bits, len(options))
        return options[choice]


def stem(bits: Bits, sounds: Sounds, syllables: int) -> str:
    """A sequence of syllables, the last one open: `Velma`, `Orandi`."""
    return "".join(bits.of(sounds.onsets) + bits.of(sounds.vowels) for _ in range(syllables))


def _joined(first: str, ending: str) -> str:
    """Join a stem and an ending without doubled vowels or letters."""
    if first[-1] in "aeiouyé" and ending[0] in "aeiouyé":
        first = first.rstrip("aeiouyé") or first
    if first[-1] == ending[0]:
        ending = ending[1:]
    return first + ending


def _proper(text: str) -> str:
    return text[0].upper() + text[1:]


def given_name(bits: Bits, sounds: Sounds, female: bool) -> str:
    body = stem(bits, sounds, 1 + (bits.below(3) == 0))
    if bits.below(2):
        body += bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.female if female else sounds.male)))
    return name if len(name) > 3 else name + ("na" if female else "ren")


def surname(bits: Bits, sounds: Sounds) -> str:
    body = stem(bits, sounds, 1 + (bits.below(5) < 3)) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.surname)))
    return name if name not in REAL_NAMES else name + "a"


def place_name(bits: Bits, sounds: Sounds, long: bool) -> str:
    body = stem(bits, sounds, 2 if long or bits.below(3) else 1) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.place)) if bits.below(4) else body + "a")
    return name if name not in REAL_NAMES else name + "el"


def country_name(bits: Bits, sounds: Sounds) -> str:
    body = stem(bits, sounds, 1) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.country)))
    return name if name not in REAL_NAMES else name + "ra"


def title(bits: Bits, works: int, place: str, person: str) -> str:
    """The title of a book, film, song …; kinds with more works have fewer short titles."""
    if bits.below(10_000) < 5_200 * min(1.0, _SHORT_TITLES / works):
        return _short_title(bits, works)
    shape = bits.below(10)
    adjective, noun, other = bits.of(_ADJECTIVES), bits.of(_NOUNS), bits.of(_NOUNS)
    return (
        (
            f"The {noun} of {place}",
            f"Letters to {person}",
            f"The {adjective} {noun} of {place}",
            f"{adjective} {noun}, {adjective_after(bits, adjective)} {other}",
            f"A {noun} in {place}",
            f"{person} and the {noun}",
            f"The {noun} and the {adjective} {other}",
            f"{bits.of(_PLURALS)} over {place}",
            f"The {adjective} {noun}'s {other}",
            f"Goodbye, {person}",
        )[shape]
        .replace("A A", "An A")
        .replace("A I", "An I")
        .replace("A O", "An O")
        .replace("A U", "An U")
    )


def adjective_after(bits: Bits, first: str) -> str:
    second = bits.of(_ADJECTIVES)
    return second if second != first else "Nameless"


def _short_title(bits: Bits, works: int) -> str:
    adjective, noun = bits.of(_ADJECTIVES), bits.of(_NOUNS)
    shapes = 6 if bits.below(10_000) < 10_000 * min(1.0, _SHORTEST_TITLES / works) else 4
    return (
        f"The {adjective} {noun}",
        f"{adjective} {bits.of(_PLURALS)}",
        f"The {noun}'s {bits.of(_NOUNS)}",
        f"{noun} and {bits.of(_NOUNS)}",
        f"Beyond the {noun}",
        f"{bits.of(_NUMBERS)} {bits.of(_PLURALS)}",
    )[bits.below(shapes)]


def with_ending(name: str, ending: str) -> str:
    """A name with another ending: `Murrena`, `Murrenish`."""
    return (name.rstrip("aeiouyé") or name) + ending


def sounds_of(country_bits: int) -> Sounds:
    return SOUNDS[country_bits % len(SOUNDS)]


TITLED = ("literary work", "film", "television series", "album", "song", "painting", "video game")
_DOUBLED = {"human": "human", "city": "city", "river": "river", "painting": "painting"}
"""Kinds with a few homonyms, and the kind they take labels from; other works take labels from books too."""


class EntityLabels:
    """Names the entities of one world."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton, self.census = skeleton, skeleton.census
        seed = skeleton.census.seed
        self._names, self._twins, self._sounds = key(seed, "names"), key(seed, "twins"), key(seed, "sounds")
        self._countries = self._name_countries()
        self.label = lru_cache(maxsize=1 << 16)(self._label)
        self._columns = {
            (kind, slot): relation_of(kind, id_)
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

    def sounds(self, number: int) -> Sounds:
        """The phonology of an entity's country."""
        country = int(self.skeleton["country"][number])
        return sounds_of(word(self._sounds, country)) if country >= 0 else SOUNDS[number % 8]

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
        if KIND[kind].names:
            return self.patterned(number, kind, self.bits(number))
        return self._other(number, kind)

    def patterned(self, number: int, kind: str, bits: Bits) -> str:
        """A label by one of the patterns of its kind."""
        patterns = KIND[kind].names
        return patterns[bits.below(len(patterns))].format_map(_Slots(self, number, kind, bits))

    def _twin(self, number: int, kind: str) -> int | None:
        """The earlier entity with the same label; about one in fifty entities has one."""
        bits = word(self._twins, number)
        if bits % 50 or (kind not in _DOUBLED and kind not in TITLED):
            return None
        model = _DOUBLED.get(kind) or ("literary work", kind)[(bits >> 8) % 2]
        members = self.census.range[model]
        model_number = members.start + (bits >> 16) % len(members)
        return model_number if model_number < number else None

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
            return with_ending(place_name(bits, SOUNDS[number % 8], long=True), "ia")
        where = self.label(int(self.skeleton["home"][number]))
        index, countries = number - self.census.range[kind].start, len(self.census.range["country"])
        if kind == "position":
            state = self.label(int(self.skeleton["country"][number]))
            return (
                WORDS["office"][index // countries].format(state)
                if index < 3 * countries
                else self._office(number, where)
            )
        if index < countries:
            return with_ending(where, "ish" if where.rstrip("aeiouyé")[-1:] not in "sšch" else "ian")
        return with_ending(place_name(bits, self.sounds(number), long=True), "ic")

    def _office(self, number: int, where: str) -> str:
        return WORDS["regional_office"][self.bits(number).below(len(WORDS["regional_office"]))].format(where)

    def related(self, number: int, kind: str, slot: str) -> int | None:
        """The entity that another is named after, if there is one."""
        relation = self._columns.get((kind, slot))
        others = self.skeleton.objects(relation, kind, number) if relation else []
        return others[0] if others else None


class _Slots:
    """Fills the slots of a pattern for one entity, each on demand."""

    def __init__(self, labels: EntityLabels, number: int, kind: str, bits: Bits):
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
            return self.bits.of(WORDS[SECTORS[sector] if sector < len(SECTORS) else "company"])
        return self._called_after(slot)

    def _any_sounds(self) -> Sounds:
        return SOUNDS[self.number % 8]

    def _called_after(self, slot: str) -> str:
        """The name of another entity (a person, a maker or a site), or a new name if there is none."""
        other = self.labels.related(self.number, self.kind, slot)
        if slot == "site":
            return self.labels.label(other) if other is not None else self["place"]
        if other is not None:
            return (
                self.labels.surname(other) if slot == "namesake" else self.labels.label(other).split(" ")[0]
            )
        return surname(self.bits, self.labels.sounds(self.number))
