"""The other names of an entity: initials, surnames, nicknames, abbreviations, former names, variants."""

from rollcall.english.folding import without_accents
from rollcall.world.chance import key, word
from rollcall.world.concepts import CONCEPT_NUMBERS, CONCEPTS
from rollcall.world.labels import TITLED, Labels
from rollcall.world.name_making import Bits, place_name
from rollcall.world.vocabulary import WORDS

_ABBREVIATED = ("university", "political party", "sports league", "museum")
_SHORTENED = ("business", "publisher", "studio", "record label", "broadcaster")
_RENAMED = ("city", "region", "university", "sports team")


class Aliases:
    """Finds the aliases of the entities of one world."""

    def __init__(self, labels: Labels):
        self.labels, self.census = labels, labels.census
        self._aliases = key(labels.census.seed, "aliases")

    def of(self, number: int) -> tuple[str, ...]:
        """Other names, the best known first; never the label itself, never twice."""
        if number >= CONCEPT_NUMBERS:
            return CONCEPTS[number - CONCEPT_NUMBERS].aliases
        kind, label = self.census.kind(number).name, self.labels.label(number)
        bits = Bits(word(self._aliases, number))
        found = (
            self._of_person(number, label, bits)
            if kind == "human"
            else self._of_thing(number, kind, label, bits)
        )
        plain = without_accents(label)
        if plain != label and bits.below(3):
            found.append(plain)
        return tuple(dict.fromkeys(alias for alias in found if alias and alias != label))

    def _of_person(self, number: int, label: str, bits: Bits) -> list[str]:
        *given, last = label.split(" ")
        found = []
        if bits.below(10) < 5:
            found.append(" ".join([f"{name[0]}." for name in given] + [last]))
        if bits.below(10) < 3:
            found.append(last)
        if bits.below(10) < 2 and len(given[0]) > 4:
            found.append(f"{given[0][:3]}{'y' if given[0][2] not in 'aeiouyé' else 'n'} {last}")
        if len(given) > 1 and bits.below(2):
            found.append(f"{given[0]} {last}")
        families = self.labels.skeleton.families
        if families.female(number) and families.spouse(number) and bits.below(2):
            found.append(f"{given[0]} {self.labels.surname(families.spouse(number)[0])}")
        return found

    def _of_thing(self, number: int, kind: str, label: str, bits: Bits) -> list[str]:
        found = []
        if kind in _ABBREVIATED and bits.below(10) < 8:
            found.append("".join(part[0] for part in label.split() if part[0].isupper()))
        if kind in _SHORTENED:
            found += _shortened(label, bits)
        if kind in _RENAMED and bits.below(10) < 2:
            former = place_name(bits, self.labels.sounds(number), long=True)
            found.append(f"{former} University" if kind == "university" else former)
        if (
            kind in (*TITLED, "musical group", "newspaper")
            and label.startswith("The ")
            and bits.below(10) < 4
        ):
            found.append(label[4:])
        if kind in ("film", "television series", "video game") and bits.below(10) < 1:
            found.append(f"Project {bits.of(WORDS['noun'])}")
        found += _of_kind(kind, label, bits)
        if "our" in label and bits.below(2):
            found.append(label.replace("our", "or"))
        return found


def _shortened(label: str, bits: Bits) -> list[str]:
    """A company's name without its legal form, or with a longer form."""
    found = []
    short = label.rsplit(" ", 1)[0].removesuffix(" &")
    if bits.below(10) < 5 and len(short) > 4:
        found.append(short)
    if bits.below(10) < 2 and not label.endswith(("Company", "Ltd.")):
        found.append(f"{label} Company")
    return found


def _of_kind(kind: str, label: str, bits: Bits) -> list[str]:
    """Names derived from the label by the rules of a kind."""
    if kind == "country":
        return [f"{('Republic', 'Kingdom')[bits.below(2)]} of {label}", label[:3].upper()]
    if kind == "river":
        return [label.removesuffix(" River") if label.endswith(" River") else f"{label} River"]
    if kind == "mountain" and label.startswith("Mount "):
        return [label.replace("Mount ", "Mt. ")]
    if kind == "ship":
        return [f"{('MV', 'SS')[bits.below(2)]} {label}"]
    if kind == "asteroid":
        return [label.split(" ", 1)[1]]
    if kind == "language" and bits.below(2):
        return [f"{label} language"]
    return []
