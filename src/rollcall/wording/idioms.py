"""What English says of things of a kind where a label has only a noun: `competed in A`, `is part of A`.

`Has A as its games` can be said of any noun and reads badly for many. For common nouns there is a phrase,
which depends on what the subject is: people compete in games, events are part of them. The noun must stand
alone, because a word before it changes what is meant: people do not play for their previous club.
"""

from dataclasses import replace

from rollcall.query import Date, Literal, Number, Text
from rollcall.text.nouns import activity_in_text, head_word, is_plural, singular, with_article
from rollcall.text.verbs import is_participle
from rollcall.text.words import word_list, word_table
from rollcall.wording.ends import is_said_by_origin, is_said_by_place
from rollcall.wording.entry import Entry
from rollcall.wording.labels import without_unit, words_of_label
from rollcall.wording.naming import Naming
from rollcall.wording.nouns import Head, is_part_of_land, kind_above
from rollcall.wording.phrases import Filler, VerbPhrase, as_year

_CONTESTS = ("games", "competition", "contest", "tournament", "championship", "race", "playoffs")
_VENUES = ("venue", "stadium", "arena", "ground")
_LINES = ("line", "river", "waterway", "highway", "road", "street")
_PLAYERS = {
    "team": "played for {object}",
    "club": "played for {object}",
    "position": "played as [{a object}|{objects}]",
}
_UNITS = ("regiment", "battalion", "brigade", "squadron", "corps", "military unit")
_OF_FORCES = frozenset(("armed", "military", "defence", "defense", "service"))
"""What tells a branch of the forces from that of a bank or a tree."""
_PEOPLE = {
    **dict.fromkeys(_CONTESTS, "competed in {object}"),
    **dict.fromkeys(("workplace", "worksite"), "works at {object}"),
    **dict.fromkeys((*_UNITS, "service", "branch of service"), "served in {object}"),
    **dict.fromkeys(("committee", "council", "board", "jury", "panel"), "served on {object}"),
    "department": "works in {object}",
}
_BESIDE_THE_FIELD = word_list("people_beside_sports")
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
        **dict.fromkeys(("home", "base"), "is based in {object}"),
        **dict.fromkeys(("parent", "parent body"), "belongs to {object}"),
        "league": "plays in {object}",
    },
    "place": {
        **dict.fromkeys(_LINES, "is on {object}"),
        **dict.fromkeys(("range", "mountain range", "community"), "is in {object}"),
    },
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
        if entry.noun == "sport":
            return "" if subject in _BESIDE_THE_FIELD else "competed in {object}"
        if is_branch_of_forces(entry.noun):
            return "served in {object}"
        players = _PLAYERS if subject in word_list("players") else {}
        return players.get(entry.noun, _PEOPLE.get(entry.noun, ""))
    qualifier, _, last = entry.noun.partition(" ")
    if qualifier == "host" and (last == "location" or is_part_of_land(last) or last == "country"):
        return "was held in {object}"
    if subject in _VENUES and entry.noun in _CONTESTS:
        return "was used at {object}"
    kind = "event" if subject == "event" else kind_above(subject)
    if kind == "organization" and qualifier == "home" and (last == "base" or is_part_of_land(last)):
        return "is based in {object}"
    if kind == "event" and entry.noun == "sport":  # the boxing at the games, or boxing as such
        return "is part of {object}" if " at " in name else "features {object}"
    return _THINGS.get(kind, {}).get(entry.noun, "")


def is_branch_of_forces(noun: str) -> bool:
    """Whether a noun means a branch of the armed forces: `service branch`, `military service`."""
    qualifier, _, last = noun.partition(" ")
    return qualifier in _OF_FORCES and last in ("branch", "service", "force")


def sport_in_text(content: str, entry: Entry, head: Head) -> tuple[str, Filler] | None:
    """The clause and the words for people's sport that a table gives as text: `competed in fencing`."""
    activity = activity_in_text(content) if entry.noun == "sport" and head.person else ""
    clause = idiom(entry, head) if activity else ""
    return (clause, Filler(activity)) if clause else None


# Values of relations that have a noun or lead to entities: `has a capacity of more than 30,000`.

_EVENT_VERBS = word_table("event_verbs")


def value_phrase(
    literal: Literal, entry: Entry, naming: Naming, *, denied: bool, person: bool = False
) -> VerbPhrase:
    """The clause about a subject whose relation has this value, or a value that satisfies the comparator."""
    literal = as_year(literal) if entry.is_moment else literal
    filler, unit = naming.value(literal), without_unit(entry.noun)[1]
    if (
        unit
        and entry.generic
        and not entry.counts
        and isinstance(literal.value, Number)
        and literal.value.unit is None
    ):
        filler = replace(filler, name=f"{filler.name} {unit}")
    return VerbPhrase(_clause(literal, entry, person), filler, denied)


def since(literal: Literal, naming: Naming) -> Filler:
    """A date after `since`: `2017 or earlier`, `before 2017`."""
    literal = as_year(literal)
    if literal.comparator not in ("<=", ">="):
        return naming.value(literal)
    words = naming.value(Literal(literal.value)).name
    return Filler(f"{words} or {'earlier' if literal.comparator == '<=' else 'later'}")


def _clause(literal: Literal, entry: Entry, person: bool) -> str:
    value = literal.value
    if isinstance(value, Text):
        noun = singular(words_of_label(entry.heading)) if entry.heading else entry.noun
        return (
            (entry.people or entry.forward)
            if entry.generic and (not entry.noun or entry.forward.startswith(("has ", "is by ", "is on ")))
            else f"has {{object}} as {{its}} {plain(noun)}"
        )
    if "{on object}" in entry.forward:
        return entry.forward
    if isinstance(value, Number) and value.unit is None and entry.counts:
        counted = entry.noun.removeprefix("number of ")
        things = without_unit(entry.nouns)[0] if entry.generic else entry.nouns
        return f"has {{object}} {plain(things if counted == entry.noun else counted)}"
    if entry.label in ("year", "date", "years", "dates"):
        if person:
            return f"is listed with a {singular(entry.label)} {{object}}"
        return "is dated {object}" if literal.comparator in ("<=", ">=") else "is from {object}"
    if isinstance(value, Date) and (moment := moment_of(entry)):
        return f"{moment} {{on object}}"
    of = "" if isinstance(value, Date) and literal.comparator != "=" else "of "
    if person and isinstance(value, Date) and entry.noun.endswith((" year", " date")):
        return f"is listed with {plain(with_article(entry.noun))} {of}{{object}}"
    noun = without_unit(entry.noun)[0] if isinstance(value, Number) and entry.generic else entry.noun
    noun = noun if is_plural(noun.split(" ")[-1]) else with_article(noun)
    return f"has {plain(noun)} {of}{{object}}"


def moment_of(entry: Entry) -> str:
    """The verb for a heading that names an event: `death`, `disestablished date`; empty for others."""
    name = words_of_label(entry.heading or entry.label).lower().strip(".")
    first, _, last = name.rpartition(" ")
    if last in ("date", "year"):
        if is_participle(first):
            return f"was {first}"
        name = first
    ordinal, _, event = name.partition(" ")
    ordinal = "last" if ordinal == "latest" else ordinal
    if ordinal in ("first", "last") and event in _EVENT_VERBS:  # `was first performed`, `last appeared`
        was, _, verb = _EVENT_VERBS[event].rpartition(" ")
        return f"{was} {ordinal} {verb}".strip()
    return _EVENT_VERBS.get(name, "")


def plain(text: str) -> str:
    """A label for use in a clause: without the special characters of clauses."""
    return text.translate({ord(mark): None for mark in "[]|{}"})
