"""The noun for members of a class: `human` becomes people, `tower block` stays as it is."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from rollcall.english.demonyms import demonyms
from rollcall.english.nouns import is_person, plural, singular
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.wording.said import quoted

_SAID = {  # Common English nouns for Wikidata's class labels
    "human": "person",
    "entity in event": "participant in an event",
    "physical good": "product",
    "art": "work of art",
    "music": "piece of music",
    "association football club": "football club",
    "geographic entity": "geographic feature",
    "geographical feature": "geographic feature",
    "natural geographic entity": "natural feature",
    "natural geographic object": "natural feature",
    "natural geographical entity": "natural feature",
    "spatial entity": "place",
    "territorial entity": "territory",
    "type of sport": "sport",
    "taxon": "species",
    "entity": "thing",
    # Tags of named-entity recognisers
    "per": "person",
    "org": "organization",
    "loc": "place",
    "gpe": "place",
    "fac": "place",
    "misc": "thing",
    "norp": "group",
}
_ADJECTIVES = frozenset(("short", "long", "full", "official", "common", "native", "local", "abbreviated"))
_NAMES_ON = re.compile(r"(?:name|title)s? ((?:on|in|at|from|under) the .+)$")
_ROLE = re.compile(r"(?<=\w) of (?:birth|death|origin|residence|citizenship|burial)$")
"""What a heading says of its entries besides their kind: `country of birth`, `location served`."""
_TIMES = frozenset(("year", "date", "day", "time"))
"""Headings of columns whose entries are things of that time: under `year`, the tournament of each year."""
_NAMES = frozenset(("call sign", "callsign", "abbreviation", "acronym", "nickname", "initials"))
"""Headings that say by what their entries are named, not what they are."""
_PEOPLE = frozenset(("Q5", "Q215627"))


class ClassNoun(NamedTuple):
    """A class's noun in both numbers, and whether it means people."""

    one: str
    many: str
    person: bool


@cache
def _lands() -> frozenset[str]:
    """Lands in small letters; under such a heading are things of all kinds."""
    return frozenset(land.lower() for land in demonyms()) | {"uk", "us", "usa", "eu", "u.k", "u.s"}


@lru_cache(maxsize=16384)
def class_noun(label: str, id_: str = "") -> ClassNoun:
    """The noun of a class with this label (a column heading if the data has no better label)."""
    text = " ".join(label.split())
    if text[:1].isupper() and text[1:2].islower() and " " not in text:
        text = text[:1].lower() + text[1:]
    one = re.sub(r"^(?:name|title)s? of (?:the )?", "", _SAID.get(text) or _SAID.get(text.lower(), text))
    # A heading names the entries below it: the entries under `airport name` are airports.
    for ending in (" name", " title", " ( s )", "(s)"):
        if one.endswith(ending) and len(one) > len(ending):
            one = one[: -len(ending)].strip()
    one = _ROLE.sub("", one)
    before, _, last = one.rpartition(" ")
    if before and is_participle(last):
        one = before
    one = one.replace("/", " or ").replace("{", "(").replace("}", ")").replace("?", "")
    one = singular(" ".join(one.split())) or "thing"
    if one in _TIMES | _NAMES or one.lower() in _lands():
        return ClassNoun("thing", "things", False)
    if bearer := _NAMES_ON.match(one):  # what has a name on the list is an entry on the list
        return ClassNoun(f"entry {bearer[1]}", f"entries {bearer[1]}", False)
    words = one.split(" ")
    prepositions = word_list("prepositions")
    # A heading such as `name on the map` is about names and does not say what has these names.
    is_of_names = words[0] in ("name", "title") and len(words) > 1 and words[1] in prepositions
    if is_of_names or words[-1] in prepositions | _ADJECTIVES or not any(mark.isalpha() for mark in one):
        one = f"thing listed under {quoted(text)}"
        return ClassNoun(one, one.replace("thing", "things", 1), False)
    return ClassNoun(one, plural(one), id_ in _PEOPLE or one == "person" or is_person(one))
