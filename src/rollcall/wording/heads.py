"""The noun a variable is spoken of by: its class, or what the relations around it are between.

Where relations disagree, the more specific noun wins (`film` over `work`); where neither is a kind of the
other, what both are kinds of.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rollcall.wording.nouns import is_person, plural

_ABOVE = {
    noun: above
    for above, nouns in {
        "work": "film|song|album|book|painting|video game|television series|television programme|play|game|"
        "written work|television program|audiovisual work|publication|artwork|work of art|musical work|comic|newspaper|text|piece of music|piece of software",
        "place": "city|country|building|town|region|island|lake|mountain|river|bridge|stadium|settlement|"
        "structure|sea|continent|protected area|body of water|museum|station|park",
        "organization": "company|team|sports team|club|political party|university|school|band|museum|league|"
        "military unit|publisher|record label|broadcaster|group|orchestra",
        "event": "battle|war|election|competition|conflict|tournament|festival|season|match",
        "vehicle": "ship|aircraft|automobile model|spacecraft|vessel",
        "person": "author|athlete|politician|player|artist|writer|musician|scientist|actor|fictional character",
    }.items()
    for noun in nouns.split("|")
}


class Head(NamedTuple):
    """A noun in both numbers, what it means, and whether it says more than `person` or `thing`."""

    one: str
    many: str
    person: bool

    @property
    def is_specific(self) -> bool:
        return self.one not in ("person", "thing", "person or thing", "value")

    @property
    def relative(self) -> str:
        return "who" if self.person else "that"


PERSON = Head("person", "people", True)
THING = Head("thing", "things", False)


def head_of(noun: str) -> Head:
    """The head a noun makes."""
    return Head(noun, plural(noun), is_person(noun) and noun != "person or thing")


def common_head(nouns: Iterable[str]) -> Head:
    """The one noun that suits all of these."""
    found = list(dict.fromkeys(noun for noun in nouns if noun not in ("thing", "value")))
    if not found:
        return THING
    chosen = found[0]
    for noun in found[1:]:
        chosen = _meet(chosen, noun)
    return head_of(chosen)


def _meet(left: str, right: str) -> str:
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
