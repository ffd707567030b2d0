"""The label and aliases of every entity: initials, short forms, abbreviations, former names, spelling variants.

A label is a function of the number alone (through the skeleton), so any worker can name any entity. A few entities
take the label of another on purpose: homonyms are part of the world.
"""

from functools import lru_cache

from rollcall.world.chance import key, share, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS
from rollcall.world.names import (
    Bits,
    country_name,
    given_name,
    place_name,
    plain_letters,
    sounds_of,
    surname,
    title,
)
from rollcall.world.relations import OF_KIND
from rollcall.world.skeleton import Skeleton
from rollcall.world.syllables import PHONOLOGIES, Phonology
from rollcall.world.vocabulary import (
    ADJECTIVES,
    AWARD_WORDS,
    BUSINESS_ENDINGS,
    CAR_WORDS,
    NEWSPAPER_WORDS,
    NOUNS,
    OFFICES,
    PARTY_WORDS,
    PLURALS,
)

_SHORT_TITLES = 90_000
_TITLED = ("literary work", "film", "television series", "album", "song", "painting", "video game")


class Labels:
    """Names the entities of one world."""

    def __init__(self, skeleton: Skeleton):
        self.skeleton, self.census = skeleton, skeleton.census
        seed = skeleton.census.seed
        self._names, self._twins = key(seed, "names"), key(seed, "twins")
        self._given, self._sounds = key(seed, "given"), key(seed, "sounds")
        self._rare = {
            kind: min(1.0, 0.08 * _SHORT_TITLES / max(1, len(self.census.range[kind]))) for kind in _TITLED
        }
        self.label = lru_cache(maxsize=1 << 16)(self._label)
        self._named_after = {
            kind: next(r for r in OF_KIND[kind] if r.id == "P138") for kind in ("award", "asteroid", "bridge")
        }
        self._maker = next(r for r in OF_KIND["automobile model"] if r.id == "P176")
        self._site = next(r for r in OF_KIND["battle"] if r.id == "P276")

    def _sounds_at(self, number: int) -> Phonology:
        country = int(self.skeleton["country"][number])
        return sounds_of(word(self._sounds, country)) if country >= 0 else PHONOLOGIES[number % 8]

    def bits(self, number: int) -> Bits:
        return Bits(word(self._names, number * 2) << 64 | word(self._names, number * 2 + 1))

    def _label(self, number: int) -> str:
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].label
        kind = self.census.kind(number).name
        twin = self._twin(number, kind)
        if twin is not None:
            return str(self.label(twin))
        if kind == "human":
            first, last = self.person(number)
            return f"{first} {last}"
        if kind in _TITLED:
            return self._title(number, kind)
        return self._speaking_name(number, kind)

    def _twin(self, number: int, kind: str) -> int | None:
        """The earlier entity whose label this one shares, for about one in fifty."""
        bits = word(self._twins, number)
        if bits % 50 or kind not in ("human", "city", "river", *_TITLED):
            return None
        model = kind
        if kind in ("film", "album", "song", "television series", "video game"):
            model = ("literary work", kind, "film" if kind != "television series" else kind)[(bits >> 8) % 3]
            if model == "film" and kind == "film":
                model = "literary work"
        members = self.census.range[model]
        chosen = members.start + (bits >> 16) % len(members)
        return chosen if chosen < number else None

    def person(self, number: int) -> tuple[str, str]:
        """Given names and surname."""
        sounds = self._sounds_at(number)
        families = self.skeleton.families
        bits = self.bits(number)
        first = given_name(bits, sounds, families.female(number))
        extra = bits.below(10)
        if extra < 2:
            first = f"{first} {given_name(bits, sounds, families.female(number))}"
        elif extra == 2:
            first = f"{first} {'ABCDEFGHJKLMNPRSTVW'[bits.below(19)]}."
        return first, surname(Bits(families.surname(number)), sounds)

    def surname(self, number: int) -> str:
        label = str(self.label(number))
        return label.rsplit(" ", 1)[-1]

    def _title(self, number: int, kind: str) -> str:
        bits = self.bits(number)
        sounds = self._sounds_at(number)
        place = place_name(bits, sounds, long=True)
        person = given_name(bits, sounds, bool(bits.below(2)))
        return title(bits, self._rare[kind], place, person)

    def _place(self, bits: Bits, number: int, long: bool = False) -> str:
        return place_name(bits, self._sounds_at(number), long)

    def _speaking_name(self, number: int, kind: str) -> str:
        bits = self.bits(number)
        home = int(self.skeleton["home"][number])
        where = str(self.label(home)) if home >= 0 else ""
        if kind == "country":
            return country_name(bits, self._sounds_at(number))
        if kind == "continent":
            return place_name(bits, PHONOLOGIES[number % 8], long=True) + "ia"
        if kind == "city":
            return self._place(bits, number, long=True)
        if kind == "region":
            name = self._place(bits, number, long=True)
            return (name, f"{name} Province", f"Upper {name}", f"{name}shire", f"Lower {name}")[bits.below(5)]
        if kind == "sea":
            return f"{bits.of(ADJECTIVES)} Sea"
        if kind == "mountain range":
            return f"{self._place(bits, number)} {bits.of(('Mountains', 'Hills', 'Alps', 'Highlands'))}"
        if kind == "mountain":
            name = self._place(bits, number, long=True)
            return (f"Mount {name}", f"{name} Peak", name, f"{bits.of(ADJECTIVES)} {name}")[bits.below(4)]
        if kind == "lake":
            name = self._place(bits, number, long=True)
            return f"Lake {name}" if bits.below(4) else f"{name} Reservoir"
        if kind == "river":
            return (
                f"{self._place(bits, number, long=True)} River"
                if bits.below(3)
                else self._place(bits, number, True)
            )
        if kind == "island":
            name = self._place(bits, number, long=True)
            return f"{name} Island" if bits.below(2) else f"Isle of {name}"
        if kind == "language":
            return self._language(where, number)
        if kind == "position":
            members = self.census.range["position"]
            return OFFICES[self._office(number - members.start)].format(where)
        return self._organization_name(number, kind, bits, where)

    def _office(self, index: int) -> int:
        countries = len(self.census.range["country"])
        return index // countries if index < 3 * countries else 3 + index % 7

    def _language(self, country: str, number: int) -> str:
        index = number - self.census.range["language"].start
        base = country.rstrip("aeiouyé") or country
        if index < len(self.census.range["country"]):
            return base + ("ish" if base[-1] not in "sšch" else "ian")
        return _ended(self._place(self.bits(number), number), "ic")

    def _organization_name(self, number: int, kind: str, bits: Bits, where: str) -> str:
        if kind == "religion":
            return (
                f"Church of {self._place(bits, number)}",
                f"Way of the {bits.of(ADJECTIVES)} {bits.of(NOUNS)}",
            )[bits.below(2)]
        if kind == "war":
            name = self._place(bits, number, long=True)
            return (f"War of the {bits.of(NOUNS)}", f"{name} War", f"War of {name}", f"{name} Uprising")[
                bits.below(4)
            ]
        if kind == "battle":
            sites = self.skeleton.objects(self._site, kind, number)
            site = str(self.label(sites[0])) if sites else self._place(bits, number, long=True)
            return f"{bits.of(('Battle', 'Battle', 'Siege'))} of {site}"
        if kind == "university":
            shape = bits.below(3)
            founder = surname(bits, self._sounds_at(number))
            return (f"University of {where}", f"{where} Institute of Technology", f"{founder} University")[
                shape
            ]
        if kind == "political party":
            first, second = bits.of(PARTY_WORDS[0]), bits.of(PARTY_WORDS[0])
            name = f"{first} {second}" if second != first and bits.below(2) else first
            return f"{name} {bits.of(PARTY_WORDS[1])} of {where}"
        if kind == "sports league":
            return f"{where} {bits.of(('Premier League', 'First Division', 'Super League', 'National League', 'Cup League'))}"
        if kind == "sports team":
            return (
                f"{bits.of(('FC', 'Sporting', 'Athletic', 'Racing', 'Union'))} {where}"
                if bits.below(2)
                else (f"{where} {bits.of(('United', 'City', 'Rovers', 'Wanderers', 'Rangers'))}")
            )
        if kind == "stadium":
            return f"{bits.of(ADJECTIVES)} {bits.of(('Park', 'Road', 'Lane', 'Field'))} {bits.of(('Stadium', 'Arena', 'Ground'))}"
        if kind == "musical group":
            return self._band(number, bits)
        if kind == "newspaper":
            return f"The {where} {bits.of(NEWSPAPER_WORDS).replace('_', ' ')}"
        if kind == "museum":
            return f"{where} {bits.of(('Museum of Art', 'City Museum', 'Gallery', 'Museum of Modern Art'))}"
        if kind == "fictional character":
            sounds = PHONOLOGIES[bits.below(8)]
            return f"{given_name(bits, sounds, bool(number % 2))} {bits.of(NOUNS) if bits.below(2) else surname(bits, sounds)}"
        return self._named_thing(number, kind, bits)

    def _band(self, number: int, bits: Bits) -> str:
        name = self._place(bits, number)
        return (
            f"The {bits.of(ADJECTIVES)} {bits.of(PLURALS)}",
            f"{name} {bits.of(PLURALS)}",
            f"{bits.of(NOUNS)} {bits.of(NOUNS)}",
            f"The {name} Quartet",
            f"{bits.of(ADJECTIVES)} {name}",
        )[bits.below(5)]

    def _named_thing(self, number: int, kind: str, bits: Bits) -> str:
        namesake = ""
        if kind in self._named_after:
            people = self.skeleton.objects(self._named_after[kind], kind, number)
            namesake = self.surname(people[0]) if people else ""
        name = surname(bits, self._sounds_at(number))
        if kind == "award":
            return f"{namesake or name} {bits.of(AWARD_WORDS)}"
        if kind == "bridge":
            return f"{namesake or self._place(bits, number)} Bridge"
        if kind == "asteroid":
            serial = 300 + self.census.scrambled(number) % 900_000
            return f"{serial} {namesake or self._place(bits, number)}"
        if kind == "skyscraper":
            return f"{name} {bits.of(('Tower', 'Building', 'Plaza', 'House'))}"
        if kind == "ship":
            return (name, f"{bits.of(ADJECTIVES)} {bits.of(NOUNS)}", f"{self._place(bits, number)} Star")[
                bits.below(3)
            ]
        if kind == "automobile model":
            makers = self.skeleton.objects(self._maker, kind, number)
            maker = str(self.label(makers[0])).split(" ")[0] if makers else name
            return f"{maker} {bits.of(CAR_WORDS)}{('', ' II', ' GT', f' {bits.below(80) * 10 + 100}')[bits.below(4)]}"
        if kind == "studio":
            return f"{bits.of(NOUNS) if bits.below(2) else name} {bits.of(('Pictures', 'Films', 'Studios'))}"
        if kind == "record label":
            return f"{bits.of(NOUNS) if bits.below(2) else name} Records"
        if kind == "publisher":
            return f"{name} {bits.of(('Press', 'Books', '& Company', 'Verlag', 'Editions'))}"
        if kind == "broadcaster":
            return f"{self._place(bits, number)} {bits.of(('Television', 'One', 'Broadcasting', 'TV'))}"
        return f"{name} {bits.of(BUSINESS_ENDINGS)}"

    def aliases(self, number: int) -> tuple[str, ...]:
        """Other names, the best known first; never the label itself, never twice."""
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].aliases
        kind = self.census.kind(number).name
        label = str(self.label(number))
        bits = Bits(word(self._names, number * 2 + 1))
        found = (
            self._person_aliases(number, label, bits)
            if kind == "human"
            else self._other_aliases(number, kind, label, bits)
        )
        plain = plain_letters(label)
        if plain != label and bits.below(3):
            found.append(plain)
        return tuple(dict.fromkeys(alias for alias in found if alias and alias != label))

    def _person_aliases(self, number: int, label: str, bits: Bits) -> list[str]:
        *given, last = label.split(" ")
        found = []
        if bits.below(10) < 5:
            found.append(" ".join([f"{name[0]}." for name in given] + [last]))
        if bits.below(10) < 3:
            found.append(last)
        if bits.below(10) < 2 and len(given[0]) > 4:
            found.append(f"{given[0][:3]}{'y' if given[0][2] not in 'aeiouy' else 'n'} {last}")
        if len(given) > 1 and bits.below(2):
            found.append(f"{given[0]} {last}")
        families = self.skeleton.families
        if families.female(number) and families.spouse(number) and bits.below(2):
            found.append(f"{given[0]} {self.surname(families.spouse(number)[0])}")
        return found

    def _other_aliases(self, number: int, kind: str, label: str, bits: Bits) -> list[str]:
        found = []
        if kind in ("university", "political party", "sports league", "museum") and bits.below(10) < 8:
            found.append(_initials(label))
        if kind in ("business", "publisher", "studio", "record label", "broadcaster"):
            short = label.rsplit(" ", 1)[0].removesuffix(" &")
            if bits.below(10) < 5 and short not in ("The", "") and len(short) > 4:
                found.append(short)
            if bits.below(10) < 2:
                found.append(f"{label} Company")
        if kind == "country":
            found += [f"Republic of {label}" if bits.below(2) else f"Kingdom of {label}", label[:3].upper()]
        if kind in ("city", "region", "university", "sports team") and bits.below(10) < 2:
            found.append(
                f"{self._place(bits, number, long=True)}{' University' if kind == 'university' else ''}"
            )
        if kind == "river":
            found.append(label.removesuffix(" River") if label.endswith(" River") else f"{label} River")
        if kind == "mountain" and label.startswith("Mount "):
            found.append(label.replace("Mount ", "Mt. "))
        if kind == "ship":
            found.append(f"{('MV', 'SS')[bits.below(2)]} {label}")
        if kind in _TITLED and label.startswith("The ") and bits.below(10) < 4:
            found.append(label[4:])
        if kind in ("film", "television series", "video game") and bits.below(10) < 1:
            found.append(f"Project {bits.of(NOUNS)}")
        if kind in ("musical group", "newspaper") and label.startswith("The ") and bits.below(2):
            found.append(label[4:])
        if kind == "asteroid":
            found.append(label.split(" ", 1)[1])
        if kind == "language" and bits.below(2):
            found.append(f"{label} language")
        if "our" in label and bits.below(2):
            found.append(label.replace("our", "or"))
        return found

    def chance(self, name: str, number: int) -> float:
        return share(key(self.census.seed, name), number)


def _initials(label: str) -> str:
    return "".join(part[0] for part in label.split() if part[0].isupper())


def _ended(name: str, ending: str) -> str:
    return (name.rstrip("aeiouyé") or name) + ending
