"""The noun for a variable: its class, or the noun that the relations around it give to their ends.

If relations give different nouns, the more specific one is used (`film` rather than `work`). If neither is a
kind of the other, the noun that covers both is used.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from rollcall.english.nouns import head_word, is_person, plural
from rollcall.english.word_lists import word_list
from rollcall.query import Variable

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
    found = list(dict.fromkeys(noun for noun in nouns if noun not in ("thing", "value")))
    if not found:
        return THING
    chosen = found[0]
    for noun in found[1:]:
        chosen = _meet(chosen, noun)
    return head_of(chosen)


def _meet(left: str, right: str) -> str:
    if right in left.split(" or ") and right not in ("person", "thing"):
        return right
    if left in right.split(" or ") and left not in ("person", "thing"):
        return left
    if left == right or _ABOVE.get(left) == right or right == "person or thing":
        return left
    if _ABOVE.get(right) == left or left == "person or thing":
        return right
    above = _ABOVE.get(left, left), _ABOVE.get(right, right)
    if above[0] == above[1]:
        return above[0]
    if is_person(left) and is_person(right):
        return "person"
    return "person or thing" if is_person(left) != is_person(right) else "thing"


def covering_noun(nouns: Sequence[str]) -> str:
    """The noun that covers all of these: one of them, or a more general noun; empty if there is none."""
    kinds = [{noun, _ABOVE.get(noun, noun)} for noun in nouns]
    common = set.intersection(*kinds)
    return next((noun for noun in nouns if noun in common), min(common, default=""))
