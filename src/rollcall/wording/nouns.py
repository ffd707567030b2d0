"""The noun for members of a class: `human` becomes people, `tower block` stays as it is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from rollcall.query import Variable
from rollcall.text.nouns import demonyms, head_word, is_person, plural, singular
from rollcall.text.verbs import is_participle
from rollcall.text.words import word_list, word_table
from rollcall.wording.phrases import quoted

_CLASS_NOUNS = word_table("class_nouns")
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
    noun = _CLASS_NOUNS.get(text) or _CLASS_NOUNS.get(text.lower(), text)
    entry_noun = re.sub(r"^(?:name|title)s? of (?:the )?", "", noun)
    # A heading names the entries below it: the entries under `airport name` are airports.
    for ending in (" name", " title", " ( s )", "(s)"):
        if entry_noun.endswith(ending) and len(entry_noun) > len(ending):
            entry_noun = entry_noun[: -len(ending)].strip()
    entry_noun = _ROLE.sub("", entry_noun)
    start, _, last = entry_noun.rpartition(" ")
    if start and is_participle(last):
        entry_noun = start
    entry_noun = entry_noun.replace("/", " or ").replace("{", "(").replace("}", ")").replace("?", "")
    entry_noun = singular(" ".join(entry_noun.split())) or "thing"
    if entry_noun in _TIMES | _NAMES or entry_noun.lower() in _lands():
        return ClassNoun("thing", "things", False)
    if bearer := _NAMES_ON.match(entry_noun):  # what has a name on the list is an entry on the list
        return ClassNoun(f"entry {bearer[1]}", f"entries {bearer[1]}", False)
    words = entry_noun.split(" ")
    prepositions = word_list("prepositions")
    # A heading such as `name on the map` is about names and does not say what has these names.
    is_of_names = words[0] in ("name", "title") and len(words) > 1 and words[1] in prepositions
    if (
        is_of_names
        or words[-1] in prepositions | _ADJECTIVES
        or not any(mark.isalpha() for mark in entry_noun)
    ):
        entry_noun = f"thing listed under {quoted(text)}"
        return ClassNoun(entry_noun, entry_noun.replace("thing", "things", 1), False)
    return ClassNoun(
        entry_noun, plural(entry_noun), id_ in _PEOPLE or entry_noun == "person" or is_person(entry_noun)
    )


# The noun for a variable: its class, or the noun that the relations around it give to their ends. If
# relations give different nouns, the more specific one is used (`film` rather than `work`). If neither
# is a kind of the other, the noun that covers both is used.

_ABOVE = dict(line.split(" < ") for line in word_list("kinds_of"))
"""The more general noun of each noun: `work` for `film`."""


def kind_above(noun: str) -> str:
    """The more general noun of a noun, or the noun itself."""
    return _ABOVE.get(noun, noun)


def kind_of(noun: str) -> str:
    """What a noun is a kind of, people included; empty if that is not known."""
    if is_person(noun):
        return "person"
    return _ABOVE.get(noun, noun if noun in _ABOVE.values() else "")


def is_part_of_land(noun: str) -> bool:
    """Whether a noun names a part of land, or several that a heading joins: `city`, `city state`."""
    parts = word_list("parts_of_land")
    words = [word for word in noun.split(" ") if word not in ("or", "and")]
    return noun in parts or (len(words) > 1 and all(word in parts or word == "country" for word in words))


class Head(NamedTuple):
    """A noun in singular and plural, and whether it means people."""

    one: str
    many: str
    person: bool

    @property
    def is_specific(self) -> bool:
        return self.one not in ("person", "thing", "person or thing", "value")

    @property
    def relative(self) -> str:
        return "who" if self.person else "that"

    def implies(self, noun: str) -> bool:
        """Whether a thing with this noun is a thing with another: a production company is an organization."""
        last = head_word(self.one)
        return noun in (self.one, last, kind_above(self.one), kind_above(last), *self.one.split(" or "))


Nouns: TypeAlias = Sequence[Mapping[Variable, Head]]
"""Nouns that replace those of some variables, for each pattern of a query."""
THING = Head("thing", "things", False)


def head_of(noun: str) -> Head:
    """The head made from a noun."""
    return Head(noun, plural(noun), is_person(noun) and noun != "person or thing")


def common_head(nouns: Iterable[str]) -> Head:
    """The one noun that fits all of these."""
    different = list(dict.fromkeys(noun for noun in nouns if noun not in ("thing", "value")))
    if not different:
        return THING
    common = different[0]
    for noun in different[1:]:
        common = _meet(common, noun)
    return head_of(common)


def _meet(left: str, right: str) -> str:
    if right in left.split(" or ") and right not in ("person", "thing"):
        return right
    if left in right.split(" or ") and left not in ("person", "thing"):
        return left
    if left == right or _ABOVE.get(left) == right or right == "person or thing":
        return left
    if _ABOVE.get(right) == left or left == "person or thing":
        return right
    kinds_above = _ABOVE.get(left, left), _ABOVE.get(right, right)
    if kinds_above[0] == kinds_above[1]:
        return kinds_above[0]
    if is_person(left) and is_person(right):
        return "person"
    return "person or thing" if is_person(left) != is_person(right) else "thing"


def covering_noun(nouns: Sequence[str]) -> str:
    """The noun that covers all of these: one of them, or a more general noun; empty if there is none."""
    kinds = [{noun, _ABOVE.get(noun, noun)} for noun in nouns]
    common = set.intersection(*kinds)
    return next((noun for noun in nouns if noun in common), min(common, default=""))
