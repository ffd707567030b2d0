"""What English says of things of a kind where a label has only a noun: `competed in A`, `is part of A`.

`Has A as its games` can be said of any noun and reads badly for many. For common nouns there is a phrase,
which depends on what the subject is: people compete in games, events are part of them. The noun must stand
alone, because a word before it changes what is meant: nobody plays for their previous club.
"""

from rollcall.english.nouns import head_word
from rollcall.english.word_lists import word_list
from rollcall.wording.entry import Entry
from rollcall.wording.heads import Head, kind_above
from rollcall.wording.lands import is_said_by_origin, is_said_by_place

_CONTESTS = ("games", "competition", "contest", "tournament", "championship", "race", "playoffs")
_VENUES = ("venue", "stadium", "arena", "ground")
_LINES = ("line", "river", "waterway", "highway", "road", "street")
_PLAYERS = {
    "team": "played for {object}",
    "club": "played for {object}",
    "position": "played as [{a object}|{objects}]",
}
_PEOPLE = {
    **dict.fromkeys(_CONTESTS, "competed in {object}"),
    **dict.fromkeys(("workplace", "worksite"), "works at {object}"),
    "department": "works in {object}",
}
_THINGS = {
    "event": {
        **dict.fromkeys(_CONTESTS, "is part of {object}"),
        **dict.fromkeys(_VENUES, "took place at {object}"),
        **dict.fromkeys(("conflict", "war", "campaign"), "is part of {object}"),
        **dict.fromkeys(
            ("country", "nation", "place", *word_list("parts_of_land")), "took place in {object}"
        ),
    },
    "organization": {
        **dict.fromkeys(_CONTESTS, "competed in {object}"),
        **dict.fromkeys(_VENUES, "plays at {object}"),
        "league": "plays in {object}",
    },
    "place": dict.fromkeys(_LINES, "is on {object}"),
}
"""The clauses of nouns, by the kind of the subject."""


def idiom(entry: Entry, head: Head, name: str = "") -> str:
    """The clause for what a relation without an entry says of a subject; empty if there is none better.

    `name` is that of the object, if it is an entity.
    """
    if not entry.generic or entry.is_literal:
        return ""
    if is_said_by_place(entry, head):
        return "is in {object}"
    if is_said_by_origin(entry, head):
        return "is from {object}"
    subject = head_word(head.one)
    if head.person:
        players = _PLAYERS if subject in word_list("players") else {}
        return players.get(entry.noun, _PEOPLE.get(entry.noun, ""))
    kind = "event" if subject == "event" else kind_above(subject)
    if kind == "event" and entry.noun == "sport":  # the boxing at the games, or boxing as such
        return "is part of {object}" if " at " in name else "features {object}"
    return _THINGS.get(kind, {}).get(entry.noun, "")
