"""Labels that are nouns or phrases: `director`, `member of`, `next to`.

They say what the object is to the subject, what the subject is to the object, or where it stands.

Any label can be said as a noun for the object, so this is also the last form that is tried.
"""

import re
from typing import NamedTuple

from rollcall.english.nouns import is_person, plural, singular, with_article
from rollcall.english.word_lists import word_list
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.label_words import PREPOSITIONS
from rollcall.wording.said import quoted

_TEXT_NOUNS = {
    "notes": "notes",
    "note": "notes",
    "comments": "comments",
    "comment": "comments",
    "remarks": "remarks",
    "description": "descriptions",
    "summary": "summaries",
    "notability": "claims to notability",
}
"""Headings of columns with running text, with their plurals."""
_ALWAYS_MANY = frozenset(("games", "headquarters", "honours", "honors", "colours", "colors", "goods"))
_SHORT_WORDS = word_list("short_nouns")
_UNIQUE = frozenset(
    ("capital", "seat", "opposite", "inverse", "headquarters", "mother", "father", "successor")
)
_ROLES = frozenset(
    ("part", "member", "season", "edition", "episode", "instance", "subclass", "tributary", "branch", "type")
)
"""Nouns for a subject that stands in a relation to a thing of a kind: `part of the series`."""
_FIXED_PHRASES = frozenset(
    f"{adjective} {preposition}"
    for adjective, prepositions in (
        ("next", "to"), ("same", "as"), ("close", "to"), ("near", "to"), ("equal", "to"), ("prior", "to"),
        ("opposite", "to of"), ("similar", "to"), ("far", "from"), ("loyal", "to"), ("home", "to"),
        ("out", "of"), ("open", "to"), ("subject", "to"), ("due", "to"),
    )
    for preposition in prepositions.split()
)  # fmt: skip
"""Adjectives with the preposition that goes with each."""
_SYLLABLE = re.compile(r"[^aeiou][aeiouy][^aeiou]|[aeiou][^aeiou]+|[^aeiou]{2}s")


class Label(NamedTuple):
    relation: str
    text: str
    words: list[str]
    to: str
    """What the relation leads to: a noun of values, `entities`, or nothing if that is not known."""

    @property
    def to_values(self) -> bool:
        return self.to in VALUE_NOUNS

    def entry(self, forward: str, noun: str = "", *, subjects: str = "thing", objects: str = "thing",
              backward: str = "", many: str = "", single: bool = False) -> Entry:  # fmt: skip
        return Entry(
            self.relation, self.text, noun, forward, backward=backward, plural_noun=many, subjects=subjects,
            objects=objects, single=single, generic=True,
        )  # fmt: skip


def running_text(label: Label) -> Entry | None:
    if label.text not in _TEXT_NOUNS:
        return None
    many = _TEXT_NOUNS[label.text]
    clause = f"has {{object}} in {{its}} {label.text}"
    return label.entry(clause, label.text, many=many, single=label.text != many)


def lone_preposition(label: Label) -> Entry | None:
    asks = label.words[0] in ("how", "why", "when", "where", "what", "who", "which") and label.words[1:]
    if label.text not in PREPOSITIONS and not asks:
        return None
    return label.entry(f"is listed with {{object}} under {quoted(label.text)}")


def phrase_of_place(label: Label) -> Entry | None:
    """What the subject is, in words that are neither a noun nor a verb: `in charge of`, `next to`."""
    first, last = label.words[0], label.words[-1]
    if len(label.words) < 2 or last not in PREPOSITIONS:
        return None
    if label.text in _FIXED_PHRASES or (first in PREPOSITIONS and len(label.words) == 3):
        the = "the " if first in ("same", "opposite") else ""
        return label.entry(f"is {the}{label.text} {{object}}")
    if label.words[0].endswith("s") and is_person(first) and label.words[1:] == ["with"]:
        return label.entry(f"is {label.text} {{object}}", subjects="person", objects="person")
    return None


def way(label: Label) -> Entry | None:
    """Where the subject came from or went: `from club`, `to team`."""
    first, *rest = label.words
    if first not in _TO_AND_FRO or len(rest) != 1 or rest[0] in PREPOSITIONS or label.to_values:
        return None
    return label.entry(_TO_AND_FRO[first], objects=singular(rest[0]))


def subject_noun(label: Label, words: list[str], be: str) -> Entry:
    """What the subject is: `member of`, `envoy to`; what it has: `music by`, `branches in`."""
    noun = singular(" ".join(words[:-1]))
    if words[-1] in ("in", "at", "on", "near") and noun != " ".join(words[:-1]) and not is_person(noun):
        return label.entry(f"has {label.text} {{object}}")
    if words[-1] == "by":
        return label.entry(f"has {noun} by {{object}}", objects="person or thing")
    said = f"[{with_article(noun)}|{plural(noun)}]"
    if noun == "part":
        said = "part"
    elif noun in _UNIQUE:
        said = f"the {noun}"
    subjects = "person" if is_person(noun) else "thing"
    return label.entry(f"{be} {said} {words[-1]} {{object}}", subjects=subjects)


def role(label: Label) -> Entry | None:
    """`part of the series`, `season of league`: what the subject is to a thing of a kind."""
    found = re.fullmatch(r"((?:\w+ )*?(\w+)) of (?:the |an? )?(.+)", label.text)
    if not found or found[2] not in _ROLES or PREPOSITIONS & set(found[3].split(" ")):
        return None
    role = "part" if found[1] == "part" else f"[{with_article(found[1])}|{plural(found[1])}]"
    return label.entry(f"is {role} of {{object}}", objects=singular(found[3]))


_SAID = {
    "artist": "is by {object}",
    "category": "is in the category {object}",
    "channel": "is on {object}",
    "class": "is in the class {object}",
    "network": "is on {object}",
    "origin": "is from {object}",
    "position": "has the position of {object}",
    "status": "has the status {object}",
    "type": "is of the type {object}",
    **dict.fromkeys(
        ("alliance", "confederation", "conference", "denomination", "division", "federation"),
        "belongs to {object}",
    ),
}
"""Nouns for which English has a phrase: `is by A`, not `has A as its artist`."""
_TO_AND_FRO = {"from": "came from {object}", "to": "went to {object}"}


def noun_for_object(label: Label) -> Entry:
    """What the object is to the subject; any label can be said in this way."""
    text = label.text
    one = text if text in _ALWAYS_MANY else singular(text)
    said = {_SAID[part] for part in one.split(" or ") if part in _SAID}
    if len(said) == 1 and not label.to_values:  # `network`, and `network or station`
        return label.entry(said.pop(), one, objects=one if is_person(one) else "thing")
    objects = one if is_person(one) else "thing"
    if one.endswith(" status") and not label.to_values:
        return label.entry(f"has the {one} {{object}}", one)
    # The plural of an abbreviation (`pos`, `lga`) is not an English word.
    odd = (len(text) < 4 and text not in _SHORT_WORDS and not text.isupper()) or re.search(
        r"(?<! in) \d+$|\d\d?(?:st|nd|rd|th) \w{1,3}$", re.sub(r" in [A-Z]\w+ \d{4}$", "", text)
    )
    if odd and re.fullmatch(r"[a-z]{3}", text) and not _SYLLABLE.fullmatch(text):  # initials: `lga`
        text, one, odd = text.upper(), text.upper(), None
    many = f"{quoted(text)} values" if odd else ""
    several = label.to != "number" and one != text
    if several and not label.to_values and " or " not in text and not one.startswith("most "):
        clause = f"has {{object}} among {{its}} {text}"
        return label.entry(clause, one, objects=objects, many=many)
    if text.startswith(("most ", "fewest ")) and not label.to_values:
        return label.entry(f"is listed with {{object}} under {quoted(text)}", f"{quoted(text)} entry")
    single = (label.to_values and not several) or one.startswith(("number of ", "date of ", "year of "))
    return label.entry(f"has {{object}} as {{its}} {one}", one, objects=objects, many=many, single=single)
