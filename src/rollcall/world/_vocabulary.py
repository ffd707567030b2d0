"""The vocabulary of worlds, read from the files in the folder `data`: what there is, and how text says it.

- `RELATIONS`, `OF_KIND`, `relation_of`: relations, with all their wordings (`relations/*.toml`)
- `KINDS`, `KIND`, `PROFESSIONS`: kinds of entity and of people (`kinds.toml`, `professions.toml`)
- `CONCEPTS`, `GROUPS`, `CLASSES`, `UNITS`: items of Wikidata (`concepts.toml`, `classes.txt`, `units.toml`)
- `WORDS`, `SOUNDS`, `REAL_NAMES`, `MOTTOES`: what names are made of (`words.toml`, `sounds.toml`, …)
- `DECOYS`, `FILLERS`: sentences that state nothing (`sentences.toml`)
- `LISTS`, `PROPERTY_ALIASES`: list pages, and other names of properties

Every file explains its fields in its first lines or in the struct that it is read as. The order of kinds,
professions and relations decides what is drawn: appended entries leave the others as they are.
"""

import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from rollcall._core.errors import RollcallError, why

_FOLDER = Path(__file__).with_name("data")
_RELATION_FILES = (
    "lives", "careers", "talents", "film_makers", "films", "books", "music", "pictures", "countries",
    "places", "nature", "firms", "clubs", "buildings", "things", "wars", "asteroids",
)  # fmt: skip
"""In the order of the relations' keys, from which their values are drawn: new files come last."""
_SLOT = re.compile(r"\{([^}]*)\}")
_FRENCH = re.compile(r"\{\{lang\|fr\|([^}]*)\}\}")
_AnyType = TypeVar("_AnyType")


def lines_of(name: str) -> list[str]:
    """The lines of a data file, without comments."""
    text = (_FOLDER / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def table_of(name: str, kind: type[_AnyType]) -> _AnyType:
    """A data file in TOML as a value of a type."""
    try:
        return msgspec.convert(tomllib.loads((_FOLDER / name).read_text(encoding="utf-8")), kind)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise RollcallError(f"{_FOLDER / name}: {why(error)}: correct the file") from None


class SentencePattern(NamedTuple):
    """One wording: a `%`-format and the slots that fill it."""

    form: str
    slots: tuple[str, ...]

    @property
    def opens(self) -> bool:
        """Whether it begins with a slot."""
        return self.form.startswith("%s")

    @property
    def predicate(self) -> "SentencePattern":
        """The sentence without its subject."""
        return SentencePattern(self.form.removeprefix("%s "), self.slots[1:])

    @property
    def opens_with_subject(self) -> bool:
        return self.form.startswith("%s") and self.slots[0] in ("S", "S's")

    @property
    def opens_with_object(self) -> bool:
        return self.form.startswith("%s") and self.slots[0] in ("O", "O's")

    @property
    def joinable(self) -> bool:
        """Whether another predicate can follow after "and": only after simple ones, `{S} was born in {O}.`"""
        return (
            self.form.startswith("%s ")
            and self.slots[0] == "S"
            and "," not in self.form
            and "S" not in self.slots[1:]
            and "%s who" not in self.form
            and " and " not in self.form
        )


def patterns(text: str) -> tuple[SentencePattern, ...]:
    """The wordings of a text, one per line."""
    return tuple(
        SentencePattern(_SLOT.sub("%s", line.replace("%", "%%")), tuple(_SLOT.findall(line)))
        for line in text.splitlines()
    )


SECTORS = ("automotive industry", "shipbuilding", "software industry")
"""The sector of business number n is n modulo 6; businesses with another remainder are in any industry."""


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A quantity between two bounds, log-uniformly distributed, in its usual unit or another."""

    low: float
    high: float
    unit: str = ""
    others: tuple[tuple[str, float], ...] = ()
    """Other units of the dimension, with the size of the usual unit in them; used sometimes."""
    decimals: int = 0
    steps: int = 1
    """Amounts are rounded to a multiple of this."""


class Relation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One relation for some kinds of subject: what it connects, how often, and all its wordings.

    Its objects are entities (`objects`) or one kind of literal (`amount`, `date` or `words`). A property may
    have several relations, one for each group of subjects.

    A wording is an English sentence with slots. `{S}` and `{O}` are subject and object, `{S's}` and `{O's}`
    their possessives, `{a O}` the object with its indefinite article, `{on}` and `{date}` a date with and
    without its preposition, `{start}` and `{end}` years of a statement, `{is}` `{has}` verbs whose tense
    depends on whether the subject still exists, `{he}` `{his}` `{him}` the subject's pronouns.
    """

    id: str
    label: str
    subjects: tuple[str, ...]
    """The kinds of its subjects."""
    objects: tuple[str, ...] = ()
    """Kinds, `human:actor..singer` for neighbouring professions, `*genre` for a group of concepts."""
    amount: Amount | None = None
    date: Literal["", "year", "end"] = ""
    """A date in the year in which the subject begins or ends."""
    words: Literal["", "motto", "native", "code"] = ""
    """A text in English, a text in another language, or a plain string."""
    text: str = ""
    """Its wordings, one per line; none if no article states it."""
    past: str = ""
    """Wordings of statements that have ended."""
    decoys: str = ""
    """Its own decoys, besides those for any relation: sentences that resemble it but do not state it."""
    clause: str = ""
    """Its form in the opening sentence: `directed by {O}`."""
    source: str = "drawn"
    """The source of values: drawn at random, or derived from another column."""
    chance: float = 1.0
    most: int = 1
    pool: str = ""
    """Subjects of one circle draw from a common pool of this name."""
    pool_size: int = 4
    near: bool = True
    """Whether objects of the subject's country are preferred."""
    after: int = 0
    """How many years after the subject's beginning the object must exist."""
    ends: float = 0.0
    """The share of statements with an end time."""
    back: bool = False
    """Whether the object's own page states it too (needs an index from objects to subjects)."""
    professions: tuple[str, ...] = ()
    """The professions of its subjects, if not all people have it."""
    ended: bool = False
    """Whether only subjects that have ended have it."""
    sector: Literal["", "automotive industry", "shipbuilding", "software industry"] = ""
    """The sector of the businesses that can be its object."""
    section: int = 0
    """The section of the article that states it."""
    infobox: str = ""
    """Its row of the infobox."""
    key: str = ""
    """A unique name, set when the files are combined."""

    @cached_property
    def object_kinds(self) -> frozenset[str]:
        """The kinds of its objects, regardless of profession."""
        return frozenset(option.partition(":")[0] for option in self.objects)

    @cached_property
    def wordings(self) -> tuple[SentencePattern, ...]:
        return patterns(self.text)

    @cached_property
    def past_wordings(self) -> tuple[SentencePattern, ...]:
        return patterns(self.past)

    @cached_property
    def decoy_wordings(self) -> tuple[SentencePattern, ...]:
        return patterns(self.decoys)

    @cached_property
    def plural(self) -> int | None:
        """The number of a wording that can have several subjects of one object: `{O} directed {S}.`"""
        for number, wording in enumerate(self.wordings, 1):
            if wording.opens_with_object and wording.slots == ("O", "S") and wording.form.endswith("%s."):
                return number
        return None

    @cached_property
    def told_back(self) -> bool:
        """Whether the object's page can state it, in a sentence that begins with the object."""
        return self.back and any(wording.opens_with_object for wording in self.wordings)


class EntityKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of entity; numbers of one kind are consecutive. `kinds.toml` explains the fields."""

    name: str
    tier: Literal["person", "work", "place", "organization", "thing"]
    classes: tuple[str, ...]
    share: float
    noun: str = ""
    home: str = ""
    years: tuple[int, int] = (0, 0)
    ending: float = 0.0
    style: Literal["", "italic", "quoted"] = ""
    the: bool = False
    least: int = 1
    most: int = 1 << 40
    fillers: str = ""
    sections: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Profession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A first profession of people: the id of its concept, its share, and second occupations."""

    name: str
    id: str
    share: float
    others: tuple[str, ...] = ()


class Concept(NamedTuple):
    """A generic item: its id, label, class and aliases."""

    id: str
    label: str
    class_id: str
    aliases: tuple[str, ...]


class Class(NamedTuple):
    """One class item: what P31 points to, and what P279 places it under."""

    id: str
    label: str
    plural: str
    above: str | None


class Sounds(NamedTuple):
    """Onsets, vowels and codas of an invented language, and the usual endings of its names."""

    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...]
    male: tuple[str, ...]
    female: tuple[str, ...]
    surname: tuple[str, ...]
    place: tuple[str, ...]
    country: tuple[str, ...]


class ListKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of list page; `lists.toml` explains the fields."""

    owner: str
    rows: str
    relation: str
    title: str
    head: str
    columns: tuple[tuple[str, str], ...]


class _Group(msgspec.Struct, rename={"class_id": "class"}, forbid_unknown_fields=True):
    class_id: str
    items: str


class _RelationFile(msgspec.Struct, forbid_unknown_fields=True):
    relation: list[Relation]


class _KindFile(msgspec.Struct, forbid_unknown_fields=True):
    sections: dict[str, tuple[str, ...]]
    kind: list[EntityKind]


class _ProfessionFile(msgspec.Struct, forbid_unknown_fields=True):
    profession: tuple[Profession, ...]


class _SoundFile(msgspec.Struct, forbid_unknown_fields=True):
    language: list[dict[str, str]]


class _ListFile(msgspec.Struct, forbid_unknown_fields=True):
    list: tuple[ListKind, ...]


class _SentenceFile(msgspec.Struct, forbid_unknown_fields=True):
    decoys: dict[str, str]
    fillers: dict[str, str]


def _relations() -> tuple[Relation, ...]:
    files = (table_of(f"relations/{name}.toml", _RelationFile) for name in _RELATION_FILES)
    rows = [relation for file in files for relation in file.relation]
    return tuple(replace(row, key=f"{row.id}.{number}") for number, row in enumerate(rows))


def _kinds() -> tuple[EntityKind, ...]:
    file = table_of("kinds.toml", _KindFile)
    return tuple(
        replace(
            kind,
            noun=kind.noun or kind.name,
            sections=kind.sections or file.sections[kind.tier],
            fillers=kind.fillers or kind.tier,
        )
        for kind in file.kind
    )


def _concepts() -> tuple[tuple[Concept, ...], dict[str, range]]:
    concepts: list[Concept] = []
    groups: dict[str, range] = {}
    for name, group in table_of("concepts.toml", dict[str, _Group]).items():
        first = len(concepts)
        for row in group.items.splitlines():
            id_, _, rest = row.partition(" ")
            label, _, aliases = rest.partition(" = ")
            concepts.append(Concept(id_, label, group.class_id, tuple(filter(None, aliases.split(", ")))))
        groups[name] = range(first, len(concepts))
    return tuple(concepts), groups


def _classes() -> dict[str, Class]:
    rows = [[part.strip() for part in line.split("|")] for line in lines_of("classes.txt")]
    return {id_: Class(id_, label, plural, above or None) for id_, label, plural, above in rows}


def _phrases(name: str) -> dict[str, tuple[str, ...]]:
    """Lists of phrases, which are separated by commas, over any number of lines."""
    lists = table_of(name, dict[str, str])
    return {key: tuple(" ".join(text.split()).split(", ")) for key, text in lists.items()}


KINDS = _kinds()
KIND = {kind.name: kind for kind in KINDS}
PROFESSIONS = table_of("professions.toml", _ProfessionFile).profession

RELATIONS = _relations()
OF_KIND: dict[str, tuple[Relation, ...]] = {
    kind.name: tuple(relation for relation in RELATIONS if kind.name in relation.subjects) for kind in KINDS
}
"""The relations of each kind of subject."""

CLASSES = _classes()
CONCEPTS, GROUPS = _concepts()
CONCEPT_NUMBERS = 1 << 30
"""Among the numbers of entities, concept c has the number CONCEPT_NUMBERS + c."""
UNITS = table_of("units.toml", dict[str, tuple[str, str]])

WORDS = _phrases("words.toml")
"""The words that fill the slots of names, by the slot's name."""
SOUNDS = tuple(
    Sounds(**{part: tuple(sounds.split()) for part, sounds in language.items()})
    for language in table_of("sounds.toml", _SoundFile).language
)
REAL_NAMES = frozenset(name for line in lines_of("real_names.txt") for name in line.split())
"""Names of real places or persons that might be drawn by chance; such a draw is changed."""
MOTTOES = lines_of("mottoes.txt")

_SENTENCES = table_of("sentences.toml", _SentenceFile)
DECOYS = {tier: patterns(text) for tier, text in _SENTENCES.decoys.items()}
"""By tier: sentences that name two entities and state nothing."""
FILLERS = {
    name: tuple((line, _FRENCH.sub(r"\1", line).replace("''", "")) for line in text.splitlines())
    for name, text in _SENTENCES.fillers.items()
}
"""By a kind's `fillers`: wikitext and plain text, with placeholders for the topic and for numbers."""

LISTS = table_of("lists.toml", _ListFile).list
PROPERTY_ALIASES = _phrases("property_aliases.toml")


def relation_of(kind: str, id_: str) -> Relation:
    """The relation of a kind of subject with this id."""
    return next(relation for relation in OF_KIND[kind] if relation.id == id_)
