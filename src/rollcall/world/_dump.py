"""Entities as in Wikidata's JSON dump: items and properties, one per line, including reference hashes."""

import hashlib
from functools import lru_cache
from typing import Any

import msgspec

from rollcall.text.words import without_accents
from rollcall.world._chance import Dice, key, word
from rollcall.world._facts import CLASS_SLOT, WorldFact, WorldFacts
from rollcall.world._sentences import EntityNames
from rollcall.world._skeleton import NONE, NOW
from rollcall.world._sources import DateValue, Literal, Snak
from rollcall.world._vocabulary import (
    CLASSES,
    CONCEPT_NUMBERS,
    CONCEPTS,
    PROFESSIONS,
    PROPERTY_ALIASES,
    RELATIONS,
    UNITS,
    EntityKind,
    Relation,
)

# The properties of a world as the dump describes them: id, label, datatype, description, aliases.

Property = tuple[str, str, str, str, tuple[str, ...]]


def _datatype(relation: Relation) -> str:
    if relation.amount:
        return "quantity"
    if relation.date:
        return "time"
    if relation.words:
        return "string" if relation.words == "code" else "monolingualtext"
    special = {"coordinates": "globe-coordinate", "external": "external-id"}
    return special.get(relation.objects[0], "wikibase-item")


def _table() -> tuple[Property, ...]:
    table: dict[str, Property] = {
        "P31": ("P31", "instance of", "wikibase-item", "class of which this is an example", ("is a", "type")),
        "P279": (
            "P279",
            "subclass of",
            "wikibase-item",
            "class all of whose members are in this one",
            ("kind of",),
        ),
        "P580": ("P580", "start time", "time", "when a statement began to hold", ("from", "since")),
        "P582": ("P582", "end time", "time", "when a statement ceased to hold", ("to", "until")),
        "P585": (
            "P585",
            "point in time",
            "time",
            "when something took place or was counted",
            ("date", "as of"),
        ),
        "P248": ("P248", "stated in", "wikibase-item", "where a statement was found", ("source",)),
        "P813": ("P813", "retrieved", "time", "when a source was read", ("accessed",)),
        "P854": ("P854", "reference URL", "url", "address of a source", ("URL",)),
    }
    for relation in RELATIONS:
        if relation.id not in table:
            subjects = " or ".join(relation.subjects[:3])
            text = f"{relation.label} of a {subjects}"
            table[relation.id] = (
                relation.id,
                relation.label,
                _datatype(relation),
                text,
                PROPERTY_ALIASES.get(relation.id, ()),
            )
    return tuple(sorted(table.values(), key=lambda row: int(row[0][1:])))


PROPERTIES = _table()


_encode = msgspec.json.Encoder().encode
_SOURCES = 500
"""The number of different references in a world; each is used by many statements."""
_LOOSELY_LINKED = (
    "asteroid",
    "automobile model",
    "bridge",
    "fictional character",
    "painting",
    "ship",
    "song",
)
_WITHOUT_ENGLISH = 25
"""One in this many of these entities has no English label; that is about one in 200 of all entities."""


class Dump:
    """Writes the entities of one world as JSON."""

    def __init__(self, facts: WorldFacts, names: EntityNames):
        self.facts, self.names = facts, names
        self.census = facts.census
        self._dice, self._languages = key(self.census.seed, "dump"), key(self.census.seed, "label language")
        sources = Dice(key(self.census.seed, "references"), 0)
        self._references = [msgspec.Raw(_encode(_reference(sources))) for _ in range(_SOURCES)]

    def record(self, number: int, facts: list[WorldFact], class_id: str) -> Snak:
        """One item as it is encoded on a line."""
        kind = self.census.kind(number)
        dice = Dice(self._dice, number)
        id_ = self.census.id(number)
        name = self.names.of(number)
        claims: dict[str, list[Snak]] = {"P31": [self._class_statement(id_, number, class_id)]}
        for fact in facts:
            claims.setdefault(fact.relation.id, []).append(self.statement(fact, dice))
        self._add_oddities(number, kind, facts, claims, dice)
        return {
            "type": "item",
            "id": id_,
            "labels": _labels(name.label, dice, self._language(number, kind)),
            "descriptions": self._descriptions(number, kind, class_id, facts),
            "aliases": _aliases(name.aliases),
            "claims": claims,
            "sitelinks": _sitelinks(name.title, dice),
            "pageid": 10_000_000 + self.census.scrambled(number),
            "ns": 0,
            "title": id_,
            "lastrevid": 1_000_000_000 + word(self._dice, number) % 900_000_000,
            "modified": _modified(word(self._dice, number)),
        }

    def _language(self, number: int, kind: EntityKind) -> str:
        """The language of the label: English; for some rarely linked entities, British English or `mul`."""
        if kind.name not in _LOOSELY_LINKED:
            return "en"
        bits = word(self._languages, number)
        return ("en-gb", "mul")[(bits >> 8) % 2] if bits % _WITHOUT_ENGLISH == 0 else "en"

    def _class_statement(self, id_: str, number: int, class_id: str) -> Snak:
        guid = self.facts.statement_id((number << 12) | CLASS_SLOT, number)
        return _claim(guid, _item_snak("P31", class_id), "normal")

    def statement(self, fact: WorldFact, dice: Dice) -> Snak:
        """A statement with its qualifiers, and a reference where the dice give one."""
        claim = _claim(self.facts.id(fact), self.main_snak(fact), fact.rank)
        claim.update(qualifiers(fact))
        if dice.below(10) < 4:
            claim["references"] = [self._references[dice.below(len(self._references))]]
        return claim

    def main_snak(self, fact: WorldFact) -> Snak:
        """The property and the value of a statement."""
        value = fact.value
        if isinstance(value, int):
            return _item_snak(fact.relation.id, self.census.id(value))
        return _literal_snak(fact.relation.id, value, fact.relation.objects == ("external",))

    def _add_oddities(
        self, number: int, kind: EntityKind, facts: list[WorldFact], claims: dict[str, list[Snak]], dice: Dice
    ) -> None:
        """Add statements that real items have besides facts: unknown, absent and deprecated values."""
        if kind.tier != "person":
            if kind.name == "film" and "P86" not in claims and dice.below(12) == 0:
                claims["P86"] = [
                    self._odd(number, 1, _empty_snak("P86", "wikibase-item", "somevalue"), "normal")
                ]
            return
        if "P40" not in claims and dice.below(20) == 0:
            claims["P40"] = [self._odd(number, 2, _empty_snak("P40", "wikibase-item", "novalue"), "normal")]
        if "P570" not in claims and dice.below(40) == 0:
            born = int(self.facts.skeleton["year"][number])
            if born < NOW - 90:
                claims["P570"] = [self._odd(number, 3, _empty_snak("P570", "time", "somevalue"), "normal")]
        birth = next((fact.value for fact in facts if fact.relation.id == "P569"), None)
        if isinstance(birth, DateValue) and dice.below(16) == 0:
            wrong = DateValue(birth.year - 1 - dice.below(3))
            claims["P569"].append(self._odd(number, 4, _literal_snak("P569", wrong), "deprecated"))

    def _odd(self, number: int, which: int, snak: Snak, rank: str) -> Snak:
        return _claim(self.facts.statement_id((number << 12) | (CLASS_SLOT - which), number), snak, rank)

    def _descriptions(self, number: int, kind: EntityKind, class_id: str, facts: list[WorldFact]) -> Snak:
        noun = CLASSES[class_id].label
        if kind.tier == "person":
            noun = PROFESSIONS[self.census.profession(number)].name
        country = int(self.facts.skeleton["country"][number])
        where = (
            f" {'from' if kind.tier in ('person', 'work') else 'in'} {self.names.of(country).label}"
            if country >= 0
            else ""
        )
        return {"en": {"language": "en", "value": noun if kind.name == "country" else f"{noun}{where}"}}

    def class_items(self) -> list[bytes]:
        """The lines of classes, concepts, units and properties: the same in every world."""
        lines = [
            _fixed_item(
                item.id,
                item.label,
                f"class of {item.plural}",
                (),
                [("P279", item.above)] if item.above else [],
                "",
            )
            for item in CLASSES.values()
        ]
        for number, concept in enumerate(CONCEPTS):
            if concept.id in CLASSES:
                continue
            title = self.names.of(CONCEPT_NUMBERS + number).title
            noun = CLASSES[concept.class_id].label
            lines.append(
                _fixed_item(
                    concept.id, concept.label, noun, concept.aliases, [("P31", concept.class_id)], title
                )
            )
        for id_, (name, symbol) in UNITS.items():
            lines.append(_fixed_item(id_, name, "unit of measurement", (symbol,), [("P31", "Q47574")], ""))
        return lines + [_property(*row) for row in PROPERTIES]


def encoded(record: Snak) -> bytes:
    """The line of one item."""
    return _encode(record)


def qualifiers(fact: WorldFact) -> Snak:
    """The qualifiers of a statement: its years, if it has any."""
    if fact.start == NONE and fact.point == NONE:
        return {}
    years = (("P580", fact.start), ("P582", fact.end), ("P585", fact.point))
    snaks = {name: [_year_qualifier(name, year)] for name, year in years if year != NONE}
    return {"qualifiers": snaks, "qualifiers-order": list(snaks)}


def _claim(guid: str, snak: Snak, rank: str) -> Snak:
    return {"mainsnak": snak, "type": "statement", "id": guid, "rank": rank}


def _item_snak(property_: str, id_: str) -> Snak:
    value = {"entity-type": "item", "numeric-id": int(id_[1:]), "id": id_}
    return {
        "snaktype": "value",
        "property": property_,
        "datavalue": {"value": value, "type": "wikibase-entityid"},
        "datatype": "wikibase-item",
    }


def _literal_snak(property_: str, value: Literal, external: bool = False) -> Snak:
    datatype = "external-id" if external else value.datatype
    return {"snaktype": "value", "property": property_, "datavalue": value.data(), "datatype": datatype}


@lru_cache(maxsize=1 << 12)
def _year_qualifier(property_: str, year: int) -> msgspec.Raw:
    """A snak in the form of qualifiers: with a hash, which main snaks do not have."""
    snak = _literal_snak(property_, DateValue(year))
    return msgspec.Raw(_encode({**snak, "hash": hashlib.sha1(_encode(snak)).hexdigest()}))


def _empty_snak(property_: str, datatype: str, kind: str) -> Snak:
    return {"snaktype": kind, "property": property_, "datatype": datatype}


def _reference(dice: Dice) -> Snak:
    year = 2009 + dice.below(14)
    snaks: dict[str, list[Snak]] = {
        "P248": [_item_snak("P248", "Q11032")],
        "P813": [_literal_snak("P813", DateValue(year, 1 + dice.below(12), 1 + dice.below(28)))],
    }
    if dice.below(2):
        del snaks["P248"]
        url = f"https://archive.example.org/record/{dice.below(10**6)}"
        snaks["P854"] = [
            {
                "snaktype": "value",
                "property": "P854",
                "datavalue": {"value": url, "type": "string"},
                "datatype": "url",
            }
        ]
    digest = "".join(f"{dice.below(1 << 32):08x}" for _ in range(5))
    return {"hash": digest, "snaks": snaks, "snaks-order": list(snaks)}


def _labels(label: str, dice: Dice, language: str) -> Snak:
    labels = {language: {"language": language, "value": label}}
    if dice.below(3) == 0:
        labels["de"] = {"language": "de", "value": without_accents(label)}
    if dice.below(4) == 0:
        labels["fr"] = {"language": "fr", "value": label}
    if "or" in label and dice.below(12) == 0:
        labels["en-gb"] = {"language": "en-gb", "value": label}
    return labels


def _aliases(aliases: tuple[str, ...]) -> Snak:
    return {"en": [{"language": "en", "value": alias} for alias in aliases]} if aliases else {}


def _sitelinks(title: str, dice: Dice) -> Snak:
    links = {
        "enwiki": {"site": "enwiki", "title": title, "badges": ["Q17437796"] if dice.below(60) == 0 else []}
    }
    if dice.below(3) == 0:
        links["dewiki"] = {"site": "dewiki", "title": title, "badges": []}
    if dice.below(5) == 0:
        links["frwiki"] = {"site": "frwiki", "title": title, "badges": []}
    return links


def _modified(bits: int) -> str:
    day, second = bits % 336, (bits >> 16) % 86400
    return (
        f"2024-{1 + day // 28:02d}-{1 + day % 28:02d}"
        f"T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}Z"
    )


def _fixed_item(
    id_: str,
    label: str,
    description: str,
    aliases: tuple[str, ...],
    claims: list[tuple[str, str]],
    title: str,
) -> bytes:
    statements: dict[str, Any] = {}
    for number, (property_, target) in enumerate(claims):
        guid = f"{id_}$0000000{number}-0000-4000-A000-{int(id_[1:]):012X}"
        statements[property_] = [_claim(guid, _item_snak(property_, target), "normal")]
    links = {"enwiki": {"site": "enwiki", "title": title, "badges": []}} if title else {}
    return _encode(
        {
            "type": "item",
            "id": id_,
            "labels": {"en": {"language": "en", "value": label}},
            "descriptions": {"en": {"language": "en", "value": description}},
            "aliases": _aliases(aliases),
            "claims": statements,
            "sitelinks": links,
            "lastrevid": 1_000_000_000 + int(id_[1:]) % 900_000_000,
            "modified": _modified(int(id_[1:])),
        }
    )


def _property(id_: str, label: str, datatype: str, description: str, aliases: tuple[str, ...]) -> bytes:
    return _encode(
        {
            "type": "property",
            "datatype": datatype,
            "id": id_,
            "labels": {"en": {"language": "en", "value": label}},
            "descriptions": {"en": {"language": "en", "value": description}},
            "aliases": _aliases(aliases),
            "claims": {},
            "lastrevid": 1_000_000_000 + int(id_[1:]),
            "modified": _modified(int(id_[1:])),
        }
    )
