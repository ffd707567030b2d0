"""What members of a class are called: `human` are people, a `tower block` is a tower block."""

import re
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.nouns import is_person, plural, singular
from rollcall.english.word_lists import word_list
from rollcall.wording.said import quoted

_SAID = {
    "human": "person",
    "person": "person",
    "entity in event": "participant in an event",
    "economy": "economy",
    "physical good": "product",
    "art": "work of art",
    "music": "piece of music",
    "film production company": "film production company",
    "association football club": "football club",
    "first-level administrative division": "first-level administrative division",
    "geographic entity": "geographic feature",
    "geographical feature": "geographic feature",
    "natural geographic entity": "natural feature",
    "natural geographic object": "natural feature",
    "natural geographical entity": "natural feature",
    "spatial entity": "place",
    "territorial entity": "territory",
    "type of sport": "sport",
    "position on a sports team": "position on a sports team",
    "taxon": "species",
    "series": "series",
    "entity": "thing",
    "creator": "creator",
    "name on the register": "listed place",
}
_ADJECTIVES = frozenset(
    ("short", "long", "full", "official", "common", "native", "local", "abbreviated", "english", "french")
)
_PEOPLE = frozenset(("Q5", "Q215627"))


class ClassNoun(NamedTuple):
    """A class's noun in both numbers, and whether it means people."""

    one: str
    many: str
    person: bool


@lru_cache(maxsize=16384)
def class_noun(label: str, id_: str = "") -> ClassNoun:
    """The noun of a class with this label (a column heading, where data has no better)."""
    text = " ".join(label.split())
    if text[:1].isupper() and text[1:2].islower() and " " not in text:
        text = text[:1].lower() + text[1:]
    one = re.sub(r"^(?:name|title)s? of (?:the )?", "", _SAID.get(text, text))
    # Headings name what stands under them: under `airport name` stand airports.
    for ending in (" name", " title", " ( s )", "(s)"):
        if one.endswith(ending) and len(one) > len(ending):
            one = one[: -len(ending)].strip()
    one = one.replace("/", " or ").replace("{", "(").replace("}", ")").replace("?", "")
    one = singular(" ".join(one.split())) or "thing"
    if one.split(" ")[-1] in word_list("prepositions") | _ADJECTIVES or not any(
        mark.isalpha() for mark in one
    ):
        one = f"thing listed under {quoted(text)}"
        return ClassNoun(one, one.replace("thing", "things", 1), False)
    return ClassNoun(one, plural(one), id_ in _PEOPLE or one == "person" or is_person(one))
